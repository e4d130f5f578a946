"""The rows of words. If all words of the vocabulary are lower-case, case does not matter.

A phrase can be written with blanks: "new york" is found as "new_york".
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any
from unicodedata import category

import numpy as np

from hyperskip.errors import InputError, UnknownWordError, shown
from hyperskip.geometry.arrays import Rows
from hyperskip.spelling import close_matches

_UNKNOWN = -1
_BLANK, _DELIMITER = " ", "_"
_NO_WORD = "it is empty or blank: pass a word"


class Lookup:
    """Finds the rows of words.

    In a lower-case vocabulary, "Dog" is found as "dog". In any other vocabulary, "Dog" and "dog"
    are different words. A text with blanks that is not a word is looked up with underscores.

    Args:
        words: The vocabulary, most frequent first.
        options: The options of training, which say how the text was split into words.

    Raises:
        InputError: A word occurs more than once.
    """

    def __init__(self, words: Sequence[str], options: Mapping[str, Any]) -> None:
        self._options = options
        self._row_of_word = {word: row for row, word in enumerate(words)}
        if len(self._row_of_word) != len(words):
            repeated = next(
                word for row, word in enumerate(words) if self._row_of_word[word] != row
            )
            raise InputError(
                f"the word {repeated!r} occurs more than once in the vocabulary",
                hint="give each word once",
            )

    @cached_property
    def ignores_case(self) -> bool:
        """Whether all words of the vocabulary are lower-case; for 400,000 this takes 30 ms."""
        words = self._row_of_word
        return not any(map(operator.ne, words, map(str.lower, words)))

    def spellings(self, words: Sequence[str]) -> list[str]:
        """Return unknown words as the text would have them: their n-grams depend on it.

        They are in lower case if the vocabulary is, and phrases have underscores if it has phrases.
        """
        spelled = [word.lower() for word in words] if self.ignores_case else list(words)
        if self._options.get("phrases") or self._options.get("phrase_file"):
            spelled = [_as_phrase(word) for word in spelled]
        return spelled

    def row(self, word: str) -> int | None:
        """Return the row of a word; None if it is unknown."""
        row = self._row_of_word.get(word)
        if row is None and self.ignores_case:
            row = self._row_of_word.get(word.lower())
        if row is None and _BLANK in word:
            row = self.row(_as_phrase(word))
        return row

    def exact_rows(self, words: Sequence[str]) -> Rows:
        """Return the rows of words in exactly this case (words,); -1 for unknown words."""
        found = map(self._row_of_word.get, words, repeat(_UNKNOWN))
        return np.fromiter(found, dtype=np.int64, count=len(words))

    def rows(self, words: Sequence[str]) -> Rows:
        """Return the rows of words (words,); -1 for unknown words."""
        rows = self.exact_rows(words)
        if (rows == _UNKNOWN).any() and self.ignores_case:
            self._find_lower_case(rows, words)
        _find_phrases(rows, words, self.rows)
        return rows

    def rows_in_any_case(self, words: Sequence[str]) -> Rows:
        """Return the rows of words as they are or in lower case (words,), in any vocabulary."""
        rows = self.exact_rows(words)
        self._find_lower_case(rows, words)
        _find_phrases(rows, words, self.rows_in_any_case)
        return rows

    def _find_lower_case(self, rows: Rows, words: Sequence[str]) -> None:
        """Fill in the rows of unknown words that are known in lower case."""
        unknown = np.flatnonzero(rows == _UNKNOWN)
        rows[unknown] = self.exact_rows([words[i].lower() for i in unknown.tolist()])

    def unknown_word(self, word: str, *, advice: str = "", place: str = "") -> UnknownWordError:
        """Return the error for a word that is not in the vocabulary."""
        suggestions = close_matches(word, self._row_of_word)
        if not suggestions and "edge_count" in self._options:
            advice = advice or "the graph that the model was trained on has no node with this name"
        return UnknownWordError(
            word,
            suggestions=suggestions,
            reason=_split_by_tokenizer(word, self._options) if word.strip() else _NO_WORD,
            advice=advice,
            place=place,
        )


def _find_phrases(
    rows: Rows, words: Sequence[str], look_up: Callable[[Sequence[str]], Rows]
) -> None:
    """Fill in the rows of unknown texts with blanks that are known as phrases."""
    unknown = [i for i in np.flatnonzero(rows == _UNKNOWN).tolist() if _BLANK in words[i]]
    if unknown:
        rows[unknown] = look_up([_as_phrase(words[i]) for i in unknown])


def _as_phrase(text: str) -> str:
    """A text with blanks as the word that training makes of a phrase."""
    return _DELIMITER.join(part for part in text.split(_BLANK) if part)


def _split_by_tokenizer(word: str, options: Mapping[str, Any]) -> str:
    """Explain that the tokenizer of a model never gives this word; empty if it may give it."""
    if options.get("tokenizer") != "paper" or word.split() != [word]:
        return ""
    keeps_numbers = options.get("numbers") == "keep"
    joiners = (
        ("'" if options.get("apostrophes") == "keep" else "")
        + ("-" if options.get("hyphens") == "keep" else "")
        + (".," if keeps_numbers else "")
    )
    kinds = [category(character)[0] for character in word]
    is_whole = all(
        kind in "LMN" or character in joiners for kind, character in zip(kinds, word, strict=True)
    )
    if is_whole and len(word) > 1 and (keeps_numbers or kinds[0] != "N"):
        return ""
    numbers = "" if keeps_numbers else " and words that start with a digit"
    return (
        "the model was trained with the tokenizer 'paper', which splits words at punctuation and "
        f"drops single characters{numbers}; the tokenizer 'whitespace' keeps words such as "
        f"{shown(word)}"
    )
