"""Training on one node of a cluster: its own parameters, and what it exchanges with the others.

Nodes train a cycle of several rounds. After each round, the words that are frequent are merged, and
after the last round of a cycle all words. A cycle of the method `ranking` has one round only. Until
`commit`, the node can return to the start of the cycle, so that a cycle is completed by all nodes
or repeated.
"""

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.devices import available_memory
from hyperskip.errors import ClusterError, CorpusError, OptionError
from hyperskip.kernel_cache import compile_kernels
from hyperskip.training.backend import Outcome, Tokens
from hyperskip.training.blocks import Block
from hyperskip.training.cluster import kernels, merging
from hyperskip.training.cluster.merging import Merged, Moved
from hyperskip.training.cluster.moves import moves_for
from hyperskip.training.cluster.node_text import GeneratedSource, ShareText, TokenSource
from hyperskip.training.objective.ranking import MOMENTS
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.run.block_training import BlockTraining
from hyperskip.training.run.device import backend_for
from hyperskip.training.run.divergence import DivergenceCheck
from hyperskip.training.run.state import Position, Sums
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import TrainingText

FREQUENT_SHARE = 0.25  # of the vocabulary: merged after each round


@dataclass(frozen=True)
class NodeTask:
    """What every node of a training needs to know."""

    plan: Plan
    counts: npt.NDArray[np.int64]  # how often each word occurs
    contexts: float  # average weight of the context words on one side
    tokens: TokenSource | GeneratedSource
    longest: int  # tokens of the longest block
    fixed: npt.NDArray[np.bool_] | None
    starts_from_model: bool
    levels: npt.NDArray[np.float32] | None = None  # the largest radius of each word, as a share


class Share(NamedTuple):
    """The blocks of a round that one node trains on."""

    epoch: int
    blocks: tuple[Block, ...]
    starts: npt.NDArray[np.int64]  # sentence starts in them
    is_merged: bool = True  # whether a merge follows


def share_of(
    encoded: TrainingText, epoch: int, blocks: tuple[Block, ...], *, is_merged: bool = True
) -> Share:
    """Make a share of consecutive blocks of a text."""
    starts = np.zeros(0, dtype=np.int64)
    if blocks:
        starts = encoded.in_epoch(epoch).starts_within(blocks[0].begin + 1, blocks[-1].end)
    return Share(epoch, blocks, starts, is_merged)


class Trained(NamedTuple):
    """The result of training on a share."""

    sums: Sums
    seconds: float


class NodeTraining:
    """Trains on the shares of one node.

    Args:
        name: The name of the node, for errors.
        threads: Number of threads.
        memory: Bytes that the cluster grants to the node.
        task: What to train.
        parameters: Where to start.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        memory: int,
        task: NodeTask,
        parameters: InitialParameters | Parameters,
    ) -> None:
        self._name = name
        self._plan = plan = _with_threads(task.plan, threads)
        self._words = len(task.counts)
        self._check_memory(memory)
        # Blocks of this size are as long as the longest; there is one for each thread.
        blocks = [Block(number, 0, task.longest) for number in range(threads)]
        try:
            self._tokens_in = task.tokens.by_epoch()
            self._token_count = task.tokens.count
            self._backend = backend_for(
                *(plan, parameters, task.counts, task.fixed, blocks), levels=task.levels
            )
            self._backend.compile()
        except (CorpusError, OptionError) as error:  # no text, no GPU, or too little memory on it
            error.message = f"node {name}: {error.message}"
            raise
        self._divergence = DivergenceCheck(
            self._backend, plan, starts_from_model=task.starts_from_model
        )
        self._expected = moves_for(plan, task.counts, task.contexts)
        self._occurrences = np.zeros(self._words, dtype=np.int64)  # since the last merge of each
        self._counting = threading.Lock()
        self._since = np.zeros(2, dtype=np.int64)  # tokens, for frequent words and for the others
        self._epoch, self._rate = 0, plan.rate  # of the last share
        self._frequent = math.ceil(self._words * FREQUENT_SHARE)
        self.rebase()
        self._sent: list[int] = []  # bytes of the pieces for each node
        self._pending: Sequence[Merged] = ()  # the merge at the end of the cycle
        self._compile_merge()

    def _compile_merge(self) -> None:
        """Compile the kernels of a merge, or load them from the cache on disk."""

        def first_call() -> None:
            kernels.count_words(self._tokens_in(0).stretch(0, 0), self._occurrences)
            self.merge(*self.moved(1, complete=True))  # of no words

        compile_kernels(first_call, kernels.count_words, kernels.merge_points)

    def train(self, share: Share) -> Trained:
        """Train on a share.

        Raises:
            DivergenceError: Training has diverged.
            CorpusError: The text cannot be read.
        """
        if not share.blocks:  # a round may have fewer parts than nodes
            return Trained(Sums(), 0.0)
        began = time.perf_counter()
        epoch, total = share.epoch, self._token_count
        tokens, words = self._tokens_in(epoch), self._words
        if isinstance(self._plan, RankingPlan):  # every batch moves almost all words
            text = ShareText(tokens, share.starts, words=None)
        else:
            text = ShareText(tokens, share.starts, words, self._count if share.is_merged else None)
        sums = Sums()

        def finished(block: Block, outcome: Outcome) -> None:
            nonlocal sums
            sums = sums.with_block(block, outcome)
            rate = self._plan.rate_at(epoch, block.begin / total)
            self._divergence.check_block(outcome, epoch, rate)

        training = BlockTraining(self._backend, lambda _: text, total, self._plan)
        training.train(share.blocks, epoch, finished)
        if share.is_merged:
            self._since += sums.tokens
        self._epoch = epoch
        self._rate = self._plan.rate_at(epoch, share.blocks[-1].begin / total)
        if self._divergence.is_due:
            self._divergence.check(Position(epoch, sums=sums), self._rate)
        return Trained(sums, time.perf_counter() - began)

    def _count(self, tokens: Tokens) -> None:
        with self._counting:  # threads read their blocks at the same time
            kernels.count_words(tokens, self._occurrences)

    def moved(self, count: int, *, complete: bool) -> tuple[Moved, ...]:
        """The words that this node moved since the last merge, in `count` pieces.

        Args:
            count: Number of pieces, one for each node that merges: by the remainder of the word id.
            complete: Whether all words are merged, or only the frequent ones.
        """
        end = self._words if complete else self._frequent
        current = self._backend.coordinates(slice(0, end))
        words = np.flatnonzero((current != self._base[:, :end]).any(axis=(0, 2)))
        pieces = [self._piece(words[words % count == piece], current) for piece in range(count)]
        self._sent = [piece.size for piece in pieces]
        return tuple(pieces)

    def _piece(self, words: npt.NDArray[np.int64], current: npt.NDArray[np.float32]) -> Moved:
        tokens = self._since[(words >= self._frequent).astype(np.int64)]
        return Moved(
            words,
            current[:, words],
            self._expected.of(words, self._occurrences[words], tokens, self._rate),
            self._backend.theta,
            int(self._since[0]),
        )

    def merge(self, *pieces: Moved) -> Merged:
        """Merge one piece from each node."""
        return merging.merge(pieces, self._base, self._plan)

    def place(self, *parts: Merged, rank: int, complete: bool) -> int:
        """Move the words to where they were merged.

        Args:
            parts: What the nodes merged.
            rank: Which of them is this node.
            complete: Whether all words were merged.

        Returns:
            Number of bytes that this node sent to others, and received from them, for this merge.
        """
        for part in parts:
            self._backend.place(part.words, part.coordinates, self._theta(parts))
        end = self._words if complete else self._frequent
        self._occurrences[:end] = 0
        self._since[: 1 + complete] = 0
        if complete:
            self._pending = parts
        else:
            self._note(parts)
        exchanged = zip(self._sent, (part.size for part in parts), strict=True)
        return sum(sum(sizes) for other, sizes in enumerate(exchanged) if other != rank)

    def commit(self) -> None:
        """End the cycle: all nodes have the same words."""
        self._note(self._pending)
        self._pending = ()
        self._start[:] = self._base[:, : self._frequent]
        self._start_theta = self._backend.theta

    def undo(self) -> None:
        """Return to the start of the cycle."""
        self._pending = ()
        self._base[:, : self._frequent] = self._start
        self._backend.place(slice(None), self._base, self._start_theta)
        self._occurrences[:] = 0
        self._since[:] = 0

    def parameters(self) -> Parameters:
        """A copy of the current parameters.

        Raises:
            DivergenceError: Training has diverged.
        """
        self._divergence.check(Position(self._epoch), self._rate)
        return self._backend.parameters()

    def load(self, parameters: Parameters) -> None:
        """Take over the parameters of another node, at the start of a cycle."""
        layers = (parameters.centers, parameters.contexts)
        coordinates = np.stack([layer for layer in layers if layer is not None])
        if parameters.moments is not None:
            coordinates = np.concatenate((coordinates, parameters.moments[None]), axis=2)
        self._backend.place(
            slice(None), np.asarray(coordinates, dtype=np.float32), parameters.theta
        )
        self.rebase()

    def rebase(self) -> None:
        """Start a cycle where all words are now, after training without merges."""
        self._base = self._backend.coordinates(slice(None))  # at the last merge of each word
        self._start = self._base[:, : self._frequent].copy()  # frequent words, before the cycle
        self._start_theta = self._backend.theta
        self._occurrences[:] = 0
        self._since[:] = 0

    def theta(self, position: Position) -> float:
        """The current theta, at the end of an epoch.

        Raises:
            DivergenceError: Training has diverged.
        """
        self._divergence.check(position, self._rate)
        return self._backend.theta

    def _note(self, parts: Sequence[Merged]) -> None:
        for part in parts:
            self._base[:, part.words] = part.coordinates

    def _theta(self, parts: tuple[Merged, ...]) -> float | None:
        learns = isinstance(self._plan, TrainingPlan) and self._plan.learn_theta
        return parts[0].theta if learns else None

    def _check_memory(self, granted: int) -> None:
        """Check that the parameters and their copies fit into the memory of the node."""
        plan, others = self._plan, "a smaller `dimension`, or a larger `min_count`"
        columns = (1 if plan.tied else 2) * (plan.dimension + plan.factors)
        if isinstance(plan, RankingPlan):
            columns, others = columns + plan.dimension + MOMENTS, "or a smaller `dimension`"
        # The parameters of the kernels, those at the last merge, and copies during a merge.
        needed = 4 * 4 * self._words * columns
        # A node without a limit grants 0.
        room = min((amount for amount in (granted, available_memory()) if amount), default=needed)
        if needed > room:
            raise ClusterError(
                f"node {self._name} has {room / 1e9:.3g} GB of free memory, and training "
                f"{self._words:,} words needs {needed / 1e9:.3g} GB",
                hint=f"use nodes with more memory, {others}",
            )


def _with_threads(plan: Plan, threads: int) -> Plan:
    assert isinstance(plan, (TrainingPlan, RankingPlan))
    return replace(plan, threads=threads)
