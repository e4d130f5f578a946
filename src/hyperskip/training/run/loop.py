"""The training loop of one process: block after block, epoch after epoch.

With one thread, and in deterministic training, the state depends on the position only, not on
interruptions. Independent threads, and those of a GPU, race on the vectors.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from hyperskip.training.backend import Outcome, SubwordBackend
from hyperskip.training.blocks import Block
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.block_training import BlockTraining
from hyperskip.training.run.device import backend_for
from hyperskip.training.run.divergence import DivergenceCheck
from hyperskip.training.run.state import InitialState, Position, State
from hyperskip.training.run.subword_training import SubwordTraining
from hyperskip.training.run.training_events import Compiling, Report
from hyperskip.training.run.training_run import TrainingRun
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import TrainingText


class Run(TrainingRun):
    """Trains from a state to the end, in this process.

    Args:
        encoded: The text.
        plan: The plan of the training.
        start: Where to start.
        report: Called with progress events, from the calling thread.
        fixed: Which words must not move; None: all may.
        levels: The largest radius of each word, as a share of the plan's; None: all 1.
        starts_from_model: Whether words start from a model; then the loss may have any value.
        index: The n-grams of the words; None without subwords.
        fixed_ngrams: Which n-grams must not move; None: all may.
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
        index: NgramIndex | None = None,
        fixed_ngrams: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        super().__init__(encoded, plan, start.position, report)
        counts = encoded.vocabulary.counts
        self.backend = backend_for(
            *(plan, start.parameters, counts, fixed, self.blocks),
            levels=levels,
            index=index,
            fixed_ngrams=fixed_ngrams,
            token_count=self.token_count,
        )
        self._subwords: SubwordTraining | None = None
        if index is not None:
            assert isinstance(plan, TrainingPlan)
            assert isinstance(self.backend, SubwordBackend)
            self._subwords = SubwordTraining(
                *(self.backend, plan, self.token_count),
                keeps_center=plan.space.is_curved and not starts_from_model,
            )
        self._training = BlockTraining(self.backend, encoded.in_epoch, self.token_count, plan)
        report(Compiling())
        self.backend.compile()
        self._divergence = DivergenceCheck(self.backend, plan, starts_from_model=starts_from_model)
        self.start_clock()

    def state(self) -> State:
        """A copy of the current state."""
        self._check(self.position)
        return State(self.position, self.backend.parameters())

    def continue_epoch(self, should_pause: Callable[[], bool] = lambda: False) -> None:
        """Train until the epoch is over or a pause is due, which is always between two blocks."""
        position, began = self.position, time.perf_counter()
        sums = position.sums

        def finished(block: Block, outcome: Outcome) -> None:
            nonlocal sums
            sums = sums.with_block(block, outcome)
            self._divergence.check_block(outcome, position.epoch, self._rate_at(block.begin))

        def watch() -> bool:
            self.report_progress(sums)
            if self._divergence.is_due:
                self._check(replace(position, sums=sums))
            return should_pause()

        taken = self._train(finished, watch)
        seconds = position.sums.seconds + time.perf_counter() - began
        self.position = replace(
            position, block=position.block + taken, sums=replace(sums, seconds=seconds)
        )
        if self.position.block >= len(self.blocks):
            # With the rate at the start of the last block; at its end the rate may be 0.
            self._divergence.check(self.position, self._rate_at(self.blocks[-1].begin))
            self.end_epoch(self.backend.theta)

    def _train(self, finished: Callable[[Block, Outcome], None], watch: Callable[[], bool]) -> int:
        """Train on the remaining blocks of the epoch, or until a pause; returns their number."""
        epoch, blocks = self.position.epoch, self.blocks[self.position.block :]
        taken, is_paused = 0, False

        def watch_parts() -> bool:  # a part may end before it notices that a pause is due
            nonlocal is_paused
            is_paused = watch() or is_paused
            return is_paused

        for part in [blocks] if self._subwords is None else self._subwords.parts(blocks):
            following = self.blocks[(part[-1].number + 1) % len(self.blocks)]
            of_part = self._training.train(part, epoch, finished, watch_parts, following)
            taken += of_part
            if self._subwords is not None and of_part == len(part):
                self._subwords.end_part(epoch, part[-1])
            if is_paused:
                break
        return taken

    def _check(self, position: Position) -> None:
        self._divergence.check(position, self._rate_at(position.sums.tokens))

    def _rate_at(self, token: int) -> float:
        return self.plan.rate_at(self.position.epoch, token / self.token_count)
