"""Reading a graph of any kind that the user may pass: paths, graphs, matrices, frames, pairs."""

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np
from scipy.sparse import issparse

from hyperskip.errors import GraphError, shown
from hyperskip.graphs.closure import transitive_closure
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.batches import Batch
from hyperskip.graphs.reading.builder import GraphBuilder
from hyperskip.graphs.reading.files import file_batches
from hyperskip.graphs.reading.in_memory import (
    array_graph,
    dict_batches,
    frame_batches,
    is_networkx,
    iterable_batches,
    matrix_graph,
    networkx_graph,
)
from hyperskip.text.reading.paths import corpus_files

_ACCEPTED = (
    "pass a path, a graph of NetworkX, a sparse matrix of SciPy, a data frame, pairs such as "
    "[('dog', 'mammal')], or a dict such as {'dog': 'mammal'}"
)


def read_graph(edges: Any, options: GraphOptions | None = None) -> Graph:
    """Read a graph.

    Args:
        edges: A path, folder, glob or URL ("-" is standard input); several paths (Path or
            RemotePath objects); a `Graph`; a graph of NetworkX; a sparse matrix of SciPy; a data
            frame or table of pandas, polars, Arrow or Hugging Face datasets; an iterable of
            records (dicts); an iterable of pairs, or of triples with a weight, of strings or
            integers; an array of integers with two columns; or a dict with the parent, or a list
            of parents, of each node.
        options: How to read it.

    Raises:
        CorpusError: A file is missing or cannot be read.
        GraphError: An edge is malformed, there are no edges, or the closure is too large.
    """
    options = options or GraphOptions()
    graph = _read(edges, options)
    if not graph.edge_count:
        raise GraphError("the graph has no edges", hint=_ACCEPTED)
    return transitive_closure(graph) if options.closure else graph


def _read(edges: Any, options: GraphOptions) -> Graph:
    if isinstance(edges, Graph):
        return edges
    if is_networkx(edges):
        return networkx_graph(edges, options)
    if issparse(edges):
        return matrix_graph(edges, options)
    if isinstance(edges, np.ndarray):
        if edges.ndim != 2 or edges.shape[1] not in (2, 3):
            raise GraphError(
                f"the array has the shape {edges.shape}",
                hint="an array of edges has two columns, or three with weights; a matrix of "
                "connections must be sparse: scipy.sparse.coo_array(array)",
            )
        if edges.dtype.kind in "iu" and edges.shape[1] == 2:
            return array_graph(edges, options)
        edges = edges.tolist()
    builder = GraphBuilder(directed=options.directed is not False, weighted=options.reads_weights)
    for batch in _batches(edges, options):
        builder.add(batch)
    return builder.graph()


def _batches(edges: Any, options: GraphOptions) -> Iterator[Batch]:
    if isinstance(edges, str | os.PathLike):
        return file_batches(corpus_files([edges]), options)
    if isinstance(edges, Mapping) and not options.column_names:
        return dict_batches(edges)
    batches = frame_batches(edges, options)
    if batches is not None:
        return batches
    if not isinstance(edges, Iterable) or isinstance(edges, bytes):
        raise GraphError(f"`edges` is {shown(edges)} ({type(edges).__name__})", hint=_ACCEPTED)
    rows = iter(edges)
    first = next(rows, None)
    if first is None:
        raise GraphError("the graph has no edges", hint=_ACCEPTED)
    if isinstance(first, os.PathLike):
        return file_batches(corpus_files(chain([first], rows)), options)
    return iterable_batches(chain([first], rows), options)
