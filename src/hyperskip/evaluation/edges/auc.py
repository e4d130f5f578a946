"""AUC: the probability that an edge is shorter than a random pair of nodes without an edge."""

import numpy as np
import numpy.typing as npt

from hyperskip.evaluation.edges.separations import Placed, separations_of_pairs
from hyperskip.geometry.arrays import Floats, Rows

_FEWEST_PAIRS = 100_000  # their standard error is below 0.001


def edge_auc(points: Placed, edges: Rows, known: Rows, seed: int) -> float | None:
    """Compare edges with random pairs of nodes that no edge connects in either direction.

    Pairs of the same distance count half. There are as many random pairs as edges, and at least
    100,000. If most pairs of nodes have an edge, all other pairs are used.

    Args:
        points: All nodes.
        edges: (edges, 2): the edges to compare, without self-loops.
        known: (known, 2): more edges, which are no random pairs.
        seed: Seed of the random pairs.

    Returns:
        None if there are no edges, or if all pairs of nodes have one.
    """
    nodes = points.lengths.shape[1]
    pairs = pairs_without_edge(
        np.concatenate((edges, known)), nodes, max(len(edges), _FEWEST_PAIRS), seed
    )
    if not len(edges) or not len(pairs):
        return None
    apart = separations_of_pairs(points, *pairs.T)
    return _share_below(separations_of_pairs(points, *edges.T), apart)


def pairs_without_edge(edges: Rows, nodes: int, count: int, seed: int) -> Rows:
    """Return random pairs (count, 2) of different nodes that no edge connects.

    If most pairs of nodes have an edge, all other pairs are returned, the smaller node first.
    """
    connected = _sorted_keys(edges, nodes)
    every = nodes * (nodes - 1) // 2
    if len(connected) > every // 2:
        pairs = np.stack(np.triu_indices(nodes, 1), axis=1)
        return pairs[~_are_among(_keys(pairs, nodes), connected)]
    generator = np.random.default_rng(seed)
    found = np.empty((0, 2), dtype=np.int64)
    while len(found) < count and every:
        pairs = generator.integers(0, nodes, (count + count // 8, 2))
        chosen = pairs[:, 0] != pairs[:, 1]
        chosen &= ~_are_among(_keys(pairs, nodes), connected)
        found = np.concatenate((found, pairs[chosen]))
    return found[:count]


def _keys(pairs: Rows, nodes: int) -> Rows:
    """One number for each pair (pairs, 2), in either direction."""
    return np.asarray(pairs.min(axis=1) * nodes + pairs.max(axis=1))


def _sorted_keys(edges: Rows, nodes: int) -> Rows:
    """The keys of all edges that are no self-loops, each once; faster than `np.unique`."""
    keys = np.sort(_keys(edges[edges[:, 0] != edges[:, 1]], nodes))
    return np.asarray(keys[np.diff(keys, prepend=-1) > 0])


def _are_among(keys: Rows, others: Rows) -> npt.NDArray[np.bool_]:
    """Whether each key is one of the others, which are sorted."""
    if not len(others):
        return np.zeros(len(keys), dtype=bool)
    at = np.minimum(np.searchsorted(others, keys), len(others) - 1)
    return np.asarray(others[at] == keys)


def _share_below(numbers: Floats, others: Floats) -> float:
    """Probability that a number is below another one; equal ones count half."""
    others = np.sort(others)
    above = len(others) - np.searchsorted(others, numbers, side="right")
    not_below = len(others) - np.searchsorted(others, numbers, side="left")
    return float(np.mean(above + not_below) / (2 * len(others)))
