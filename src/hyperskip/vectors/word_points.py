"""Words that are looked up in an embedding: their rows and points, also of unknown words."""

from __future__ import annotations  # help() shows Rows and Floats, not what they expand to

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, UnknownWordError
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors import argument_checks
from hyperskip.vectors.embedding import Embedding
from hyperskip.vectors.found_words import FoundWords
from hyperskip.vectors.lookup import Lookup

Default = TypeVar("Default")
RowsOrWords = Rows | FoundWords

_NO_NGRAMS = "none of its n-grams has a vector, so it cannot be composed"
_ROWS_OF_VOCABULARY = (
    "a word that is composed from n-grams has no row, no count, and no place in a hierarchy or a "
    "picture: choose one of its neighbors, which are words of the vocabulary"
)
MAY_BE_COMPOSED = "the vectors with subwords may compose it from n-grams"


class WordPoints(Embedding):
    """An embedding whose words can be looked up; see `WordVectors`.

    If all words of the vocabulary are lower-case, a word is found in any case.
    """

    _leaves_out_subwords = False  # whether a model with subwords is used without them

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._lookup.row(word) is not None

    def __getitem__(self, words: str | Iterable[str]) -> Floats:
        """Return the point of a word (n,), or the points of a list of words (words, n).

        If the model has subwords, a word outside the vocabulary is the mean of its n-grams.
        """
        if isinstance(words, str) or not isinstance(words, Iterable):
            argument_checks.check_word(words)
            row = self._lookup.row(words)
            return self.find([words]).points[0] if row is None else self._points_of(row)
        listed = argument_checks.checked_words(words)
        rows = self._lookup.rows(listed)
        return self.find(listed).points if (rows < 0).any() else self._points_of(rows)

    def index_of(self, word: str) -> int:
        """Return the row of a word: its position in `words`.

        Raises:
            UnknownWordError: The word is not in the vocabulary. The error suggests similar words.
        """
        argument_checks.check_word(word)
        row = self._lookup.row(word)
        if row is None:
            raise self._unknown_word(word, advice=_ROWS_OF_VOCABULARY)
        return row

    def rows_of(self, words: Iterable[str]) -> Rows:
        """Return the row of each word (words,).

        Raises:
            UnknownWordError: A word is not in the vocabulary.
        """
        listed = argument_checks.checked_words(words)
        rows = self._lookup.rows(listed)
        if (rows < 0).any():
            raise self._unknown_word(listed[int(np.argmin(rows))], advice=_ROWS_OF_VOCABULARY)
        return rows

    def find(
        self, words: Iterable[str], *, any_case: bool = False, skip_unknown: bool = False
    ) -> FoundWords:
        """Look up words; words outside the vocabulary are composed from n-grams, if there are any.

        The result says which words are composed, and methods that take rows accept it.

        Args:
            words: The words.
            any_case: Whether to look for words in lower case, too, in any vocabulary.
            skip_unknown: Whether words that have no point are allowed. Their row is -1.

        Raises:
            UnknownWordError: A word is not in the vocabulary, and the model has none of its
                n-grams.
        """
        listed = argument_checks.checked_words(words)
        argument_checks.check_flag("any_case", any_case, "whether to find words in lower case, too")
        argument_checks.check_flag("skip_unknown", skip_unknown, "whether to allow unknown words")
        found = self._found(listed, any_case=any_case)
        if not skip_unknown and not found.is_known.all():
            raise self._unknown_word(listed[int(np.argmin(found.rows))], advice=_NO_NGRAMS)
        return found

    def get(self, word: str, default: Default = None) -> Floats | Default:  # type: ignore[assignment]
        """Return the point of a word (n,), or a default if the word has none.

        If the model has subwords, a word outside the vocabulary is the mean of its n-grams.
        """
        argument_checks.check_word(word)
        row = self._lookup.row(word)
        if row is not None:
            return self._points_of(row)
        found = self._found([word])
        return found.points[0] if found.is_known[0] else default

    def known_form(self, word: str) -> str | None:
        """Return the word as it is or in lower case, whichever is in the vocabulary, or None."""
        argument_checks.check_word(word)
        (row,) = self._lookup.rows_in_any_case([word]).tolist()
        return None if row < 0 else self._words[row]

    def known_rows(self, words: Iterable[str], *, any_case: bool = True) -> Rows:
        """Return the row of each word (words,); -1 for unknown words.

        Methods that take rows do not accept -1: leave these words out first.

        Args:
            words: The words.
            any_case: Whether to look for words in lower case, too, if they are not known as they
                are: in any vocabulary.
        """
        listed = argument_checks.checked_words(words)
        argument_checks.check_flag("any_case", any_case, "whether to find words in lower case, too")
        find = self._lookup.rows_in_any_case if any_case else self._lookup.exact_rows
        return find(listed)

    def points_of_rows(self, rows: RowsOrWords) -> Floats:
        """Return the points (rows, n) of words by their rows, or of words that `find` returned.

        Raises:
            InputError: There is no such row, or a word is unknown.
        """
        return self._found_at(rows).points

    # -- details

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self._words, self._options)

    def _points_of(self, rows: Rows | int) -> Floats:
        """Return the points of rows of the vocabulary, or the point of one."""
        return self.space.points(self._coordinates[rows])

    def _found(self, words: Sequence[str], *, any_case: bool = False) -> FoundWords:
        """Look up words; words without n-grams are unknown."""
        rows = (self._lookup.rows_in_any_case if any_case else self._lookup.rows)(words)
        found = FoundWords(rows, self._coordinates, self.space)
        if self._subwords is None or found.is_known.all():
            return found
        return found.with_composed(self._lookup.spellings(words), self._subwords)

    def _found_at(self, rows: npt.ArrayLike | FoundWords) -> FoundWords:
        """Return words by their rows, or check that found words are from these vectors."""
        if not isinstance(rows, FoundWords):
            checked = argument_checks.checked_rows(rows, len(self))
            return FoundWords(checked, self._coordinates, self.space)
        if rows.vocabulary is not self._coordinates:
            raise InputError(
                "these words were found in other vectors", hint="find them here: vectors.find"
            )
        return rows

    def _found_together(self, *columns: RowsOrWords) -> list[FoundWords]:
        """Return several columns of words of the same length, given by rows or found."""
        found = [self._found_at(rows) for rows in columns]
        argument_checks.check_same_lengths([len(words) for words in found])
        return found

    def _unknown_word(self, word: str, *, advice: str) -> UnknownWordError:
        """Return the error for an unknown word; the advice is for models with subwords."""
        if not word.strip():
            advice = ""  # subwords do not matter
        elif self._subwords is None:
            advice = MAY_BE_COMPOSED if self._leaves_out_subwords else ""
        return self._lookup.unknown_word(word, advice=advice)
