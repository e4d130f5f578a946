"""The words of a corpus with their counts; a word's id is its place, most frequent first."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words and counts, counts descending; words of equal count in order of first appearance."""

    words: tuple[str, ...]
    counts: npt.NDArray[np.int64]  # (words,)

    @cached_property
    def total(self) -> int:
        """How many tokens of the corpus are words of the vocabulary."""
        return int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.words)


def keep_frequent(
    words: list[str], counts: npt.NDArray[np.int64], min_count: int
) -> tuple[Vocabulary, npt.NDArray[np.int32]]:
    """Drop the words that are too rare and order the rest by count.

    Args:
        words: All words, in order of first appearance.
        counts: How often each of them occurs.
        min_count: The least count that stays.

    Returns:
        The vocabulary, and for each of `words` its id there, or -1 where it was dropped.
    """
    order = np.argsort(-counts, kind="stable")  # stable: ties stay in order of first appearance
    order = order[counts[order] >= min_count]
    ids = np.full(len(words), -1, dtype=np.int32)
    ids[order] = np.arange(len(order), dtype=np.int32)
    return Vocabulary(tuple(words[i] for i in order), counts[order]), ids
