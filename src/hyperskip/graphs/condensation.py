"""Cycles contracted: strongly connected nodes as one component, and the depth of each component."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from hyperskip.graphs.graph import Graph, Nodes

Numbers = npt.NDArray[np.int64]


class Condensation(NamedTuple):
    """The components of a directed graph, and the edges between them, which have no cycle.

    Nodes of a cycle are in the same component. Any other node is a component of its own.
    """

    components: Nodes  # (nodes,), the component of each node
    sizes: Numbers  # (components,)
    sources: Nodes  # (edges between components,), each edge once, sorted
    targets: Nodes  # (edges between components,)
    depths: Nodes  # (components,), length of the longest path to a root


def condense(graph: Graph) -> Condensation:
    """Contract the cycles of a directed graph."""
    count, components = connected_components(adjacency(graph), connection="strong")
    components = components.astype(np.int32)
    sources, targets = components[graph.sources], components[graph.targets]
    between = distinct(as_keys(sources, targets)[sources != targets])
    sources, targets = from_keys(between)
    sizes = np.bincount(components, minlength=count)
    return Condensation(components, sizes, sources, targets, _depths(count, sources, targets))


def adjacency(graph: Graph) -> csr_array:
    """The graph as a sparse matrix, with ones at (source, target)."""
    ones = np.ones(graph.edge_count, dtype=np.int8)
    shape = (len(graph), len(graph))
    return csr_array((ones, (graph.sources, graph.targets)), shape=shape)


def as_keys(sources: Nodes | Numbers, targets: Nodes | Numbers) -> Numbers:
    """Each edge as one number; sorting the numbers sorts edges by source, then by target."""
    return sources.astype(np.int64) << 32 | targets


def from_keys(keys: Numbers) -> tuple[Nodes, Nodes]:
    """The sources and targets of edges."""
    return (keys >> 32).astype(np.int32), keys.astype(np.int32)


def distinct(keys: Numbers) -> Numbers:
    """Sort numbers and drop duplicates; np.unique takes ten times as long."""
    keys = np.sort(keys)
    return keys[is_first(keys)]


def is_first(keys: Numbers) -> npt.NDArray[np.bool_]:
    """Whether each of these sorted numbers differs from the one before it."""
    first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


def joined_ranges(begins: Numbers, lengths: Numbers) -> Numbers:
    """Concatenate ranges of numbers, each given by its first number and its length."""
    shifts = begins - (np.cumsum(lengths) - lengths)
    return np.repeat(shifts, lengths) + np.arange(lengths.sum())


def _depths(count: int, sources: Nodes, targets: Nodes) -> Nodes:
    """The length of the longest path from each node to a root, in a graph without cycles.

    The loop takes time in proportion to the edges. Levels at once would be faster for shallow
    graphs, and far slower for a long chain.
    """
    depths = np.zeros(count, dtype=np.int32)
    waiting = np.bincount(sources, minlength=count)  # number of parents that have no depth yet
    queue = np.flatnonzero(waiting == 0).tolist()
    begins = np.concatenate(([0], np.cumsum(np.bincount(targets, minlength=count))))
    children_of = sources[np.argsort(targets, kind="stable")].data
    begin_of, waiting_of, depth_of = begins.data, waiting.data, depths.data
    for node in queue:  # in order of depth: the last parent of a node has the greatest
        below = depth_of[node] + 1
        for child in children_of[begin_of[node] : begin_of[node + 1]]:
            waiting_of[child] -= 1
            if not waiting_of[child]:
                depth_of[child] = below
                queue.append(child)
    return depths
