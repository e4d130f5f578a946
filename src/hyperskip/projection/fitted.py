"""Places on the disc, fitted to the graph of nearest words: neighbours pull, strangers push.

Each word takes steps along geodesics of the disc, all at once, so that the result depends on the
seed only and not on threads. The disc has more room than the plane, as words have in their space.
"""

import math
import threading
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.projection import kernels
from hyperskip.projection.graph import NeighborGraph, Pulls, pulls_between
from hyperskip.projection.progress import MapProgress, Report
from hyperskip.vectors.space import Floats

_STEPS = 500
_GATHERING = 0.25  # of all steps, in which strangers count less, so that groups find each other
_NOISE = 0.2
_NOISE_WHILE_GATHERING = 1.0
_RATE = 0.1  # at first; it falls to 0 evenly
_MOMENTUM = 0.8
_STRANGERS = 40
_RIM = 8.0  # the greatest distance from the middle: the disc's rim is 7e-4 away
_FIRST_RADIUS, _POLAR_RADIUS = 2.0, 4.0
_THREADS = 2


def fitted_places(graph: NeighborGraph, beginning: Floats, seed: int, report: Report) -> Floats:
    """(words, 2): places at which words are near their neighbours of the graph.

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

    The strength of strangers keeps more neighbours together where it grows with the words, and the
    scale, which hardly matters for that, lets few words and many fill the disc alike
    (docs/measurements.md).
    """
    return kernels.Law(
        scale=min(0.4, max(0.15, 0.15 * (5000 / words) ** 0.2)),
        noise=_NOISE,
        repulsion=min(200.0, max(20.0, 3.0 * math.sqrt(words))),
        strangers=_STRANGERS,
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
    seeds = np.random.default_rng(seed).integers(1 << 62, size=_STEPS)
    for step in range(_STEPS):
        done = step / _STEPS
        noise = _NOISE_WHILE_GATHERING if done < _GATHERING else law.noise
        _all_forces(places, pulls, law._replace(noise=noise), seeds[step], found)
        rate, longest = _RATE * (1.0 - done) * law.scale, 2.0 * law.scale
        rim = math.tanh(_RIM / 2.0)
        kernels.move(places, speeds, gains, found, rate, _MOMENTUM, longest, law.radial, rim)
        report(MapProgress("fitting", (step + 1) / _STEPS))
    return places


def _all_forces(
    places: Floats, pulls: Pulls, law: kernels.Law, seed: np.int64, found: npt.NDArray[Any]
) -> None:
    """The forces on all words, by a few threads: the kernel lets go of the interpreter."""
    ends = np.linspace(0, len(places), _THREADS + 1).astype(int)
    arguments = (pulls.starts, pulls.words, pulls.strengths, law, seed, found)
    threads = [
        threading.Thread(target=kernels.forces, args=(places, int(begin), int(end), *arguments))
        for begin, end in pairwise(ends)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
