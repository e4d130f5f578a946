"""How words and n-grams learn from each other, slow and literal: the reference of all backends.

The mean of its n-grams explains a word. What it does not explain is the residual of the word.
N-grams move to explain more of the residuals of their words, and words move toward the means of
their n-grams. So a rare word learns from the words that share its n-grams.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats

FITS = 20  # in each epoch: how often words and n-grams learn from each other
# From the study in docs/subwords.md, for words with vectors of their own, and without.
_STEP, _LONGEST_STEP = 0.04, 0.3
_PULL, _STRONGEST_PULL = 0.0045, 0.04  # times the square root of the dimension; at most
_SHARED_STEP, _SHARED_PULL, _SHARED_ITERATIONS = 1.5, 0.05, 3
MEAN = 1.0  # the sharing power with which n-grams move by the mean residual of their words
_MOST_WEIGHT = 20.0  # of all words that share an n-gram, together: larger steps would not converge


class Fit(NamedTuple):
    """How far words and n-grams move."""

    step: float  # of n-grams, as a share of the residuals
    pull: float  # of words, as a share of their residual
    iterations: int  # steps of the n-grams before the words move


def fit_at(strength: float, dimension: int, *, own_vectors: bool, fits: int = 1) -> Fit:
    """How far words and n-grams move.

    Without vectors of their own, words are pulled more and more, until nothing of them is left that
    their n-grams do not explain.

    Args:
        strength: The learning rate, as a share of the rate at the start.
        dimension: Dimension of the space. In few dimensions, the spelling takes more of the room
            that meaning needs.
        own_vectors: Whether words have vectors of their own, besides their n-grams.
        fits: Number of fits at once.
    """
    if own_vectors:
        one_pull = min(_PULL * math.sqrt(dimension), _STRONGEST_PULL)
        pull = 1.0 - (1.0 - one_pull) ** fits
        return Fit(min(fits * _STEP * strength, _LONGEST_STEP), pull, 1)
    pull = 1.0 - (1.0 - _SHARED_PULL**strength) ** fits
    return Fit(_SHARED_STEP, pull, _SHARED_ITERATIONS)


# After the last epoch, for words with vectors of their own: n-grams explain more of the words,
# which stay. During training, this would leave less of the residuals, which pull words together.
LAST_FIT = Fit(step=_LONGEST_STEP, pull=0.0, iterations=15)


def row_weights(word_counts: npt.NDArray[np.int64], sharing_power: float) -> Floats:
    """The weight of the residuals of each row, by the number of words that share it."""
    counts = np.maximum(word_counts, 1).astype(np.float64)
    return np.minimum(counts**-sharing_power, _MOST_WEIGHT / counts)


def fit_subwords(
    words: Floats,  # (words, dimension), changed
    rows: Floats,  # (rows, dimension), changed
    rows_of_words: Sequence[Sequence[int]],
    fit: Fit,
    sharing_power: float = MEAN,
    fixed_words: frozenset[int] = frozenset(),
    fixed_rows: frozenset[int] = frozenset(),
) -> None:
    """Move n-grams and words toward each other."""
    words_of_rows: list[list[int]] = [[] for _ in rows]
    for word, of_word in enumerate(rows_of_words):
        for row in of_word:
            words_of_rows[row].append(word)
    weights = row_weights(np.array([len(of_row) for of_row in words_of_rows]), sharing_power)
    residuals = np.zeros_like(words)
    for _ in range(fit.iterations):
        for word, of_word in enumerate(rows_of_words):
            if of_word:
                residuals[word] = words[word] - rows[list(of_word)].mean(axis=0)
        for row, of_row in enumerate(words_of_rows):
            if row not in fixed_rows:
                rows[row] += fit.step * weights[row] * residuals[of_row].sum(axis=0)
    for word in range(len(words)):
        if word not in fixed_words:
            words[word] -= fit.pull * residuals[word]


def center(words: Floats, rows: Floats) -> None:
    """Move all words and n-grams together, so that the mean of the words is 0."""
    shift = words.mean(axis=0)
    words -= shift
    rows -= shift
