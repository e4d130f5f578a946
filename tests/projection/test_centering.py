"""A map that is moved by an isometry."""

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.geometry import charts, hyperboloid
from hyperskip.projection.centering import centered_on
from hyperskip.projection.placing import Placer
from hyperskip.projection.projecting import make_map


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_distances_stay_and_other_points_follow(dimension: int) -> None:
    rng = np.random.default_rng(4)
    coordinates = rng.normal(size=(60, dimension)).astype(np.float32)
    vectors = WordVectors([f"w{i}" for i in range(60)], coordinates)
    before = make_map(vectors, np.arange(50))
    after = centered_on(before, vectors, vectors["w7"])
    assert after.method == before.method
    assert np.linalg.norm(after.places[7]) == pytest.approx(0, abs=1e-6)
    points = [charts.from_ball(disc_map.places) for disc_map in (before, after)]
    first, second = (hyperboloid.distance(each[:, None], each[None]) for each in points)
    assert np.allclose(first, second, atol=1e-5)
    placed = Placer(after, vectors).place(vectors.points_of_rows(np.array([3, 7])))
    assert np.allclose(placed, after.places[[3, 7]], atol=1e-5)
