"""Words and n-grams learn from each other: the kernels of `objective/subwords.py` on the CPU.

Each kernel works on a range of words or of rows of n-grams. Words are rows of the layout of the
window kernel (layout.py), and n-grams have their spatial coordinates only.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

f32 = np.float32


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def compute_residuals(
    begin: Any,
    end: Any,
    table: Any,  # (words, row) float32
    ngrams: Any,  # (rows, factors * dimension) float32
    row_starts: Any,  # (words + 1,) int64
    rows: Any,  # (n-grams,) int32
    factors: Any,
    residuals: Any,  # (words, factors * dimension) float32, changed
) -> None:
    """For each word, what the mean of its n-grams does not explain; 0 without n-grams."""
    width, dimension = table.shape[1] // factors, ngrams.shape[1] // factors
    for word in range(begin, end):
        residual = residuals[word]
        residual[:] = f32(0.0)
        count = row_starts[word + 1] - row_starts[word]
        if count == 0:
            continue
        for k in range(row_starts[word], row_starts[word + 1]):
            row = np.int64(rows[k])
            for d in range(ngrams.shape[1]):
                residual[d] += ngrams[row, d]
        for factor in range(factors):
            for d in range(dimension):
                place = factor * dimension + d
                mean = residual[place] / f32(count)
                residual[place] = table[word, factor * width + d] - mean


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def move_ngrams(
    begin: Any,
    end: Any,
    ngrams: Any,  # (rows, factors * dimension) float32, changed
    word_starts: Any,  # (rows + 1,) int64
    words: Any,  # (n-grams,) int32
    residuals: Any,  # (words, factors * dimension) float32
    weights: Any,  # (rows,) float32
    step: Any,
) -> None:
    """Move n-grams by the residuals of their words."""
    for row in range(begin, end):
        scale = f32(step) * weights[row]
        if scale == f32(0.0):
            continue
        for k in range(word_starts[row], word_starts[row + 1]):
            word = np.int64(words[k])
            for d in range(ngrams.shape[1]):
                ngrams[row, d] += scale * residuals[word, d]


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def move_words(
    begin: Any,
    end: Any,
    table: Any,  # (words, row) float32, changed
    residuals: Any,  # (words, factors * dimension) float32
    fixed: Any,  # (words,) uint8
    pull: Any,
    shift: Any,  # (factors * dimension,) float32
    factors: Any,
    hyperbolic: Any,
) -> None:
    """Move words toward the means of their n-grams, and all together by -shift."""
    width, dimension = table.shape[1] // factors, residuals.shape[1] // factors
    for word in range(begin, end):
        if fixed[word]:
            continue
        for factor in range(factors):
            first = factor * width
            square = 0.0
            for d in range(dimension):
                place = factor * dimension + d
                moved = table[word, first + d] - f32(pull) * residuals[word, place] - shift[place]
                table[word, first + d] = moved
                square += np.float64(moved) * np.float64(moved)
            if hyperbolic:
                table[word, first + dimension] = f32(np.sqrt(1.0 + square))
