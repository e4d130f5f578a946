"""Measurement of how much of the space a map keeps."""

import numpy as np

from hyperskip.geometry.arrays import Floats
from hyperskip.projection.disc_map import Fidelity
from hyperskip.projection.neighbor_graph import NeighborGraph
from hyperskip.rank_correlation import spearman

_SAMPLED = 1000  # words whose neighbors are compared
_SEED = 20180901


def fidelity_of(places: Floats, graph: NeighborGraph, radii: Floats) -> Fidelity:
    """Compare places (words, 2) with neighbors and radii (words,) in space.

    Neighbors are compared for a fixed random sample of 1,000 words, radii for all words. Distances
    on the disc are hyperbolic.
    """
    on_disc = np.linalg.norm(places, axis=1)
    # Equal radii have no order, and so no correlation.
    return Fidelity(_neighbors_kept(places, graph), spearman(on_disc, radii) or 0.0)


def _neighbors_kept(places: Floats, graph: NeighborGraph) -> float:
    words, count = graph.rows.shape
    room = 1.0 - np.sum(places**2, axis=1)
    sample = np.random.default_rng(_SEED).permutation(words)[:_SAMPLED]
    kept: int = 0
    for word in sample:
        # cosh(d) - 1 = 2 |u - v|² / ((1 - |u|²) (1 - |v|²)), which ranks as the distance does.
        apart = np.sum((places - places[word]) ** 2, axis=1) / room
        apart[word] = np.inf
        nearest = np.argpartition(apart, count - 1)[:count]
        kept += len(np.intersect1d(nearest, graph.rows[word]))
    return float(kept / (len(sample) * count))
