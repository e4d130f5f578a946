"""The nodes of a graph that a picture shows: the most important ones, and edges between them."""

from dataclasses import replace

import numpy as np

from hyperskip.errors import OptionError
from hyperskip.geometry.arrays import Rows
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.node_names import labels_of
from hyperskip.graphs.taxonomy import Taxonomy
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.pictures.request.choice import NO_GROUP, Choice, Edge
from hyperskip.pictures.request.request import BRANCH, DEPTH, NODES, PictureRequest
from hyperskip.vectors.word_vectors import WordVectors

_MOST_BRANCHES = 9


def graph_nodes(vectors: WordVectors, graph: Graph, request: PictureRequest) -> Choice:
    """Choose nodes of a graph, by default those with the most nodes below them.

    Args:
        vectors: The model.
        graph: Edges between words; nodes that the model does not have are left out.
        request: Which words to show, and in which colors.

    Raises:
        GraphError: No edge connects two words of the model.
        OptionError: Depths or branches of an undirected graph were requested.
        UnknownWordError: A word of the request is not in the vocabulary.
    """
    if not graph.directed and request.color in (DEPTH, BRANCH):
        raise OptionError(
            f"`color='{request.color}'` requires directed edges",
            hint="leave `color` out: these edges have no direction",
        )
    on_words = WordGraph(graph, vectors.known_rows(graph.names), vectors.words)
    order = on_words.by_importance
    if request.words is None:
        rows = order[on_words.degrees[order] > 0][: request.count or NODES]
    else:
        rows = order[np.isin(order, vectors.rows_of(request.words))]
    words = tuple(vectors.words[row] for row in rows.tolist())
    root = on_words.main_root
    choice = Choice(
        words=words,
        labels=labels_of(words),
        edges=_edges(on_words, rows),
        importance=tuple(on_words.importance[rows].tolist()),
        left_out=on_words.left_out,
        middle=None if root is None else vectors.words[root],
    )
    if on_words.taxonomy is None:
        return choice
    return _with_levels(choice, on_words.taxonomy, rows, request.color)


def _edges(on_words: WordGraph, rows: Rows) -> tuple[Edge, ...]:
    """Return the edges between the words in these rows, by their indices in `rows`.

    A directed edge skips nodes that are not shown.
    """
    taxonomy = on_words.taxonomy
    graph = on_words.edges if taxonomy is None else taxonomy.among(rows)
    index = np.full(len(graph), -1)
    index[rows] = np.arange(len(rows))
    sources, targets = index[graph.sources], index[graph.targets]
    both = (sources >= 0) & (targets >= 0)
    return tuple(zip(sources[both].tolist(), targets[both].tolist(), strict=True))


def _with_levels(choice: Choice, taxonomy: Taxonomy, rows: Rows, color: str | None) -> Choice:
    """Add depths and, unless another color was requested, the branches of the chosen nodes."""
    choice = replace(choice, depths=tuple(taxonomy.depths[rows].tolist()), by_depth=color == DEPTH)
    if color not in (None, BRANCH):
        return choice
    branches = taxonomy.branches(_MOST_BRANCHES)
    numbers = branches.of_nodes[rows]
    shown = np.unique(numbers[numbers >= 0])
    if not len(shown):
        return replace(choice, by_depth=True)
    return replace(
        choice,
        groups=tuple(np.where(numbers < 0, NO_GROUP, np.searchsorted(shown, numbers)).tolist()),
        group_names=labels_of([taxonomy.graph.names[branches.tops[i]] for i in shown]),
    )
