"""Places on the disc, fitted to the graph of nearest words: neighbors pull, strangers push.

Each word takes steps along geodesics of the disc, all at once, so that the result depends on the
seed only and not on threads. The disc has more room than the plane, as words have in their space.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from hyperskip.devices import core_count
from hyperskip.geometry.spaces import Floats
from hyperskip.kernel_cache import compile_kernels
from hyperskip.projection import kernels
from hyperskip.projection.events import MapProgress, Report
from hyperskip.projection.graph import NeighborGraph, Pulls, pulls_between

_STEPS = 500
_GATHERING = 0.25  # of all steps, in which strangers count less, so that groups find each other
_NOISE = 0.2
_NOISE_WHILE_GATHERING = 1.0
_RATE = 0.1  # at first; it falls to 0 evenly
_MOMENTUM = 0.8
_STRANGERS = 40
_GRAVITY, _FEW_WORDS = 0.05, 150  # groups of few words have nothing else to hold them together
_RIM = 8.0  # the greatest distance from the middle: the disc's rim is 7e-4 away
_FIRST_RADIUS, _POLAR_RADIUS = 2.0, 4.0


def fitted_places(graph: NeighborGraph, beginning: Floats, seed: int, report: Report) -> Floats:
    """(words, 2): places at which words are near their neighbors of the graph.

    Args:
        graph: Who is near whom.
        beginning: (words, 2): rough places, of which angles and the order of radii are taken.
        seed: Of the strangers that are drawn.
        report: Is told how far it is.
    """
    radii = np.linalg.norm(beginning, axis=1)
    begin = _spread(beginning, radii, _FIRST_RADIUS)
    return _fit(graph, begin, _law(len(begin), radial=True), seed, report)


def polar_places(
    graph: NeighborGraph, beginning: Floats, radii: Floats, seed: int, report: Report
) -> Floats:
    """(words, 2): places whose distances from the middle are in the order of words' radii.

    Words fill the disc evenly; the angles are fitted to the graph.
    """
    begin = _spread(beginning, radii, _POLAR_RADIUS)
    return _fit(graph, begin, _law(len(begin), radial=False), seed, report)


def _law(words: int, *, radial: bool) -> kernels.Law:
    """Forces for so many words.

    The strength of strangers keeps more neighbors together where it grows with the words, and the
    scale, which hardly matters for that, lets few words and many fill the disc alike
    (docs/measurements.md).
    """
    return kernels.Law(
        scale=min(0.4, max(0.15, 0.15 * (5000 / words) ** 0.2)),
        noise=_NOISE_WHILE_GATHERING,
        repulsion=min(200.0, max(20.0, 3.0 * math.sqrt(words))),
        strangers=_STRANGERS,
        gravity=_GRAVITY * min(1.0, _FEW_WORDS / words),
        radial=radial,
    )


def _spread(beginning: Floats, order: Floats, radius: float) -> Floats:
    """Places in the directions of the beginning that fill a disc evenly, in the given order."""
    ranks = np.empty(len(order))
    ranks[np.argsort(order, kind="stable")] = (np.arange(len(order)) + 0.5) / len(order)
    # The area within r is 2π (cosh(r) - 1).
    radii = np.arccosh(1.0 + ranks * (math.cosh(radius) - 1.0))
    angles = np.arctan2(beginning[:, 1], beginning[:, 0])
    # Words in the same direction would never part: each turns a little, by its rank.
    angles += 1e-3 * np.sin(1e4 * ranks)
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    return np.asarray(directions * np.tanh(radii / 2.0)[:, None])


def _fit(
    graph: NeighborGraph, begin: Floats, law: kernels.Law, seed: int, report: Report
) -> Floats:
    pulls = pulls_between(graph)
    places = np.ascontiguousarray(begin)
    speeds, found, gains = np.zeros_like(places), np.zeros_like(places), np.ones_like(places)
    seeds = np.random.default_rng(seed).integers(1 << 62, size=_STEPS).tolist()
    with ThreadPoolExecutor(core_count()) as threads:
        for step in range(_STEPS):
            done = step / _STEPS
            law = law._replace(noise=_NOISE_WHILE_GATHERING if done < _GATHERING else _NOISE)
            _find_forces(threads, places, pulls, law, seeds[step], found)
            following = kernels.Following(
                rate=_RATE * (1.0 - done) * law.scale,
                momentum=_MOMENTUM,
                longest=2.0 * law.scale,
                rim=math.tanh(_RIM / 2.0),
                radial=law.radial,
            )
            _follow(places, speeds, gains, found, following)
            report(MapProgress("fitting", (step + 1) / _STEPS))
    return places


def _find_forces(
    threads: ThreadPoolExecutor,
    places: Floats,
    pulls: Pulls,
    law: kernels.Law,
    seed: int,
    found: Floats,
) -> None:
    """The forces on all words, by several threads: the kernel lets go of the interpreter."""

    def of_words(begin: int, end: int) -> None:
        kernels.forces(
            places, begin, end, pulls.starts, pulls.words, pulls.strengths, law, seed, found
        )

    compile_kernels(lambda: of_words(0, 0), kernels.forces)
    ends = np.linspace(0, len(places), core_count() + 1).astype(int).tolist()
    for part in [threads.submit(of_words, *ends) for ends in pairwise(ends)]:
        part.result()  # or its error


def _follow(
    places: Floats, speeds: Floats, gains: Floats, found: Floats, following: kernels.Following
) -> None:
    nothing = np.empty((0, 2))
    compile_kernels(
        lambda: kernels.move(nothing, nothing, nothing, nothing, following), kernels.move
    )
    kernels.move(places, speeds, gains, found, following)
