"""How much of the space survives on the disc, measured."""

import numpy as np

from hyperskip.geometry.spaces import Floats
from hyperskip.projection.disc_map import Fidelity
from hyperskip.projection.graph import NeighborGraph
from hyperskip.rank_correlation import spearman

_SAMPLED = 1000  # words whose neighbors are looked at
_SEED = 20180901


def fidelity_of(places: Floats, graph: NeighborGraph, radii: Floats) -> Fidelity:
    """Compare places (words, 2) with neighbors and radii (words,) in space.

    Neighbors are looked at for a thousand words, drawn once and for all, radii for all words. On
    the disc, distances are hyperbolic.
    """
    on_disc = np.linalg.norm(places, axis=1)
    # Equal radii cannot be put in order.
    return Fidelity(_neighbors_kept(places, graph), spearman(on_disc, radii) or 0.0)


def _neighbors_kept(places: Floats, graph: NeighborGraph) -> float:
    words, count = graph.rows.shape
    room = 1.0 - np.sum(places**2, axis=1)
    drawn = np.random.default_rng(_SEED).permutation(words)[:_SAMPLED]
    kept: int = 0
    for word in drawn:
        # cosh(d) - 1 = 2 |u - v|² / ((1 - |u|²) (1 - |v|²)), which ranks as the distance does.
        apart = np.sum((places - places[word]) ** 2, axis=1) / room
        apart[word] = np.inf
        nearest = np.argpartition(apart, count - 1)[:count]
        kept += len(np.intersect1d(nearest, graph.rows[word]))
    return float(kept / (len(drawn) * count))
