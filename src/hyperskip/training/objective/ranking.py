"""The ranking loss of Nickel and Kiela, and steps of Adam that minimize it, in plain NumPy.

The loss of an edge (u, v) is -log softmax over v and sampled negative nodes of -sharpness times the
distance from u. All points are spatial coordinates: every vector is a point.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats

TILE = 128  # consecutive edges of a batch, which share negative samples
_MEAN_DECAY, _SQUARE_DECAY = 0.9, 0.99  # of Adam
_SMALLEST = 1e-12  # of squared distances and gradients


class RankingSettings(NamedTuple):
    """Settings of a training by ranking, as kernels take them."""

    hyperbolic: bool
    dimension: int
    sharpness: float  # factor between the distance of two nodes and their score
    negatives: int
    batch: int  # edges in a step
    max_step: float
    threads: int


def moments_at_start(nodes: int, dimension: int) -> npt.NDArray[np.float32]:
    """The state of the optimizer: for each node mean gradient, mean square, number of steps."""
    return np.zeros((nodes, dimension + 2), dtype=np.float32)


def train_batches(
    points: npt.NDArray[np.float32],  # (nodes, dimension), changed
    moments: npt.NDArray[np.float32],  # (nodes, dimension + 2), changed
    fixed: npt.NDArray[np.uint8],  # (nodes,): 1 for nodes that must not move
    edges: npt.NDArray[np.int32],  # (edges, 2)
    weights: npt.NDArray[np.float32],  # (edges,), or (0,) if all are 1
    settings: RankingSettings,
    rates: tuple[float, float],
    seed: np.uint64,
    work: Any,  # noqa: ARG001 - for kernels
    stop: npt.NDArray[np.uint8],  # (1,): not 0 if training must end
) -> float:
    """Train on a block of edges, in an order that follows from the seed: a step for each batch.

    Returns:
        The sum of the losses.
    """
    generator = np.random.default_rng(int(seed))
    order = generator.permutation(len(edges))
    importance = weights.astype(np.float64) if len(weights) else np.ones(len(edges))
    steps = max(1, round(len(edges) / settings.batch))
    total = 0.0
    for step, chosen in enumerate(np.array_split(order, steps)):
        if stop[0] or not len(chosen):
            break
        gradients = np.zeros(points.shape)
        touched = np.zeros(len(points), dtype=np.bool_)
        for begin in range(0, len(chosen), TILE):
            tile = chosen[begin : begin + TILE]
            negatives = generator.integers(0, len(points), settings.negatives)
            total += add_gradients(
                gradients, points, edges[tile], negatives, settings, importance[tile]
            )
            touched[edges[tile]] = touched[negatives] = True
        rows = np.flatnonzero(touched & (fixed == 0))
        rate = rates[0] + (rates[1] - rates[0]) * step / steps
        _step(points, moments, rows, gradients[rows] / len(chosen), rate, settings)
    return total


def add_gradients(
    gradients: Floats,  # (nodes, dimension), added to
    points: npt.NDArray[np.float32],
    edges: npt.NDArray[np.int32],  # (tile, 2)
    negatives: npt.NDArray[np.int64],  # (negatives,)
    settings: RankingSettings,
    weights: Floats,  # (tile,)
) -> float:
    """Add the gradients of a tile of edges; returns the sum of their losses."""
    sources, targets = edges.T
    u, v, w = (points[rows].astype(np.float64) for rows in (sources, targets, negatives))
    true, true_u, true_v = _distances(u[:, None], v[:, None], settings.hyperbolic)
    false, false_u, false_w = _distances(u[:, None], w[None], settings.hyperbolic)
    scores = -settings.sharpness * np.concatenate((true, false), axis=1)  # (tile, 1 + negatives)
    scores -= scores.max(axis=1, keepdims=True)
    likelihoods = np.exp(scores)
    sums = likelihoods.sum(axis=1, keepdims=True)
    losses = np.log(sums[:, 0]) - scores[:, 0]
    pulls = -likelihoods / sums
    pulls[:, 0] += 1.0
    pulls *= settings.sharpness * weights[:, None]  # derivative of the loss by the distance
    of_true, of_false = pulls[:, :1, None], pulls[:, 1:, None]
    np.add.at(gradients, sources, (of_true * true_u).sum(1) + (of_false * false_u).sum(1))
    np.add.at(gradients, targets, (of_true * true_v).sum(1))
    np.add.at(gradients, negatives, (of_false * false_w).sum(0))
    return float((losses * weights).sum())


def _distances(x: Floats, y: Floats, hyperbolic: bool) -> tuple[Floats, Floats, Floats]:
    """Distances of spatial coordinates, and their derivatives by both.

    On the hyperboloid, d = 2 arsinh(sqrt(q) / 2) for the squared Minkowski distance q, which is
    exact for close points.
    """
    difference = x - y
    square = (difference**2).sum(-1)
    if not hyperbolic:
        distance = np.sqrt(np.maximum(square, _SMALLEST))
        by_x = difference / distance[..., None]
        return distance, by_x, -by_x
    x_time, y_time = (np.sqrt(1.0 + (z**2).sum(-1)) for z in (x, y))
    between_times = ((x + y) * difference).sum(-1) / (x_time + y_time)
    square = np.maximum(square - between_times**2, _SMALLEST)  # 2 (-<x, y>_M - 1)
    distance = 2.0 * np.arcsinh(np.sqrt(square) / 2.0)
    slope = 1.0 / np.sqrt(square * (1.0 + square / 4.0))  # 1 / sqrt(<x, y>_M² - 1)
    by_x = slope[..., None] * ((y_time / x_time)[..., None] * x - y)
    by_y = slope[..., None] * ((x_time / y_time)[..., None] * y - x)
    return distance, by_x, by_y


def _step(
    points: npt.NDArray[np.float32],
    moments: npt.NDArray[np.float32],
    rows: npt.NDArray[np.int64],
    gradients: Floats,  # (rows, dimension)
    rate: float,
    settings: RankingSettings,
) -> None:
    """Move the points of some rows by a step of Adam, which is clipped."""
    own = moments[rows].astype(np.float64)
    means, squares, counts = own[:, :-2], own[:, -2:-1], own[:, -1:] + 1.0
    means = _MEAN_DECAY * means + (1.0 - _MEAN_DECAY) * gradients
    squares = _SQUARE_DECAY * squares + (1.0 - _SQUARE_DECAY) * (gradients**2).mean(
        axis=1, keepdims=True
    )
    moments[rows] = np.concatenate((means, squares, counts), axis=1)
    means = means / (1.0 - _MEAN_DECAY**counts)
    squares = squares / (1.0 - _SQUARE_DECAY**counts)
    steps = -rate * means / np.sqrt(squares + _SMALLEST)
    x = points[rows].astype(np.float64)
    lengths = np.linalg.norm(steps, axis=1)  # an upper bound of the distance
    steps *= np.minimum(1.0, settings.max_step / np.maximum(lengths, _SMALLEST))[:, None]
    points[rows] = x + steps
