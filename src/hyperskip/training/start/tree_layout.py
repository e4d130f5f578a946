"""A start in the hyperbolic plane: a tree of the graph, laid out around its root.

In two dimensions, nodes cannot pass each other, so training cannot repair a bad order. Each node of
the tree gets a sector of the circle, in proportion to the number of nodes below it, inside the
sector of its parent. Its radius is the logarithm of the share of all nodes that it stands for.
"""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from hyperskip.geometry.arrays import Coordinates
from hyperskip.geometry.spaces import Space

PLANE = 2  # dimensions

Nodes = npt.NDArray[np.int64]


def starts_as_tree(space: Space, dimension: int) -> bool:
    """Whether nodes start as a tree: in the hyperbolic plane."""
    return space.is_curved and dimension == PLANE


def tree_layout(
    edges: npt.NDArray[np.int32], depths: npt.NDArray[np.int32] | None, nodes: int, highest: float
) -> Coordinates:  # (nodes, 2)
    """Spatial coordinates of all nodes.

    Args:
        edges: (edges, 2): source and target of each edge.
        depths: (nodes,): depth of each node; None: the graph is undirected.
        nodes: Number of nodes.
        highest: The largest radius.
    """
    if depths is None:
        parents, levels = _breadth_first_tree(edges, nodes)
    else:
        parents, levels = _deepest_parents(edges, depths, nodes), depths.astype(np.int64)
    by_level = np.argsort(levels, kind="stable")
    limits = np.searchsorted(levels[by_level], np.arange(levels.max(initial=0) + 2))
    rows = [by_level[begin:end] for begin, end in pairwise(limits)]
    sizes = np.ones(nodes)
    for row in reversed(rows):
        inner = row[parents[row] >= 0]
        np.add.at(sizes, parents[inner], sizes[inner])
    begins = np.zeros(nodes)
    for row in rows:  # siblings next to each other, from the start of their parent's sector
        ordered = row[np.lexsort((row, parents[row]))]
        own = parents[ordered]
        ends = np.cumsum(sizes[ordered])
        firsts = np.flatnonzero(np.diff(own, prepend=-2) != 0)
        before = np.repeat(ends[firsts] - sizes[ordered[firsts]], np.diff(firsts, append=len(own)))
        inside = np.where(own >= 0, begins[own] + 0.5, 0.0)
        begins[ordered] = inside + (ends - sizes[ordered] - before)
    total = sizes[parents < 0].sum()
    angles = 2.0 * np.pi * (begins + sizes / 2.0) / total
    radii = np.minimum(np.log(total / sizes), highest)
    directions = np.stack((np.cos(angles), np.sin(angles)), axis=1)
    return np.asarray(directions * np.sinh(radii)[:, None])


def _deepest_parents(
    edges: npt.NDArray[np.int32], depths: npt.NDArray[np.int32], nodes: int
) -> Nodes:
    """For each node, its target of the greatest depth; -1 for roots."""
    inside = edges[depths[edges[:, 1]] < depths[edges[:, 0]]]  # not those of a cycle
    order = np.argsort(depths[inside[:, 1]], kind="stable")
    parents = np.full(nodes, -1, dtype=np.int64)
    parents[inside[order, 0]] = inside[order, 1]
    return parents


def _breadth_first_tree(edges: npt.NDArray[np.int32], nodes: int) -> tuple[Nodes, Nodes]:
    """Parents and levels of a tree of each component, from its node with the most edges."""
    ones = np.ones(len(edges), dtype=np.int8)
    graph = csr_array((ones, (edges[:, 0], edges[:, 1])), shape=(nodes, nodes))
    _, components = connected_components(graph, directed=False)
    by_degree = np.argsort(-np.bincount(edges[:, 0], minlength=nodes), kind="stable")
    _, first = np.unique(components[by_degree], return_index=True)
    hubs = by_degree[first]
    # One more node above all of them makes it a single search.
    sources = np.concatenate((edges[:, 0], np.full(len(hubs), nodes, dtype=np.int32)))
    targets = np.concatenate((edges[:, 1], hubs.astype(np.int32)))
    ones = np.ones(len(sources), dtype=np.int8)
    graph = csr_array((ones, (sources, targets)), shape=(nodes + 1, nodes + 1))
    order, above = breadth_first_order(graph, nodes, directed=False)
    levels = np.full(nodes + 1, -1, dtype=np.int64)
    for node in order[1:]:
        levels[node] = levels[above[node]] + 1
    parents = above[:nodes].astype(np.int64)
    parents[parents == nodes] = -1
    return parents, levels[:nodes]
