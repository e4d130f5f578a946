"""The edges of a graph as a text for training: each sentence is a source and its targets."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.graphs.closure import depths
from hyperskip.graphs.graph import Graph
from hyperskip.text.words.vocabulary import Vocabulary, frequent
from hyperskip.training.training_text import BlockText

MOST_TARGETS = 63  # of a sentence; sources with more targets have several sentences
_LOWEST = 0.2  # how much lower than the deepest nodes the roots are limited


@dataclass(frozen=True)
class StoredFacts:
    """What is stored with the vectors: how the graph was read, and its size."""

    facts: Mapping[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return all facts as plain values."""
        return dict(self.facts)


def node_levels(depths: npt.NDArray[np.int32] | None) -> npt.NDArray[np.float32] | None:
    """The largest radius of each node, as a share of the largest of all: more with its depth."""
    if depths is None:
        return None
    shares = depths / max(depths.max(initial=0), 1)
    return np.asarray(1.0 - _LOWEST * (1.0 - shares), dtype=np.float32)


class EdgeText:
    """The edges of a graph by source, in random order; undirected edges in both directions.

    The tokens of a sentence are a source and its targets. In a weighted graph, each target is
    followed by the bits of the weight of its edge (float32, 1 on average). Words are the nodes, and
    counts their numbers of edges. Each epoch has another order: sentences of the same length change
    places, so that sentences start at the same tokens in every epoch.

    Args:
        graph: The graph.
        stored: What is stored with the vectors.
        seed: Determines the order of the sources.

    Attributes:
        edges: (edges, 2): ids of source and target of each edge that is trained.
        weights: (edges,): their weights, or None if all are 1.
        depths: (nodes,): depth of each node in a directed graph; None if undirected.
        roots: Ids of the nodes that have children, but no parents; None if undirected.
        sentence_starts: The index of the first token of each sentence, and the number of tokens.
    """

    def __init__(self, graph: Graph, stored: Mapping[str, Any], seed: int) -> None:
        self.options = StoredFacts(stored)
        degrees = np.bincount(graph.sources, minlength=len(graph))
        degrees += np.bincount(graph.targets, minlength=len(graph))
        order, ids = frequent(degrees, 0)
        self.vocabulary = Vocabulary.of([graph.names[i] for i in order], degrees[order])
        self.edges, self.weights = _sorted_edges(graph, ids)
        self._tokens, self.sentence_starts = _sentences(self.edges, self.weights, seed)
        self._seed = seed
        self._last_epoch: tuple[int, _EpochText] | None = None
        self.roots, self.depths = None, None
        if graph.directed:
            self.roots, self.depths = _roots(graph, ids), depths(graph)[order]

    @property
    def token_count(self) -> int:
        """Number of tokens in an epoch."""
        return len(self._tokens)

    @property
    def tokens_of_an_edge(self) -> float:
        """Number of tokens of each edge, on average."""
        return self.token_count / len(self.edges)

    def in_epoch(self, epoch: int) -> BlockText:
        """The text of an epoch, counted from 0."""
        if self._last_epoch is None or self._last_epoch[0] != epoch:
            generator = np.random.default_rng((self._seed, epoch))
            tokens = _reordered(self._tokens, self.sentence_starts, generator)
            self._last_epoch = epoch, _EpochText(tokens, self.sentence_starts)
        return self._last_epoch[1]

    def checksum(self) -> str:
        """A checksum of nodes and edges."""
        checksum = hashlib.sha256(np.ascontiguousarray(self.vocabulary.counts).data)
        checksum.update(self._tokens.data)
        checksum.update(self.sentence_starts.data)
        checksum.update("\n".join(self.vocabulary.words).encode("utf-8", "surrogatepass"))
        return checksum.hexdigest()


@dataclass(frozen=True)
class _EpochText:
    """The text of one epoch."""

    tokens: npt.NDArray[np.int32]
    sentence_starts: npt.NDArray[np.int64]

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """The tokens from `begin` to `end`."""
        return self.tokens[begin:end]

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """The sentence starts in a range of tokens."""
        first, last = np.searchsorted(self.sentence_starts, (begin, end))
        return self.sentence_starts[first:last]


def _reordered(
    tokens: npt.NDArray[np.int32], starts: npt.NDArray[np.int64], generator: np.random.Generator
) -> npt.NDArray[np.int32]:
    """Let sentences of the same length change places at random."""
    lengths = np.diff(starts)
    by_length = np.argsort(lengths, kind="stable")
    shuffled = np.lexsort((generator.random(len(lengths)), lengths))
    moved = np.empty(len(lengths), dtype=np.int64)  # the sentence that goes to each place
    moved[by_length] = shuffled
    offsets = np.repeat(starts[moved] - starts[:-1], lengths)
    return tokens[offsets + np.arange(len(tokens))]


def _sorted_edges(
    graph: Graph, ids: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32] | None]:
    """The edges by source, and their weights."""
    edges = np.stack((ids[graph.sources], ids[graph.targets]), axis=1)
    weights = graph.weights
    if not graph.directed:
        edges = np.concatenate((edges, edges[:, ::-1]))
        weights = None if weights is None else np.concatenate((weights, weights))
    order = np.lexsort((edges[:, 1], edges[:, 0]))
    if weights is not None:
        weights = weights / weights.max()  # the sum must not overflow
        weights = (weights / weights.mean()).astype(np.float32)[order]
    return edges[order], weights


def _sentences(
    edges: npt.NDArray[np.int32], weights: npt.NDArray[np.float32] | None, seed: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The tokens of all sentences, and where sentences start."""
    sources = edges[:, 0]
    is_first = np.diff(sources, prepend=-1) != 0
    of_source = np.arange(len(edges)) - np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
    begins = np.flatnonzero(of_source % MOST_TARGETS == 0)
    order = np.random.default_rng(seed).permutation(len(begins))
    begins, counts = begins[order], np.diff(begins, append=len(edges))[order]
    width = 1 if weights is None else 2  # tokens of a target
    starts = np.concatenate(([0], np.cumsum(1 + width * counts)))
    tokens = np.empty(starts[-1], dtype=np.int32)
    tokens[starts[:-1]] = sources[begins]
    lists = np.repeat(np.arange(len(begins)), counts)
    rank = np.arange(len(edges)) - np.repeat(np.cumsum(counts) - counts, counts)
    of_token = begins[lists] + rank
    places = starts[lists] + 1 + width * rank
    tokens[places] = edges[of_token, 1]
    if weights is not None:
        tokens[places + 1] = weights[of_token].view(np.int32)
    return tokens, starts


def _roots(graph: Graph, ids: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    is_root = np.zeros(len(graph), dtype=np.bool_)
    is_root[graph.targets] = True
    is_root[graph.sources] = False
    return np.sort(ids[is_root])
