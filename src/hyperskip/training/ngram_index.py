"""The n-grams of a vocabulary: the rows of n-grams of each word, and the words of each row."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from hyperskip.subwords.scheme import SubwordScheme


class NgramIndex(NamedTuple):
    """Words and rows of n-grams, in both directions. Only buckets that a word uses have a row.

    An n-gram that occurs twice in a word is listed twice.
    """

    # (rows,): the bucket of each row, in order of first appearance: the n-grams of a word that no
    # earlier word has are adjacent in memory
    buckets: npt.NDArray[np.int64]
    row_starts: npt.NDArray[np.int64]  # (words + 1,): offsets in `rows`
    rows: npt.NDArray[np.int32]  # (n-grams,): the rows of each word
    word_starts: npt.NDArray[np.int64]  # (rows + 1,): offsets in `words`
    words: npt.NDArray[np.int32]  # (n-grams,): the words of each row

    @classmethod
    def of(cls, words: Sequence[str], scheme: SubwordScheme) -> Self:
        """The n-grams of these words."""
        row_starts, of_words = scheme.buckets_of(words)
        ascending, first, inverse = np.unique(of_words, return_index=True, return_inverse=True)
        appearance = np.argsort(first)
        buckets = ascending[appearance]
        rows = np.argsort(appearance)[inverse]
        owners = np.repeat(np.arange(len(words), dtype=np.int32), np.diff(row_starts))
        order = np.argsort(rows, kind="stable")  # the words of a row ascend
        counts = np.bincount(rows, minlength=len(buckets))
        word_starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(counts)))
        return cls(buckets, row_starts, rows.astype(np.int32), word_starts, owners[order])

    @property
    def order(self) -> npt.NDArray[np.int64]:
        """The rows in the order of their buckets, as `Parameters.ngrams` has them (rows,)."""
        return np.argsort(self.buckets)

    def bytes_for(self, dimension: int, *, from_model: bool = False) -> int:
        """The memory that training on these n-grams takes at most, in addition to that of words.

        Args:
            dimension: Dimension of the vectors.
            from_model: Whether n-grams start from those of a model.
        """
        # Those that learn, and a copy for a checkpoint or the result. With a model also those at
        # the start, and those of the result together with other n-grams of the model.
        tables = 4 if from_model else 2
        residuals = len(self.row_starts) - 1
        vectors = (tables * len(self.buckets) + residuals) * dimension * 4
        order = self.buckets.nbytes
        return vectors + order + sum(array.nbytes for array in self)
