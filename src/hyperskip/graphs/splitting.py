"""Hold out edges of a graph for link prediction: a split that training and evaluation share."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import SEED, GraphOptions, HoldoutOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.options import named_arguments

Integers = npt.NDArray[np.int64]


@named_arguments
def split_edges(
    edges: Any,
    *,
    holdout: float = 0.05,
    holdout_inner: bool = False,
    seed: int = 1,
    columns: str | None = None,
    delimiter: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    order: str | None = None,
    directed: bool | None = None,
    weighted: bool | None = None,
    closure: bool | None = None,
    encoding_errors: str | None = None,
) -> tuple[Graph, Graph]:
    """Split edges into those to train on and those to predict.

    `hyperskip.embed_graph` and `hyperskip.evaluate` make the same split, with the same arguments.
    It depends on the names of the nodes and on the seed, but not on the order of edges.

    Args:
        edges: The edges, as for `hyperskip.embed_graph`.
        holdout: Share of the edges that are held out. Every node keeps at least one edge.
        holdout_inner: Whether to hold out only edges between inner nodes: neither from leaves,
            which are hard to predict, nor to roots, which are easy.
        seed: Seed of the random choice.
        columns: How to read the edges; see `hyperskip.embed_graph`.
        delimiter: See `hyperskip.embed_graph`.
        format: See `hyperskip.embed_graph`.
        order: See `hyperskip.embed_graph`.
        directed: See `hyperskip.embed_graph`.
        weighted: See `hyperskip.embed_graph`.
        closure: Whether to split the transitive closure of the edges.
        encoding_errors: See `hyperskip.embed_graph`.

    Returns:
        The graph with the kept edges, and the graph with those that were held out.

    Raises:
        CorpusError: A file is missing or cannot be read.
        GraphError: The edges cannot be read.
        OptionError: An option is not allowed, or too few edges can be held out.
    """
    reading: dict[str, Any] = {
        "columns": columns,
        "delimiter": delimiter,
        "format": format,
        "order": order,
        "directed": directed,
        "weighted": weighted,
        "closure": closure,
        "encoding_errors": encoding_errors,
    }
    options = HoldoutOptions(holdout=holdout, holdout_inner=holdout_inner)
    SEED.checked("seed", seed)
    chosen = {name: value for name, value in reading.items() if value is not None}
    return split_graph(read_graph(edges, GraphOptions(**chosen)), options, seed)


def split_graph(graph: Graph, options: HoldoutOptions, seed: int) -> tuple[Graph, Graph]:
    """Split a graph into the edges that are kept and those that are held out.

    Both graphs have all nodes. Copies of an edge stay together, also in the other direction if the
    graph is undirected, and self-loops are kept.

    Args:
        graph: The edges. For link prediction in a taxonomy, pass its transitive closure.
        options: What to hold out; without a share, nothing.
        seed: Seed of the random choice.

    Returns:
        The kept edges and the held-out ones.

    Raises:
        OptionError: Too few edges can be held out.
    """
    if options.holdout is None:
        return graph, _with_edges(graph, np.zeros(graph.edge_count, dtype=bool))
    distinct, edge_of = _distinct_edges(graph)
    is_held_out = np.zeros(len(distinct), dtype=bool)
    is_held_out[_chosen(distinct, graph.directed, options, seed)] = True
    return _with_edges(graph, ~is_held_out[edge_of]), _with_edges(graph, is_held_out[edge_of])


def _chosen(edges: Integers, directed: bool, options: HoldoutOptions, seed: int) -> Integers:
    """Choose the edges to hold out, from edges that are all different (edges, 2)."""
    assert options.holdout is not None
    is_loop = edges[:, 0] == edges[:, 1]
    order = np.random.default_rng(seed).permutation(np.flatnonzero(~is_loop))
    can_be_held_out = ~is_loop
    can_be_held_out[_first_edge_of_each_node(edges, order)] = False
    if options.holdout_inner:
        if not directed:
            raise OptionError(
                "`holdout_inner` requires directed edges: an undirected graph has no leaves and "
                "roots",
                hint="leave out `holdout_inner`, or pass `directed=True` if edges have a direction",
            )
        sources, targets = edges[~is_loop].T
        can_be_held_out &= np.isin(edges[:, 0], targets) & np.isin(edges[:, 1], sources)
    candidates = order[can_be_held_out[order]]
    count = max(1, round(options.holdout * len(order)))
    if count > len(candidates):
        inner = " between inner nodes" if options.holdout_inner else ""
        raise OptionError(
            f"`holdout={options.holdout:g}` of {len(order):,} edges is {count:,}, but only "
            f"{len(candidates):,} edges{inner} can be held out if every node keeps one",
            hint="hold out less; of a taxonomy, take the transitive closure: `closure=True`",
        )
    return np.asarray(candidates[:count])


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
