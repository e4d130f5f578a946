"""The random walks of a graph as a text: its words are nodes, and its sentences are walks.

Walks are generated when they are read, in any thread, and differ in each epoch. Only the graph is
in memory. All walks have the same length, so that the position of a token tells its walk.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.devices import core_count
from hyperskip.errors import GraphError
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.walks.adjacency import Adjacency, adjacency_of
from hyperskip.graphs.walks.kernels import WalkRules, count_nodes, write_walks
from hyperskip.graphs.walks.options import WalkOptions
from hyperskip.kernel_cache import compile_kernels
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.thread_pool import ThreadPool

_CERTAIN = 2**32 - 1
_TOKENS_AT_ONCE = 1 << 20  # to generate for counting
_COUNTING_THREADS = 8  # each has a count for every node
_SEED_OF_ORIGINS, _SEED_OF_WALKS = 1, 2


@dataclass(frozen=True)
class StoredOptions:
    """What is stored with the vectors: how the graph was read, and how walks were made."""

    graph: Mapping[str, Any]
    walks: WalkOptions

    def as_dict(self) -> dict[str, Any]:
        """Return all options as plain values."""
        return {**self.graph, **self.walks.as_dict()}


@dataclass(frozen=True, eq=False, repr=False)
class Walks:
    """The walks of a graph in any epoch.

    Attributes:
        adjacency: The neighbors of each node.
        origins: The node where each walk of a round starts; each has a neighbor.
        ids: The id of each node in the text.
        rules: How walks choose their next node.
        rounds: Number of walks from each origin, in an epoch.
        seed: Seed of all draws.
    """

    adjacency: Adjacency
    origins: npt.NDArray[np.int32]  # (origins,)
    ids: npt.NDArray[np.int32]  # (nodes,)
    rules: WalkRules
    rounds: int
    seed: int

    @property
    def token_count(self) -> int:
        """The number of tokens in an epoch."""
        return self.rounds * len(self.origins) * self.rules.length

    def stretch(self, begin: int, end: int, epoch: int) -> npt.NDArray[np.int32]:
        """Generate a range of the tokens of an epoch; safe in any thread."""
        tokens = np.empty(max(min(end, self.token_count) - begin, 0), dtype=np.int32)
        write_walks(
            *(_read_only(array) for array in (*self.adjacency, self.origins, self.ids)),
            *(self.rules, np.uint64(self.seed_of(epoch)), np.int64(begin), tokens),
        )
        return tokens

    def seed_of(self, epoch: int) -> int:
        """The seed of the draws of an epoch."""
        return _seed(self.seed, epoch, _SEED_OF_WALKS)


@dataclass(frozen=True, eq=False, repr=False)
class WalksOfEpoch:
    """The walks of one epoch, in which any part can be read from any thread."""

    walks: Walks
    epoch: int

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """Generate the ids of a range of tokens."""
        return self.walks.stretch(begin, end, self.epoch)

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """The starts of walks in a range of tokens."""
        length = self.walks.rules.length
        return np.arange(-(-begin // length) * length, end, length, dtype=np.int64)


@dataclass(frozen=True, eq=False, repr=False)
class WalkText:
    """A text of random walks; `hyperskip.training.training_text` says what training needs of it.

    Attributes:
        options: What is stored with the vectors.
        vocabulary: The nodes that have an edge, and how often they occur in the first epoch.
        walks: The walks.
    """

    options: StoredOptions
    vocabulary: Vocabulary
    walks: Walks

    @property
    def token_count(self) -> int:
        """The number of tokens in an epoch."""
        return self.walks.token_count

    @property
    def sentence_starts(self) -> range:
        """The position of the first token of each walk, and the number of tokens."""
        return range(0, self.token_count + 1, self.walks.rules.length)

    def __repr__(self) -> str:
        return f"WalkText(nodes={len(self.vocabulary)}, tokens={self.token_count})"

    def in_epoch(self, epoch: int) -> WalksOfEpoch:
        """The walks of an epoch, counted from 0."""
        return WalksOfEpoch(self.walks, epoch)

    def checksum(self) -> str:
        """A checksum of the graph and of the walks in it."""
        walks = self.walks
        checksum = hashlib.sha256(repr((walks.rules, walks.rounds, walks.seed)).encode())
        for array in (*walks.adjacency, walks.ids):
            checksum.update(np.ascontiguousarray(array).data)
        checksum.update("\n".join(self.vocabulary.words).encode("utf-8", "surrogatepass"))
        return checksum.hexdigest()


def walk_text(
    graph: Graph,
    options: WalkOptions | None = None,
    *,
    seed: int = 1,
    stored: Mapping[str, Any] | None = None,
    threads: int = 0,
) -> WalkText:
    """Make a text of the random walks of a graph.

    Walks follow the direction of the edges of a directed graph. At a node without outgoing edges, a
    walk continues from the node where it started. No walk starts from such a node.

    Args:
        graph: The graph.
        options: How to walk.
        seed: The seed of all random draws.
        stored: Other options that are stored with the vectors.
        threads: Number of threads that count nodes; 0 uses all cores.

    Raises:
        GraphError: The graph has no edges between different nodes.
    """
    options = options or WalkOptions()
    adjacency = adjacency_of(graph)
    if not len(adjacency.neighbors):
        raise GraphError(
            f"the graph has {len(graph):,} nodes and no edges between different nodes, so there "
            "are no walks",
            hint="check the columns of the edges: each edge names a source and a target",
        )
    origins = np.flatnonzero(adjacency.degrees).astype(np.int32)
    np.random.default_rng(_seed(seed, 0, _SEED_OF_ORIGINS)).shuffle(origins)
    nodes = np.arange(len(graph), dtype=np.int32)
    walks = Walks(adjacency, origins, nodes, walk_rules(options), options.walks, seed)
    _compile(walks)
    counts = _counted(walks, threads)
    order, ids = _by_count(adjacency, counts)
    vocabulary = Vocabulary.of([graph.names[node] for node in order], counts[order])
    walks = Walks(adjacency, origins, ids, walks.rules, walks.rounds, seed)
    return WalkText(StoredOptions(stored or {}, options), vocabulary, walks)


def walk_rules(options: WalkOptions) -> WalkRules:
    """The rules of a step for the kernel.

    A candidate is drawn by its weight, and accepted with a probability: the most likely kind of
    candidate always, and the others by rejection sampling, in proportion to 1/p, 1 and 1/q.
    """
    weights = np.array([1 / options.p, 1.0, 1 / options.q])
    accepted = np.rint(weights / weights.max() * _CERTAIN).astype(np.int64)
    return WalkRules(options.walk_length, options.is_biased, *accepted.tolist())


def _compile(walks: Walks) -> None:
    """Compile the kernels, or load them from the cache on disk."""

    def first_call() -> None:
        count_nodes(walks.stretch(0, 0, 0), np.zeros(0, dtype=np.int64))

    compile_kernels(first_call, write_walks, count_nodes)


def _counted(walks: Walks, threads: int) -> npt.NDArray[np.int64]:
    """How often each node occurs in the first epoch."""
    pieces = range(0, walks.token_count, _TOKENS_AT_ONCE)
    threads = min(threads or core_count(), _COUNTING_THREADS, len(pieces))
    stopped = Event()

    def counted(thread: int) -> npt.NDArray[np.int64]:
        counts = np.zeros(len(walks.ids), dtype=np.int64)
        for begin in pieces[thread::threads]:
            if stopped.is_set():
                break
            count_nodes(walks.stretch(begin, begin + _TOKENS_AT_ONCE, 0), counts)
        return counts

    with ThreadPool(threads) as pool:
        try:
            parts = [pool.submit(counted, thread) for thread in range(threads)]
            return np.asarray(np.sum([pool.result(part) for part in parts], axis=0))
        finally:  # after Ctrl-C, the pool waits for its threads
            stopped.set()


def _by_count(
    adjacency: Adjacency, counts: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The nodes that have an edge, most frequent first; and the rank of each node, or -1."""
    has_edge = adjacency.degrees > 0
    has_edge[adjacency.neighbors] = True
    counts[has_edge] = np.maximum(counts[has_edge], 1)  # also of a node that no walk reached
    nodes = np.flatnonzero(has_edge)
    order = nodes[np.argsort(-counts[nodes], kind="stable")]
    ids = np.full(len(counts), -1, dtype=np.int32)
    ids[order] = np.arange(len(order), dtype=np.int32)
    return order, ids


def _seed(seed: int, epoch: int, purpose: int) -> int:
    sequence = np.random.SeedSequence((seed, epoch), spawn_key=(purpose,))
    return int(sequence.generate_state(1, np.uint64)[0])


def _read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A view for kernels, which are compiled for read-only arrays: those of a cluster are."""
    view = array.view()
    view.flags.writeable = False
    return view
