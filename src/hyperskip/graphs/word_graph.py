"""A graph on the words of a model: what pictures and the explorer show of it."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GraphError, some_of
from hyperskip.graphs.condensation import Numbers, as_keys
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.taxonomy import Taxonomy

_LEAST_BELOW = 0.5  # share of all nodes that are below the main root


class WordGraph:
    """A graph whose nodes are the rows of a model.

    Edges of nodes that the model does not have are left out. If two nodes have the same row, edges
    between them and repeated edges are left out, too.

    Args:
        graph: The graph.
        rows: The row of each node in the model; -1 if it is not there.
        words: The words of the model.

    Raises:
        GraphError: No edge is left.
    """

    def __init__(self, graph: Graph, rows: Numbers, words: Sequence[str]) -> None:
        self.left_out = tuple(graph.names[node] for node in np.flatnonzero(rows < 0))
        sources, targets = rows[graph.sources], rows[graph.targets]
        is_usable = (sources >= 0) & (targets >= 0) & (sources != targets)
        sources, targets = sources[is_usable], targets[is_usable]
        if not len(sources):
            missing = f"; not in the model: {some_of(self.left_out)}" if self.left_out else ""
            raise GraphError(
                f"no edge connects two different words of the model{missing}",
                hint="give the edges that the model was trained on",
            )
        if not graph.directed:
            sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
        first = np.unique(as_keys(sources, targets), return_index=True)[1]
        on_words = Graph(
            tuple(words),
            sources[first].astype(np.int32),
            targets[first].astype(np.int32),
            directed=graph.directed,
        )
        self.taxonomy = Taxonomy(on_words) if graph.directed else None
        self.edges = on_words if self.taxonomy is None else self.taxonomy.graph

    @cached_property
    def degrees(self) -> Numbers:
        """The number of edges of each word."""
        ends = np.concatenate((self.edges.sources, self.edges.targets))
        return np.bincount(ends, minlength=len(self.edges))

    @property
    def weights(self) -> Numbers:
        """The number of nodes below each word; in an undirected graph, the number of its edges."""
        return self.degrees if self.taxonomy is None else self.taxonomy.sizes

    @property
    def importance(self) -> npt.NDArray[np.float64]:
        """The weight of each word on a logarithmic scale from 0 to 1."""
        logarithms = np.log1p(self.weights)
        importance: npt.NDArray[np.float64] = logarithms / logarithms.max()
        return importance

    @property
    def by_importance(self) -> Numbers:
        """The rows of all words, the most important first."""
        return np.lexsort((-self.degrees, -self.weights)).astype(np.int64)

    @property
    def main_root(self) -> int | None:
        """The root that most nodes are below; None if there is no such root."""
        if self.taxonomy is None:
            return None
        root = int(self.by_importance[0])
        is_main = self.weights[root] >= _LEAST_BELOW * (np.count_nonzero(self.degrees) - 1)
        return root if is_main else None
