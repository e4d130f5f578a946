"""Where training happens: parameters in the memory of a device, and the kernels for them."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import HyperskipError
from hyperskip.kernel_cache import compiler_is_off, made_ready
from hyperskip.training import sampling
from hyperskip.training.cpu import layout, pairwise, window
from hyperskip.training.cpu.crew import ALONE, Crew
from hyperskip.training.initial import Parameters
from hyperskip.training.options import HYPERBOLOID, PAIRWISE, WINDOW, TrainingOptions

Tokens = npt.NDArray[np.int32]
Limits = npt.NDArray[np.int64]
Integer = TypeVar("Integer", np.int32, np.int64)


def tiles_of_a_round(words: int) -> int:
    """How many tiles of a deterministic training are computed before words move.

    More of them keep more threads busy. But words that several tiles push from where they stood
    learn worse, and the fewer words there are, the more often that happens: docs/measurements.md.
    """
    return max(1, min(64, 1 << (math.isqrt(words) // 12).bit_length() >> 1))


class Outcome(NamedTuple):
    """What happened in a block."""

    pairs: int
    loss: float  # sum over pairs of the negative log-likelihood
    skipped: int  # pairs left out because a word was locked


class CpuBackend:
    """Numba kernels of both schedules, on all threads at once, over the same memory.

    Args:
        parameters: To start from.
        counts: How often each word occurs in the text.
        options: Of training.
        workers: How many threads will call.
        fixed: Which words keep their vectors; None: none do.
    """

    def __init__(
        self,
        parameters: Parameters,
        counts: npt.NDArray[np.int64],
        options: TrainingOptions,
        workers: int,
        fixed: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        hyperbolic = options.geometry == HYPERBOLOID
        self._options = options
        self.layers = layout.packed(*parameters, hyperbolic=hyperbolic, fixed=fixed)
        self.chances = layout.Chances(
            sampling.keep_thresholds(counts, options.subsample),
            sampling.noise_table(counts, options.power),
        )
        self._kernel_arguments = list(self._arguments_of_workers(workers))
        self._stop = np.zeros(1, dtype=np.uint8)

    def _arguments_of_workers(self, workers: int) -> Iterator[tuple[Any, tuple[Any, ...]]]:
        """Each worker's work space, and what else its schedule's kernel takes."""
        words, row = self.layers.centres.shape
        options = self._options
        if options.schedule == PAIRWISE:
            lock_count = words * (1 if options.tied else 2) if options.locking else 0
            locks = np.zeros(lock_count, dtype=np.int32)
            for worker in range(workers):
                yield pairwise.workspace(row), (locks, np.int32(worker + 1))
            return
        assert options.shared_negatives is not None  # filled in with the options
        tiles = tiles_of_a_round(words) if options.deterministic else 1
        size = options.window, options.shared_negatives, row, tiles
        shared = window.shared_round(*size)
        for worker in range(workers):
            if options.deterministic:
                yield window.workspace(*size), (shared, Crew(worker, workers))
            else:
                yield window.workspace(*size), (window.shared_round(*size), ALONE)

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

        In deterministic training, every worker must call it for every block, in the same order;
        the outcome is in the first one's return value.

        Args:
            tokens: Word ids.
            sentence_starts: Where sentences start, and the end.
            rates: At the first token, and behind the last one.
            seed: Of all draws.
            worker: The number of the calling thread, from 0.
            burn_in: Whether to train with a tenth of the negatives.
        """
        work, others = self._kernel_arguments[worker]
        arguments = (
            _read_only(tokens),
            _read_only(sentence_starts),
            self.layers,
            self.chances,
            kernel_settings(self._options, burn_in=burn_in),
            *rates,
            seed,
            work,
            self._stop,
            *others,
        )
        if self._options.schedule == WINDOW:
            pairs, loss = window.train_tiles(*arguments)
            return Outcome(pairs, loss, skipped=0)
        return Outcome(*pairwise.train_pairs(*arguments))

    def stop(self) -> None:
        """End what other threads are training on, soon; training cannot go on after it."""
        self._stop[0] = 1

    @property
    def theta(self) -> float:
        """The shift of the product as it is now."""
        return float(self.layers.theta[0])

    def radius(self) -> float:
        """Distance of the farthest word from the base point, or from 0; NaN if one is nowhere."""
        dimension = self._options.dimension
        if self._options.geometry == HYPERBOLOID:
            farthest = float(np.max([rows[:, dimension].max() for rows in self._tables]))
            return float(np.arccosh(farthest)) if np.isfinite(farthest) else float("nan")
        squares = [
            np.einsum("wd,wd->w", rows, rows, dtype=np.float64).max() for rows in self._tables
        ]
        return float(np.sqrt(np.max(squares)))

    def parameters(self) -> Parameters:
        """A copy of the parameters as they are now."""
        dimension = self._options.dimension
        spatial = slice(dimension)
        contexts = None if self._options.tied else self.layers.contexts[:, spatial].copy()
        times = np.stack([rows[:, dimension] for rows in self._tables])
        return Parameters(self.layers.centres[:, spatial].copy(), contexts, self.theta, times)

    @property
    def _tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        return (self.layers.centres,) if self._options.tied else self.layers[:2]


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
