"""What follows from the edges of a graph: its transitive closure, depths, and a summary."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse.csgraph import breadth_first_order, connected_components

from hyperskip.errors import GraphError
from hyperskip.graphs.condensation import (
    Condensation,
    Numbers,
    adjacency,
    as_keys,
    condense,
    distinct,
    from_keys,
    joined_ranges,
)
from hyperskip.graphs.graph import Graph, Nodes

_MOST_EDGES = 200_000_000  # of a closure; they take 1.6 GB, and twice as much while they are made
_EDGES_AT_ONCE = 1 << 22
_SHOWN_OF_CYCLE = 5  # nodes


def transitive_closure(graph: Graph, *, most_edges: int = _MOST_EDGES) -> Graph:
    """Add an edge from each node to each of its ancestors.

    The nodes of a cycle are ancestors of each other. No edge leads from a node to itself.

    Args:
        graph: A directed graph without weights.
        most_edges: Maximum number of edges of the closure.

    Raises:
        GraphError: The graph is undirected or has weights, or the closure has too many edges.
    """
    _check_directed(graph, "the transitive closure")
    if graph.weights is not None:
        raise GraphError(
            "the transitive closure requires edges without weights",
            hint="read the graph with `weighted=False`",
        )
    condensed = condense(graph)
    # Each node has at least `depth` ancestors, and the nodes of a cycle have each other.
    _check_size(int(condensed.sizes @ (condensed.depths + condensed.sizes - 1)), most_edges)
    upward = _upward(condensed, most_edges)
    sources, targets = _edges_upward(condensed.components, upward)
    return Graph(
        graph.names,
        sources,
        targets,
        self_loops=graph.self_loops,
        duplicates=graph.duplicates,
    )


def depths(graph: Graph) -> Nodes:
    """The depth of each node: the length of the longest path to a root; roots have 0.

    A graph and its transitive closure have the same depths, unlike with shortest paths, which all
    have length 1 in a closure. The nodes of a cycle have the same depth.

    Args:
        graph: A directed graph.

    Raises:
        GraphError: The graph is undirected.
    """
    _check_directed(graph, "a depth")
    condensed = condense(graph)
    return condensed.depths[condensed.components]


@dataclass(frozen=True, kw_only=True)
class GraphSummary:
    """What a graph looks like.

    Attributes:
        nodes: Number of nodes.
        edges: Number of edges.
        directed: Whether the direction of edges has a meaning.
        weighted: Whether edges have weights.
        self_loops: Number of edges that were left out because they lead from a node to itself.
        duplicates: Number of edges that were left out because they occurred before.
        components: Number of parts that no edge connects, counting each node without edges.
        isolated: Number of nodes without edges.
        roots: Number of nodes that have children, but no parents; None if undirected.
        leaves: Number of nodes that have parents, but no children; None if undirected.
        depth: Length of the longest path to a root; a cycle counts as one node; None if undirected.
        nodes_in_cycles: Number of nodes in directed cycles; None if undirected.
        cycle: The nodes of one cycle, each a child of the next; empty if there is none.
    """

    nodes: int
    edges: int
    directed: bool
    weighted: bool
    self_loops: int
    duplicates: int
    components: int
    isolated: int
    roots: int | None = None
    leaves: int | None = None
    depth: int | None = None
    nodes_in_cycles: int | None = None
    cycle: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "; ".join(filter(None, (self._size(), self._shape(), self._left_out())))

    def _size(self) -> str:
        kind = "" if self.directed else "undirected "
        weights = " with weights" if self.weighted else ""
        parts = [_counted(self.nodes, "node"), _counted(self.edges, f"{kind}edge") + weights]
        return ", ".join([*parts, _counted(self.components, "component")])

    def _shape(self) -> str:
        parts = [_counted(self.isolated, "node") + " without edges"] if self.isolated else []
        if self.roots is not None and self.leaves is not None:
            parts += [_counted(self.roots, "root"), _counted(self.leaves, "leaf", "leaves")]
            parts += [f"depth {self.depth}"]
            if self.cycle:
                parts += [f"{_counted(self.nodes_in_cycles, 'node')} in cycles ({self._example()})"]
        return ", ".join(parts)

    def _example(self) -> str:
        """A cycle, shortened if it is long: a -> b -> a."""
        shown = self.cycle[:_SHOWN_OF_CYCLE]
        rest = ("...",) if len(shown) < len(self.cycle) else self.cycle[:1]
        return " -> ".join((*shown, *rest))

    def _left_out(self) -> str:
        parts = [
            _counted(count, noun)
            for count, noun in ((self.self_loops, "self-loop"), (self.duplicates, "duplicate"))
            if count
        ]
        return f"left out {' and '.join(parts)}" if parts else ""


def describe(graph: Graph) -> GraphSummary:
    """Count what a graph consists of; a graph and its closure differ in the number of edges only.

    Args:
        graph: Any graph.
    """
    count = len(graph)
    parents = np.bincount(graph.sources, minlength=count)
    children = np.bincount(graph.targets, minlength=count)
    components, _ = connected_components(adjacency(graph), directed=False)
    summary = GraphSummary(
        nodes=count,
        edges=graph.edge_count,
        directed=graph.directed,
        weighted=graph.weights is not None,
        self_loops=graph.self_loops,
        duplicates=graph.duplicates,
        components=int(components),
        isolated=int(((parents == 0) & (children == 0)).sum()),
    )
    if not graph.directed:
        return summary
    condensed = condense(graph)
    in_cycles = condensed.sizes[condensed.components] > 1
    return replace(
        summary,
        roots=int(((parents == 0) & (children > 0)).sum()),
        leaves=int(((parents > 0) & (children == 0)).sum()),
        depth=int(condensed.depths.max(initial=0)),
        nodes_in_cycles=int(in_cycles.sum()),
        cycle=_cycle_through(graph, int(in_cycles.argmax())) if in_cycles.any() else (),
    )


def _counted(count: int | None, noun: str, plural: str = "") -> str:
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def _check_directed(graph: Graph, what: str) -> None:
    if not graph.directed:
        raise GraphError(
            f"{what} requires a directed graph, got {graph!r}",
            hint="read the graph with `directed=True`",
        )


def _cycle_through(graph: Graph, node: int) -> tuple[str, ...]:
    """The names of a shortest cycle through a node, which must be in one."""
    order, before = breadth_first_order(adjacency(graph), node)
    closing = np.isin(order, graph.sources[graph.targets == node])
    cycle = [int(order[closing.argmax()])]
    while cycle[-1] != node:
        cycle.append(int(before[cycle[-1]]))
    return tuple(graph.names[member] for member in reversed(cycle))


class _Upward(NamedTuple):
    """The nodes of each component and all their ancestors: a sorted range of `nodes` for each."""

    nodes: Nodes
    begins: Numbers  # (components,)
    lengths: Numbers  # (components,)


def _upward(condensed: Condensation, most_edges: int) -> _Upward:
    """Join the ancestors of the parents of each component, from the roots down."""
    sizes = condensed.sizes
    parent_counts = np.bincount(condensed.sources, minlength=len(sizes))
    members = np.argsort(condensed.components, kind="stable").astype(np.int32)
    first_members = np.cumsum(sizes) - sizes
    first_parents = np.cumsum(parent_counts) - parent_counts
    found = _Upward(
        np.empty(2 * len(members), np.int32), np.zeros_like(sizes), np.zeros_like(sizes)
    )
    filled = edges = 0
    for part in _parts_by_depth(condensed, parent_counts, first_parents, found.lengths):
        parents = condensed.targets[joined_ranges(first_parents[part], parent_counts[part])]
        children = np.repeat(np.arange(len(part)), parent_counts[part])
        keys = np.concatenate(
            (
                as_keys(
                    np.repeat(np.arange(len(part)), sizes[part]),
                    members[joined_ranges(first_members[part], sizes[part])],
                ),
                as_keys(
                    np.repeat(children, found.lengths[parents]),
                    found.nodes[joined_ranges(found.begins[parents], found.lengths[parents])],
                ),
            )
        )
        owners, nodes = from_keys(distinct(keys))
        lengths = np.bincount(owners, minlength=len(part))
        edges += int(sizes[part] @ (lengths - 1))
        _check_size(edges, most_edges)
        found.begins[part] = filled + np.cumsum(lengths) - lengths
        found.lengths[part] = lengths
        if len(found.nodes) < filled + len(nodes):
            found.nodes.resize(max(filled + len(nodes), 2 * len(found.nodes)), refcheck=False)
        found.nodes[filled : filled + len(nodes)] = nodes
        filled += len(nodes)
    return found


def _edges_upward(components: Nodes, upward: _Upward) -> tuple[Nodes, Nodes]:
    """An edge from each node to each of its ancestors, sorted."""
    counts = upward.lengths[components]
    ends = np.cumsum(counts - 1)
    sources, targets = (np.empty(ends[-1] if len(ends) else 0, dtype=np.int32) for _ in range(2))
    done = ends // _EDGES_AT_ONCE
    for part in np.split(np.arange(len(components)), np.flatnonzero(np.diff(done)) + 1):
        found = upward.nodes[joined_ranges(upward.begins[components[part]], counts[part])]
        nodes = np.repeat(part.astype(np.int32), counts[part])
        others = nodes != found
        begin = int(ends[part[0]] - counts[part[0]] + 1)
        sources[begin : ends[part[-1]]] = nodes[others]
        targets[begin : ends[part[-1]]] = found[others]
    return sources, targets


def _parts_by_depth(
    condensed: Condensation, parent_counts: Numbers, first_parents: Numbers, lengths: Numbers
) -> Iterator[Numbers]:
    """Components of the same depth, in parts whose parents have few ancestors together.

    The depths ascend, so that the caller has filled in the `lengths` of all parents.
    """
    by_depth = np.argsort(condensed.depths, kind="stable")
    ends = np.cumsum(np.bincount(condensed.depths))
    for level in np.split(by_depth, ends[:-1]):
        parents = condensed.targets[joined_ranges(first_parents[level], parent_counts[level])]
        work = np.concatenate(([0], np.cumsum(lengths[parents])))
        done = work[np.cumsum(parent_counts[level])] // _EDGES_AT_ONCE
        yield from np.split(level, np.flatnonzero(np.diff(done)) + 1)


def _check_size(edges: int, most_edges: int) -> None:
    if edges > most_edges:
        raise GraphError(
            f"the transitive closure has more than {most_edges:,} edges, which is too many",
            hint="train on the edges as they are; is the graph a taxonomy, and not full of cycles?",
        )
