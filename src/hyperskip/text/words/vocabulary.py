"""The words of a corpus with their counts; a word's id is its place, most frequent first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyperskip.text.words.scan import spelled, words_of


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary:
    """Words and counts, counts descending; words of equal count in order of first appearance."""

    letters: npt.NDArray[np.uint8]  # UTF-8 of the words, one after another
    starts: npt.NDArray[np.int64]  # (words + 1,), in letters
    counts: npt.NDArray[np.int64]  # (words,)

    @classmethod
    def of(cls, words: Sequence[str], counts: npt.NDArray[np.int64]) -> "Vocabulary":
        """The vocabulary of words that are strings."""
        return cls(*spelled(words), counts)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words as strings, made when they are first asked for: millions take much memory."""
        return tuple(words_of(self.letters, self.starts))

    @cached_property
    def total(self) -> int:
        """How many tokens of the corpus are words of the vocabulary."""
        return int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"Vocabulary(words={len(self)}, tokens={self.total})"


def frequent(
    counts: npt.NDArray[np.int64], min_count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Choose the words that are frequent enough, and order them by count.

    Args:
        counts: How often each word occurs, in order of first appearance.
        min_count: The least count that stays.

    Returns:
        The places of the words that stay, in their new order; and for each word its place in that
        order, or -1 where it does not stay.
    """
    stay = np.flatnonzero(counts >= min_count)
    order = stay[np.argsort(-counts[stay], kind="stable")]  # ties: in order of first appearance
    ids = np.full(len(counts), -1, dtype=np.int32)
    ids[order] = np.arange(len(order), dtype=np.int32)
    return order, ids
