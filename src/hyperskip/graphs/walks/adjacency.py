"""The neighbors of each node as arrays, from which walks choose their next node."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array

from hyperskip.graphs.graph import Graph

_CERTAIN = 2**32 - 1


class Adjacency(NamedTuple):
    """The neighbors of each node, in ascending order and each once.

    Node i has neighbors[starts[i]:starts[i + 1]]. With weights, the neighbor to choose is the first
    one whose threshold is not less than 32 random bits.
    """

    starts: npt.NDArray[np.int64]  # (nodes + 1,)
    neighbors: npt.NDArray[np.int32]  # (neighbors of all nodes,)
    thresholds: npt.NDArray[np.uint32]  # (neighbors of all nodes,), or (0,) without weights

    @property
    def degrees(self) -> npt.NDArray[np.int64]:  # (nodes,)
        """The number of neighbors of each node."""
        return np.diff(self.starts)


def adjacency_of(graph: Graph) -> Adjacency:
    """Make the adjacency of a graph: of an undirected graph, in both directions.

    Self-loops are left out. An edge that occurs several times counts once; its weights are added.
    """
    is_loop = graph.sources == graph.targets
    sources, targets = graph.sources[~is_loop], graph.targets[~is_loop]
    weights = np.ones(len(sources)) if graph.weights is None else graph.weights[~is_loop]
    if not graph.directed:
        sources, targets = np.concatenate((sources, targets)), np.concatenate((targets, sources))
        weights = np.concatenate((weights, weights))
    matrix = coo_array((weights, (sources, targets)), shape=(len(graph), len(graph))).tocsr()
    matrix.sum_duplicates()  # also sorts the neighbors of each node
    starts = np.asarray(matrix.indptr, dtype=np.int64)
    neighbors = np.asarray(matrix.indices, dtype=np.int32)
    thresholds = np.zeros(0, dtype=np.uint32)
    if graph.weights is not None:
        thresholds = _thresholds(starts, matrix.data)
    return Adjacency(starts, neighbors, thresholds)


def _thresholds(
    starts: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]
) -> npt.NDArray[np.uint32]:
    """The cumulative share of each neighbor in the weights of its node, as 32 bits."""
    if not len(weights):
        return np.zeros(0, dtype=np.uint32)
    degrees = np.diff(starts)
    has_neighbors = degrees > 0
    first = starts[:-1][has_neighbors]
    # Divided by the greatest weight first: the sum of a node must not overflow.
    greatest = np.repeat(np.maximum.reduceat(weights, first), degrees[has_neighbors])
    shares = weights / greatest
    shares /= np.repeat(np.add.reduceat(shares, first), degrees[has_neighbors])
    # The shares of a node sum to 1, so one running sum serves all nodes without loss of precision.
    before = np.repeat(np.arange(len(first)), degrees[has_neighbors])
    cumulative = np.clip(np.cumsum(shares) - before, 0.0, 1.0)
    cumulative[starts[1:][has_neighbors] - 1] = 1.0
    return np.asarray(np.rint(cumulative * _CERTAIN), dtype=np.uint32)
