"""The ranking loss and its optimizer in plain NumPy: the reference for the kernels.

The loss of an edge (u, v), after Nickel and Kiela (2017), is -log(e_v / (e_v + N_u)). Here e_x is
exp(-sharpness d(u, x)), and N_u is the sum of e_x over negative samples x that are not targets in
the list of u. All targets of a list share its samples, and so do the lists of a group.

The gradient at a node has a radial part, along the radius, and a tangential part. The optimizer is
Adam (Kingma and Ba, 2015) with one mean square for each of the two parts, and it steps along
geodesics. A node without a gradient does not move, but its means decay. When it moves again, it
also takes the steps that its old mean gradient would have led to. The radius is limited by a
ceiling.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats
from hyperskip.training.objective.draws import below, draws

GROUP = 128  # sources that share negative samples
MOMENTS = 4  # numbers for each node, in addition to the mean tangential gradient

_MEAN_DECAY, _SQUARE_DECAY = 0.9, 0.99
DRIFT = _MEAN_DECAY / _SQUARE_DECAY**0.5  # how fast steps without a gradient shrink
_CLOSEST, _LEAST = 1e-12, 1e-30


class Settings(NamedTuple):
    """Settings of a training by ranking, as kernels take them."""

    hyperbolic: bool
    dimension: int
    sharpness: float  # factor between the distance of two nodes and their score
    negatives: int
    batch: int  # sources in a step
    max_step: float


class Nodes(NamedTuple):
    """The state of all nodes, which training changes."""

    points: npt.NDArray[np.float32]  # (nodes, dimension): spatial coordinates
    # (nodes, dimension + MOMENTS): mean of the tangential gradient and of the radial one, mean
    # square of the radial one and of the length of the tangential one, number of the last step
    moments: npt.NDArray[np.float32]
    fixed: npt.NDArray[np.uint8]  # (nodes,): 1 for nodes that must not move
    levels: npt.NDArray[np.float32]  # (nodes,): ceiling of the radius, as a share of the highest


class Polar(NamedTuple):
    """Points by direction and radius; in flat space, directions are coordinates."""

    directions: Floats  # (points, dimension)
    radii: Floats  # (points,)


class Pairs(NamedTuple):
    """What two sets of points have between each other, all (first, second)."""

    distances: Floats
    slopes: Floats  # derivative of the distance by cosh d; in flat space by d² / 2
    spreads: Floats  # half of the squared distance of directions


def train_batches(
    nodes: Nodes,
    lists: Any,  # TargetLists
    settings: Settings,
    rates: tuple[float, float],  # at the start and at the end
    ceilings: tuple[float, float],
    seed: int,
    steps_before: int,
) -> float:
    """Train on lists of targets in their order; returns the sum of the losses.

    `steps_before` is the number of earlier steps of the training.
    """
    count, loss = len(lists.sources), 0.0
    batches = -(-count // settings.batch)
    groups_of_a_batch = -(-settings.batch // GROUP)
    for batch in range(batches):
        first, last = batch * count // batches, (batch + 1) * count // batches
        gradients = np.zeros((len(nodes.points), settings.dimension + 1))
        touched = np.zeros(len(nodes.points), dtype=np.bool_)
        for group, begin in enumerate(range(first, last, GROUP)):
            number = batch * groups_of_a_batch + group
            samples = _samples(settings, len(nodes.points), seed, number)
            touched[samples] = True
            for i in range(begin, min(begin + GROUP, last)):
                own = slice(lists.starts[i], lists.starts[i + 1])
                source, targets = int(lists.sources[i]), lists.targets[own]
                weights = lists.weights[own] if len(lists.weights) else np.ones(len(targets))
                touched[source] = touched[targets] = True
                loss += add_gradients(
                    gradients, nodes.points, source, targets, weights, samples, settings
                )
        share = batch / batches
        rate, ceiling = (at[0] + (at[1] - at[0]) * share for at in (rates, ceilings))
        for node in np.flatnonzero(touched & (nodes.fixed == 0)):
            limit, number = ceiling * nodes.levels[node], steps_before + batch + 1
            _step(nodes, int(node), gradients[node], settings, rate, limit, number)
    return loss


def _samples(settings: Settings, nodes: int, seed: int, group: int) -> npt.NDArray[np.int64]:
    """The negative samples of a group: all nodes if there are few of them."""
    if settings.negatives >= nodes:
        return np.arange(nodes)
    bits: Iterator[int] = draws(seed, group * settings.negatives)
    return np.array([below(next(bits), nodes) for _ in range(settings.negatives)])


def add_gradients(
    gradients: Floats,  # (nodes, dimension + 1): tangential before projection, radial; added to
    points: npt.NDArray[np.float32],
    source: int,
    targets: npt.NDArray[np.int32],
    weights: npt.NDArray[np.floating[Any]],
    samples: npt.NDArray[np.int64],
    settings: Settings,
) -> float:
    """Add the gradients of the edges of a source; returns the sum of their losses."""
    others = samples[(samples != source) & ~np.isin(samples, targets)]
    u, v, x = (_polar(points[rows], settings) for rows in ([source], targets, others))
    to_targets, to_others = _pairs(u, v, settings), _pairs(u, x, settings)
    likelihoods = np.exp(-settings.sharpness * to_targets.distances[0])
    of_others = np.exp(-settings.sharpness * to_others.distances[0])
    total = max(of_others.sum(), _LEAST)
    pulls = settings.sharpness * weights * total / (likelihoods + total)
    pulls[targets == source] = 0.0
    pushes = -settings.sharpness * of_others * (weights / (likelihoods + total)).sum()
    _add_pairs(gradients, source, targets, u, v, to_targets, pulls, settings)
    _add_pairs(gradients, source, others, u, x, to_others, pushes, settings)
    return float((weights * np.log1p(total / likelihoods)).sum())


def _polar(points: npt.NDArray[np.float32], settings: Settings) -> Polar:
    exact = points.astype(np.float64)
    if not settings.hyperbolic:
        return Polar(exact, np.zeros(len(exact)))
    lengths = np.linalg.norm(exact, axis=1)
    return Polar(exact / (lengths + _LEAST)[:, None], np.arcsinh(lengths))


def _pairs(a: Polar, b: Polar, settings: Settings) -> Pairs:
    squares = ((a.directions[:, None] - b.directions[None]) ** 2).sum(-1)
    if not settings.hyperbolic:
        distances = np.sqrt(np.maximum(squares, _CLOSEST))
        return Pairs(distances, 1.0 / distances, squares)
    spreads = squares / 2.0
    between = 2.0 * np.sinh((a.radii[:, None] - b.radii) / 2.0) ** 2  # cosh(r - s) - 1
    closeness = between + np.sinh(a.radii)[:, None] * np.sinh(b.radii) * spreads  # cosh d - 1
    closeness = np.maximum(closeness, _CLOSEST)
    sinh = np.sqrt(closeness * (closeness + 2.0))
    return Pairs(np.log1p(closeness + sinh), 1.0 / sinh, spreads)


def _add_pairs(
    gradients: Floats,
    source: int,
    others: npt.NDArray[np.integer[Any]],
    u: Polar,
    v: Polar,
    pairs: Pairs,
    pulls: Floats,  # (others,): derivative of the loss by the distance
    settings: Settings,
) -> None:
    pulls = pulls * pairs.slopes[0]
    differences = u.directions - v.directions
    if not settings.hyperbolic:
        gradients[source, :-1] += (pulls[:, None] * differences).sum(0)
        np.add.at(gradients[:, :-1], others, -pulls[:, None] * differences)
        return
    r, s, spreads = u.radii[0], v.radii, pairs.spreads[0]
    gradients[source, :-1] += ((pulls * np.sinh(s))[:, None] * differences).sum(0)
    gradients[source, -1] += (pulls * (np.sinh(r - s) + np.cosh(r) * np.sinh(s) * spreads)).sum()
    np.add.at(gradients[:, :-1], others, -(pulls * np.sinh(r))[:, None] * differences)
    radial = pulls * (np.sinh(s - r) + np.cosh(s) * np.sinh(r) * spreads)
    np.add.at(gradients[:, -1], others, radial)


def _step(
    nodes: Nodes,
    node: int,
    gradient: Floats,
    settings: Settings,
    rate: float,
    ceiling: float,
    number: int,  # of the step, from 1
) -> None:
    """Move a node by a step of the optimizer, at most to the ceiling of its radius."""
    x = nodes.points[node].astype(np.float64)
    moments = nodes.moments[node].astype(np.float64)
    tangential, radial = gradient[:-1].copy(), gradient[-1]
    mean, (radial_mean, radial_square, square, last) = moments[:-4], moments[-4:]
    length = np.linalg.norm(x)
    direction = x / (length + _LEAST)
    if settings.hyperbolic:
        tangential -= (tangential @ direction) * direction
        mean = mean - (mean @ direction) * direction
    of_means, of_squares = 1.0 - _MEAN_DECAY**number, 1.0 - _SQUARE_DECAY**number

    def scaled(mean: Any, square: float) -> Any:
        return -rate / of_means * mean / (np.sqrt(square / of_squares) + _LEAST)

    missed = number - last - 1.0
    drift = DRIFT * (1.0 - DRIFT**missed) / (1.0 - DRIFT)
    step, outward = drift * scaled(mean, square), drift * scaled(radial_mean, radial_square)
    mean, radial_mean = mean * _MEAN_DECAY**missed, radial_mean * _MEAN_DECAY**missed
    square, radial_square = square * _SQUARE_DECAY**missed, radial_square * _SQUARE_DECAY**missed
    mean = _MEAN_DECAY * mean + (1.0 - _MEAN_DECAY) * tangential
    radial_mean = _MEAN_DECAY * radial_mean + (1.0 - _MEAN_DECAY) * radial
    square = _SQUARE_DECAY * square + (1.0 - _SQUARE_DECAY) * (tangential @ tangential)
    radial_square = _SQUARE_DECAY * radial_square + (1.0 - _SQUARE_DECAY) * radial**2
    nodes.moments[node] = [*mean, radial_mean, radial_square, square, number]
    step = step + scaled(mean, square)
    outward = outward + scaled(radial_mean, radial_square)
    if not settings.hyperbolic:
        outward = 0.0
    size = np.hypot(np.linalg.norm(step), outward)
    clipped = min(size, settings.max_step)
    shrink = clipped / (size + _LEAST)
    if not settings.hyperbolic:
        nodes.points[node] = x + shrink * step
        return
    tangent = outward * np.hypot(1.0, length) * direction + step  # its spatial coordinates
    x = np.cosh(clipped) * x + shrink * np.sinh(clipped) / (clipped + _LEAST) * tangent
    highest, length = np.sinh(ceiling), np.linalg.norm(x)
    nodes.points[node] = x * min(1.0, highest / max(length, _LEAST))
