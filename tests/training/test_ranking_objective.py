"""The ranking loss: its gradients, and steps that follow them."""

import numpy as np
import numpy.typing as npt
import pytest

from hyperskip.geometry.spaces import space_named
from hyperskip.training.objective.ranking import (
    RankingSettings,
    add_gradients,
    moments_at_start,
    train_batches,
)

NODES, DIMENSION = 12, 3
GENERATOR = np.random.default_rng(5)
POINTS = GENERATOR.normal(size=(NODES, DIMENSION)).astype(np.float32)
EDGES = np.array([[0, 1], [2, 1], [1, 3], [4, 0], [4, 3]], dtype=np.int32)
NEGATIVES = np.array([5, 6, 0, 7, 7], dtype=np.int64)
WEIGHTS = np.array([1.0, 2.0, 0.5, 1.0, 1.0])
ALL_MOVE = np.zeros(NODES, dtype=np.uint8)
NO_WEIGHTS = np.zeros(0, dtype=np.float32)
GO_ON = np.zeros(1, dtype=np.uint8)


def settings(*, hyperbolic: bool = True, negatives: int = 5, batch: int = 2) -> RankingSettings:
    return RankingSettings(
        hyperbolic=hyperbolic,
        dimension=DIMENSION,
        sharpness=3.0,
        negatives=negatives,
        batch=batch,
        max_step=1.0,
        threads=1,
    )


def loss_of(points: npt.NDArray[np.float64], geometry: str) -> float:
    """The loss as it is defined, by the distances of the space."""
    space, loss = space_named(geometry), 0.0
    numbers = space.points(points)
    for (source, target), weight in zip(EDGES, WEIGHTS, strict=True):
        others = numbers[[target, *NEGATIVES[source != NEGATIVES]]]
        distances = (
            space.distance(others, numbers[source])
            if space.is_curved
            else np.linalg.norm(others - numbers[source], axis=1)
        )
        scores = -3.0 * distances
        loss -= weight * (scores[0] - np.log(np.exp(scores).sum()))
    return float(loss)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_gradients_are_the_slopes_of_the_loss(geometry: str) -> None:
    chosen = settings(hyperbolic=space_named(geometry).is_curved)
    gradients = np.zeros((NODES, DIMENSION))
    loss = add_gradients(gradients, POINTS, EDGES, NEGATIVES, chosen, WEIGHTS)
    exact = POINTS.astype(np.float64)
    assert loss == pytest.approx(loss_of(exact, geometry), rel=1e-6)
    for node in range(9):
        for axis in range(DIMENSION):
            step = np.zeros_like(exact)
            step[node, axis] = 1e-5
            slope = (loss_of(exact + step, geometry) - loss_of(exact - step, geometry)) / 2e-5
            assert gradients[node, axis] == pytest.approx(slope, rel=1e-4, abs=1e-5)


def test_training_lowers_the_loss_and_moves_only_what_may_move() -> None:
    points = (0.01 * POINTS).astype(np.float32)
    moments = moments_at_start(NODES, DIMENSION)
    fixed = ALL_MOVE.copy()
    fixed[:4] = 1
    start = points.copy()
    losses = [
        train_batches(
            *(points, moments, fixed, EDGES, NO_WEIGHTS, settings()),
            *((0.1, 0.1), np.uint64(seed), None, GO_ON),
        )
        for seed in range(100)
    ]
    assert np.mean(losses[-20:]) < 0.9 * losses[0]
    np.testing.assert_array_equal(points[:4], start[:4])
    assert (points[4:] != start[4:]).any(axis=1).all()


def test_a_seed_determines_the_steps() -> None:
    def trained(seed: int) -> npt.NDArray[np.float32]:
        points = POINTS.copy()
        train_batches(
            *(points, moments_at_start(NODES, DIMENSION), ALL_MOVE, EDGES, NO_WEIGHTS),
            *(settings(), (0.1, 0.0), np.uint64(seed), None, GO_ON),
        )
        return points

    np.testing.assert_array_equal(trained(1), trained(1))
    assert (trained(1) != trained(2)).any()


def test_weights_of_one_change_nothing_and_zeros_stop_all_pull() -> None:
    def trained(weights: npt.NDArray[np.float32]) -> tuple[float, npt.NDArray[np.float32]]:
        points = POINTS.copy()
        loss = train_batches(
            *(points, moments_at_start(NODES, DIMENSION), ALL_MOVE, EDGES, weights),
            *(settings(), (0.1, 0.0), np.uint64(1), None, GO_ON),
        )
        return loss, points

    plain, ones, zeros = (
        trained(weights)
        for weights in (NO_WEIGHTS, np.ones(5, np.float32), np.zeros(5, np.float32))
    )
    assert plain[0] == ones[0]
    np.testing.assert_array_equal(plain[1], ones[1])
    assert zeros[0] == 0.0
    np.testing.assert_array_equal(zeros[1], POINTS)


def test_training_stops_when_it_is_asked_to() -> None:
    points = POINTS.copy()
    stopped = np.ones(1, dtype=np.uint8)
    train_batches(
        *(points, moments_at_start(NODES, DIMENSION), ALL_MOVE, EDGES, NO_WEIGHTS),
        *(settings(), (0.1, 0.0), np.uint64(1), None, stopped),
    )
    np.testing.assert_array_equal(points, POINTS)
