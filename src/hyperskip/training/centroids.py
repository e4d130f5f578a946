"""The middle of points, in any space that words may be trained in."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.geometry import hyperboloid
from hyperskip.training.plan import TrainingPlan

_NUMBERS_AT_ONCE = 1 << 21  # in float64


def centered(
    positions: npt.NDArray[np.floating[Any]],  # (words, dimension)
    plan: TrainingPlan,
    *,
    numbers_at_once: int = _NUMBERS_AT_ONCE,
) -> npt.NDArray[np.float32]:
    """All words, moved together on each hyperboloid, so that the base point is their centroid.

    Training knows distances only, and lets the words drift as a whole. A translation changes no
    distance; it gives a meaning to angles at the base point, and to distances from it.
    """
    shape = len(positions), plan.factors, plan.factor_dimension
    moved = np.array(positions, dtype=np.float32).reshape(shape)
    for _ in range(2):  # the centroid of words that are all far out is found on the second try
        _translate(moved, list(_blocks(len(positions), plan.dimension, numbers_at_once)))
    return moved.reshape(len(positions), plan.dimension)


def _translate(by_factor: npt.NDArray[np.float32], blocks: list[slice]) -> None:
    """Move words (words, factors, dimension) so that their centroid comes to the base point."""
    total = np.sum(
        [hyperboloid.from_spatial(by_factor[block]).sum(axis=0) for block in blocks], axis=0
    )
    # The centroid is the point in the direction of the sum: -⟨total, total⟩ is its square length.
    length = np.sqrt(-hyperboloid.minkowski_dot(total, total))[:, None]
    center = hyperboloid.from_spatial(total[:, :-1] / length)
    base = hyperboloid.base_point(by_factor.shape[-1])
    for block in blocks:
        points = hyperboloid.from_spatial(by_factor[block])
        by_factor[block] = hyperboloid.translate(points, center, base)[..., :-1]


def centroids(
    positions: npt.NDArray[Any],  # (words, points, dimension)
    weights: npt.NDArray[np.float64],  # (words, points)
    plan: TrainingPlan,
) -> npt.NDArray[np.float64]:  # (words, dimension)
    """The weighted centroid of each word's points, as they all are: without time."""
    found = np.empty((len(positions), plan.dimension))
    for block in _blocks(len(positions), positions[:1].size, _NUMBERS_AT_ONCE):
        found[block] = _centroids(positions[block], weights[block], plan)
    return found


def _blocks(words: int, numbers_of_a_word: int, at_once: int) -> Iterator[slice]:
    step = max(1, at_once // max(1, numbers_of_a_word))
    for begin in range(0, words, step):
        yield slice(begin, begin + step)


def _centroids(
    positions: npt.NDArray[Any], weights: npt.NDArray[np.float64], plan: TrainingPlan
) -> npt.NDArray[np.float64]:
    if plan.is_hyperbolic:
        shape = *positions.shape[:2], plan.factors, plan.factor_dimension
        by_factor = positions.reshape(shape)
        points = hyperboloid.from_spatial(by_factor)
        middle = hyperboloid.centroid(points, weights[:, None], axis=1)[..., :-1]
        return middle.reshape(len(positions), plan.dimension)
    shares = weights / weights.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("wp,wpd->wd", shares, positions))
