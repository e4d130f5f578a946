"""A graph on the words of a model: its nodes are rows of the model."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from hyperskip.errors import GraphError, some_of
from hyperskip.graphs.condensation import Numbers, as_keys
from hyperskip.graphs.graph import Graph


class WordGraph(NamedTuple):
    """A graph whose nodes are the words of a model, and the nodes that the model does not have."""

    graph: Graph
    left_out: tuple[str, ...]


def graph_of_words(graph: Graph, rows: Numbers, words: Sequence[str]) -> WordGraph:
    """Return the graph with the words of a model as its nodes.

    Edges of nodes that the model does not have are left out. If two nodes have the same row, edges
    between them and repeated edges are left out, too.

    Args:
        graph: The graph.
        rows: The row of each node in the model; -1 if it is not there.
        words: The words of the model.

    Raises:
        GraphError: No edge is left.
    """
    left_out = tuple(graph.names[node] for node in np.flatnonzero(rows < 0))
    sources, targets = rows[graph.sources], rows[graph.targets]
    is_usable = (sources >= 0) & (targets >= 0) & (sources != targets)
    sources, targets = sources[is_usable], targets[is_usable]
    if not graph.directed:
        sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
    first = np.unique(as_keys(sources, targets), return_index=True)[1]
    on_words = Graph(
        tuple(words),
        sources[first].astype(np.int32),
        targets[first].astype(np.int32),
        directed=graph.directed,
    )
    if not on_words.edge_count:
        missing = f"; not in the model: {some_of(left_out)}" if left_out else ""
        raise GraphError(
            f"no edge connects two different words of the model{missing}",
            hint="give the edges that the model was trained on",
        )
    return WordGraph(on_words, left_out)
