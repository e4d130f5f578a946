"""Training on the processor: threads and their kernels, over the same memory."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import HyperskipError
from hyperskip.kernel_cache import compile_kernels, compiler_is_off
from hyperskip.training.cpu import layout, pairwise, window
from hyperskip.training.cpu.thread_team import new_team
from hyperskip.training.kernel_settings import cpu_settings
from hyperskip.training.objective import sampling
from hyperskip.training.options import PAIRWISE
from hyperskip.training.parameters import Parameters
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.backend import Limits, Outcome, Tokens, radius_at

Integer = TypeVar("Integer", np.int32, np.int64)

# Of a round in deterministic training: its tiles walk through a block of text, and the more they
# are, the closer to each other.
_MOST_TILES, _ROUND_BYTES = 16, 1 << 28


class Text(NamedTuple):
    """A block of text as kernels take it."""

    tokens: Tokens
    sentence_starts: Limits


class _PairwiseThread:
    """A thread that trains by the pairwise schedule."""

    def __init__(self, row: int, locks: npt.NDArray[np.int32], number: int) -> None:
        self._work = pairwise.workspace(row)
        self._locks = locks
        self._owner = np.int32(number + 1)

    def train(self, arguments: tuple[Any, ...], stop: npt.NDArray[np.uint8]) -> Outcome:
        """Train on a block."""
        owned = self._locks, self._owner
        return Outcome(*pairwise.train_pairs(*arguments, self._work, stop, *owned))


class _WindowTeam:
    """Threads that train together by the window schedule; the one that calls is the first.

    Args:
        size: Window, shared negatives, length of a row, tiles of a round, factors of the space.
        threads: How many they are.
    """

    def __init__(self, size: tuple[int, int, int, int, int], threads: int) -> None:
        self._round = window.shared_round(*size)
        self._team = new_team(threads)
        self._works = [window.workspace(*size) for _ in range(threads)]
        self._others = ThreadPoolExecutor(max(threads - 1, 1))  # starts none until it is used

    def train(self, arguments: tuple[Any, ...], stop: npt.NDArray[np.uint8]) -> Outcome:
        """Train on a block."""

        def take_part(work: window.Workspace) -> None:
            window.train_tiles(*arguments, work, stop, self._round, self._team)

        window.begin_block(self._round, self._team)
        working = [self._others.submit(take_part, work) for work in self._works[1:]]
        try:
            take_part(self._works[0])
        finally:
            begun = [other for other in working if not other.cancel()]  # the others need not
            wait(begun)
        for other in begun:
            other.result()
        return Outcome(int(self._round.pair_sum[0]), float(self._round.loss_sum[0]), skipped=0)


class CpuBackend:
    """Numba kernels of both schedules, on all threads at once, over the same memory.

    Args:
        parameters: To start from.
        counts: How often each word occurs in the text.
        plan: Of the training.
        workers: How many threads will call; one in deterministic training, which has a team.
        fixed: Which words keep their vectors; None: none do.
    """

    reads_ahead = False  # kernels take as long as a thousand times the reading

    def __init__(
        self,
        parameters: Parameters,
        counts: npt.NDArray[np.int64],
        plan: TrainingPlan,
        workers: int,
        fixed: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        self._plan = plan
        self._counts = counts
        self.layers = layout.packed(
            *parameters, hyperbolic=plan.space.is_curved, factors=plan.factors, fixed=fixed
        )
        self.chances = layout.Chances(
            sampling.keep_thresholds(counts, plan.subsample),
            sampling.noise_table(counts, plan.power),
        )
        self.workers = workers
        self._trainers = list(self._made_trainers(workers))
        self._stop = np.zeros(1, dtype=np.uint8)

    def _made_trainers(self, count: int) -> Iterator[_PairwiseThread | _WindowTeam]:
        words, row = self.layers.centers.shape
        plan = self._plan
        if plan.schedule == PAIRWISE:
            lock_count = words * (1 if plan.tied else 2) if plan.locking else 0
            locks = np.zeros(lock_count, dtype=np.int32)
            for number in range(count):
                yield _PairwiseThread(row, locks, number)
            return
        tiles = 1
        if plan.deterministic:
            rows = window.rows_of_a_tile(plan.window, plan.shared_negatives)
            most = min(_MOST_TILES, _ROUND_BYTES // (rows * self.layers.centers[0].nbytes))
            repeats = sampling.chance_of_a_repeat(self._counts, plan.subsample)
            tiles = sampling.tiles_of_a_round(window.TILE, repeats, most)
        for _ in range(count):
            size = plan.window, plan.shared_negatives, row, tiles, plan.factors
            yield _WindowTeam(size, min(plan.threads, tiles))

    def compile(self) -> None:
        """Compile, or take from the cache on disk; nothing is trained."""
        nothing = self.load([np.zeros(0, dtype=np.int32)], np.zeros(1, dtype=np.int64))
        compile_kernels(
            lambda: self.train_block(nothing, (0.0, 0.0), np.uint64(0), worker=0, burn_in=False),
            pairwise.train_pairs,
            window.train_tiles,
        )

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Text:
        """Nothing is to be done: it is in memory, and so small that it is of one piece."""
        [tokens] = pieces
        return Text(_read_only(tokens), _read_only(sentence_starts))

    def train_block(
        self,
        text: Text,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,
        burn_in: bool,
    ) -> Outcome:
        """Train on sentences, as every backend does."""
        arguments = (
            *text,
            self.layers,
            self.chances,
            cpu_settings(self._plan, burn_in=burn_in),
            *rates,
            seed,
        )
        return self._trainers[worker].train(arguments, self._stop)

    def stop(self) -> None:
        """End what other threads are training on, soon; training cannot go on after it."""
        self._stop[0] = 1

    @property
    def theta(self) -> float:
        """The shift of the product as it is now."""
        return float(self.layers.theta[0])

    def radius(self) -> float:
        """Distance of the farthest word from the base point, or from 0; NaN if one is nowhere."""
        if self._plan.space.is_curved:
            return radius_at(float(self._times().max()))
        squares = [
            np.einsum("wd,wd->w", rows, rows, dtype=np.float64).max() for rows in self._tables
        ]
        return float(np.sqrt(np.max(squares)))

    def parameters(self) -> Parameters:
        """A copy of the parameters as they are now."""
        factors, dimension = self._plan.factors, self._plan.factor_dimension
        centers, *others = (
            layout.coordinates_of(rows, factors, dimension) for rows in self._tables
        )
        return Parameters(centers, others[0] if others else None, self.theta, self._times())

    def _times(self) -> npt.NDArray[np.float32]:  # (layers, words, factors)
        factors, dimension = self._plan.factors, self._plan.factor_dimension
        return np.stack([layout.times_of(rows, factors, dimension) for rows in self._tables])

    @property
    def _tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        return (self.layers.centers,) if self._plan.tied else self.layers[:2]


def check_compiler() -> None:
    """Find out that nothing can be trained before the text is read for it.

    Raises:
        HyperskipError: The compiler is switched off.
    """
    if compiler_is_off():
        raise HyperskipError(
            "the environment variable NUMBA_DISABLE_JIT switches the compiler off, and training "
            "needs it",
            hint="unset it; for a debugger, training/objective/reference.py is the same algorithm",
        )


def _read_only(array: npt.NDArray[Integer]) -> npt.NDArray[Integer]:
    """A view that cannot be written to: to the compiler, a type of its own.

    Memory-mapped text is one already; without this, a kernel would be compiled for both.
    """
    view = array.view()
    view.flags.writeable = False
    return view
