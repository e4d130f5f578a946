"""What every backend does: parameters in the memory of a device, and kernels that train them."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.training.parameters import Parameters

Tokens = npt.NDArray[np.int32]
Limits = npt.NDArray[np.int64]


class Outcome(NamedTuple):
    """What happened in a block."""

    pairs: int
    loss: float  # sum over pairs of the negative log-likelihood
    skipped: int  # pairs left out because a word was locked


class Backend(Protocol):
    """A device at work, as a run sees it."""

    workers: int  # threads that may train blocks at once
    reads_ahead: bool  # whether it pays to load a block while another one is trained on

    def compile(self) -> None:
        """Compile, or take from the cache on disk; nothing is trained."""

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Any:
        """Take a block of text to the device, from any thread; `train_block` takes what it returns.

        Args:
            pieces: Word ids, piece by piece.
            sentence_starts: Where sentences start, and the end.
        """

    def train_block(
        self,
        text: Any,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,
        burn_in: bool,
    ) -> Outcome:
        """Train on sentences at a rate that goes from the first to the second; thread-safe.

        Args:
            text: What `load` has made of them.
            rates: At the first token, and behind the last one.
            seed: Of all draws.
            worker: The number of the calling thread, from 0.
            burn_in: Whether to train with a tenth of the negatives.
        """

    def stop(self) -> None:
        """End what other threads are training on, soon; training cannot go on after it."""

    @property
    def theta(self) -> float:
        """The shift of the product as it is now."""

    def radius(self) -> float:
        """Distance of the farthest word from the base point, or from 0; NaN if one is nowhere.

        On a product of hyperboloids, the greatest of its distances on each.
        """

    def parameters(self) -> Parameters:
        """A copy of the parameters as they are now."""


def radius_at(time: float) -> float:
    """Distance from the base point at this time coordinate; NaN if it is not a number."""
    return float(np.arccosh(max(time, 1.0))) if np.isfinite(time) else float("nan")
