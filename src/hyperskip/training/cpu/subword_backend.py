"""The n-grams of a training on the CPU, and the threads that move them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.training.cpu.layout import Layers, coordinates_of
from hyperskip.training.cpu.subword_kernels import compute_residuals, move_ngrams, move_words
from hyperskip.training.cpu.team_threads import TeamThreads
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.objective.subwords import Fit, row_weights

_PART = 512  # words or rows that a thread takes at a time

KERNELS = (compute_residuals, move_ngrams, move_words)


class CpuSubwords:
    """Moves words and n-grams toward each other, in the memory of the CPU kernels.

    Args:
        ngrams: (rows, dimension): the vectors of n-grams at the start, as in `Parameters`.
        index: The n-grams of the words.
        layers: The words.
        factors: Number of factors of the space.
        hyperbolic: Whether the space is curved.
        sharing_power: See `row_weights`.
        threads: Number of threads.
        fixed: Which of these vectors must not move; None: all may.
    """

    def __init__(
        self,
        ngrams: npt.NDArray[np.float32],
        index: NgramIndex,
        layers: Layers,
        *,
        factors: int,
        hyperbolic: bool,
        sharing_power: float,
        threads: int,
        fixed: npt.NDArray[np.bool_] | None,
    ) -> None:
        self._order = index.order
        self._ngrams: npt.NDArray[np.float32] = np.empty_like(ngrams, order="C")
        self._ngrams[self._order] = ngrams
        self._index = index
        self._layers = layers
        self._factors, self._hyperbolic = factors, hyperbolic
        self._weights = row_weights(np.diff(index.word_starts), sharing_power).astype(np.float32)
        if fixed is not None:
            self._weights[self._order[fixed]] = 0.0
        words = len(layers.centers)
        self._residuals = np.zeros((words, ngrams.shape[1]), dtype=np.float32)
        self._threads, self._count = TeamThreads(threads), threads

    def ngrams(self) -> npt.NDArray[np.float32]:
        """A copy of the vectors of n-grams, as in `Parameters`."""
        return self._ngrams[self._order]

    def fit(self, fit: Fit) -> None:
        """Move n-grams and words toward each other."""
        self._fit(fit, len(self._residuals), len(self._ngrams))

    def compile(self) -> None:
        """Compile the kernels, or load them from the cache on disk."""
        self._fit(Fit(step=0.0, pull=0.0, iterations=1), 0, 0)

    def _fit(self, fit: Fit, words: int, rows: int) -> None:
        """Fit the first words and the first rows of n-grams."""
        index, layers, residuals = self._index, self._layers, self._residuals
        for _ in range(fit.iterations):
            self._in_parts(
                words,
                compute_residuals,
                *(layers.centers, self._ngrams, index.row_starts, index.rows),
                *(self._factors, residuals),
            )
            self._in_parts(
                rows,
                move_ngrams,
                *(self._ngrams, index.word_starts, index.words, residuals),
                *(self._weights, fit.step),
            )
        no_shift = np.zeros(self._ngrams.shape[1], dtype=np.float32)
        self._move(words, layers.centers, layers.fixed_centers, fit.pull, no_shift)

    def center(self) -> None:
        """Move all words and n-grams together, so that the mean of the words is 0.

        A second layer moves along.
        """
        layers = self._layers
        dimension = self._ngrams.shape[1] // self._factors
        words = coordinates_of(layers.centers, self._factors, dimension)
        shift = words.mean(axis=0, dtype=np.float64).astype(np.float32)
        self._ngrams -= shift
        self._move(len(words), layers.centers, layers.fixed_centers, 0.0, shift)
        if layers.contexts is not layers.centers:
            self._move(len(words), layers.contexts, layers.fixed_contexts, 0.0, shift)

    def _move(
        self,
        count: int,
        table: npt.NDArray[np.float32],
        fixed: npt.NDArray[np.uint8],
        pull: float,
        shift: npt.NDArray[np.float32],
    ) -> None:
        self._in_parts(
            count,
            move_words,
            *(table, self._residuals, fixed, pull, shift, self._factors, self._hyperbolic),
        )

    def _in_parts(self, count: int, kernel: Callable[..., None], *arguments: Any) -> None:
        """Call a kernel for all parts of a range, in several threads; parts are independent."""
        if count == 0:  # compiles the kernel
            kernel(0, 0, *arguments)
            return
        begins = iter(range(0, count, _PART))

        def work(_: int) -> None:
            for begin in begins:  # each part is taken by one thread
                kernel(begin, min(begin + _PART, count), *arguments)

        self._threads.run(work, range(self._count))
