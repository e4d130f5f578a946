"""Reading a graph of any kind that the user may pass: paths, graphs, matrices, frames, pairs."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, Protocol

import numpy as np
from scipy.sparse import issparse

from hyperskip.errors import CorpusError, GraphError, shown
from hyperskip.graphs.closure import transitive_closure
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.batches import Batch
from hyperskip.graphs.reading.builder import GraphBuilder
from hyperskip.graphs.reading.files import file_batches
from hyperskip.graphs.reading.in_memory import (
    checked_graph,
    dict_batches,
    frame_batches,
    in_order,
    integer_graph,
    is_networkx,
    matrix_graph,
    networkx_graph,
    row_batches,
)
from hyperskip.text.reading.corpus import ArrowStream
from hyperskip.text.reading.paths import checked_paths, corpus_files


class SparseMatrix(Protocol):
    """A sparse matrix or array of SciPy."""

    def tocoo(self) -> Any:
        """The entries, with their rows and columns."""


# A path; a graph; a sparse matrix; a data frame; or an iterable of paths, pairs or records.
Edges = str | os.PathLike[str] | Graph | SparseMatrix | ArrowStream | Iterable[object]

_EDGES_PAGE = "graphs.html#what-can-be-read"
_NOTHING = object()
_ACCEPTED = (
    "pass a path, a graph of NetworkX, a sparse matrix of SciPy, a data frame, pairs such as "
    "[('dog', 'mammal')], or a dict such as {'dog': 'mammal'}"
)


def read_graph(edges: Edges, options: GraphOptions | None = None) -> Graph:
    """Read a graph.

    Args:
        edges: A path, folder, glob or URL ("-" is standard input); several paths (Path or
            RemotePath objects); a `Graph`; a graph of NetworkX; a sparse matrix of SciPy; a data
            frame or table of pandas, polars, Arrow or Hugging Face datasets; an iterable of
            records (dicts); an iterable of pairs of strings or integers, or of triples with a
            weight; an array of integers with two columns; or a dict with the parent, or a list of
            parents, of each node.
        options: How to read it; None uses the defaults.

    Raises:
        CorpusError: A file is missing or cannot be read.
        GraphError: An edge is malformed, there are no edges, or the closure is too large.
    """
    options = options or GraphOptions()
    with errors_about_edges():
        graph = _read(edges, options)
    if not graph.edge_count:
        raise _without_edges(graph, edges)
    return transitive_closure(graph) if options.closure else graph


@contextmanager
def errors_about_edges() -> Iterator[None]:
    """Link errors of reading text, which edges are here, to the page about edges.

    Raises:
        CorpusError: The block raised one.
    """
    try:
        yield
    except CorpusError as error:
        if type(error) is not CorpusError:  # it has a page of its own
            raise
        raise CorpusError(error.message, hint=error.hint, page=_EDGES_PAGE) from error.__cause__


def _without_edges(graph: Graph, edges: Any) -> GraphError:
    if isinstance(edges, list) and len(edges) == 1:
        edges = edges[0]
    place = f" in {edges}" if isinstance(edges, str | os.PathLike) and edges != "-" else ""
    return GraphError(
        f"the graph{place} has no edges between different nodes (nodes: {len(graph):,}, "
        f"self-loops: {graph.self_loops:,})",
        hint="each edge needs two nodes; a header is not an edge, and an empty parent stands for "
        "no parent",
    )


def _read(edges: Any, options: GraphOptions) -> Graph:
    if isinstance(edges, Graph):
        return checked_graph(edges, options)
    if is_networkx(edges):
        return networkx_graph(edges, options)
    if issparse(edges):
        return matrix_graph(edges, options)
    if isinstance(edges, np.ndarray):
        if edges.ndim != 2 or edges.shape[1] not in (2, 3):
            raise GraphError(
                f"the array of edges has the shape {edges.shape}",
                hint="it must have two columns, or three with weights; an adjacency matrix must be "
                "sparse: scipy.sparse.coo_array(matrix)",
            )
        if edges.dtype.kind in "iu" and edges.shape[1] == 2:
            return integer_graph(edges[:, 0], edges[:, 1], None, options)
        edges = edges.tolist()
    batches = _batches(edges, options)
    first = next(batches, None)
    has_weights = first is not None and first.weights is not None
    builder = GraphBuilder(
        directed=options.directed is not False, weighted=bool(options.weighted or has_weights)
    )
    for batch in chain(() if first is None else (first,), batches):
        builder.add(batch)
    return builder.graph()


def _batches(edges: Any, options: GraphOptions) -> Iterator[Batch]:
    if isinstance(edges, str | os.PathLike):
        return file_batches(corpus_files([edges]), options)
    if isinstance(edges, dict) and not options.columns:
        return dict_batches(edges)
    batches = frame_batches(edges, options)
    if batches is not None:
        return batches
    if not isinstance(edges, Iterable) or isinstance(edges, bytes | bytearray | type):
        raise GraphError(
            f"`edges` is {shown(edges)} ({type(edges).__name__}), which is not a graph",
            hint=_ACCEPTED,
        )
    rows = iter(in_order(edges) if isinstance(edges, set | frozenset) else edges)
    first = next(rows, _NOTHING)
    if first is _NOTHING:
        return iter(())
    if isinstance(first, os.PathLike):
        return file_batches(corpus_files(checked_paths(chain([first], rows))), options)
    return row_batches(rows, first, options)
