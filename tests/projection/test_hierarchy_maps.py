"""Maps of models with a hierarchy: general words are in the middle."""

from pathlib import Path

import numpy as np
import pytest

from hyperskip import HierarchyPoints, WordVectors
from hyperskip.projection.centering import centered_on
from hyperskip.projection.map_events import MapProgress
from hyperskip.projection.map_file import map_beside
from hyperskip.projection.placing import Placer
from hyperskip.projection.projecting import make_map, radii_on_map

WORDS = 60


def model(dimension: int = 4, seed: int = 0, geometry: str = "hyperboloid") -> WordVectors:
    """Words with a hierarchy whose radii are not those of the space."""
    random = np.random.default_rng(seed)
    points = random.normal(size=(WORDS, 5))
    return WordVectors(
        [f"w{i}" for i in range(WORDS)],
        np.random.default_rng(9).normal(size=(WORDS, dimension)).astype(np.float32),
        geometry=geometry,
        hierarchy=HierarchyPoints(points, slope=1.0, offset=0.0, evidence=np.ones(WORDS, int)),
    )


def plain(vectors: WordVectors) -> WordVectors:
    return WordVectors(vectors.words, vectors.coordinates, geometry=vectors.geometry)


@pytest.mark.parametrize("method", ["auto", "polar"])
@pytest.mark.parametrize(
    ("dimension", "geometry"), [(2, "hyperboloid"), (4, "hyperboloid"), (4, "euclidean")]
)
def test_general_words_are_in_the_middle(dimension: int, geometry: str, method: str) -> None:
    vectors = model(dimension, geometry=geometry)
    disc_map = make_map(vectors, np.arange(WORDS), method=method)
    lengths = np.linalg.norm(disc_map.places, axis=1)
    assert disc_map.by_hierarchy
    assert disc_map.method == "polar"
    assert np.argsort(lengths).tolist() == np.argsort(vectors.hierarchy_radii).tolist()
    assert disc_map.fidelity.radii == pytest.approx(1.0)


@pytest.mark.parametrize("method", ["tangent", "geodesic", "fitted"])
@pytest.mark.parametrize("dimension", [2, 4])
def test_other_methods_do_not_depend_on_the_hierarchy(dimension: int, method: str) -> None:
    vectors = model(dimension)
    rows = np.arange(WORDS)
    disc_map, expected = (make_map(each, rows, method=method) for each in (vectors, plain(vectors)))
    assert disc_map.places.tobytes() == expected.places.tobytes()
    assert disc_map.method == expected.method == ("exact" if dimension == 2 else method)
    assert not disc_map.by_hierarchy
    assert not expected.by_hierarchy


def test_the_map_depends_on_the_seed_only() -> None:
    vectors = model()
    first, again, other = (make_map(vectors, np.arange(WORDS), seed=s).places for s in (1, 1, 2))
    assert first.tobytes() == again.tobytes()
    assert not np.allclose(first, other)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_words(count: int) -> None:
    vectors = model()
    disc_map = make_map(vectors, np.arange(count))
    assert np.isfinite(disc_map.places).all()
    assert (np.linalg.norm(disc_map.places, axis=1) < 1).all()


def test_the_radii_that_maps_show() -> None:
    vectors = model()
    assert radii_on_map(vectors).tolist() == vectors.hierarchy_radii.tolist()
    assert radii_on_map(plain(vectors)).tolist() == vectors.radii.tolist()


def test_another_word_in_the_middle_ends_the_order() -> None:
    vectors = model()
    disc_map = make_map(vectors, np.arange(WORDS))
    assert not centered_on(disc_map, vectors, vectors["w5"]).by_hierarchy


def test_other_words_are_placed_between_words_that_are_as_general() -> None:
    vectors = model()
    disc_map = make_map(vectors, np.arange(WORDS - 10))
    radii = vectors.hierarchy_radii
    others = np.arange(WORDS - 10, WORDS)
    lengths = np.linalg.norm(Placer(disc_map, vectors).place_words(others), axis=1)
    assert np.argsort(lengths).tolist() == np.argsort(radii[others]).tolist()
    on_map = np.linalg.norm(disc_map.places, axis=1)
    for row, length in zip(others.tolist(), lengths.tolist(), strict=True):
        below = on_map[radii[disc_map.rows] <= radii[row]]
        above = on_map[radii[disc_map.rows] >= radii[row]]
        assert below.max(initial=0.0) <= length + 1e-12
        assert length <= above.min(initial=1.0) + 1e-12


def test_without_a_hierarchy_other_words_are_between_their_neighbors() -> None:
    vectors = plain(model())
    placer = Placer(make_map(vectors, np.arange(WORDS - 10)), vectors)
    others = np.arange(WORDS - 10, WORDS)
    expected = placer.place(vectors.points_of_rows(others))
    assert placer.place_words(others).tolist() == expected.tolist()


def test_the_map_is_saved_with_its_order(tmp_path: Path) -> None:
    vectors, path = model(), tmp_path / "model.safetensors"
    reports: list[MapProgress] = []
    first = map_beside(path, vectors, report=reports.append)
    assert reports
    reports.clear()
    again = map_beside(path, vectors, report=reports.append)
    assert not reports
    assert again.by_hierarchy
    assert again.places.tobytes() == first.places.tobytes()
    for other in (model(seed=1), plain(vectors)):
        reports.clear()
        assert map_beside(path, other, report=reports.append).by_hierarchy == other.has_hierarchy
        assert reports
