"""A model of training on a cluster: time, memory and traffic.

The model follows a cycle of rounds as `training/cluster/` computes them: nodes train on parts of
the text, then exchange and merge the words that they moved. It needs the counts of the words, the
plan of the training, the speed of a node, and what a merge costs. docs/scaling.md explains the
formulas; `cluster_predictions.py` prints what the model says.
"""

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from hyperskip.devices import CPU
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.blocks import FOR_THREADS
from hyperskip.training.cluster.node_training import FREQUENT_SHARE
from hyperskip.training.cluster.rounds import ROUNDS, part_tokens, round_words
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import TrainingPlan, plan_training

TILE = 16  # centers that share their negative samples
# Bytes of a word without its coordinates: on the way to be merged, and after merging.
PIECE_BYTES, PART_BYTES = 16, 8


class Frequencies(NamedTuple):
    """How often words occur in a text, for groups of words with about the same count."""

    counts: npt.NDArray[np.float64]  # (groups,): of each word; descending
    words: npt.NDArray[np.float64]  # (groups,): number of words in each group

    @property
    def tokens(self) -> float:
        """Number of tokens in the text."""
        return float(self.counts @ self.words)

    @property
    def vocabulary(self) -> int:
        """Number of words."""
        return round(float(self.words.sum()))

    def split(self, share: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The number of words of each group that are in the most frequent share, and the others."""
        before = np.cumsum(self.words) - self.words
        frequent = np.clip(math.ceil(share * self.vocabulary) - before, 0.0, self.words)
        return frequent, self.words - frequent


def frequencies_of(counts: Iterable[int]) -> Frequencies:
    """The frequencies of a text with these counts."""
    ordered = np.sort(np.fromiter(counts, dtype=np.float64))[::-1]
    return Frequencies(ordered, np.ones_like(ordered))


def zipf_frequencies(tokens: float, vocabulary: int, groups: int = 2000) -> Frequencies:
    """Frequencies by Zipf's law: the count of a word is proportional to 1 / (rank + 2.7)."""
    limits = np.unique(np.geomspace(1, vocabulary + 1, groups).astype(np.int64))
    words = np.diff(limits).astype(np.float64)
    middle = (limits[:-1] + limits[1:] - 1) / 2
    shares = 1.0 / (middle + 2.7)  # Mandelbrot's correction for the most frequent words
    return Frequencies(tokens * shares / float(shares @ words), words)


def plan_of(dimension: int, **options: Any) -> TrainingPlan:
    """A plan with the defaults for a large text."""
    words = 100_000
    vocabulary = Vocabulary.of(tuple(map(str, range(words))), np.ones(words, dtype=np.int64))
    starts = np.array([0, 2], dtype=np.int64)
    text = EncodedCorpus(TextOptions(), vocabulary, np.zeros(2, dtype=np.int32), starts)
    chosen = {"subsample": 1e-5, **options}
    return plan_training(TrainingOptions(dimension=dimension, **chosen), text, CPU)


class LinearCost(NamedTuple):
    """Seconds of an operation on words: for each word, and for each of its coordinates."""

    of_word: float
    of_coordinate: float

    def seconds(self, words: float, coordinates: int) -> float:
        """Seconds for a number of words with a number of coordinates each."""
        return words * (self.of_word + self.of_coordinate * coordinates)


@dataclass(frozen=True, kw_only=True)
class Costs:
    """What a merge costs on a machine."""

    compared: LinearCost  # for each word of the vocabulary that may have moved
    selected: LinearCost  # for each word that moved
    merged: LinearCost  # for each word and node that moved it
    placed: LinearCost  # for each merged word
    part: float  # seconds for each part of the text, while no other thread of the node starts one
    calls: float  # seconds of all calls of a merge, for few nodes
    calls_of_pair: float  # ... and for each pair of nodes
    stored: float  # seconds to store an object on a node and to read it on another
    local: Mapping[int, float]  # seconds of calls and objects, for nodes that share this machine
    bandwidth: float  # bytes/s that a node can send, and receive at the same time

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Costs from plain values."""
        costs: dict[str, Any] = {
            name: LinearCost(*value) if isinstance(value, list | tuple) else value
            for name, value in values.items()
        }
        costs["local"] = {int(nodes): seconds for nodes, seconds in values["local"].items()}
        return cls(**costs)


FREE = LinearCost(0.0, 0.0)
NO_COSTS = Costs(
    compared=FREE,
    selected=FREE,
    merged=FREE,
    placed=FREE,
    part=0.0,
    calls=0.0,
    calls_of_pair=0.0,
    stored=0.0,
    local={},
    bandwidth=math.inf,
)


@dataclass(frozen=True, kw_only=True)
class ClusterTraining:
    """A training on a cluster."""

    plan: TrainingPlan
    frequencies: Frequencies
    nodes: int
    threads: int  # of each node
    speed: float  # words/s of a node while it trains
    costs: Costs = NO_COSTS
    merge_words: int | None = None
    deviation: float = 0.0  # of the time that a node needs for its share, as a share of this time

    @property
    def tokens(self) -> float:
        """Number of tokens over all epochs."""
        return self.plan.epochs * self.frequencies.tokens

    @property
    def layers(self) -> int:
        """Number of vectors of a word."""
        return 1 if self.plan.tied else 2

    @property
    def coordinates(self) -> int:
        """Number of coordinates of a word."""
        return self.layers * self.plan.dimension


class Prediction(NamedTuple):
    """What the model says about a training."""

    training: float  # seconds
    computing: float  # seconds of merges
    sending: float
    calling: float
    bytes_sent: float  # by all nodes together
    merges: float

    @property
    def seconds(self) -> float:
        """Seconds of the whole training."""
        return self.training + self.computing + self.sending + self.calling

    def per_word(self, training: ClusterTraining) -> float:
        """Bytes sent for each word of the text and epoch."""
        return self.bytes_sent / (training.tokens)

    def words_per_second(self, training: ClusterTraining) -> float:
        """Words per second of all nodes."""
        return training.tokens / self.seconds


def block_tokens(tokens: float) -> float:
    """Number of tokens in a block of a text."""
    return min(FOR_THREADS.largest, max(tokens / FOR_THREADS.wanted, 1.0))


def cycle_tokens(training: ClusterTraining) -> float:
    """Number of tokens in a cycle, all nodes together: whole blocks."""
    tokens = training.frequencies.tokens
    in_round = round_words(training.plan, int(tokens), training.nodes, training.merge_words)
    wanted = ROUNDS * in_round
    block = block_tokens(tokens)
    return min(max(wanted // block, 1.0) * block, tokens)


def cycles(training: ClusterTraining) -> list[tuple[float, int]]:
    """Tokens of the cycles in an epoch, and how many there are of each: the last may be shorter."""
    full = cycle_tokens(training)
    count, rest = divmod(training.frequencies.tokens, full)
    return [(full, int(count))] + [(rest, 1)] * (rest >= 1.0)


def moving_rates(training: ClusterTraining) -> npt.NDArray[np.float64]:  # (groups,)
    """How often a word is a center that is kept, or a negative sample, for each token."""
    plan, (counts, words) = training.plan, training.frequencies
    shares = counts / training.frequencies.tokens
    kept = np.ones_like(shares)
    if plan.subsample:
        kept = np.minimum(np.sqrt(plan.subsample / shares) + plan.subsample / shares, 1.0)
    noise = counts**plan.power
    noise /= noise @ words
    kept_share = float((shares * kept) @ words)
    return np.asarray(shares * kept + kept_share * plan.shared_negatives / TILE * noise)


def moved_words(
    rates: npt.NDArray[np.float64], words: npt.NDArray[np.float64], tokens: float
) -> float:
    """Expected number of words that are moved at least once in a number of tokens."""
    return float(-np.expm1(-rates * tokens) @ words)


class MergedWords(NamedTuple):
    """Words of one merge."""

    checked: float  # words that each node compares with the last merge
    of_node: float  # words that one node moved
    of_all: float  # words that any node moved


def merged_words(training: ClusterTraining, cycle: float) -> list[MergedWords]:
    """The words of each merge in a cycle of tokens: the frequent ones, and at its end all."""
    rates, nodes = moving_rates(training), training.nodes
    frequent, others = training.frequencies.split(FREQUENT_SHARE)
    in_round = [
        MergedWords(
            float(frequent.sum()),
            moved_words(rates, frequent, cycle / ROUNDS / nodes),
            moved_words(rates, frequent, cycle / ROUNDS),
        )
    ] * ROUNDS
    last = in_round[-1]
    in_round[-1] = MergedWords(
        float(training.frequencies.vocabulary),
        last.of_node + moved_words(rates, others, cycle / nodes),
        last.of_all + moved_words(rates, others, cycle),
    )
    return in_round


def merge_bytes(training: ClusterTraining, words: MergedWords) -> tuple[float, float]:
    """Bytes that each node sends, and receives, to be merged and after merging."""
    others = (training.nodes - 1) / training.nodes
    size = 4 * training.coordinates
    return words.of_node * others * (PIECE_BYTES + size), words.of_all * others * (
        PART_BYTES + size
    )


class MergeSeconds(NamedTuple):
    """Seconds of a merge, during which no node trains."""

    computing: float
    sending: float
    calling: float


def merge_seconds(training: ClusterTraining, words: MergedWords) -> MergeSeconds:
    """Seconds of a merge; each node merges its share of what all nodes moved."""
    costs, coordinates = training.costs, training.coordinates
    return MergeSeconds(
        costs.compared.seconds(words.checked, coordinates)
        + costs.selected.seconds(words.of_node, coordinates)
        + costs.merged.seconds(words.of_node, coordinates)
        + costs.placed.seconds(words.of_all, coordinates),
        sum(merge_bytes(training, words)) / costs.bandwidth,
        calling_seconds(costs, training.nodes),
    )


def calling_seconds(costs: Costs, nodes: int) -> float:
    """Seconds of the calls of a merge: this process makes them for all pairs of nodes.

    Each node reads two objects of every other node: words to merge, and merged words.
    """
    if nodes in costs.local:
        return costs.local[nodes]
    return costs.calls + costs.calls_of_pair * nodes**2 + 2 * costs.stored * (nodes - 1)


def round_seconds(training: ClusterTraining, cycle: float) -> float:
    """Seconds until the last node has trained its share of a round of this cycle.

    A thread takes whole parts, so that the last parts leave some threads without work. Python
    starts one part at a time. If the times of nodes deviate, the slowest of them counts.
    """
    tokens = cycle / ROUNDS
    nodes, threads = training.nodes, training.threads
    block = block_tokens(training.frequencies.tokens)
    part = block / math.ceil(block / part_tokens(int(tokens), nodes * threads))
    parts = math.ceil(round(tokens / part / nodes, 6))
    seconds = math.ceil(parts / threads) * threads * part / training.speed
    seconds += parts * training.costs.part
    return seconds * (1.0 + training.deviation * expected_maximum(nodes))


def expected_maximum(count: int) -> float:
    """Expected maximum of standard normal numbers (Blom's approximation)."""
    return statistics.NormalDist().inv_cdf((count - 0.375) / (count + 0.25)) if count > 1 else 0.0


def predicted(training: ClusterTraining) -> Prediction:
    """Time and traffic of a training; a single node merges nothing."""
    tokens = training.tokens
    if training.nodes == 1:
        return Prediction(tokens / training.speed, 0.0, 0.0, 0.0, 0.0, 0.0)
    training_seconds = computing = sending = calling = sent = merges = 0.0
    for cycle, count in cycles(training):
        times = training.plan.epochs * count
        merges += times * ROUNDS
        training_seconds += times * ROUNDS * round_seconds(training, cycle)
        for words in merged_words(training, cycle):
            merging = merge_seconds(training, words)
            computing += times * merging.computing
            sending += times * merging.sending
            calling += times * merging.calling
            sent += times * training.nodes * sum(merge_bytes(training, words))
    return Prediction(training_seconds, computing, sending, calling, sent, merges)


class NodeMemory(NamedTuple):
    """Bytes in the memory of a node."""

    parameters: float  # of the kernels
    copies: float  # at the last merge, and during a merge
    store: float  # of Ray, for what is sent and received
    counts: float  # numbers for each word


def node_memory(training: ClusterTraining) -> NodeMemory:
    """Bytes that a node needs when all words are merged."""
    plan, vocabulary = training.plan, training.frequencies.vocabulary
    vectors = 4.0 * training.layers * vocabulary * plan.dimension
    parameters = 4.0 * training.layers * vocabulary * (plan.dimension + plan.factors)
    words = merged_words(training, cycle_tokens(training))[-1]
    sent, received = merge_bytes(training, words)
    # All words at the last merge, frequent ones before the cycle, all of now, and those that moved.
    copies = (2 + FREQUENT_SHARE) * vectors + 4.0 * words.of_node * training.coordinates
    # Counts, occurrences, three rates and the table of negative samples: 8 bytes each.
    return NodeMemory(parameters, copies, 2 * sent + received, 6 * 8.0 * vocabulary)


class DriverMemory(NamedTuple):
    """Bytes in the memory, or in mapped files, of the process that starts the training."""

    starts: float  # of sentences: mapped
    blocks: float
    vocabulary: float
    parameters: float  # before the first round and at checkpoints, float64


_BLOCK_BYTES = 184  # a tuple of three numbers, and its place in a list
_SPELLING_BYTES = 24  # UTF-8 of a word, its start and its count


def driver_memory(training: ClusterTraining, sentences: float) -> DriverMemory:
    """Bytes of the driver for a text with a number of sentences."""
    tokens, vocabulary = training.frequencies.tokens, training.frequencies.vocabulary
    return DriverMemory(
        8.0 * sentences,
        _BLOCK_BYTES * tokens / block_tokens(tokens),
        float(_SPELLING_BYTES * vocabulary),
        8.0 * vocabulary * training.coordinates,
    )
