"""A map that is moved by an isometry."""

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.geometry import charts, hyperboloid
from hyperskip.projection.centering import centered_on
from hyperskip.projection.disc_map import away_from_rim
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


@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("spread", [0.5, 300.0])
def test_words_far_out_are_moved_by_one_scale(dimension: int, spread: float) -> None:
    rng = np.random.default_rng(4)
    coordinates = (spread * rng.normal(size=(60, dimension))).astype(np.float32)
    vectors = WordVectors([f"w{i}" for i in range(60)], coordinates)
    before = centered_on(make_map(vectors, np.arange(50)), vectors, vectors["w7"])
    after = away_from_rim(before)
    lengths = [2 * np.arctanh(np.linalg.norm(each.places, axis=1)) for each in (before, after)]
    assert np.allclose(lengths[1], after.scale * lengths[0], atol=1e-6)
    assert np.quantile(lengths[1], 0.9) < 3.9
    if dimension <= 2:
        assert (after.scale < 1) == (spread > 1)
        placed = Placer(after, vectors).place(vectors.points_of_rows(np.array([3, 7])))
        assert np.allclose(placed, after.places[[3, 7]], atol=1e-5)
