"""Places on the disc, fitted to the graph of nearest words.

Neighbors attract each other, and all words repel each other. In each step all words move at the
same time along geodesics of the disc, so the result depends on the seed but not on the number of
threads. Like the space of the words, the disc has more room than the plane.
"""

import math

import numpy as np

from hyperskip.devices import core_count
from hyperskip.geometry.arrays import Floats
from hyperskip.kernel_cache import compile_kernels
from hyperskip.projection import kernels
from hyperskip.projection.forces import ForceLaw, Forces
from hyperskip.projection.map_events import MapProgress, Report
from hyperskip.projection.neighbor_graph import NeighborGraph, pulls_between
from hyperskip.thread_pool import ThreadPool

# docs/measurements.md compares other values.
_STEPS = 300
_GATHERING = 0.25  # share of the steps in which neighbors attract more, so that groups form
_EXAGGERATION = 4.0
_RATE, _SLOWEST = 0.3, 25.0  # times the number of words; at least
_RATE_WHILE_GATHERING, _SLOWING = 0.3, 0.3  # share of the rate; last share of the steps, to 0
_MOMENTUM = 0.8
_SCALE, _USUAL_WORDS, _SCALE_POWER = 0.1, 36_000, 0.15
_GRAVITY, _FEW_WORDS = 0.1, 5000  # of few words; it is less with more words
_RIM = 8.0  # the greatest distance from the center: 7e-4 away from the rim of the disc
_FIRST_RADIUS = 0.3
_NEAREST_RIM, _FARTHEST_RIM = 1.0, 6.0  # distances of the farthest word, if radii are given
_TINY = np.finfo(np.float64).tiny
_TURN = 1e-3  # standard deviation of the random turns at the start


def fitted_places(graph: NeighborGraph, start: Floats, seed: int, report: Report) -> Floats:
    """(words, 2): places where words are near their neighbors in the graph.

    Args:
        graph: The nearest words of each word.
        start: (words, 2): rough places, whose angles and order of radii are used.
        seed: Seed of small random turns at the start.
        report: Called with the progress.
    """
    radii = np.linalg.norm(start, axis=1)
    return _fit(graph, _spread(start, radii, _FIRST_RADIUS, seed), report, radial=True)


def polar_places(
    graph: NeighborGraph, start: Floats, radii: Floats, seed: int, report: Report
) -> Floats:
    """(words, 2): places whose distances from the center are in the order of the words' radii.

    Words fill the disc evenly. The angles are fitted to the graph, from those of `fitted_places`.
    The more words, the more room they need: few words would all be next to the rim.
    """
    fitted = fitted_places(graph, start, seed, report)
    farthest = min(_FARTHEST_RIM, max(_NEAREST_RIM, 0.6 * math.log(len(start))))
    return _fit(graph, _spread(fitted, radii, farthest, seed), report, radial=False)


def _scale_for(words: int) -> float:
    """The scale of the forces. Few words have a larger one, so that they fill more of the disc."""
    return _SCALE * math.pow(_USUAL_WORDS / words, _SCALE_POWER)


def _gravity_for(words: int) -> float:
    """The pull to the center, as a share of the attraction by neighbors that are far away.

    It keeps unrelated groups of few words away from the rim.
    """
    return _GRAVITY * min(1.0, _FEW_WORDS / words)


def _spread(start: Floats, order: Floats, radius: float, seed: int) -> Floats:
    """Places in the directions of `start` that fill a disc evenly, sorted by `order`."""
    ranks = np.empty(len(order))
    ranks[np.argsort(order, kind="stable")] = (np.arange(len(order)) + 0.5) / len(order)
    # The area within r is 2π (cosh(r) - 1).
    radii = np.arccosh(1.0 + ranks * (math.cosh(radius) - 1.0))
    angles = np.arctan2(start[:, 1], start[:, 0])
    # Words in the same direction would never separate.
    angles += np.random.default_rng(seed).normal(scale=_TURN, size=len(angles))
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    return np.asarray(directions * np.tanh(radii / 2.0)[:, None])


def _fit(graph: NeighborGraph, first: Floats, report: Report, *, radial: bool) -> Floats:
    """Move words along the forces; unless `radial`, they keep their distances from the center."""
    places, scale = np.ascontiguousarray(first), _scale_for(len(first))
    speeds, gains = np.zeros_like(places), np.ones_like(places)
    rate = scale * max(_RATE * len(places), _SLOWEST)
    gravity = _gravity_for(len(places)) * 2.0 * scale / len(places)
    with ThreadPool(core_count()) as threads:
        forces = Forces(pulls_between(graph), ForceLaw(scale), threads)
        for step in range(_STEPS):
            done = step / _STEPS
            is_gathering = done < _GATHERING
            found = forces.at(places, _EXAGGERATION if is_gathering else 1.0)
            outward = places / np.maximum(np.linalg.norm(places, axis=1, keepdims=True), _TINY)
            if radial:
                found -= gravity * outward
            else:
                found -= np.sum(found * outward, axis=1, keepdims=True) * outward
            slowed = min(1.0, (1.0 - done) / _SLOWING)
            rule = kernels.StepRule(
                rate=rate * (_RATE_WHILE_GATHERING if is_gathering else slowed),
                momentum=_MOMENTUM,
                longest=2.0 * scale,
                rim=math.tanh(_RIM / 2.0),
                radial=radial,
            )
            _move(places, speeds, gains, found, rule)
            report(MapProgress("fitting", (step + 1) / _STEPS))
    return places


def _move(
    places: Floats, speeds: Floats, gains: Floats, found: Floats, rule: kernels.StepRule
) -> None:
    nothing = np.empty((0, 2))
    compile_kernels(lambda: kernels.move(nothing, nothing, nothing, nothing, rule), kernels.move)
    kernels.move(places, speeds, gains, found, rule)
