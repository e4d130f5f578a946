"""Relations between the words of a vocabulary: how often each is stated to be a kind of which."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.graphs.graph import Graph
from hyperskip.vectors.word_vectors import WordVectors

_JOINERS = "_", "-", ""  # between the words of a term that is one word of the vocabulary


@dataclass(frozen=True, eq=False)
class WordRelations:
    """Counts of "the row is a kind of the column" (words, words), as a sparse matrix."""

    counts: sp.csr_array

    @cached_property
    def as_narrower(self) -> Floats:
        """Number of statements that each word is a kind of another one (words,)."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64)

    @cached_property
    def as_broader(self) -> Floats:
        """Number of statements that another word is a kind of each word (words,)."""
        return np.asarray(self.counts.sum(axis=0), dtype=np.float64)

    @property
    def evidence(self) -> Floats:
        """Number of statements about each word (words,)."""
        return self.as_narrower + self.as_broader

    @property
    def evidence_in_whole_numbers(self) -> Rows:
        """Number of statements about each word (words,): at least 1 if there are any."""
        evidence = self.evidence
        return np.where(evidence > 0, np.maximum(np.rint(evidence), 1), 0).astype(np.int64)

    def without(self, stated: Rows) -> "WordRelations":
        """Return the relations without some of the stated pairs, given by their positions."""
        counts = self.counts.copy()
        counts.data[stated] = 0
        counts.eliminate_zeros()
        return WordRelations(counts)


class KnownRelations(NamedTuple):
    """The relations between words of a vocabulary."""

    stated: WordRelations
    bases: Rows  # (words,): the row of the singular of each word if it is a word, or the own row


def relations_of_words(
    vectors: WordVectors, relations: Graph, singular: Callable[[str], str]
) -> KnownRelations:
    """Find the terms of relations in a vocabulary.

    A term is found as it is, or in lower case; with its words joined by `_`, `-` or nothing; as the
    plural, if the singular is not in the vocabulary; or else with capital letters.

    Args:
        vectors: The words.
        relations: Edges from narrower to broader terms, with counts as weights.
        singular: Returns the singular of a word, or the word itself.
    """
    plural_of, bases = _plurals(vectors, singular)
    spellings = [
        relations.names,
        *([name.replace(" ", joiner) for name in relations.names] for joiner in _JOINERS),
    ]
    rows = np.full(len(relations), -1, dtype=np.int64)
    for names in spellings:
        rows = np.where(rows >= 0, rows, vectors.known_rows(names))
    rows = _filled(rows, relations.names, plural_of)
    with_capitals = _words_with_capitals(vectors)
    for names in spellings if with_capitals else ():
        rows = _filled(rows, names, with_capitals)
    rows = np.where(rows >= 0, bases[rows], -1)
    narrower, broader = rows[relations.sources], rows[relations.targets]
    is_known = (narrower >= 0) & (broader >= 0) & (narrower != broader)
    weights = np.ones(relations.edge_count) if relations.weights is None else relations.weights
    counts = sp.csr_array(
        (weights[is_known], (narrower[is_known], broader[is_known])),
        shape=(len(vectors), len(vectors)),
    )
    counts.sum_duplicates()
    return KnownRelations(WordRelations(counts), bases)


def _plurals(vectors: WordVectors, singular: Callable[[str], str]) -> tuple[dict[str, int], Rows]:
    """Return words by a singular that is no word itself, and the row of the singular of each word.

    Only lower-case words are plurals.
    """
    singulars = [singular(word) if word.islower() else word for word in vectors.words]
    rows = vectors.known_rows(singulars, any_case=False)
    own = np.arange(len(vectors))
    plural_of: dict[str, int] = {}
    for row in np.flatnonzero(rows < 0).tolist():
        plural_of.setdefault(singulars[row], row)
    return plural_of, np.where(rows >= 0, rows, own)


def _words_with_capitals(vectors: WordVectors) -> dict[str, int]:
    """Return the rows of words with capital letters by their lower case: of the most frequent."""
    rows: dict[str, int] = {}
    for row, word in enumerate(vectors.words):
        lower = word.lower()
        if lower != word:
            rows.setdefault(lower, row)
    return rows


def _filled(rows: Rows, names: Sequence[str], row_of_name: Mapping[str, int]) -> Rows:
    """Return rows in which -1 was replaced by the row of the name, if it has one."""
    found = np.fromiter((row_of_name.get(name, -1) for name in names), np.int64, len(names))
    return np.where(rows >= 0, rows, found)
