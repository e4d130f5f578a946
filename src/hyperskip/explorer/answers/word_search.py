"""Search for words by letters anywhere in them, or by a regular expression between slashes."""

import threading
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from hyperskip.explorer.answers.pattern_search import Found, PatternSearch
from hyperskip.explorer.answers.prefixes import PrefixIndex

_SECONDS = 1.0  # for a regular expression
_BETWEEN = "\n"


class WordSearch:
    """Finds words, ignoring case, the most frequent first; "new yo" also finds "new_york".

    Args:
        words: Most frequent first.
        prefixes: The same words by their first letters.
        seconds: Time for a regular expression; after that, words found so far are returned.
    """

    def __init__(
        self, words: Sequence[str], prefixes: PrefixIndex, seconds: float = _SECONDS
    ) -> None:
        self._folded = [word.casefold() for word in words]
        self._prefixes, self._seconds = prefixes, seconds
        self._text = _BETWEEN.join(self._folded)
        self._starts = list(
            accumulate((len(word) + len(_BETWEEN) for word in self._folded), initial=0)
        )
        self._patterns: PatternSearch | None = None
        self._lock = threading.Lock()

    def find(self, text: str, limit: int) -> Found:
        """Return words that contain a text, or match a regular expression between slashes.

        Words that start with the text come first.

        Raises:
            OptionError: The regular expression is not supported.
        """
        if len(text) > 2 and text[0] == text[-1] == "/":
            return self._pattern_search().rows(text[1:-1], limit, self._seconds)
        rows = self._prefixes.rows(text, limit)
        if len(rows) < limit:
            rows += self._containing(text.casefold(), limit - len(rows), excluded=set(rows))
        return Found(rows, len(self._folded))

    def _containing(self, folded: str, limit: int, excluded: set[int]) -> list[int]:
        spellings = dict.fromkeys((folded, folded.replace(" ", "_")))
        found = {row for one in spellings for row in self._first_rows(one, limit, excluded)}
        return sorted(found)[:limit]

    def _first_rows(self, folded: str, limit: int, excluded: set[int]) -> list[int]:
        """Return the first words that contain a text, which may not reach into the next word."""
        rows: list[int] = []
        at = self._text.find(folded)
        while at >= 0 and len(rows) < limit:
            row = bisect_right(self._starts, at) - 1
            following = self._starts[row + 1]
            is_inside = at + len(folded) <= following - len(_BETWEEN)
            if is_inside and row not in excluded:
                rows.append(row)
            at = self._text.find(folded, following if is_inside else at + 1)
        return rows

    def _pattern_search(self) -> PatternSearch:
        with self._lock:  # the first regular expression prepares the words
            if self._patterns is None:
                self._patterns = PatternSearch(self._folded)
            return self._patterns
