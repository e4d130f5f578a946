"""The nodes of a graph that a picture shows: the most important ones, and edges between them."""

from dataclasses import replace

import numpy as np

from hyperskip.errors import OptionError
from hyperskip.geometry.arrays import Rows
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.hierarchy import NO_NODE, Hierarchy, Numbers
from hyperskip.graphs.node_names import labels_of
from hyperskip.graphs.renumbering import graph_of_words
from hyperskip.pictures.request.choice import NO_GROUP, Choice, Edge
from hyperskip.pictures.request.request import BRANCH, DEPTH, NODES, PictureRequest
from hyperskip.vectors.word_vectors import WordVectors

_MOST_BRANCHES = 9
_LEAST_BELOW = 0.5  # share of the nodes that are below a root in the middle


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
    found = graph_of_words(graph, vectors.known_rows(graph.names), vectors.words)
    hierarchy = _hierarchy(found.graph, request)
    direct = found.graph if hierarchy is None else hierarchy.graph
    degrees = np.bincount(np.concatenate((direct.sources, direct.targets)), minlength=len(vectors))
    weights = degrees if hierarchy is None else hierarchy.sizes
    order = np.lexsort((-degrees, -weights))
    if request.words is None:
        rows = order[degrees[order] > 0][: request.count or NODES]
    else:
        rows = order[np.isin(order, vectors.rows_of(request.words))]
    words = tuple(vectors.words[row] for row in rows.tolist())
    choice = Choice(
        words=words,
        labels=labels_of(words),
        edges=_edges(direct, rows),
        importance=tuple(np.log1p(weights[rows]) / max(np.log1p(weights.max()), 1e-9)),
        left_out=found.left_out,
    )
    return choice if hierarchy is None else _with_levels(choice, hierarchy, rows, request)


def _hierarchy(graph: Graph, request: PictureRequest) -> Hierarchy | None:
    if graph.directed:
        return Hierarchy(graph)
    if request.color in (DEPTH, BRANCH):
        raise OptionError(
            f"`color='{request.color}'` requires directed edges",
            hint="leave `color` out: these edges have no direction",
        )
    return None


def _edges(graph: Graph, rows: Rows) -> tuple[Edge, ...]:
    """Return the edges between the words in these rows, by their indices in `rows`."""
    index: Numbers = np.full(len(graph), NO_NODE, dtype=np.int64)
    index[rows] = np.arange(len(rows))
    sources, targets = index[graph.sources], index[graph.targets]
    both = (sources != NO_NODE) & (targets != NO_NODE)
    return tuple(zip(sources[both].tolist(), targets[both].tolist(), strict=True))


def _with_levels(
    choice: Choice, hierarchy: Hierarchy, rows: Rows, request: PictureRequest
) -> Choice:
    """Add depths, branches and the root in the middle."""
    by_branch = request.color in (None, BRANCH)
    branches = hierarchy.branches(_MOST_BRANCHES) if by_branch else None
    root = hierarchy.roots[0]
    has_root = hierarchy.sizes[root] >= _LEAST_BELOW * len(np.unique(hierarchy.graph.sources))
    names = hierarchy.graph.names
    return replace(
        choice,
        depths=tuple(hierarchy.depths[rows].tolist()),
        by_depth=request.color == DEPTH,
        groups=None if branches is None else tuple(branches.of_nodes[rows].tolist()),
        group_names=() if branches is None else labels_of([names[top] for top in branches.tops]),
        middle=names[root] if has_root else None,
    )


assert NO_NODE == NO_GROUP  # a node without a branch is a word without a group
