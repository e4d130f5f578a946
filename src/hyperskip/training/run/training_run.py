"""What all runs of a training share: their position, the ends of epochs, and progress."""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable

from hyperskip.training.blocks import cut_into_blocks
from hyperskip.training.run.device import block_size
from hyperskip.training.run.state import EpochSummary, Position, State, Sums
from hyperskip.training.run.training_events import ClusterProgress, Report, TrainingProgress
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import TrainingText


class TrainingRun(ABC):
    """A training from a position to the end.

    Args:
        encoded: The text.
        plan: The plan of the training.
        position: Where to start.
        report: Called with progress events, from the calling thread.
    """

    def __init__(
        self, encoded: TrainingText, plan: Plan, position: Position, report: Report
    ) -> None:
        self.plan = plan
        self.position = position
        self.blocks = list(cut_into_blocks(encoded.sentence_starts, block_size(plan)))
        self.epochs = plan.burn_in_epochs + plan.epochs
        self.report = report
        self.token_count = encoded.token_count
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

    @abstractmethod
    def state(self) -> State:
        """A copy of the current state.

        Raises:
            DivergenceError: Training has diverged.
        """

    @abstractmethod
    def continue_epoch(self, should_pause: Callable[[], bool] = lambda: False) -> None:
        """Train until the epoch is over or a pause is due, which is always between two blocks.

        Raises:
            DivergenceError: Training has diverged.
        """

    def start_clock(self) -> None:
        """Begin to measure the speed, after all preparations."""
        self._started = time.perf_counter()

    def end_epoch(self, theta: float) -> None:
        """Add the epoch to the history, and go to the start of the next one."""
        position, sums = self.position, self.position.sums
        summary = EpochSummary(
            epoch=position.epoch + 1,
            burn_in=position.epoch < self.plan.burn_in_epochs,
            loss=sums.loss / max(sums.pairs, 1),
            pairs=sums.pairs,
            skipped=sums.skipped,
            seconds=sums.seconds,
            theta=theta,
        )
        self.position = Position(position.epoch + 1, history=(*position.history, summary))
        self.report(summary)

    def report_progress(self, sums: Sums, cluster: ClusterProgress | None = None) -> None:
        """Report how far the current epoch is."""
        epoch = self.position.epoch
        seconds = time.perf_counter() - self._started
        tokens = self._tokens_done(sums)
        self.report(
            TrainingProgress(
                epoch=epoch + 1,
                epochs=self.epochs,
                tokens=tokens,
                tokens_total=self.epochs * self.token_count,
                rate=self.plan.rate_at(epoch, sums.tokens / self.token_count),
                loss=sums.mean_loss,
                seconds=seconds,
                words_per_second=(tokens - self._tokens_before) / seconds if seconds > 0 else 0.0,
                cluster=cluster,
            )
        )

    def _tokens_done(self, sums: Sums) -> int:
        return self.position.epoch * self.token_count + sums.tokens
