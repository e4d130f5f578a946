"""Training on the CPU: threads that run kernels on shared memory."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import HyperskipError
from hyperskip.kernel_cache import compile_kernels, compiler_is_off
from hyperskip.training.backend import NO_CEILINGS, Limits, Outcome, Tokens, Words, radius_at
from hyperskip.training.cpu import layout, pairwise, window
from hyperskip.training.cpu.round_memory import (
    RoundShape,
    Workspace,
    begin_block,
    shared_round,
    workspace,
)
from hyperskip.training.cpu.subword_backend import KERNELS, CpuSubwords
from hyperskip.training.cpu.team_threads import TeamThreads
from hyperskip.training.cpu.thread_team import new_team
from hyperskip.training.kernel_settings import TileLimit, cpu_settings, cpu_tiles
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.objective import sampling
from hyperskip.training.objective.subwords import Fit
from hyperskip.training.options import PAIRWISE
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.plan import TrainingPlan

Integer = TypeVar("Integer", np.int32, np.int64)


class Text(NamedTuple):
    """A block of text for the kernels."""

    tokens: Tokens
    sentence_starts: Limits


class _PairwiseThread:
    """One thread of the pairwise schedule."""

    def __init__(self, row: int, locks: npt.NDArray[np.int32], number: int) -> None:
        self._work = pairwise.workspace(row)
        self._locks = locks
        self._owner = np.int32(number + 1)

    def train(self, arguments: tuple[Any, ...], stop: npt.NDArray[np.uint8]) -> Outcome:
        """Train on a block."""
        owned = self._locks, self._owner
        return Outcome(*pairwise.train_pairs(*arguments, self._work, stop, *owned))


class _WindowTeam:
    """A team of threads of the window schedule; the calling thread is the first.

    Args:
        shape: The shape of a round.
        threads: Number of threads.
        limit: The number of tiles in the rounds of a block; None: one tile.
    """

    def __init__(self, shape: RoundShape, threads: int, limit: TileLimit | None) -> None:
        self._limit = limit
        self._round = shared_round(shape, threads)
        self._team = new_team(threads, shape.parts)
        self._works = [workspace(shape, member) for member in range(threads)]
        self._threads = TeamThreads(threads)

    def train(self, arguments: tuple[Any, ...], stop: npt.NDArray[np.uint8]) -> Outcome:
        """Train on a block."""
        tokens = arguments[0]
        tiles = 1 if self._limit is None else self._limit.tiles(len(tokens))

        def join_team(work: Workspace) -> None:
            window.train_tiles(*arguments, tiles, work, stop, self._round, self._team)

        begin_block(self._round, self._team)
        self._threads.run(join_team, self._works if len(tokens) else self._works[:1])
        pairs = int(self._round.pair_sum[0])
        return Outcome(pairs, pairs * self._round.mean_pair_loss, skipped=0)


class CpuBackend:
    """Numba kernels of both schedules; all threads share the parameters.

    Args:
        parameters: Where to start.
        counts: How often each word occurs in the text.
        plan: The plan of the training.
        workers: Number of calling threads; one in deterministic training, which has a team.
        longest: Number of tokens in the longest block.
        fixed: Which words must not move; None: all may.
        index: The n-grams of the words; None without subwords.
        fixed_ngrams: Which n-grams must not move; None: all may.
    """

    reads_ahead = False  # training takes a thousand times as long as reading
    fits_in_blocks = False  # threads have to wait for each other before that

    def __init__(
        self,
        parameters: InitialParameters | Parameters,
        counts: npt.NDArray[np.int64],
        plan: TrainingPlan,
        workers: int,
        longest: int,
        fixed: npt.NDArray[np.bool_] | None = None,
        index: NgramIndex | None = None,
        fixed_ngrams: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        self._plan = plan
        self._longest = longest
        self._counts = counts
        self.layers = layout.packed(
            *(parameters.centers, parameters.contexts, parameters.theta, parameters.times),
            hyperbolic=plan.space.is_curved,
            factors=plan.factors,
            fixed=fixed,
        )
        self.tables = layout.Tables(
            sampling.keep_thresholds(counts, plan.subsample),
            sampling.noise_table(counts, plan.power),
            layout.gap_weights(sampling.distance_weights(plan.window, plan.distance_decay)),
            sampling.word_rates(counts, plan.subsample, plan.rate_power).astype(np.float32),
        )
        self._subwords: CpuSubwords | None = None
        if index is not None and parameters.ngrams is not None:
            self._subwords = CpuSubwords(
                *(parameters.ngrams, index, self.layers),
                factors=plan.factors,
                hyperbolic=plan.space.is_curved,
                sharing_power=plan.sharing_power,
                threads=plan.threads,
                fixed=fixed_ngrams,
            )
        self.workers = workers
        self._trainers = list(self._new_trainers(workers))
        self._stop = np.zeros(1, dtype=np.uint8)

    def _new_trainers(self, count: int) -> Iterator[_PairwiseThread | _WindowTeam]:
        words, row = self.layers.centers.shape
        plan = self._plan
        if plan.schedule == PAIRWISE:
            lock_count = words * (1 if plan.tied else 2) if plan.locking else 0
            locks = np.zeros(lock_count, dtype=np.int32)
            for number in range(count):
                yield _PairwiseThread(row, locks, number)
            return
        limit = cpu_tiles(plan, self._counts, self.layers.centers[0].nbytes)
        tiles = 1 if limit is None else limit.tiles(self._longest)
        shape = RoundShape(
            self._longest, plan.window, plan.shared_negatives, row, tiles, plan.factors
        )
        for _ in range(count):
            yield _WindowTeam(shape, min(plan.threads, tiles), limit)

    def compile(self) -> None:
        """Compile the kernels, or load them from the cache on disk."""
        nothing = self.load([np.zeros(0, dtype=np.int32)], np.zeros(1, dtype=np.int64))
        compile_kernels(
            lambda: self.train_block(nothing, (0.0, 0.0), np.uint64(0), worker=0, burn_in=False),
            pairwise.train_pairs,
            window.train_tiles,
        )
        if self._subwords is not None:
            compile_kernels(self._subwords.compile, *KERNELS)

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Text:
        """Return the block, which is in memory already and small enough to be one piece."""
        [tokens] = pieces
        assert len(tokens) <= self._longest  # kernels trust the size of their memory
        return Text(_read_only(tokens), _read_only(sentence_starts))

    def train_block(
        self,
        text: Text,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,
        burn_in: bool,
        ceilings: tuple[float, float] = NO_CEILINGS,  # noqa: ARG002 - radii have no limit
    ) -> Outcome:
        """Train on a block."""
        arguments = (
            *text,
            self.layers,
            self.tables,
            cpu_settings(self._plan, burn_in=burn_in),
            *rates,
            seed,
        )
        return self._trainers[worker].train(arguments, self._stop)

    def fit_subwords(self, fit: Fit) -> None:
        """Move words and n-grams toward each other, between two blocks."""
        assert self._subwords is not None
        self._subwords.fit(fit)

    def center_words(self) -> None:
        """Move all words and n-grams together, so that the mean of the words is 0."""
        assert self._subwords is not None
        self._subwords.center()

    def stop(self) -> None:
        """Make other threads stop soon; training cannot continue after that."""
        self._stop[0] = 1

    @property
    def theta(self) -> float:
        """The current theta."""
        return float(self.layers.theta[0])

    def radius(self) -> float:
        """Distance of the farthest word from the base point; NaN if a word has NaN."""
        if self._plan.space.is_curved:
            return radius_at(float(self._times().max()))
        squares = [
            np.einsum("wd,wd->w", rows, rows, dtype=np.float64).max() for rows in self._tables
        ]
        return float(np.sqrt(np.max(squares)))

    def parameters(self) -> Parameters:
        """A copy of the current parameters."""
        factors, dimension = self._plan.factors, self._plan.factor_dimension
        centers, *others = (
            layout.coordinates_of(rows, factors, dimension) for rows in self._tables
        )
        return Parameters(
            centers,
            others[0] if others else None,
            self.theta,
            self._times(),
            ngrams=None if self._subwords is None else self._subwords.ngrams(),
        )

    def coordinates(self, words: Words) -> npt.NDArray[np.float32]:
        """A copy of the spatial coordinates of some words: (layers, words, dimension)."""
        factors, dimension = self._plan.factors, self._plan.factor_dimension
        return np.stack(
            [layout.coordinates_of(rows[words], factors, dimension) for rows in self._tables]
        )

    def place(
        self, words: Words, coordinates: npt.NDArray[np.float32], theta: float | None = None
    ) -> None:
        """Move words to spatial coordinates (layers, words, dimension), between two blocks."""
        for rows, placed in zip(self._tables, coordinates, strict=True):
            rows[words] = layout.rows_of(placed, self._plan.factors, self._plan.space.is_curved)
        if theta is not None:
            self.layers.theta[0] = theta

    def _times(self) -> npt.NDArray[np.float32]:  # (layers, words, factors)
        factors, dimension = self._plan.factors, self._plan.factor_dimension
        return np.stack([layout.times_of(rows, factors, dimension) for rows in self._tables])

    @property
    def _tables(self) -> tuple[npt.NDArray[np.float32], ...]:
        return (self.layers.centers,) if self._plan.tied else self.layers[:2]


def check_compiler() -> None:
    """Check that the compiler is available, before the text is read.

    Raises:
        HyperskipError: The compiler is switched off.
    """
    if compiler_is_off():
        raise HyperskipError(
            "training needs the compiler, and the environment variable NUMBA_DISABLE_JIT switches "
            "it off",
            hint="unset it; to debug the algorithm, use training/objective/reference.py",
        )


def _read_only(array: npt.NDArray[Integer]) -> npt.NDArray[Integer]:
    """A read-only view, which is a type of its own for the compiler.

    Memory-mapped text is read-only already; without this, kernels would be compiled for both types.
    """
    view = array.view()
    view.flags.writeable = False
    return view
