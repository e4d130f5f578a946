"""Words of an evaluation set in the form that a vocabulary has.

A set may have "Dogs" and "guinea pig" where the vocabulary has "dog" and "guinea_pig", or
"utensil" where it has "utensils" only.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from hyperskip.geometry.arrays import Rows
from hyperskip.text.relations.pattern_file import read_language
from hyperskip.text.relations.word_classes import Singulars
from hyperskip.vectors.word_vectors import WordVectors

Forms = Callable[[str], Iterable[str]]

_JOINERS = " _-"


class KnownTerms(NamedTuple):
    """The rows of words, and how many words were found in another form."""

    rows: Rows  # -1 for unknown words
    replaced: int  # number of different words, without those that differ in case only


def find_terms(vectors: WordVectors, words: Sequence[str], forms: Forms) -> KnownTerms:
    """Find words as they are, in lower case, or else in the first of their other forms.

    Args:
        vectors: The vectors.
        words: The words.
        forms: Returns other forms of a word, the best first.
    """
    rows = vectors.known_rows(words)
    unknown = list(dict.fromkeys(words[i] for i in np.flatnonzero(rows < 0).tolist()))
    listed = [(word, form) for word in unknown for form in forms(word)]
    row_of_word: dict[str, int] = {}
    found = vectors.known_rows(form for _, form in listed)
    for (word, _), row in zip(listed, found.tolist(), strict=True):
        if row >= 0:
            row_of_word.setdefault(word, row)
    for i in np.flatnonzero(rows < 0).tolist():
        rows[i] = row_of_word.get(words[i], -1)
    return KnownTerms(rows, len(row_of_word))


class OtherForms:
    """Other forms of English words: other characters between parts, singular and plural."""

    def __init__(self) -> None:
        self._singulars = Singulars(read_language(None))

    def __call__(self, word: str) -> list[str]:
        """Return the forms that a vocabulary may have, the best first; some are not words."""
        numbers = (word, self._singulars[word.lower()], *self._plurals(word))
        forms = [form for number in numbers for form in _joined_forms(number)]
        return [form for form in dict.fromkeys(forms) if form and form != word]

    def _plurals(self, word: str) -> list[str]:
        endings = ("", "s"), ("", "es"), ("y", "ies"), ("f", "ves"), ("fe", "ves")
        plurals = [word.removesuffix(old) + new for old, new in endings if word.endswith(old)]
        return [plural for plural in plurals if self._singulars[plural.lower()] == word.lower()]


def _joined_forms(word: str) -> list[str]:
    parts = word
    for joiner in _JOINERS[1:]:
        parts = parts.replace(joiner, " ")
    return [word, *(joiner.join(parts.split()) for joiner in _JOINERS)]
