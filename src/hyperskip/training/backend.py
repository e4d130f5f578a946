"""What every backend does: parameters in the memory of a device, and kernels that train them."""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from hyperskip.training.objective.subwords import Fit
from hyperskip.training.parameters import Parameters

Tokens = npt.NDArray[np.int32]
Limits = npt.NDArray[np.int64]
Words = npt.NDArray[np.int64] | slice  # ids, each at most once


NO_CEILINGS = (math.inf, math.inf)


class Outcome(NamedTuple):
    """The outcome of training on a block."""

    pairs: int
    loss: float  # sum over pairs of the negative log-likelihood
    skipped: int  # pairs skipped because a word was locked


class Backend(Protocol):
    """Trains parameters on a device."""

    workers: int  # number of threads that may train blocks at the same time
    reads_ahead: bool  # whether to load the next block while one is trained on

    def compile(self) -> None:
        """Compile the kernels, or load them from the cache on disk."""

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Any:
        """Load a block of text onto the device, from any thread; returns it for `train_block`.

        Args:
            pieces: Word ids, in pieces.
            sentence_starts: Starts of sentences, and the end.
        """

    def train_block(
        self,
        text: Any,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,
        burn_in: bool,
        ceilings: tuple[float, float] = NO_CEILINGS,
    ) -> Outcome:
        """Train on a block; thread-safe.

        Args:
            text: What `load` returned.
            rates: Learning rates at the first token and after the last one.
            seed: Seed of all draws.
            worker: Number of the calling thread, from 0.
            burn_in: Whether to train with a tenth of the negative samples.
            ceilings: The largest radius, at the first token and after the last one; only for
                methods that limit it.
        """

    def stop(self) -> None:
        """Make other threads stop soon; training cannot continue after that."""

    @property
    def theta(self) -> float:
        """The current theta."""

    def radius(self) -> float:
        """Distance of the farthest word from the base point; NaN if a word has NaN.

        In a product of hyperboloids, the largest distance in any factor.
        """

    def parameters(self) -> Parameters:
        """A copy of the current parameters."""

    def coordinates(self, words: Words) -> npt.NDArray[np.float32]:
        """A copy of the spatial coordinates of some words: (layers, words, dimension).

        If the optimizer has a state, the moments of each word follow its coordinates.
        """

    def place(
        self, words: Words, coordinates: npt.NDArray[np.float32], theta: float | None = None
    ) -> None:
        """Move words to spatial coordinates (layers, words, dimension), between two blocks.

        Args:
            words: Which words.
            coordinates: Where to, in the form of `coordinates`.
            theta: The new theta; None: unchanged.
        """


@runtime_checkable
class SubwordBackend(Backend, Protocol):
    """A backend that also trains n-grams, if the plan has subwords."""

    fits_in_blocks: bool  # whether `train_block` fits n-grams; otherwise the caller does

    def fit_subwords(self, fit: Fit) -> None:
        """Move words and n-grams toward each other, between two blocks."""

    def center_words(self) -> None:
        """Move all words and n-grams together, so that the mean of the words is 0."""


def radius_at(time: float) -> float:
    """Distance from the base point at this time coordinate; NaN if it is not a number."""
    return float(np.arccosh(max(time, 1.0))) if np.isfinite(time) else float("nan")
