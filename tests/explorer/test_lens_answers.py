"""The lens of the explorer's API."""

import numpy as np
import pytest
from api_client import Ask, Client

from hyperskip import WordVectors
from hyperskip.explorer.answers.lens_view import ring_values
from hyperskip.explorer.answers.queries import Queries
from hyperskip.geometry.names import MEASURES
from hyperskip.projection.lens import DistanceScale
from hyperskip.projection.projecting import make_map


def queries_of(vectors: WordVectors) -> Queries:
    return Queries(vectors, make_map(vectors, np.arange(len(vectors))), "small")


@pytest.mark.parametrize("measure", MEASURES)
def test_the_neighbors_are_in_order_around_the_word(ask: Ask, measure: str) -> None:
    lens = ask("/api/lens", word="dog", count=30, measure=measure)
    near = ask("/api/neighbors", word="dog", count=30, measure=measure)
    assert (lens["word"], lens["neighbors"]) == (near["word"], near["neighbors"])
    assert (lens["x"][0], lens["y"][0]) == (0, 0)
    radii = np.hypot(lens["x"], lens["y"])
    assert (np.diff(radii) > -1e-12).all()
    assert radii.max() < 1
    assert 0 < lens["kept"] <= 1
    assert lens["shown"] == ("cosine" if measure == "angle" else "distance")


def test_rings_are_at_the_distances_that_they_show(ask: Ask) -> None:
    lens = ask("/api/lens", word="dog", count=30)
    values = [ring["value"] for ring in lens["rings"]]
    radii = [np.tanh(ring["radius"] / 2) for ring in lens["rings"]]
    distances = [near["distance"] for near in lens["neighbors"]]
    places = np.hypot(lens["x"][1:], lens["y"][1:])
    assert 2 <= len(values) <= 6
    # Hyperbolic distances on the disc are a linear function of the distances.
    on_disc = np.interp(values, distances, 2 * np.arctanh(places))
    assert 2 * np.arctanh(radii) == pytest.approx(on_disc)


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ((0.62, 1.04), [0.8, 1.0]),
        ((0.0, 4.0), [0.0, 1.0, 2.0, 3.0, 4.0]),
        ((2.0, 2.0), [2.0]),
        ((0.0, 0.0), []),
        ((1e-7, 9e-7), [2e-7, 4e-7, 6e-7, 8e-7]),
    ],
)
def test_rings_are_at_round_values(ends: tuple[float, float], expected: list[float]) -> None:
    assert ring_values(DistanceScale(*ends)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ({"count": "201"}, "count"),
        ({"count": "0"}, "count"),
        ({"measure": "none"}, "measure"),
        ({"words": "5"}, "words"),
    ],
)
def test_parameters_have_bounds(client: Client, query: dict[str, str], part: str) -> None:
    response = client.get("/api/lens", params={"word": "dog", **query})
    assert response.status_code == 400
    assert part in response.json()["error"]


def test_other_spaces_and_few_words() -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(20, 4)).astype(np.float32)
    words = [f"word{number}" for number in range(20)]
    for geometry, factors, shown in (
        ("euclidean", 1, "distance"),
        ("hyperboloid", 2, "dissimilarity"),
    ):
        vectors = WordVectors(words, points, geometry=geometry, factors=factors)
        lens = queries_of(vectors).lens("word3", 100, "product")
        assert lens["shown"] == shown
        assert len(lens["x"]) == len(lens["y"]) == 20
        assert (np.diff(np.hypot(lens["x"], lens["y"])) > -1e-12).all()
    one = queries_of(WordVectors(["alone"], points[:1])).lens("alone", 100, "product")
    assert (one["x"], one["y"], one["rings"], one["kept"]) == ([0], [0], [], 1)
    same = WordVectors(words, np.ones((20, 4), dtype=np.float32))
    equal = queries_of(same).lens("word0", 100, "product")
    assert len(set(np.round(np.hypot(equal["x"][1:], equal["y"][1:]), 9))) == 1
