"""Graphs in memory: NetworkX graphs, sparse matrices, arrays, data frames, dicts and iterables."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import triu

from hyperskip.errors import GraphError, shown
from hyperskip.graphs.condensation import as_keys, distinct
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import PARENT_CHILD, GraphOptions
from hyperskip.graphs.reading.batches import (
    Batch,
    batch_of,
    cells_of_record,
    cells_of_row,
    is_header,
    numbered,
    parts,
)
from hyperskip.graphs.reading.builder import GraphBuilder
from hyperskip.text.reading.columns import check_no_column
from hyperskip.text.reading.documents import Cells
from hyperskip.text.reading.frames import cells_of, columns_of

Array = npt.NDArray[Any]


def is_networkx(edges: object) -> bool:
    """Whether an object is a graph of NetworkX, which is not imported to find out."""
    packages = {kind.__module__.partition(".")[0] for kind in type(edges).__mro__}
    return "networkx" in packages and hasattr(edges, "is_directed")


def networkx_graph(given: Any, options: GraphOptions) -> Graph:
    """Convert a graph of NetworkX; a node is called by its string.

    Raises:
        GraphError: Two nodes have the same string, or a weight is not greater than 0.
    """
    if options.directed and not given.is_directed():
        raise GraphError(
            "`directed=True`, but the graph of NetworkX is undirected",
            hint="leave out `directed`, or pass graph.to_directed()",
        )
    names = _distinct_names(given)
    weighted = options.weighted
    if weighted is None:
        has_weights = any(weight is not None for _, _, weight in given.edges(data="weight"))
        weighted = has_weights and not options.closure
    directed = given.is_directed() and options.directed is not False
    builder = GraphBuilder(directed=directed, weighted=weighted)
    builder.add_nodes(names.values())
    for first, some in parts(iter(given.edges(data="weight", default=1))):
        sources, targets, weights = zip(*some, strict=True)
        columns = [[names[node] for node in nodes] for nodes in (sources, targets)]
        place = numbered("edge", range(first, first + len(some)), "the graph (counted from 0)")
        builder.add(batch_of([*columns, weights], options, place))
    return builder.graph()


def _distinct_names(nodes: Iterable[object]) -> dict[object, str]:
    names = {node: str(node) for node in nodes}
    nodes_by_name: dict[str, object] = {}
    for node, name in names.items():
        if nodes_by_name.setdefault(name, node) is not node:
            raise GraphError(
                f"the nodes {shown(nodes_by_name[name])} and {shown(node)} are both called "
                f"{shown(name)}",
                hint="rename one of them: networkx.relabel_nodes(graph, {node: name})",
            )
    return names


def matrix_graph(matrix: Any, options: GraphOptions) -> Graph:
    """Convert a sparse matrix of SciPy: an entry is an edge from its row to its column.

    A node is called by its number, from 0. Rows and columns without entries are left out, so that
    the size of the matrix does not matter. A symmetric matrix that is read as undirected has each
    edge once.

    Raises:
        GraphError: The matrix is not square, or a value is not greater than 0.
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise GraphError(
            f"the sparse matrix has the shape {matrix.shape}",
            hint="rows and columns must be the same nodes, so that the matrix is square",
        )
    if options.directed is False and (matrix != matrix.T).nnz == 0:
        matrix = triu(matrix)
    entries = matrix.tocoo()
    weighted = options.weighted
    if weighted is None:
        weighted = bool((entries.data != 1).any()) and not options.closure
    return integer_graph(entries.row, entries.col, entries.data if weighted else None, options)


def checked_graph(graph: Graph, options: GraphOptions) -> Graph:
    """Sort the edges of a graph and drop self-loops and duplicates, unless this was done before.

    With `directed=False` or `weighted=False`, it also drops directions or weights.
    """
    directed = graph.directed and options.directed is not False
    weighted = graph.weights is not None and options.weighted is not False and not options.closure
    if (directed, weighted) == (graph.directed, graph.weights is not None):
        keys = as_keys(graph.sources, graph.targets)
        ordered = np.not_equal if directed else np.less  # an undirected edge occurs once
        if (keys[1:] > keys[:-1]).all() and ordered(graph.sources, graph.targets).all():
            return graph
    builder = GraphBuilder(directed=directed, weighted=weighted)
    builder.add_nodes(graph.names)
    builder.add_numbers(graph.sources, graph.targets, graph.weights)
    changed = builder.graph()
    return replace(
        changed,
        self_loops=graph.self_loops + changed.self_loops,
        duplicates=graph.duplicates + changed.duplicates,
    )


def integer_graph(
    first: Array, second: Array, weights: Array | None, options: GraphOptions
) -> Graph:
    """Make a graph of arrays of integers; a node is called by its number.

    Raises:
        GraphError: A weight is not greater than 0 and finite.
    """
    if weights is not None:
        if weights.dtype.kind not in "biuf":
            raise GraphError(
                f"the weights are of type {weights.dtype}", hint="they must be real numbers"
            )
        wrong = ~(np.isfinite(weights) & (weights > 0))
        if wrong.any():
            at = int(wrong.argmax())
            raise GraphError(
                f"the entry at ({first[at]}, {second[at]}) is {weights[at]}",
                hint="a weight is a number greater than 0; remove the entry, or use "
                "`weighted=False`",
            )
        weights = weights.astype(np.float64)
    builder = GraphBuilder(directed=options.directed is not False, weighted=weights is not None)
    numbers = distinct(np.concatenate((first, second)))
    builder.add_nodes(map(str, numbers.tolist()))
    sources, targets = (np.searchsorted(numbers, nodes) for nodes in (first, second))
    if options.order == PARENT_CHILD:
        sources, targets = targets, sources
    builder.add_numbers(sources, targets, weights)
    return builder.graph()


def frame_batches(frame: Any, options: GraphOptions) -> Iterator[Batch] | None:
    """Read a data frame, or a dict of columns if `columns` are chosen; None for anything else.

    Raises:
        CorpusError: There are no such columns.
    """
    count = 3 if options.reads_weights else 2

    def choose(names: Sequence[str]) -> Sequence[str]:
        if len(names) < count:
            raise GraphError(
                f"the data frame has {len(names)} columns, but an edge needs {count}",
                hint="pass a frame with a column for each of the two nodes, and for the weight",
            )
        if not options.column_names:
            is_header(names, "the data frame", options)  # refuses the other order
        by_number = {str(number): name for number, name in enumerate(names, start=1)}
        columns = options.column_names or names
        return [name if name in names else by_number.get(name, name) for name in columns[:count]]

    columns: Sequence[Cells | None] | None
    if isinstance(frame, Mapping):
        columns = [cells_of(frame, column) for column in options.column_names[:count]]
    else:
        columns = columns_of(frame, choose)
    if columns is None:
        return None
    return _cell_batches([cells for cells in columns if cells is not None], options)


def _cell_batches(columns: Sequence[Cells], options: GraphOptions) -> Iterator[Batch]:
    for first, some in parts(zip(*(cells.values for cells in columns), strict=True)):

        def place(index: int, first: int = first) -> str:
            return columns[0].place(first + index)

        yield batch_of(list(zip(*some, strict=True)), options, place)


def dict_batches(parents: Mapping[Any, Any]) -> Iterator[Batch]:
    """Read a dict with the parent, or several parents, of each node; None stands for no parent."""

    def pairs() -> Iterator[tuple[object, object]]:
        for child, above in parents.items():
            if isinstance(above, str) or not isinstance(above, Iterable):
                yield child, above
            else:
                yield from ((child, parent) for parent in in_order(above) or [None])

    for _, some in parts(pairs()):
        children, above = zip(*some, strict=True)

        def place(index: int, children: tuple[object, ...] = children) -> str:
            return f"the entry of {shown(children[index])}"

        yield Batch(children, above, None, place)


def in_order(items: Iterable[Any]) -> list[Any]:
    """List items; those of a set are sorted, so that the result is the same in each process."""
    return sorted(items, key=str) if isinstance(items, set | frozenset) else list(items)


def row_batches(rows: Iterator[Any], first: object, options: GraphOptions) -> Iterator[Batch]:
    """Read pairs, triples or records.

    Args:
        rows: All rows after the first one.
        first: The first row: if it is a triple, they all have weights.
        options: How to read them.

    Raises:
        GraphError: A row is not an edge.
    """
    are_records = isinstance(first, Mapping)
    if not are_records:
        check_no_column(options.columns, "a list of pairs", option="columns")
    weighted = options.weighted
    if weighted is None:
        weighted = isinstance(first, Sequence) and len(first) == 3 and not options.closure

    def cells() -> Iterator[Sequence[object]]:
        for index, row in enumerate(chain([first], rows)):
            place = f"edge {index} (counted from 0)"
            if are_records:
                yield cells_of_record(row, options, place)
            else:
                yield cells_of_row(row, place, weighted=weighted)

    for begin, some in parts(cells()):
        place = numbered("edge", range(begin, begin + len(some)), "the graph (counted from 0)")
        yield batch_of(list(zip(*some, strict=True)), options, place)
