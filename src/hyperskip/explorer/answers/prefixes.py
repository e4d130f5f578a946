"""Look-up of words by their first letters."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np

from hyperskip.geometry.arrays import Rows


class PrefixIndex:
    """Finds words that start with a prefix, ignoring case; "new yo" also finds "new_york".

    A look-up takes two binary searches and a selection from the words between them, and the same
    again for a prefix with blanks.

    Args:
        words: Most frequent first.
    """

    def __init__(self, words: Sequence[str]) -> None:
        folded = [word.casefold() for word in words]
        order = sorted(range(len(words)), key=folded.__getitem__)
        self._folded = [folded[row] for row in order]
        self._rows: Rows = np.array(order, dtype=np.int64)

    def rows(self, prefix: str, limit: int) -> list[int]:
        """Return the rows of the most frequent words that start with the prefix."""
        prefix = prefix.casefold()
        found = self._starting_with(prefix)
        if " " in prefix:
            found = np.concatenate((found, self._starting_with(prefix.replace(" ", "_"))))
        if len(found) > limit:
            found = np.partition(found, limit - 1)[:limit]
        return sorted(found.tolist())

    def _starting_with(self, folded: str) -> Rows:
        length = len(folded)
        begin = bisect_left(self._folded, folded)
        end = bisect_right(self._folded, folded, lo=begin, key=lambda word: word[:length])
        return self._rows[begin:end]
