"""Facts about the edges of a graph: depths and branches of all words, and relatives of one."""

import json
from typing import Any, NamedTuple

import numpy as np

from hyperskip.geometry.arrays import Rows
from hyperskip.graphs.node_names import labels_of
from hyperskip.graphs.word_graph import WordGraph

_MOST_BRANCHES = 10
_LONGEST_PATH = 100  # words


class Relatives(NamedTuple):
    """Rows of words around a word."""

    depth: int | None  # None if the graph is undirected
    below: int
    branch: str | None
    path: list[int]  # from the root to the main parent
    parents: list[int]
    children: list[int]  # in an undirected graph, all connected words


class GraphTable:
    """The edges of a graph, as the API describes them.

    Args:
        graph: Edges between words of the model.
        rows: Rows of the words on the map.
    """

    def __init__(self, graph: WordGraph, rows: Rows) -> None:
        self._graph, self._rows = graph, rows
        taxonomy = graph.taxonomy
        self._branches = None if taxonomy is None else taxonomy.branches(_MOST_BRANCHES)
        tops = () if self._branches is None else self._branches.tops
        self._names = labels_of([graph.edges.names[top] for top in tops])

    def describe(self) -> dict[str, Any]:
        """Describe the graph."""
        graph, taxonomy = self._graph, self._graph.taxonomy
        words, root = graph.edges.names, graph.main_root
        sizes: list[int] = []
        if self._branches is not None:
            numbers = self._branches.of_nodes[self._rows]
            sizes = np.bincount(numbers[numbers >= 0], minlength=len(self._names)).tolist()
        return {
            "directed": taxonomy is not None,
            "nodes": int(np.count_nonzero(graph.degrees)),
            "edges": graph.edges.edge_count,
            "depth": None if taxonomy is None else int(taxonomy.depths.max()),
            "root": None if root is None else words[root],
            "branches": [
                {"name": name, "size": size} for name, size in zip(self._names, sizes, strict=True)
            ],
        }

    def _branch_of(self, row: int) -> str | None:
        branch = -1 if self._branches is None else int(self._branches.of_nodes[row])
        return None if branch < 0 else self._names[branch]

    def columns(self) -> bytes:
        """Return the edges between words of the map, and facts about each of them, as JSON."""
        graph, rows, taxonomy = self._graph, self._rows, self._graph.taxonomy
        index = np.full(len(graph.edges), -1)
        index[rows] = np.arange(len(rows))
        sources, targets = index[graph.edges.sources], index[graph.edges.targets]
        both = (sources >= 0) & (targets >= 0)
        branches = None if self._branches is None else self._branches.of_nodes[rows].tolist()
        columns = {
            "sources": sources[both].tolist(),
            "targets": targets[both].tolist(),
            "importance": graph.importance[rows].round(4).tolist(),
            "labels": labels_of([graph.edges.names[row] for row in rows.tolist()]),
            "depths": None if taxonomy is None else taxonomy.depths[rows].tolist(),
            "branches": branches,
        }
        return json.dumps(columns, separators=(",", ":")).encode()

    def relatives(self, row: int) -> Relatives:
        """Return the words around a word."""
        taxonomy, edges = self._graph.taxonomy, self._graph.edges
        if taxonomy is None:
            ends = (edges.targets[edges.sources == row], edges.sources[edges.targets == row])
            connected = np.concatenate(ends)
            order = np.argsort(-self._graph.weights[connected], kind="stable")
            return Relatives(None, len(connected), None, [], [], connected[order].tolist())
        return Relatives(
            depth=int(taxonomy.depths[row]),
            below=taxonomy.descendants(row),
            branch=self._branch_of(row),
            path=taxonomy.path(row)[-_LONGEST_PATH - 1 : -1],
            parents=taxonomy.parents(row),
            children=taxonomy.children(row),
        )
