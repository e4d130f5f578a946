"""Graphs in memory: NetworkX graphs, sparse matrices, arrays, data frames, dicts and iterables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from hyperskip.errors import GraphError, shown
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import PARENT_CHILD, GraphOptions
from hyperskip.graphs.reading.batches import EDGES_AT_ONCE, Batch, batch_of, record_cells, row_cells
from hyperskip.graphs.reading.builder import GraphBuilder
from hyperskip.text.reading.frames import columns_of

_INPUT = "the edges"


def is_networkx(edges: object) -> bool:
    """Whether an object is a graph of NetworkX, which is not imported to find out."""
    kinds = (kind.__module__.partition(".")[0] for kind in type(edges).__mro__)
    return "networkx" in kinds and hasattr(edges, "is_directed")


def networkx_graph(given: Any, options: GraphOptions) -> Graph:
    """Convert a graph of NetworkX; the names are the strings of its nodes.

    Raises:
        GraphError: Two nodes have the same string, or a weight is not greater than 0.
    """
    if options.directed and not given.is_directed():
        raise GraphError(
            "`directed=True`, but the graph of NetworkX is undirected",
            hint="leave out `directed`, or pass graph.to_directed()",
        )
    nodes = list(given)
    names = list(map(str, nodes))
    if len(set(names)) < len(names):
        seen: dict[str, object] = {}
        for node, name in zip(nodes, names, strict=True):
            if name in seen:
                raise GraphError(
                    f"the nodes {shown(seen[name])} and {shown(node)} are both called {name!r}",
                    hint="rename them: networkx.relabel_nodes(graph, names)",
                )
            seen[name] = node
    weighted = options.weighted
    if weighted is None:
        weighted = not options.closure and any(
            weight is not None for _, _, weight in given.edges(data="weight")
        )
    directed = given.is_directed() and options.directed is not False
    builder = GraphBuilder(directed=directed, weighted=weighted)
    builder.add_nodes(names, lambda index: f"node {index}")
    numbers = dict(zip(nodes, names, strict=True))
    edges = iter(given.edges(data="weight", default=1))
    for first, some in _parts(edges):
        sources, targets, weights = zip(*some, strict=True)
        cells = [[numbers[node] for node in sources], [numbers[node] for node in targets], weights]
        builder.add(batch_of(cells, options, "edge", range(first, first + len(some)), "the graph"))
    return builder.graph()


def matrix_graph(matrix: Any, options: GraphOptions) -> Graph:
    """Convert a sparse matrix of SciPy: an entry is an edge from its row to its column.

    The names are the numbers of the rows, from 0. Rows and columns without entries are left out, so
    that the size of the matrix does not matter.

    Raises:
        GraphError: The matrix is not square, or a value is not greater than 0.
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphError(
            f"the sparse matrix has the shape {matrix.shape}",
            hint="rows and columns must be the same nodes, so it must be square",
        )
    entries = matrix.tocoo()
    weights = entries.data
    weighted = options.weighted
    if weighted is None:
        weighted = not options.closure and bool((weights != 1).any())
    return _integer_graph(entries.row, entries.col, weights if weighted else None, options)


def array_graph(array: Any, options: GraphOptions) -> Graph:
    """Convert an array of integers with two columns: an edge in each row."""
    return _integer_graph(array[:, 0], array[:, 1], None, options)


def _integer_graph(first: Any, second: Any, weights: Any | None, options: GraphOptions) -> Graph:
    numbers = np.unique(np.concatenate((np.unique(first), np.unique(second))))
    if weights is not None:
        good = np.isfinite(weights) & (weights > 0) if weights.dtype.kind in "biuf" else None
        if good is None or not good.all():
            index = 0 if good is None else int((~good).argmax())
            raise GraphError(
                f"the entry ({first[index]}, {second[index]}) is {weights[index]}",
                hint="a weight is a number greater than 0; use `weighted=False` to ignore weights",
            )
        weights = weights.astype(np.float64)
    builder = GraphBuilder(directed=options.directed is not False, weighted=weights is not None)
    builder.add_nodes(map(str, numbers.tolist()), lambda index: f"node {index}")
    sources, targets = (np.searchsorted(numbers, column) for column in (first, second))
    if options.order == PARENT_CHILD:
        sources, targets = targets, sources
    builder.add_numbers(sources, targets, weights)
    return builder.graph()


def frame_batches(frame: Any, options: GraphOptions) -> Iterator[Batch] | None:
    """Read a data frame, or a dict of columns; None if it is something else.

    Raises:
        CorpusError: It has no such columns.
    """

    def choose(names: Sequence[str]) -> Sequence[str]:
        columns = options.column_names or names[: 3 if options.reads_weights else 2]
        if len(columns) < 2:
            raise GraphError(
                f"the data frame has {len(names)} columns",
                hint="an edge needs two columns, and a third for the weight",
            )
        return columns

    cells = columns_of(frame, choose)
    if cells is None:
        return None
    return _row_batches(zip(*(column.values for column in cells), strict=True), options, "row", 0)


def dict_batches(parents: Mapping[Any, Any]) -> Iterator[Batch]:
    """Read a dict of the parent, or of several parents, of each node."""

    def pairs() -> Iterator[tuple[object, object]]:
        for child, above in parents.items():
            if isinstance(above, str) or not isinstance(above, Iterable):
                yield child, above
            else:
                some = list(above)
                yield from ((child, parent) for parent in some)
                if not some:
                    yield child, None

    for first, some in _parts(pairs()):
        children, above = zip(*some, strict=True)
        yield Batch(children, above, None, "pair", range(first, first + len(some)), "the dict")


def iterable_batches(rows: Iterator[Any], options: GraphOptions) -> Iterator[Batch]:
    """Read pairs, triples or records."""

    def cells() -> Iterator[Sequence[object]]:
        for number, row in enumerate(rows):
            place = f"edge {number} (counted from 0)"
            if isinstance(row, Mapping):
                yield record_cells(row, options, place)
            else:
                yield row_cells(row, options, place)

    return _row_batches(cells(), options, "edge", 0)


def _row_batches(
    rows: Iterator[Sequence[object]], options: GraphOptions, noun: str, begin: int
) -> Iterator[Batch]:
    for first, some in _parts(rows):
        numbers = range(first + begin, first + begin + len(some))
        yield batch_of(list(zip(*some, strict=True)), options, noun, numbers, _INPUT)


def _parts(items: Iterator[Any]) -> Iterator[tuple[int, list[Any]]]:
    first = 0
    while some := list(islice(items, EDGES_AT_ONCE)):
        yield first, some
        first += len(some)
