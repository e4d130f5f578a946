"""Words of an evaluation set in the form that a vocabulary has.

A set may have "Dogs" and "guinea pig" where the vocabulary has "dog" and "guinea_pig".
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from hyperskip.geometry.arrays import Rows
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


def other_forms(word: str) -> list[str]:
    """Other forms of a word: with other characters between its parts, and in the singular."""
    forms = [form for each in (word, *_singular_forms(word)) for form in _joined_forms(each)]
    return [form for form in dict.fromkeys(forms) if form and form != word]


def _joined_forms(word: str) -> list[str]:
    parts = word
    for joiner in _JOINERS[1:]:
        parts = parts.replace(joiner, " ")
    return [word, *(joiner.join(parts.split()) for joiner in _JOINERS)]


def _singular_forms(word: str) -> list[str]:
    """What the singular of a plural noun may be; most of these are not words."""
    lower = word.lower()
    if not lower.endswith("s") or lower.endswith("ss"):
        return []
    endings = (("ies", "y"), ("es", ""), ("s", ""))
    return [word[: -len(old)] + new for old, new in reversed(endings) if lower.endswith(old)]
