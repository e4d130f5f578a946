"""The ranking loss: its gradients, and steps that follow them."""

import math

import numpy as np
import numpy.typing as npt
import pytest

from hyperskip.geometry.spaces import Space, space_named
from hyperskip.training.objective.ranking import (
    MOMENTS,
    Nodes,
    Settings,
    add_gradients,
    train_batches,
)
from hyperskip.training.target_lists import TargetLists

NODES, DIMENSION, SHARPNESS = 12, 3, 3.0
POINTS = np.random.default_rng(5).normal(size=(NODES, DIMENSION)).astype(np.float32)
SOURCE = 4
TARGETS = np.array([0, 3], dtype=np.int32)
WEIGHTS = np.array([1.0, 2.0])
SAMPLES = np.array([5, 6, 0, 7, 7, 4], dtype=np.int64)  # a target and the source do not count
COUNTED = [5, 6, 7, 7]
LISTS = TargetLists(
    sources=np.array([0, 2, 4], dtype=np.int32),
    starts=np.array([0, 1, 2, 4]),
    targets=np.array([1, 1, 0, 3], dtype=np.int32),
    weights=np.zeros(0, dtype=np.float32),
)
GEOMETRIES = pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])


def settings(geometry: str = "hyperboloid", batch: int = 2) -> Settings:
    return Settings(
        hyperbolic=space_named(geometry).is_curved,
        dimension=DIMENSION,
        sharpness=SHARPNESS,
        negatives=5,
        batch=batch,
        max_step=1.0,
    )


def state(scale: float = 1.0, fixed: list[int] | None = None) -> Nodes:
    is_fixed = np.zeros(NODES, dtype=np.uint8)
    is_fixed[fixed or []] = 1
    moments = np.zeros((NODES, DIMENSION + MOMENTS), dtype=np.float32)
    points = (scale * POINTS).astype(np.float32)
    return Nodes(points, moments, is_fixed, np.ones(NODES, dtype=np.float32))


def trained(
    nodes: Nodes,
    *,
    lists: TargetLists = LISTS,
    geometry: str = "hyperboloid",
    ceiling: float = math.inf,
    seed: int = 1,
) -> float:
    rates, ceilings = (0.1, 0.1), (ceiling, ceiling)
    steps_before = int(nodes.moments[:, -1].max())
    return train_batches(nodes, lists, settings(geometry), rates, ceilings, seed, steps_before)


def loss_of(points: npt.NDArray[np.float64], space: Space) -> float:
    """The loss as it is defined, by the distances of the space."""
    numbers = space.points(points)

    def likelihoods(rows: list[int]) -> npt.NDArray[np.float64]:
        distances = (
            space.distance(numbers[rows], numbers[SOURCE])
            if space.is_curved
            else np.linalg.norm(numbers[rows] - numbers[SOURCE], axis=1)
        )
        return np.asarray(np.exp(-SHARPNESS * distances))

    of_targets = likelihoods(TARGETS.tolist())
    total = likelihoods(COUNTED).sum()
    return float(-(WEIGHTS * np.log(of_targets / (of_targets + total))).sum())


@GEOMETRIES
def test_gradients_are_the_slopes_of_the_loss(geometry: str) -> None:
    """In polar coordinates: along the radius, and along directions that keep it."""
    space = space_named(geometry)
    gradients = np.zeros((NODES, DIMENSION + 1))
    loss = add_gradients(gradients, POINTS, SOURCE, TARGETS, WEIGHTS, SAMPLES, settings(geometry))
    exact = POINTS.astype(np.float64)
    assert loss == pytest.approx(loss_of(exact, space), rel=1e-6)
    rounded = 1e-5
    for node in {SOURCE, *TARGETS.tolist(), *COUNTED}:
        x = exact[node]
        length = np.linalg.norm(x)
        outward = x / length
        turn = np.cross(outward, [1.0, 0.0, 0.0])
        turn /= np.linalg.norm(turn)
        # Steps of length 1: radial ones stretch by the time coordinate on the hyperboloid.
        stretch = np.hypot(1.0, length) if space.is_curved else 1.0
        for direction in (outward * stretch, turn):
            moved = np.zeros_like(exact)
            moved[node] = rounded * direction
            slope = (loss_of(exact + moved, space) - loss_of(exact - moved, space)) / (2 * rounded)
            tangential = gradients[node, :-1] @ direction
            if space.is_curved:
                is_radial = direction is not turn
                expected = gradients[node, -1] if is_radial else tangential
            else:
                expected = tangential
            assert expected == pytest.approx(slope, rel=1e-3, abs=1e-5)


@GEOMETRIES
def test_training_lowers_the_loss_and_moves_only_what_may_move(geometry: str) -> None:
    nodes = state(0.01, fixed=[0, 1])
    start = nodes.points.copy()
    losses = [trained(nodes, geometry=geometry, seed=seed) for seed in range(60)]
    assert np.mean(losses[-10:]) < 0.5 * losses[0]
    np.testing.assert_array_equal(nodes.points[:2], start[:2])
    assert (nodes.points[2:] != start[2:]).any(axis=1).all()


def test_a_seed_determines_the_steps() -> None:
    states = [state() for _ in range(3)]
    for nodes, seed in zip(states, (1, 1, 2), strict=True):
        trained(nodes, seed=seed)
    np.testing.assert_array_equal(states[0].points, states[1].points)
    assert (states[0].points != states[2].points).any()


def test_weights_of_one_change_nothing() -> None:
    plain, ones = state(), state()
    losses = [
        trained(plain),
        trained(ones, lists=LISTS._replace(weights=np.ones(4, dtype=np.float32))),
    ]
    assert losses[0] == losses[1]
    np.testing.assert_array_equal(plain.points, ones.points)
    heavy = state()
    trained(heavy, lists=LISTS._replace(weights=np.array([1, 1, 1, 9], dtype=np.float32)))
    assert (heavy.points != plain.points).any()


def test_no_node_rises_above_the_ceiling() -> None:
    nodes = state(0.3)
    nodes.levels[:6] = 0.5
    for seed in range(40):
        trained(nodes, ceiling=0.8, seed=seed)
    moved = nodes.moments[:, -1] > 0
    radii = np.arcsinh(np.linalg.norm(nodes.points, axis=1))
    assert (radii[moved] <= (0.8 * nodes.levels + 1e-6)[moved]).all()
    assert radii.max() > 0.75
