"""Early detection of divergence: NaN, words that are too far out, a loss worse than guessing.

Steps are clipped and gradients of far words are small, so that NaN is rare. With a rate that is far
too high, words jump around instead, which shows in the loss.
"""

import math
import time

from hyperskip.errors import DivergenceError, TrainingWarning, warn
from hyperskip.training.backend import Backend, Outcome
from hyperskip.training.run.state import Position
from hyperskip.training.shared_plan import Plan

_SECONDS = 1.0  # between two checks of all words
_SHARE = 0.01  # of the time that checks may take
_WORSE_THAN_GUESSING = 2.0  # times
_MORE = 1.01  # times the initial radius, if that is too large already


class DivergenceCheck:
    """Checks losses, and from time to time the farthest word.

    Args:
        backend: Holds the parameters.
        plan: The plan of the training.
        starts_from_model: Whether words start from a model; then the loss may have any value.
    """

    def __init__(self, backend: Backend, plan: Plan, *, starts_from_model: bool) -> None:
        self._backend = backend
        self._plan = plan
        self._checks_loss = not starts_from_model and plan.starts_by_guessing
        self._farthest = plan.space.float32_radius
        start = backend.radius()
        if start > self._farthest:
            warn(
                f"vectors start at radius {start:.3g}, but float32 has no precision beyond radius "
                f"{self._farthest:.3g}: neighboring vectors may coincide",
                TrainingWarning,
            )
            self._farthest = _MORE * start
        self._next_check = time.perf_counter() + _SECONDS

    @property
    def is_due(self) -> bool:
        """Whether it is time to check all words again."""
        return time.perf_counter() >= self._next_check

    def check_block(self, outcome: Outcome, epoch: int, rate: float) -> None:
        """Check the loss of a block.

        Raises:
            DivergenceError: It is not finite.
        """
        if not math.isfinite(outcome.loss):
            raise self._divergence(epoch, rate, "the loss is not finite")

    def check(self, position: Position, rate: float) -> None:
        """Check all words, and the loss of the epoch so far.

        Raises:
            DivergenceError: Training has diverged.
        """
        began = time.perf_counter()
        radius = self._backend.radius()
        ended = time.perf_counter()
        self._next_check = ended + max(_SECONDS, (ended - began) / _SHARE)
        epoch, loss = position.epoch, position.sums.mean_loss
        if not math.isfinite(radius):
            raise self._divergence(epoch, rate, "a vector is not finite")
        if radius > self._farthest:
            what = f"float32 has no precision beyond radius {self._farthest:.3g}"
            raise self._divergence(epoch, rate, what)
        guessing = self._plan.loss_of_guessing(burn_in=epoch < self._plan.burn_in_epochs)
        if self._checks_loss and loss > _WORSE_THAN_GUESSING * guessing:
            what = f"the loss is {loss:.4g}, and that of untrained vectors is {guessing:.4g}"
            raise self._divergence(epoch, rate, what)

    def _divergence(self, epoch: int, rate: float, what: str) -> DivergenceError:
        plan = self._plan
        option, chosen = "rate", plan.rate
        if epoch < plan.burn_in_epochs:
            option, chosen = "burn_in_rate", plan.burn_in_rate
        return DivergenceError(
            f"training diverged in epoch {epoch + 1} at rate {rate:.4g}, with the farthest vector "
            f"at radius {self._backend.radius():.3g}: {what}",
            hint=f"choose a `{option}` below {chosen:.4g}, or leave it out; or choose a `max_step` "
            f"below {plan.max_step:g}",
        )
