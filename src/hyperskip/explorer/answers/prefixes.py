"""Words by how they begin: the most frequent of those that a few letters may become."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from hyperskip.vectors.search.products import Rows


class Prefixes:
    """Finds words by their first letters, capital or small.

    A look-up takes two binary searches, and a selection from the words between.

    Args:
        words: Most frequent first.
    """

    def __init__(self, words: Sequence[str]) -> None:
        folded = [word.casefold() for word in words]
        order = sorted(range(len(words)), key=folded.__getitem__)
        self._folded = [folded[row] for row in order]
        self._rows: Rows = np.array(order, dtype=np.int64)

    def beginning_with(self, prefix: str, count: int) -> list[int]:
        """The rows of so many words, the most frequent first."""
        prefix = prefix.casefold()
        length = len(prefix)
        begin = bisect_left(self._folded, prefix)
        end = bisect_right(self._folded, prefix, lo=begin, key=lambda word: word[:length])
        found = self._rows[begin:end]
        if len(found) > count:
            found = np.partition(found, count - 1)[:count]
        return sorted(found.tolist())
