"""The edges of a graph as a text for training: each edge is a sentence of its two nodes."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hyperskip.graphs.graph import Graph
from hyperskip.text.words.vocabulary import Vocabulary, frequent


@dataclass(frozen=True)
class StoredFacts:
    """What is stored with the vectors: how the graph was read, and its size."""

    facts: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return all facts as plain values."""
        return dict(self.facts)


class EdgeText:
    """The edges of a graph in random order; those of an undirected graph in both directions.

    Each edge is a sentence of two tokens: source and target. In a weighted graph, the bits of its
    weight (float32, 1 on average) are a third token. Words are the nodes, and counts their numbers
    of edges. The text is the same in every epoch, and kernels shuffle the edges of each block.

    Args:
        graph: The graph.
        stored: What is stored with the vectors.
        seed: Determines the order of the edges.

    Attributes:
        roots: Ids of the nodes that have children, but no parents; None if undirected.
    """

    def __init__(self, graph: Graph, stored: Mapping[str, Any], seed: int) -> None:
        self.options = StoredFacts(stored)
        degrees = np.bincount(graph.sources, minlength=len(graph))
        degrees += np.bincount(graph.targets, minlength=len(graph))
        order, ids = frequent(degrees, 0)
        self.vocabulary = Vocabulary.of([graph.names[i] for i in order], degrees[order])
        self._edges = _shuffled_edges(graph, ids, seed)
        self.roots = _roots(graph, ids) if graph.directed else None

    @property
    def edge_count(self) -> int:
        """Number of edges in an epoch."""
        return len(self._edges)

    @property
    def tokens_of_an_edge(self) -> int:
        """Number of tokens of each edge."""
        return int(self._edges.shape[1])

    @property
    def token_count(self) -> int:
        """Number of tokens in an epoch."""
        return self._edges.size

    @property
    def sentence_starts(self) -> range:
        """The index of the first token of each edge, and the number of tokens."""
        return range(0, self.token_count + 1, self.tokens_of_an_edge)

    def in_epoch(self, _: int) -> Self:
        """The text of an epoch: the same in every epoch."""
        return self

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """The tokens from `begin` to `end`."""
        return self._edges.reshape(-1)[begin:end]

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """The sentence starts in a range of tokens."""
        tokens = self.tokens_of_an_edge
        return np.arange(-(-begin // tokens) * tokens, end, tokens, dtype=np.int64)

    def checksum(self) -> str:
        """A checksum of nodes and edges."""
        checksum = hashlib.sha256(np.ascontiguousarray(self.vocabulary.counts).data)
        checksum.update(self._edges.data)
        checksum.update("\n".join(self.vocabulary.words).encode("utf-8", "surrogatepass"))
        return checksum.hexdigest()

    @property
    def edges(self) -> npt.NDArray[np.int32]:  # (edges, 2)
        """Source and target of each edge."""
        return self._edges[:, :2]


def _shuffled_edges(
    graph: Graph, ids: npt.NDArray[np.int32], seed: int
) -> npt.NDArray[np.int32]:  # (edges, 2 or 3)
    columns = [ids[graph.sources], ids[graph.targets]]
    if graph.weights is not None:
        weights = graph.weights / graph.weights.mean()
        columns.append(weights.astype(np.float32).view(np.int32))
    edges = np.stack(columns, axis=1)
    if not graph.directed:
        backward = edges.copy()
        backward[:, :2] = edges[:, 1::-1]
        edges = np.concatenate((edges, backward))
    return edges[np.random.default_rng(seed).permutation(len(edges))]


def _roots(graph: Graph, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    is_root = np.zeros(len(graph), dtype=np.bool_)
    is_root[graph.targets] = True
    is_root[graph.sources] = False
    return np.sort(ids[is_root])
