"""The training loop of a cluster: cycles of rounds, each followed by a merge.

A cycle is completed by all nodes, or repeated without those that were lost. In deterministic
training, the state depends on the position and on the number of nodes only.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.devices import CUDA
from hyperskip.errors import TrainingWarning, warn
from hyperskip.training.blocks import FOR_THREADS, Block
from hyperskip.training.cluster.node_text import source_of
from hyperskip.training.cluster.node_training import NodeTask, Share, Trained, share_of
from hyperskip.training.cluster.rounds import (
    ROUNDS,
    cut_at_sentences,
    cut_into_parts,
    cycle_blocks,
    epochs_needed,
    part_tokens,
    round_words,
    rounds_of,
    shares_of,
)
from hyperskip.training.cluster.worker import LostWorkersError, Worker
from hyperskip.training.cluster.workers import Workers
from hyperskip.training.objective.sampling import contexts_on_a_side
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.plan import TrainingPlan, context_weights
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.run.state import InitialState, State, Sums
from hyperskip.training.run.training_events import (
    ClusterProgress,
    Compiling,
    NodeJoined,
    NodeLost,
    NodeProgress,
    NodeRefused,
    Report,
)
from hyperskip.training.run.training_run import TrainingRun
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import TrainingText

# Of a cycle before the speed of nodes is known, or if there is only one, which merges nothing.
_BLOCKS_PER_THREAD, _CYCLE_SECONDS = 8, 2.0
# Checkpoints, new nodes and signals wait for the end of a cycle. The user may choose longer ones.
_LONGEST_CYCLE_SECONDS = 60.0
_LONGEST_DETERMINISTIC_CYCLE = 1 << 28  # tokens of each node
_SMOOTHING = 0.3  # weight of the newest measurement of a node's speed


class ClusterRun(TrainingRun):
    """Trains from a state to the end, on the nodes of a cluster.

    Args:
        encoded: The text.
        plan: The plan of the training.
        start: Where to start.
        report: Called with progress events, from the calling thread.
        fixed: Which words must not move; None: all may.
        levels: The largest radius of each word, as a share of the plan's; None: all 1.
        starts_from_model: Whether words start from a model; then the loss may have any value.
        workers: The nodes; they are started here.
        merge_words: Words that each node trains on between two merges; None: by a rule.
    """

    def __init__(
        self,
        encoded: TrainingText,
        plan: Plan,
        start: InitialState | State,
        report: Report,
        fixed: npt.NDArray[np.bool_] | None = None,
        *,
        levels: npt.NDArray[np.float32] | None = None,
        starts_from_model: bool = False,
        workers: Workers,
        merge_words: int | None = None,
    ) -> None:
        super().__init__(encoded, plan, start.position, report)
        self._encoded = encoded
        self._workers = workers
        self._merge_words = merge_words
        self._bytes_sent = 0
        self._training_seconds = self._merging_seconds = 0.0
        self._merged_at: float | None = None
        self._watch: Callable[[], object] = lambda: None  # called while nodes work
        self._longest = max(block.end - block.begin for block in self.blocks)
        task = NodeTask(
            plan,
            encoded.vocabulary.counts,
            _contexts(encoded, plan),
            source_of(encoded),
            self._longest,
            fixed,
            starts_from_model,
            levels,
        )
        report(Compiling())
        self._report_refused(workers.start(task, _in_float32(start.parameters)))
        self._warn_of_few_steps()
        self.start_clock()

    def _warn_of_few_steps(self) -> None:
        plan, nodes = self.plan, len(self._workers.training)
        if not isinstance(plan, RankingPlan):
            return
        epochs = epochs_needed(plan, len(self._encoded.sentence_starts) - 1, nodes)
        if epochs is not None:
            warn(
                f"{nodes} nodes share {plan.epochs} epochs, so that each takes few steps, and the "
                f"model may be much worse than that of one machine: pass `epochs={epochs}`, or do "
                "without `cluster`",
                TrainingWarning,
            )

    def state(self) -> State:
        """A copy of the current state, which is the same on all nodes."""
        return State(self.position, self._of_any("parameters"))

    def continue_epoch(self, should_pause: Callable[[], bool] = lambda: False) -> None:
        """Train until the epoch is over or a pause is due, which is always between two cycles."""
        self._watch = should_pause  # reports a signal at once, although the cycle is completed
        while self.position.block < len(self.blocks):
            joined, refused = self._workers.join(admits=not self.plan.deterministic)
            for worker in joined:
                self.report(NodeJoined(worker.name))
            self._report_refused(refused)
            began = time.perf_counter()
            cycle = self._next_cycle()
            sums = self._completed(cycle)
            seconds = sums.seconds + time.perf_counter() - began
            self.position = replace(
                self.position,
                block=self.position.block + len(cycle),
                sums=replace(sums, seconds=seconds),
            )
            self._report_state(self.position.sums)
            if should_pause():
                break
        if self.position.block >= len(self.blocks):
            self.end_epoch(self._of_any("theta", self.position))

    def _next_cycle(self) -> list[Block]:
        workers = self._workers.training
        speed = sum(worker.words_per_second for worker in workers)
        block = self._longest
        if isinstance(self.plan, TrainingPlan) and self.plan.deterministic:
            block = min(block, FOR_THREADS.largest)  # a team trains larger blocks, one at a time
        tokens = _BLOCKS_PER_THREAD * block * sum(worker.threads for worker in workers)
        if len(workers) == 1:
            tokens = max(tokens, int(_CYCLE_SECONDS * speed))
        elif isinstance(self.plan, RankingPlan):
            tokens = len(workers) * (self._merge_words or 1)  # at least a block
        else:
            in_round = round_words(self.plan, self.token_count, len(workers), self._merge_words)
            longest = max(tokens, int(_LONGEST_CYCLE_SECONDS * speed))
            if self.plan.deterministic:
                longest = _LONGEST_DETERMINISTIC_CYCLE * len(workers)
            tokens = ROUNDS * in_round
            if self._merge_words is None:
                tokens = min(tokens, longest)
        return cycle_blocks(self.blocks, self.position.block, tokens)

    def _completed(self, cycle: Sequence[Block]) -> Sums:
        """Train a cycle, again without the nodes that are lost; returns the sums after it."""
        while True:
            try:
                sums = self._trained(cycle)
            except LostWorkersError as lost:
                self._repeat_without(lost)
                continue
            for worker in self._workers.training:
                worker.do("commit")
            return sums

    def _report_refused(self, refused: dict[str, str]) -> None:
        for name, reason in refused.items():
            self.report(NodeRefused(name, reason))

    def _repeat_without(self, lost: LostWorkersError) -> None:
        for worker in lost.lost:
            self.report(NodeLost(worker.name, lost.reason))
        self._workers.lose(lost)
        for worker in self._workers.training:
            worker.do("undo")

    def _trained(self, cycle: Sequence[Block]) -> Sums:
        workers = self._workers.training
        sums = self.position.sums
        parts = self._parts(cycle)
        is_one_round = len(workers) == 1 or isinstance(self.plan, RankingPlan)
        rounds = list(rounds_of(parts, 1 if is_one_round else ROUNDS))
        for number, in_round in enumerate(rounds):
            began = time.monotonic()
            trained = {
                worker.do("train", self._share(blocks)): worker
                for worker, blocks in zip(workers, self._shares(in_round), strict=True)
            }
            placed = self._merged(workers, complete=number == len(rounds) - 1)
            results = self._workers.wait(trained, lambda: self._report_state(sums))  # noqa: B023
            trained_at = time.monotonic()
            self._training_seconds += trained_at - began
            for worker in workers:
                sums = self._added(sums, worker, results[worker.name])
            if placed:
                sizes = self._workers.wait(placed, lambda: self._report_state(sums))  # noqa: B023
                self._bytes_sent += sum(sizes.values())
                self._merged_at = merged_at = time.monotonic()
                self._merging_seconds += merged_at - trained_at
        return sums

    def _parts(self, cycle: Sequence[Block]) -> list[Block]:
        """Parts of the cycle for all nodes; a single node trains whole blocks."""
        workers = self._workers.training
        if len(workers) == 1:
            return list(cycle)
        if isinstance(self.plan, RankingPlan):
            starts = self._encoded.sentence_starts
            return cut_at_sentences(cycle, len(workers), starts, len(self.blocks))
        in_round = sum(block.end - block.begin for block in cycle) // ROUNDS
        if self.plan.device == CUDA:
            largest = -(-in_round // len(workers))
        else:
            threads = sum(worker.threads for worker in workers)
            largest = part_tokens(in_round, None if self.plan.deterministic else threads)
        return cut_into_parts(cycle, largest, len(self.blocks))

    def _shares(self, parts: Sequence[Block]) -> list[tuple[Block, ...]]:
        speeds = [worker.words_per_second for worker in self._workers.training]
        if self.plan.deterministic or not all(speeds):
            speeds = [1.0] * len(speeds)
        return shares_of(parts, speeds)

    def _share(self, blocks: tuple[Block, ...]) -> Share:
        is_merged = len(self._workers.training) > 1
        return share_of(self._encoded, self.position.epoch, blocks, is_merged=is_merged)

    def _merged(self, workers: Sequence[Worker], *, complete: bool) -> dict[Any, Worker]:
        """Let each node merge a part of the words, and all nodes take over the result.

        Returns:
            References to the number of bytes that each node exchanged with others.
        """
        count = len(workers)
        if count == 1:
            return {}
        pieces = [
            worker.actor.do.options(num_returns=count).remote("moved", count, complete=complete)
            for worker in workers
        ]
        merged = [
            worker.do("merge", *(of_node[index] for of_node in pieces))
            for index, worker in enumerate(workers)
        ]
        return {
            worker.do("place", *merged, rank=rank, complete=complete): worker
            for rank, worker in enumerate(workers)
        }

    def _added(self, sums: Sums, worker: Worker, trained: Trained) -> Sums:
        of_worker = trained.sums
        if of_worker.tokens and trained.seconds > 0:
            speed = of_worker.tokens / trained.seconds
            before = worker.words_per_second or speed
            worker.words_per_second = before + _SMOOTHING * (speed - before)
        return sums.with_sums(of_worker)

    def _of_any(self, method: str, *arguments: Any) -> Any:
        """Ask the nodes one after another until one answers."""
        while True:
            worker = self._workers.training[0]
            try:
                asked = {worker.do(method, *arguments): worker}
                return self._workers.wait(asked, lambda: None)[worker.name]
            except LostWorkersError as lost:
                self._repeat_without(lost)

    def _report_state(self, sums: Sums) -> None:
        nodes = tuple(
            NodeProgress(worker.name, worker.words_per_second) for worker in self._workers.training
        )
        merged_at = self._merged_at
        spent = self._training_seconds + self._merging_seconds
        progress = ClusterProgress(
            nodes,
            seconds_since_merge=None if merged_at is None else time.monotonic() - merged_at,
            merge_share=self._merging_seconds / spent if spent else 0.0,
            bytes_sent=self._bytes_sent,
        )
        self.report_progress(sums, progress)
        self._watch()


def _contexts(text: TrainingText, plan: Plan) -> float:
    """Average weight of the context words on one side of a center; 0 for graphs."""
    if not isinstance(plan, TrainingPlan):
        return 0.0
    counts = text.vocabulary.counts
    return contexts_on_a_side(text.sentence_starts, counts, plan.subsample, context_weights(plan))


def _in_float32(
    parameters: InitialParameters | Parameters,
) -> InitialParameters | Parameters:
    """The parameters as backends round them, which takes half the bytes."""
    contexts = parameters.contexts
    return parameters._replace(
        centers=parameters.centers.astype(np.float32, copy=False),
        contexts=None if contexts is None else contexts.astype(np.float32, copy=False),
    )
