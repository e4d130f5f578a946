"""The training loop: threads that train on blocks, epoch after epoch.

With one thread, and in deterministic training, the state depends on the position only, not on
interruptions. Independent threads, and those of a GPU, race on the vectors.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.backend import Outcome
from hyperskip.training.blocks import Block, block_seed, cut_into_blocks, sentence_limits
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.device import backend_for, block_size
from hyperskip.training.run.divergence import DivergenceCheck
from hyperskip.training.run.state import EpochSummary, InitialState, Position, State, Sums
from hyperskip.training.run.training_events import Compiling, Report, TrainingProgress

_REPORT_SECONDS = 0.1
_PIECE = 1 << 20  # tokens to read at a time; they fit into the cache of the processor


class Run:
    """Trains from a state to the end.

    Args:
        encoded: The text.
        plan: The plan of the training.
        start: Where to start.
        report: Called with progress events, from the calling thread.
        fixed: Which words must not move; None: all may.
        starts_from_model: Whether words start from a model; then the loss may have any value.
    """

    def __init__(
        self,
        encoded: EncodedCorpus,
        plan: TrainingPlan,
        start: InitialState | State,
        report: Report,
        fixed: npt.NDArray[np.bool_] | None = None,
        *,
        starts_from_model: bool = False,
    ) -> None:
        self.plan = plan
        self.position = start.position
        self.blocks = list(cut_into_blocks(encoded.sentence_starts, block_size(plan)))
        self.epochs = plan.burn_in_epochs + plan.epochs
        self._report = report
        self._encoded = encoded
        self._token_count = encoded.token_count
        self.backend = backend_for(
            plan, start.parameters, encoded.vocabulary.counts, fixed, self.blocks
        )
        self._reader = _BlockReader(self.blocks, self._load, ahead=self.backend.reads_ahead)
        report(Compiling())
        self.backend.compile()
        self._divergence = DivergenceCheck(self.backend, plan, starts_from_model=starts_from_model)
        self._started = time.perf_counter()
        self._tokens_before = self.tokens_done

    @property
    def is_done(self) -> bool:
        """Whether all epochs are over."""
        return self.position.epoch >= self.epochs

    @property
    def tokens_done(self) -> int:
        """Number of tokens trained so far, over all epochs."""
        return self._tokens_done(self.position.sums)

    def state(self) -> State:
        """A copy of the current state.

        Raises:
            DivergenceError: Training has diverged.
        """
        self._check(self.position)
        return State(self.position, self.backend.parameters())

    def continue_epoch(self, should_pause: Callable[[], bool] = lambda: False) -> None:
        """Train until the epoch is over or a pause is due, which is always between two blocks.

        Raises:
            DivergenceError: Training has diverged.
        """
        position, began = self.position, time.perf_counter()
        queue = _BlockQueue(self.blocks[position.block :])
        guard = threading.Lock()
        sums = position.sums

        def work(worker: int) -> None:
            nonlocal sums
            for block in queue.blocks():
                outcome = self._train_block(block, position.epoch, worker)
                with guard:
                    sums = sums.with_block(block, outcome)
                rate = self._rate_at(position.epoch, block.begin)
                self._divergence.check_block(outcome, position.epoch, rate)

        workers = self.backend.workers
        with ThreadPoolExecutor(workers) as pool:
            try:
                working = {pool.submit(work, worker) for worker in range(workers)}
                while working:
                    ended, working = wait(working, timeout=_REPORT_SECONDS)
                    for future in ended:
                        future.result()
                    self._report_progress(position.epoch, sums)
                    if should_pause():
                        queue.pause()
                    if self._divergence.is_due:
                        self._check(replace(position, sums=sums))
            except BaseException:  # an error, or a second Ctrl-C
                queue.pause()
                self.backend.stop()
                raise
        seconds = position.sums.seconds + time.perf_counter() - began
        self.position = replace(
            position, block=position.block + queue.taken, sums=replace(sums, seconds=seconds)
        )
        if self.position.block >= len(self.blocks):
            self._end_epoch()

    def _end_epoch(self) -> None:
        position, sums = self.position, self.position.sums
        # With the rate at the start of the last block; at its end the rate may be 0.
        self._divergence.check(position, self._rate_at(position.epoch, self.blocks[-1].begin))
        summary = EpochSummary(
            epoch=position.epoch + 1,
            burn_in=position.epoch < self.plan.burn_in_epochs,
            loss=sums.loss / max(sums.pairs, 1),
            pairs=sums.pairs,
            skipped=sums.skipped,
            seconds=sums.seconds,
            theta=self.backend.theta,
        )
        self.position = Position(position.epoch + 1, history=(*position.history, summary))
        self._report(summary)

    def _train_block(self, block: Block, epoch: int, worker: int) -> Outcome:
        return self.backend.train_block(
            self._reader.text_of(block),
            (self._rate_at(epoch, block.begin), self._rate_at(epoch, block.end)),
            block_seed(self.plan.seed, epoch, block.number),
            worker=worker,
            burn_in=epoch < self.plan.burn_in_epochs,
        )

    def _load(self, block: Block) -> Any:
        starts_inside = self._encoded.starts_within(block.begin + 1, block.end)
        pieces = (
            self._encoded.stretch(begin, min(begin + _PIECE, block.end))
            for begin in range(block.begin, block.end, _PIECE)
        )
        return self.backend.load(pieces, sentence_limits(block, starts_inside))

    def _rate_at(self, epoch: int, token: int) -> float:
        """The learning rate: constant in the burn-in, then falling linearly."""
        plan = self.plan
        if epoch < plan.burn_in_epochs:
            return plan.burn_in_rate
        done = (epoch - plan.burn_in_epochs + token / self._token_count) / plan.epochs
        return plan.rate + (plan.end_rate - plan.rate) * done

    def _check(self, position: Position) -> None:
        self._divergence.check(position, self._rate_at(position.epoch, position.sums.tokens))

    def _tokens_done(self, sums: Sums) -> int:
        return self.position.epoch * self._token_count + sums.tokens

    def _report_progress(self, epoch: int, sums: Sums) -> None:
        seconds = time.perf_counter() - self._started
        tokens = self._tokens_done(sums)
        self._report(
            TrainingProgress(
                epoch=epoch + 1,
                epochs=self.epochs,
                tokens=tokens,
                tokens_total=self.epochs * self._token_count,
                rate=self._rate_at(epoch, sums.tokens),
                loss=sums.mean_loss,
                seconds=seconds,
                words_per_second=(tokens - self._tokens_before) / seconds if seconds > 0 else 0.0,
            )
        )


class _BlockQueue:
    """Hands out blocks to threads, in order."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.taken = 0
        self._blocks = blocks
        self._paused = False
        self._guard = threading.Lock()

    def blocks(self) -> Iterator[Block]:
        """Take blocks for one thread until none is left, or until a pause."""
        while True:
            with self._guard:
                if self._paused or self.taken == len(self._blocks):
                    return
                block = self._blocks[self.taken]
                self.taken += 1
            yield block

    def pause(self) -> None:
        """Hand out no more blocks."""
        self._paused = True


class _BlockReader:
    """Loads the text of blocks: on demand, or the next block while one is trained on.

    When reading ahead, only one thread may use it. After the last block, the first is the next.
    """

    def __init__(
        self, blocks: Sequence[Block], load: Callable[[Block], Any], *, ahead: bool
    ) -> None:
        self._blocks = blocks
        self._load = load
        self._is_ahead = ahead
        self._pool = ThreadPoolExecutor(1)  # starts no thread until it is used
        self._next: tuple[Block, Future[Any]] | None = None

    def text_of(self, block: Block) -> Any:
        """The text of a block, as the backend loads it."""
        if not self._is_ahead:
            return self._load(block)
        if self._next is None or self._next[0] != block:
            self._begin(block)
        assert self._next is not None  # set by `_begin`
        text = self._next[1].result()
        self._begin(self._blocks[(block.number + 1) % len(self._blocks)])
        return text

    def _begin(self, block: Block) -> None:
        self._next = block, self._pool.submit(self._load, block)
