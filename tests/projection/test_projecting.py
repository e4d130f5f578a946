"""What each method of making a map guarantees, and which one is chosen."""

from typing import Any

import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st

from hyperskip import WordVectors
from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.projection.disc_map import DiscMap, Fidelity
from hyperskip.projection.fidelity import fidelity_of
from hyperskip.projection.map_events import MapProgress, ignore
from hyperskip.projection.neighbor_graph import nearest_words
from hyperskip.projection.projecting import make_map


def some_vectors(words: int, dimension: int, seed: int = 0, **options: Any) -> WordVectors:
    coordinates = np.random.default_rng(seed).normal(size=(words, dimension))
    names = [f"w{i}" for i in range(words)]
    return WordVectors(names, coordinates.astype(np.float32), **options)


def groups(kinds: int, each: int, dimension: int = 8) -> WordVectors:
    """Words in groups in different directions, far from each other."""
    random = np.random.default_rng(4)
    middles = np.repeat(np.eye(dimension)[:kinds] * 3.0, each, axis=0)
    coordinates = (middles + random.normal(size=middles.shape) * 0.2).astype(np.float32)
    return WordVectors([f"w{i}" for i in range(len(coordinates))], coordinates)


def mapped(vectors: WordVectors, method: str = "auto", seed: int = 1) -> DiscMap:
    return make_map(vectors, np.arange(len(vectors)), method=method, seed=seed)


def on_disc(disc_map: DiscMap) -> Floats:
    return charts.from_ball(disc_map.places)


@given(st.integers(2, 30), st.integers(0, 1000))
def test_the_map_of_the_hyperbolic_plane_is_exact(words: int, seed: int) -> None:
    vectors = some_vectors(words, 2, seed)
    disc_map = mapped(vectors)
    assert disc_map.method == "exact"
    assert disc_map.fidelity == Fidelity(1.0, 1.0)
    shown, points = on_disc(disc_map), vectors.points
    np.testing.assert_allclose(
        hyperboloid.distance(shown[:, None], shown),
        hyperboloid.distance(points[:, None], points),
        atol=1e-6,
    )
    np.testing.assert_allclose(hyperboloid.centroid(shown), [0, 0, 1], atol=1e-6)


def test_the_map_of_a_line_is_exact() -> None:
    disc_map = mapped(some_vectors(9, 1))
    assert disc_map.method == "exact"
    assert not disc_map.places[:, 1].any()


@pytest.mark.parametrize("dimension", [3, 10])
def test_tangent_places_are_never_farther_from_the_center(dimension: int) -> None:
    vectors = some_vectors(40, dimension)
    shown = on_disc(mapped(vectors, "tangent"))
    center = hyperboloid.centroid(vectors.points)
    radii = hyperboloid.distance(center, vectors.points)
    assert (np.arcsinh(np.linalg.norm(shown[:, :2], axis=1)) <= radii + 1e-9).all()


def test_geodesic_places_are_never_farther_apart() -> None:
    """The orthogonal projection onto a totally geodesic plane shortens all distances."""
    vectors = some_vectors(40, 5)
    shown, points = on_disc(mapped(vectors, "geodesic")), vectors.points
    assert (
        hyperboloid.distance(shown[:, None], shown)
        <= hyperboloid.distance(points[:, None], points) + 1e-7
    ).all()


def test_geodesic_and_tangent_places_of_a_plane_in_space_are_exact() -> None:
    flat = some_vectors(30, 2)
    coordinates = np.pad(flat.coordinates, ((0, 0), (1, 2)))
    vectors = WordVectors(flat.words, coordinates)
    distances = hyperboloid.distance(vectors.points[:, None], vectors.points)
    for method in ("geodesic", "tangent"):
        shown = on_disc(mapped(vectors, method))
        np.testing.assert_allclose(
            hyperboloid.distance(shown[:, None], shown), distances, atol=1e-6
        )


def test_fitted_places_keep_groups_together() -> None:
    vectors = groups(6, 25)
    disc_map = mapped(vectors, "fitted")
    shown = on_disc(disc_map)
    distances = hyperboloid.distance(shown[:, None], shown)
    np.fill_diagonal(distances, np.inf)
    assert (distances.argmin(axis=1) // 25 == np.arange(150) // 25).mean() > 0.98
    assert disc_map.fidelity.neighbors > mapped(vectors, "tangent").fidelity.neighbors
    assert mapped(vectors).method == "fitted"


def test_fitted_places_unroll_a_plane() -> None:
    """Words on a plane in space have the neighbors of the plane, up to the forces' preferences."""
    flat = some_vectors(400, 2)
    coordinates = np.pad(flat.coordinates, ((0, 0), (1, 2)))
    assert mapped(WordVectors(flat.words, coordinates), "fitted").fidelity.neighbors > 0.6


def test_fitted_places_depend_on_the_seed_only() -> None:
    vectors = groups(4, 10)
    first, again, other = (mapped(vectors, "fitted", seed).places for seed in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert not np.allclose(first, other)


def test_polar_places_keep_the_order_of_radii() -> None:
    vectors = groups(5, 20)
    disc_map = mapped(vectors, "polar")
    on_map = np.linalg.norm(disc_map.places, axis=1)
    assert disc_map.fidelity.radii == pytest.approx(1.0)
    assert np.argsort(on_map).tolist() == np.argsort(vectors.radii).tolist()
    assert disc_map.fidelity.neighbors > 0.3  # angles are fitted: far above chance (0.1)


@pytest.mark.parametrize("options", [{"factors": 2}, {"geometry": "euclidean"}])
def test_other_spaces_have_maps(options: dict[str, Any]) -> None:
    vectors = some_vectors(40, 4, **options)
    disc_map = mapped(vectors)
    assert set(disc_map.tried) == {"tangent", "fitted"}
    assert (np.linalg.norm(disc_map.places, axis=1) < 1).all()
    with pytest.raises(GeometryError, match=naming("projection", "fitted", "polar", "tangent")):
        mapped(vectors, "geodesic")


def test_the_chosen_method_is_the_best_that_was_measured(trained: WordVectors) -> None:
    disc_map = mapped(trained)
    assert set(disc_map.tried) == {"tangent", "geodesic", "fitted"}
    best = max(disc_map.tried, key=lambda name: disc_map.tried[name].neighbors)
    assert disc_map.method == best
    assert disc_map.fidelity == disc_map.tried[best]


@pytest.mark.parametrize("words", [1, 2, 3])
@pytest.mark.parametrize("method", ["auto", "tangent", "geodesic", "polar", "fitted"])
@pytest.mark.parametrize("factors", [1, 2])
def test_few_words_have_maps(words: int, method: str, factors: int) -> None:
    if (method, factors) == ("geodesic", 2):
        pytest.skip("a product has no geodesic planes")
    disc_map = mapped(some_vectors(words, 6, factors=factors), method)
    assert disc_map.places.shape == (words, 2)
    assert (np.linalg.norm(disc_map.places, axis=1) < 1).all()


@pytest.mark.parametrize("method", ["auto", "tangent", "geodesic", "polar", "fitted"])
def test_words_at_the_same_point_have_maps(method: str) -> None:
    vectors = WordVectors([f"w{i}" for i in range(30)], np.ones((30, 5), dtype=np.float32))
    disc_map = mapped(vectors, method)
    assert np.isfinite(disc_map.places).all()
    assert np.isfinite([disc_map.fidelity.neighbors, disc_map.fidelity.radii]).all()


def test_only_the_chosen_words_are_mapped(trained: WordVectors) -> None:
    rows = np.array([5, 3, 40, 41, 7])
    disc_map = make_map(trained, rows)
    assert disc_map.rows.tolist() == rows.tolist()
    assert len(disc_map.places) == 5


def test_fidelity_of_a_known_answer() -> None:
    vectors = some_vectors(60, 2)
    graph = nearest_words(vectors, ignore)
    exact = charts.to_ball(vectors.points)
    fidelity = fidelity_of(exact, graph, vectors.radii)
    assert (fidelity.neighbors, fidelity.radii) == pytest.approx((1.0, 1.0))
    shuffled = exact[np.random.default_rng(1).permutation(60)]
    assert fidelity_of(shuffled, graph, vectors.radii).neighbors < 0.35  # chance: 10 of 59
    assert fidelity_of(exact, graph, -vectors.radii).radii == pytest.approx(-1.0)


@pytest.mark.parametrize(
    "kernel",
    [
        *("force_kernels.split", "force_kernels.summarize", "force_kernels.repulsion"),
        *("force_kernels.attraction", "kernels.move"),
    ],
)
def test_an_error_in_a_kernel_is_raised(kernel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(f"hyperskip.projection.{kernel}", broken)
    with pytest.raises(ZeroDivisionError):
        mapped(groups(3, 10), "fitted")


def test_progress_goes_from_neighbors_to_fitting() -> None:
    reports: list[MapProgress] = []
    make_map(groups(3, 10), np.arange(30), report=reports.append)
    assert list(dict.fromkeys(report.step for report in reports)) == ["neighbors", "fitting"]
    assert reports[-1].share == 1.0


def test_unknown_methods_and_empty_maps_are_refused() -> None:
    allowed = ("auto", "tangent", "geodesic", "polar", "fitted")
    with pytest.raises(OptionError, match=naming("projection", "umap", *allowed)):
        mapped(some_vectors(5, 3), "umap")
    with pytest.raises(OptionError):
        make_map(some_vectors(5, 3), np.arange(0))
