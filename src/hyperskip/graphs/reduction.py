"""The transitive reduction: the edges of a graph that do not follow from its other edges."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from hyperskip.graphs.condensation import Condensation, as_keys, condense
from hyperskip.graphs.graph import Graph, Nodes

_ROWS_AT_ONCE = 1024  # their ancestors are searched together

Flags = npt.NDArray[np.bool_]


def transitive_reduction(graph: Graph) -> Graph:
    """Leave out each edge that follows from others: "dog is an animal" if a dog is a mammal.

    A transitive closure becomes the graph of direct parents. All edges within a cycle are kept, and
    the nodes of a cycle count as one node.

    Args:
        graph: A directed graph.
    """
    condensed = condense(graph)
    direct = as_keys(condensed.sources, condensed.targets)[is_direct(condensed)]
    sources = condensed.components[graph.sources]
    targets = condensed.components[graph.targets]
    kept = (sources == targets) | np.isin(as_keys(sources, targets), direct)
    return Graph(
        graph.names,
        graph.sources[kept],
        graph.targets[kept],
        weights=None if graph.weights is None else graph.weights[kept],
    )


def is_direct(condensed: Condensation) -> Flags:
    """Whether each edge between components is the only path from its source to its target.

    An edge to the next level is. For any other edge, longer paths are followed upward from its
    source, but not beyond the depth of its target.
    """
    sources, targets, depths = condensed.sources, condensed.targets, condensed.depths
    direct = np.ones(len(sources), dtype=np.bool_)
    doubtful = np.flatnonzero(depths[sources] - depths[targets] > 1)
    count = len(condensed.sizes)
    ones = np.ones(len(sources), dtype=np.bool_)
    parents = csr_array((ones, (sources, targets)), shape=(count, count))
    for part in _parts_by_source(sources[doubtful]):
        edges = doubtful[part]
        direct[edges] = ~_have_longer_path(parents, depths, sources[edges], targets[edges])
    return direct


def _parts_by_source(sources: Nodes) -> list[slice]:
    """Ranges of sorted edges that have few different sources."""
    begins = np.flatnonzero(np.diff(sources, prepend=-1))[::_ROWS_AT_ONCE].tolist()
    return [slice(*ends) for ends in pairwise([*begins, len(sources)])]


def _have_longer_path(parents: csr_array, depths: Nodes, sources: Nodes, targets: Nodes) -> Flags:
    """Whether there is a path of two or more edges from each source to its target."""
    found = np.zeros(len(sources), dtype=np.bool_)
    starts, rows = np.unique(sources, return_inverse=True)
    reached = parents[starts]
    open_edges = np.arange(len(sources))
    while len(open_edges):
        # The depth at which the search of each row ends.
        ends = np.full(len(starts), np.iinfo(np.int32).max)
        np.minimum.at(ends, rows[open_edges], depths[targets[open_edges]])
        owners = np.repeat(np.arange(len(starts)), np.diff(reached.indptr))
        below = depths[reached.indices] > ends[owners]
        if not below.any():
            break
        kept = (reached.data[below], (owners[below], reached.indices[below]))
        reached = csr_array(kept, shape=reached.shape) @ parents
        found[open_edges] = reached[rows[open_edges], targets[open_edges]]
        open_edges = open_edges[~found[open_edges]]
    return found
