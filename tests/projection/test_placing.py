import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.geometry import charts, hyperboloid
from hyperskip.projection.placing import Placer
from hyperskip.projection.projecting import make_map


@pytest.mark.parametrize("mapped", [30, 60])
def test_places_in_the_hyperbolic_plane_are_exact(mapped: int) -> None:
    coordinates = np.random.default_rng(0).normal(size=(60, 2)).astype(np.float32)
    vectors = WordVectors([f"w{i}" for i in range(60)], coordinates)
    disc_map = make_map(vectors, np.arange(mapped))
    others = hyperboloid.random_points(np.random.default_rng(1), (20,), 2, 2.0)
    places = charts.from_ball(Placer(disc_map, vectors).place(others))
    np.testing.assert_allclose(
        hyperboloid.distance(places[:, None], charts.from_ball(disc_map.places)),
        hyperboloid.distance(others[:, None], vectors.points[:mapped]),
        atol=1e-6,
    )


@pytest.mark.parametrize("rows", [np.arange(200), np.arange(200)[::-1], np.arange(0, 200, 2)])
def test_a_word_on_the_map_gets_its_own_place(trained: WordVectors, rows: np.ndarray) -> None:
    some = trained.subset(np.arange(200))
    disc_map = make_map(some, rows)
    places = Placer(disc_map, some).place(some.points[disc_map.rows])
    np.testing.assert_allclose(places, disc_map.places, atol=1e-3)


def test_a_point_is_placed_among_most_of_its_neighbors(trained: WordVectors) -> None:
    disc_map = make_map(trained, np.arange(len(trained)))
    middle = trained.centroid(["dog", "cat", "horse"])
    (place,) = charts.from_ball(Placer(disc_map, trained).place(middle[None]))
    on_disc = charts.from_ball(disc_map.places)
    near = [trained.index_of(neighbor.word) for neighbor in trained.neighbors(middle, 6)]
    from_neighbors = np.median(hyperboloid.distance(place, on_disc[near]))
    assert from_neighbors < 0.3 * np.median(hyperboloid.distance(place, on_disc))
