import numpy as np
import pytest

from hyperskip.geometry import hyperboloid
from hyperskip.training import centroids
from hyperskip.training.options import TrainingOptions


@pytest.mark.parametrize("factors", [1, 3])
@pytest.mark.parametrize("at_once", [1, 1 << 22])
def test_centered_words_have_the_same_distances_and_the_base_point_as_centroid(
    factors: int, at_once: int
) -> None:
    options = TrainingOptions(dimension=6, factors=factors)
    positions = np.random.default_rng(1).normal(0.8, 0.5, (20, 6)).astype(np.float32)
    moved = centroids.centered(positions, options, numbers_at_once=at_once)
    shape = 20, factors, 6 // factors
    before = hyperboloid.from_spatial(positions.reshape(shape))
    after = hyperboloid.from_spatial(moved.reshape(shape))
    np.testing.assert_allclose(
        hyperboloid.distance(after[:, None], after[None]),
        hyperboloid.distance(before[:, None], before[None]),
        atol=1e-5,
    )
    assert np.abs(hyperboloid.centroid(before, axis=0)[:, :-1]).max() > 0.3
    np.testing.assert_allclose(hyperboloid.centroid(after, axis=0)[:, :-1], 0.0, atol=1e-6)


def test_centroids_are_in_the_middle() -> None:
    pairs = np.random.default_rng(2).normal(0, 1, (5, 2, 4))
    weights = np.ones((5, 2))
    flat = centroids.centroids(pairs, weights, TrainingOptions(dimension=4, geometry="euclidean"))
    np.testing.assert_allclose(flat, pairs.mean(axis=1))
    curved = centroids.centroids(pairs, weights, TrainingOptions(dimension=4))
    points = hyperboloid.from_spatial(pairs)
    middle = hyperboloid.geodesic(points[:, 0], points[:, 1], 0.5)
    np.testing.assert_allclose(curved, middle[:, :-1], atol=1e-12)
