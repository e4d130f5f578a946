"""Where training happens: parameters in the memory of a device, and the kernels for them."""

from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import HyperskipError
from hyperskip.kernel_cache import compiler_is_off, made_ready
from hyperskip.text.vocabulary import Vocabulary
from hyperskip.training import sampling
from hyperskip.training.cpu import layout, pairwise, window
from hyperskip.training.initial import initial_parameters
from hyperskip.training.options import HYPERBOLOID, WINDOW, TrainingOptions

Tokens = npt.NDArray[np.int32]
Limits = npt.NDArray[np.int64]
Integer = TypeVar("Integer", np.int32, np.int64)


class Outcome(NamedTuple):
    """What happened in a block."""

    pairs: int
    loss: float  # sum over pairs of the negative log-likelihood
    skipped: int  # pairs left out because a word was locked


class CpuBackend:
    """Numba kernels of both schedules, on all threads at once, over the same memory."""

    def __init__(self, vocabulary: Vocabulary, options: TrainingOptions, workers: int) -> None:
        hyperbolic = options.geometry == HYPERBOLOID
        parameters = initial_parameters(len(vocabulary), options)
        self._options = options
        self.layers = layout.packed(*parameters, hyperbolic=hyperbolic)
        self.chances = layout.Chances(
            sampling.keep_thresholds(vocabulary.counts, options.subsample),
            sampling.noise_table(vocabulary.counts, options.power),
        )
        self._workspaces = [self._workspace() for _ in range(workers)]
        lock_count = len(vocabulary) * (1 if options.tied else 2) if options.locking else 0
        self._locks = np.zeros(lock_count, dtype=np.int32)
        self._stop = np.zeros(1, dtype=np.uint8)

    def compile(self) -> None:
        """Compile, or take from the cache on disk; nothing is trained."""
        nothing = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
        made_ready(
            lambda: self.train_block(*nothing, (0.0, 0.0), np.uint64(0), worker=0, burn_in=False),
            pairwise.train_pairs,
            window.train_tiles,
        )

    def train_block(
        self,
        tokens: Tokens,
        sentence_starts: Limits,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,
        burn_in: bool,
    ) -> Outcome:
        """Train on sentences at a rate that goes from the first to the second; thread-safe.

        Args:
            tokens: Word ids.
            sentence_starts: Where sentences start, and the end.
            rates: At the first token, and behind the last one.
            seed: Of all draws.
            worker: The number of the calling thread, from 0.
            burn_in: Whether to train with a tenth of the negatives.
        """
        arguments = (
            _read_only(tokens),
            _read_only(sentence_starts),
            self.layers,
            self.chances,
            kernel_settings(self._options, burn_in=burn_in),
            *rates,
            seed,
            self._workspaces[worker],
            self._stop,
        )
        if self._options.schedule == WINDOW:
            pairs, loss = window.train_tiles(*arguments)
            return Outcome(pairs, loss, skipped=0)
        return Outcome(*pairwise.train_pairs(*arguments, self._locks, np.int32(worker + 1)))

    def _workspace(self) -> Any:
        row = self.layers.centres.shape[1]
        if self._options.schedule == WINDOW:
            assert self._options.shared_negatives is not None  # filled in with the options
            return window.workspace(self._options.window, self._options.shared_negatives, row)
        return pairwise.workspace(row)

    def stop(self) -> None:
        """End what other threads are training on, soon; training cannot go on after it."""
        self._stop[0] = 1

    @property
    def theta(self) -> float:
        """The shift of the product as it is now."""
        return float(self.layers.theta[0])

    def centres(self) -> npt.NDArray[np.float32]:  # (words, dimension)
        """A copy of the spatial coordinates of the words."""
        return self.layers.centres[:, : self._options.dimension].copy()

    def is_finite(self) -> bool:
        """Whether all parameters are finite numbers."""
        tables = (self.layers.centres,) if self._options.tied else self.layers[:2]
        # A sum in float64 of float32 numbers is finite if they all are, and takes no memory.
        return all(bool(np.isfinite(rows.sum(dtype=np.float64))) for rows in tables)


def check_compiler() -> None:
    """Find out that nothing can be trained before the text is read for it.

    Raises:
        HyperskipError: The compiler is switched off.
    """
    if compiler_is_off():
        raise HyperskipError(
            "the environment variable NUMBA_DISABLE_JIT switches the compiler off, and training "
            "needs it",
            hint="unset it; for a debugger, training/reference.py is the same algorithm",
        )


def _read_only(array: npt.NDArray[Integer]) -> npt.NDArray[Integer]:
    """A view that cannot be written to: to the compiler, a type of its own.

    Memory-mapped text is one already; without this, a kernel would be compiled for both.
    """
    view = array.view()
    view.flags.writeable = False
    return view


def kernel_settings(options: TrainingOptions, *, burn_in: bool) -> layout.Settings:
    """The options as the kernels take them."""
    return layout.Settings(
        hyperbolic=options.geometry == HYPERBOLOID,
        tied=bool(options.tied),
        dimension=options.dimension,
        window=options.window,
        shrink_window=options.shrink_window,
        negatives=max(1, options.negatives // 10) if burn_in else options.negatives,
        shared_negatives=options.shared_negatives or 0,
        max_step=options.max_step,
        learn_theta=options.learn_theta,
        locking=options.locking,
    )
