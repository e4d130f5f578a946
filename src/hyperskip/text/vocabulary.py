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
    order = np.argsort(-counts, kind="stable")  # stable: ties stay in order of first appearance
    order = order[counts[order] >= min_count]
    ids = np.full(len(counts), -1, dtype=np.int32)
    ids[order] = np.arange(len(order), dtype=np.int32)
    return order, ids
