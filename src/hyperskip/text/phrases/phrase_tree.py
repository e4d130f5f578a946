"""Phrases as a tree of words, and how they are found in a list of words."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

Word = TypeVar("Word", bound=Hashable)
Value = TypeVar("Value")


class PhraseTree(Generic[Word, Value]):
    """Finds phrases from left to right, the longest at each place.

    Args:
        phrases: The words of each phrase, and its value.
    """

    def __init__(self, phrases: Iterable[tuple[Sequence[Word], Value]]) -> None:
        self._root: dict[Word, Any] = {}  # of each word: the value of the phrase so far, and words
        for words, value in phrases:
            branches = self._root
            for word in words[:-1]:
                branches = branches.setdefault(word, [None, {}])[1]
            branches.setdefault(words[-1], [None, {}])[0] = value

    def split(self, words: Sequence[Word]) -> Iterator[tuple[Value | None, Sequence[Word]]]:
        """Split words into phrases, each with its value, and single words, each with None."""
        at = 0
        while at < len(words):
            found, end, after = None, at, at + 1
            branches = self._root
            while end < len(words) and words[end] in branches:
                value, branches = branches[words[end]]
                end += 1
                if value is not None:
                    found, after = value, end
            yield found, words[at:after]
            at = after
