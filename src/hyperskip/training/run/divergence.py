"""Divergence found early: numbers that are none, words that fly away, a loss worse than guessing.

Steps are clipped and far words are hardly pushed, so that a run rarely ends in NaN: one with an
absurd rate throws words about instead, and its loss tells.
"""

import math
import time

from hyperskip.errors import DivergenceError, TrainingWarning, warn
from hyperskip.training.objective import loss as objective
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.backend import Backend, Outcome
from hyperskip.training.run.state import Position

_SECONDS = 1.0  # between two looks at all words
_SHARE = 0.01  # of the time that looking may take
_WORSE_THAN_GUESSING = 2.0  # times
_MORE = 1.01  # times a start that is too far already


class DivergenceCheck:
    """Looks at losses, and now and then at the farthest word.

    Args:
        backend: Whose parameters to look at.
        plan: Of the training.
        starts_from_model: Whether words start from a model, and the loss may be any.
    """

    def __init__(self, backend: Backend, plan: TrainingPlan, *, starts_from_model: bool) -> None:
        self._backend = backend
        self._plan = plan
        spread = plan.initial_deviation**2 * plan.dimension * plan.sharpness
        self._judges_loss = not starts_from_model and spread < 1.0  # else guessing is no measure
        # Where neighboring numbers of float32 are a distance of 1 apart, positions mean nothing.
        self._farthest = plan.space.float32_radius
        start = backend.radius()
        if start > self._farthest:
            warn(
                f"words start at radius {start:.3g}: beyond {self._farthest:.3g}, float32 cannot "
                "tell a word from its neighbors",
                TrainingWarning,
            )
            self._farthest = _MORE * start
        self._next_look = time.perf_counter() + _SECONDS

    @property
    def is_due(self) -> bool:
        """Whether it is time to look at all words again."""
        return time.perf_counter() >= self._next_look

    def check_block(self, outcome: Outcome, epoch: int, rate: float) -> None:
        """Check what happened in a block.

        Raises:
            DivergenceError: Its loss is not a number.
        """
        if not math.isfinite(outcome.loss):
            raise self._divergence(epoch, rate, "the loss is no longer a finite number")

    def check(self, position: Position, rate: float) -> None:
        """Check all words, and the loss of the epoch so far.

        Raises:
            DivergenceError: Something is wrong with them.
        """
        began = time.perf_counter()
        radius = self._backend.radius()
        ended = time.perf_counter()
        self._next_look = ended + max(_SECONDS, (ended - began) / _SHARE)
        epoch, loss = position.epoch, position.sums.mean_loss
        if not math.isfinite(radius):
            raise self._divergence(epoch, rate, "a vector is no longer a finite number")
        if radius > self._farthest:
            what = f"beyond {self._farthest:.3g}, float32 cannot tell a word from its neighbors"
            raise self._divergence(epoch, rate, what)
        guessing = self._loss_of_guessing(epoch)
        if self._judges_loss and loss > _WORSE_THAN_GUESSING * guessing:
            what = (
                f"the loss is {loss:.4g}, and that of vectors that know nothing is {guessing:.4g}"
            )
            raise self._divergence(epoch, rate, what)

    def _loss_of_guessing(self, epoch: int) -> float:
        """The loss of a pair with all words at the base point."""
        burn_in = epoch < self._plan.burn_in_epochs
        negatives = self._plan.negatives_of(burn_in=burn_in)
        score = 0.0
        if self._plan.space.is_curved:
            score = float(objective.hyperbolic_score(-1.0, self._plan.theta))
        likelihoods = (float(objective.log_likelihood(score, y)) for y in (1.0, 0.0))
        of_context, of_negative = likelihoods
        return -of_context - negatives * of_negative

    def _divergence(self, epoch: int, rate: float, what: str) -> DivergenceError:
        plan = self._plan
        option, chosen = "rate", plan.rate
        if epoch < plan.burn_in_epochs:
            option, chosen = "burn_in_rate", plan.burn_in_rate
        return DivergenceError(
            f"training diverged in epoch {epoch + 1} at rate {rate:.4g}, the farthest word at "
            f"radius {self._backend.radius():.3g}: {what}",
            hint=f"choose a `{option}` below {chosen:.4g}, or leave it out; or choose a `max_step` "
            f"below {plan.max_step:g}",
        )
