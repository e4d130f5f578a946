"""Hold out edges of a graph for link prediction: a split that training and evaluation share."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError
from hyperskip.graphs.graph import Graph
from hyperskip.options import Declaration, Range

HOLDOUT = Declaration(
    kind=float,
    help="share of the edges that are held out for link prediction, such as 0.05; every node keeps "
    "at least one edge",
    limits=Range(above=0.0, at_most=0.9),
    optional=True,
)
INNER = Declaration(
    kind=bool,
    help="hold out only edges between inner nodes: neither from leaves nor to roots, as in the "
    "experiments of Nickel and Kiela (2017)",
    default=False,
)

Integers = npt.NDArray[np.int64]


def split_graph(
    graph: Graph, *, holdout: float, seed: int, inner: bool = False
) -> tuple[Graph, Graph]:
    """Split a graph into the edges that are kept and those that are held out.

    The split depends on the names of the edges and on the seed, but not on the order of edges, so
    it can be repeated from the same edges. Both graphs have all nodes. Copies of an edge stay
    together, also in the other direction if the graph is undirected, and self-loops are kept.

    Args:
        graph: The edges. For link prediction in a taxonomy, pass its transitive closure.
        holdout: Share of the edges to hold out.
        seed: Seed of the random choice.
        inner: Whether to hold out only edges between inner nodes.

    Returns:
        The kept edges and the held-out ones.

    Raises:
        OptionError: An option is not allowed, or too few edges can be held out.
    """
    holdout = HOLDOUT.checked("holdout", holdout)
    inner = INNER.checked("inner", inner)
    distinct, edge_of = _distinct_edges(graph)
    is_loop = distinct[:, 0] == distinct[:, 1]
    order = np.random.default_rng(seed).permutation(np.flatnonzero(~is_loop))
    can_be_held_out = ~is_loop
    can_be_held_out[_first_edge_of_each_node(distinct, order)] = False
    if inner:
        if not graph.directed:
            raise OptionError(
                "`inner` requires directed edges: an undirected graph has no leaves and roots",
                hint="leave out `inner`, or read the edges as directed",
            )
        sources, targets = distinct[~is_loop].T
        can_be_held_out &= np.isin(distinct[:, 0], targets) & np.isin(distinct[:, 1], sources)
    candidates = order[can_be_held_out[order]]
    count = max(1, round(holdout * len(order)))
    if count > len(candidates):
        raise OptionError(
            f"`holdout={holdout:g}` of {len(order)} edges is {count} edges, but only "
            f"{len(candidates)} can be held out if every node keeps one"
            + (" and only edges between inner nodes are held out" if inner else ""),
            hint="hold out less"
            + (", or leave out `inner`" if inner else "")
            + "; for a taxonomy, take its transitive closure, which has more edges",
        )
    is_held_out = np.zeros(len(distinct), dtype=bool)
    is_held_out[candidates[:count]] = True
    return _with_edges(graph, ~is_held_out[edge_of]), _with_edges(graph, is_held_out[edge_of])


def _distinct_edges(graph: Graph) -> tuple[Integers, Integers]:
    """Return each edge once (distinct, 2), sorted by names, and the number of each given edge."""
    by_name = np.array(sorted(range(len(graph)), key=graph.names.__getitem__), dtype=np.int64)
    position = np.empty_like(by_name)
    position[by_name] = np.arange(len(by_name))
    ends = np.stack((position[graph.sources], position[graph.targets]), axis=1)
    if not graph.directed:
        ends.sort(axis=1)
    keys, edge_of = np.unique(ends[:, 0] * len(graph) + ends[:, 1], return_inverse=True)
    return np.stack(np.divmod(keys, max(1, len(graph))), axis=1), edge_of


def _first_edge_of_each_node(edges: Integers, order: Integers) -> Integers:
    """Return the edge of each node that comes first in this order."""
    _, at = np.unique(edges[order].ravel(), return_index=True)
    return order[at // 2]


def _with_edges(graph: Graph, chosen: npt.NDArray[np.bool_]) -> Graph:
    weights = None if graph.weights is None else graph.weights[chosen]
    return replace(
        graph, sources=graph.sources[chosen], targets=graph.targets[chosen], weights=weights
    )
