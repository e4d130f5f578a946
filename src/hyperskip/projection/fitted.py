"""Places on the disc, fitted to the graph of nearest words.

Neighbors attract each other, and random words (negatives) repel each other. In each step all words
move at the same time along geodesics of the disc, so the result depends on the seed but not on the
number of threads. Like the space of the words, the disc has more room than the plane.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from hyperskip.devices import core_count
from hyperskip.geometry.arrays import Floats
from hyperskip.kernel_cache import compile_kernels
from hyperskip.projection import kernels
from hyperskip.projection.map_events import MapProgress, Report
from hyperskip.projection.neighbor_graph import NeighborGraph, Pulls, pulls_between

_STEPS = 500
_GATHERING = 0.25  # share of the steps in which negatives count less, so that groups form
_NOISE = 0.2
_NOISE_WHILE_GATHERING = 1.0
_RATE = 0.1  # at first; it falls linearly to 0
_MOMENTUM = 0.8
_NEGATIVES = 40
_GRAVITY, _FEW_WORDS = 0.05, 150  # nothing else holds the groups of few words together
_RIM = 8.0  # the greatest distance from the center: 7e-4 away from the rim of the disc
_FIRST_RADIUS, _POLAR_RADIUS = 2.0, 4.0
_NEAREST_RIM, _FARTHEST_RIM = 1.0, 6.0  # of a map by a hierarchy


def fitted_places(graph: NeighborGraph, start: Floats, seed: int, report: Report) -> Floats:
    """(words, 2): places where words are near their neighbors in the graph.

    Args:
        graph: The nearest words of each word.
        start: (words, 2): rough places, whose angles and order of radii are used.
        seed: Seed of the negatives.
        report: Called with the progress.
    """
    radii = np.linalg.norm(start, axis=1)
    first = _spread(start, radii, _FIRST_RADIUS)
    return _fit(graph, first, _force_law(len(first), radial=True), seed, report)


def polar_places(
    graph: NeighborGraph,
    start: Floats,
    radii: Floats,
    seed: int,
    report: Report,
    *,
    farthest: float = _POLAR_RADIUS,
) -> Floats:
    """(words, 2): places whose distances from the center are in the order of the words' radii.

    Words fill the disc evenly up to the farthest distance; the angles are fitted to the graph.
    """
    first = _spread(start, radii, farthest)
    return _fit(graph, first, _force_law(len(first), radial=False), seed, report)


def hierarchy_places(
    graph: NeighborGraph, start: Floats, radii: Floats, seed: int, report: Report
) -> Floats:
    """(words, 2): as `polar_places`, from the angles of `fitted_places`, which keep more neighbors.

    The more words, the more room they need: few words would all be next to the rim.
    """
    fitted = fitted_places(graph, start, seed, report)
    farthest = min(_FARTHEST_RIM, max(_NEAREST_RIM, 0.6 * math.log(len(start))))
    return polar_places(graph, fitted, radii, seed, report, farthest=farthest)


def _force_law(words: int, *, radial: bool) -> kernels.ForceLaw:
    """Forces for this number of words.

    More neighbors stay together if the repulsion grows with the number of words. The scale hardly
    matters for that; it makes few and many words fill the disc alike (docs/measurements.md).
    """
    return kernels.ForceLaw(
        scale=min(0.4, max(0.15, 0.15 * (5000 / words) ** 0.2)),
        noise=_NOISE_WHILE_GATHERING,
        repulsion=min(200.0, max(20.0, 3.0 * math.sqrt(words))),
        negatives=_NEGATIVES,
        gravity=_GRAVITY * min(1.0, _FEW_WORDS / words),
        radial=radial,
    )


def _spread(start: Floats, order: Floats, radius: float) -> Floats:
    """Places in the directions of `start` that fill a disc evenly, sorted by `order`."""
    ranks = np.empty(len(order))
    ranks[np.argsort(order, kind="stable")] = (np.arange(len(order)) + 0.5) / len(order)
    # The area within r is 2π (cosh(r) - 1).
    radii = np.arccosh(1.0 + ranks * (math.cosh(radius) - 1.0))
    angles = np.arctan2(start[:, 1], start[:, 0])
    # Words in the same direction would never separate: turn each a little, by its rank.
    angles += 1e-3 * np.sin(1e4 * ranks)
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    return np.asarray(directions * np.tanh(radii / 2.0)[:, None])


def _fit(
    graph: NeighborGraph, first: Floats, law: kernels.ForceLaw, seed: int, report: Report
) -> Floats:
    pulls = pulls_between(graph)
    places = np.ascontiguousarray(first)
    speeds, found, gains = np.zeros_like(places), np.zeros_like(places), np.ones_like(places)
    seeds = np.random.default_rng(seed).integers(1 << 62, size=_STEPS).tolist()
    with ThreadPoolExecutor(core_count()) as threads:
        for step in range(_STEPS):
            done = step / _STEPS
            law = law._replace(noise=_NOISE_WHILE_GATHERING if done < _GATHERING else _NOISE)
            _find_forces(threads, places, pulls, law, seeds[step], found)
            rule = kernels.StepRule(
                rate=_RATE * (1.0 - done) * law.scale,
                momentum=_MOMENTUM,
                longest=2.0 * law.scale,
                rim=math.tanh(_RIM / 2.0),
                radial=law.radial,
            )
            _move(places, speeds, gains, found, rule)
            report(MapProgress("fitting", (step + 1) / _STEPS))
    return places


def _find_forces(
    threads: ThreadPoolExecutor,
    places: Floats,
    pulls: Pulls,
    law: kernels.ForceLaw,
    seed: int,
    found: Floats,
) -> None:
    """Compute the forces on all words on several threads; the kernel releases the GIL."""

    def of_words(begin: int, end: int) -> None:
        kernels.forces(
            places, begin, end, pulls.starts, pulls.words, pulls.strengths, law, seed, found
        )

    compile_kernels(lambda: of_words(0, 0), kernels.forces)
    ends = np.linspace(0, len(places), core_count() + 1).astype(int).tolist()
    for part in [threads.submit(of_words, *ends) for ends in pairwise(ends)]:
        part.result()  # raises the error of the thread


def _move(
    places: Floats, speeds: Floats, gains: Floats, found: Floats, rule: kernels.StepRule
) -> None:
    nothing = np.empty((0, 2))
    compile_kernels(lambda: kernels.move(nothing, nothing, nothing, nothing, rule), kernels.move)
    kernels.move(places, speeds, gains, found, rule)
