"""Relations from anything that the user passes, as a graph with counts as weights."""

import os
from collections.abc import Iterable
from typing import Any

from hyperskip.errors import GraphError, InputError
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.options import checked_path
from hyperskip.text.relations.relations import HEADER, Relations, has_counts, read_relations
from hyperskip.vectors.container import has_header


def given_relations(relations: Any) -> Graph:
    """Return relations as a graph: edges lead from narrower to broader terms.

    Args:
        relations: Relations; the path of a file of them; or pairs (narrower, broader), with or
            without a count: anything that `hyperskip.read_graph` reads, except folders.

    Raises:
        CorpusError: A file is missing or cannot be read.
        GraphError: A pair is malformed, or there are none.
        InputError: The pairs have no direction, or the path is that of a folder or a model.
    """
    if isinstance(relations, str | os.PathLike):
        path = checked_path("relations", relations)
        if path.is_dir() or has_header(path):
            kind = "folder" if path.is_dir() else "model"
            raise InputError(
                f"`relations` is {path}, which is a {kind}",
                hint="pass a file that hyperskip relations wrote, or pairs of terms",
            )
        if path.is_file() and has_counts(path):
            return graph_of(read_relations(path))
    elif isinstance(relations, Relations):
        return graph_of(relations)
    try:
        graph = read_graph(relations, _options(relations))
    except GraphError as error:
        message = error.message.replace("`edges`", "`relations`").replace(
            "the graph", "`relations`"
        )
        hint = "pass pairs of a narrower and a broader term, with or without a count greater than 0"
        raise GraphError(message, hint=hint) from error
    if not graph.directed:
        raise InputError(
            "`relations` has no direction",
            hint="pass pairs of a narrower and a broader term, or a directed graph",
        )
    return graph


def _options(relations: Any) -> GraphOptions:
    names = getattr(relations, "columns", getattr(relations, "column_names", None))
    is_table = isinstance(names, Iterable) and tuple(names)[:3] == HEADER[:3]
    return GraphOptions(columns=",".join(HEADER[:3]) if is_table else None)


def graph_of(relations: Relations, origin: str = "`relations`") -> Graph:
    """Return relations as a graph; a term that is a kind of itself is left out.

    Args:
        relations: The relations.
        origin: Where they are from, for the error.

    Raises:
        GraphError: There are none.
    """
    is_other = relations.narrower != relations.broader
    if not is_other.any():
        raise GraphError(
            f"{origin} has no pairs of different terms",
            hint="find relations in more text: with punctuation and capital letters, and with "
            "patterns of its language",
        )
    return Graph(
        relations.terms,
        relations.narrower[is_other],
        relations.broader[is_other],
        relations.counts[is_other].astype(float),
    )
