"""`hyperskip.read_graph`: a graph from anything that the user passes, with options as keywords."""

from __future__ import annotations  # help() shows Edges, not what it expands to

from dataclasses import replace
from typing import Any

from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading import edges as reading
from hyperskip.graphs.reading.edges import Edges
from hyperskip.options import named_arguments


@named_arguments
def read_graph(
    edges: Edges,
    *,
    options: GraphOptions | None = None,
    columns: str | None = None,
    delimiter: str | None = None,
    format: str | None = None,  # noqa: A002 - the name of the option
    order: str | None = None,
    directed: bool | None = None,
    weighted: bool | None = None,
    closure: bool | None = None,
    encoding_errors: str | None = None,
) -> Graph:
    """Read a graph or a taxonomy. `graph.summary` describes it.

    Edges from a node to itself and repeated edges are left out; the weights of repeated edges are
    added. A missing or empty parent stands for no parent, as in the row of a root.

    Args:
        edges: A path, folder, glob or URL ("-" is standard input) of CSV, TSV, columns separated by
            blanks, JSON Lines, indented trees or Matrix Market; a list of pathlib.Path or
            hyperskip.RemotePath; a graph of NetworkX, whose nodes are called by their strings; a
            sparse matrix of SciPy, whose nodes are called by their row numbers, and whose empty
            rows are left out; a data frame or table of pandas, polars, Arrow or Hugging Face
            datasets; an iterable of records (dicts); an iterable of pairs of strings or integers,
            or of triples with a weight; an array of integers with two columns; or a dict with the
            parent, or a list of parents, of each node.
        options: Options of reading; keyword arguments override them.
        columns: Two or three columns, separated by commas: the two nodes of each edge, and its
            weight; names in the header, keys of records, or numbers from 1 (default: 1,2 in
            tables).
        delimiter: The character between the cells of a table, such as ; or tab (default: from the
            name of the file and its first line).
        format: table: CSV, TSV, or columns separated by blanks; jsonl: JSON Lines, of pairs or
            records; tree: one node on each line, indented below its parent; mtx: Matrix Market
            (default: from the name of the file and its first lines).
        order: The order of the two nodes of an edge: child-parent (dog, mammal) or parent-child
            (mammal, dog) (default: child-parent).
        directed: Whether the direction of edges has a meaning (default: True, except for undirected
            graphs of NetworkX).
        weighted: Whether edges have weights (default: True if a third column is chosen, or if a
            graph or matrix in memory has weights).
        closure: Add an edge from each node to each of its ancestors: the transitive closure.
        encoding_errors: Bytes that are not UTF-8: strict stops with an error, replace inserts
            U+FFFD (default: strict).

    Returns:
        The graph. Its nodes are in order of their first appearance.

    Raises:
        OptionError: An option is unknown or not allowed. Nothing has been read.
        CorpusError: A file is missing or cannot be read.
        GraphError: An edge is malformed, there are no edges, or the closure is too large.
    """
    keywords: dict[str, Any] = {
        "columns": columns,
        "delimiter": delimiter,
        "format": format,
        "order": order,
        "directed": directed,
        "weighted": weighted,
        "closure": closure,
        "encoding_errors": encoding_errors,
    }
    chosen = {name: value for name, value in keywords.items() if value is not None}
    return reading.read_graph(edges, replace(options or GraphOptions(), **chosen))
