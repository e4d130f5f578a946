"""The words of a corpus and their counts, most frequent first; the id of a word is its index."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyperskip.text.words.scan import spelled, words_of


@dataclass(frozen=True, eq=False, repr=False)
class Vocabulary:
    """Words in order of descending count; words of equal count in order of first appearance.

    Attributes:
        letters: UTF-8 of the words, concatenated.
        starts: The offset of each word in `letters`, and its length.
        counts: The count of each word.
    """

    letters: npt.NDArray[np.uint8]  # (bytes,)
    starts: npt.NDArray[np.int64]  # (words + 1,)
    counts: npt.NDArray[np.int64]  # (words,)

    @classmethod
    def of(cls, words: Sequence[str], counts: npt.NDArray[np.int64]) -> "Vocabulary":
        """Make a vocabulary from strings."""
        return cls(*spelled(words), counts)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words as strings, created at first use: millions of them take much memory."""
        return tuple(words_of(self.letters, self.starts))

    @cached_property
    def total(self) -> int:
        """The number of tokens of the corpus that are in the vocabulary."""
        return int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.counts)

    def __repr__(self) -> str:
        return f"Vocabulary(words={len(self)}, tokens={self.total})"


def frequent(
    counts: npt.NDArray[np.int64], min_count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Select the words that are frequent enough, and order them by count.

    Args:
        counts: The count of each word, in order of first appearance.
        min_count: The lowest count that is kept.

    Returns:
        The indices of the selected words, in their new order; and for each word its index in that
        order, or -1 if it is not selected.
    """
    selected = np.flatnonzero(counts >= min_count)
    # Stable: words of equal count stay in order of first appearance.
    order = selected[np.argsort(-counts[selected], kind="stable")]
    ids = np.full(len(counts), -1, dtype=np.int32)
    ids[order] = np.arange(len(order), dtype=np.int32)
    return order, ids
