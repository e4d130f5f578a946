"""Relations between the words of a vocabulary: how often each is stated to be a kind of which."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

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

    def without(self, stated: Rows) -> "WordRelations":
        """Return the relations without some of the stated pairs, given by their positions."""
        counts = self.counts.copy()
        counts.data[stated] = 0
        counts.eliminate_zeros()
        return WordRelations(counts)


def relations_of_words(
    vectors: WordVectors, relations: Graph, singular: Callable[[str], str]
) -> tuple[WordRelations, Rows]:
    """Find the terms of relations in a vocabulary.

    A term is found as it is, with its words joined by `_`, `-` or nothing, or as the plural of a
    word that is not in the vocabulary itself.

    Args:
        vectors: The words.
        relations: Edges from narrower to broader terms, with counts as weights.
        singular: Returns the singular of a word, or the word itself.

    Returns:
        The relations; and for each word, the row of its singular if both are words, or its own row.
    """
    plural_of, bases = _plurals(vectors, singular)
    rows = vectors.known_rows(relations.names)
    for joiner in _JOINERS:
        rows = _filled(rows, vectors.known_rows([_joined(n, joiner) for n in relations.names]))
    rows = _filled(rows, np.array([plural_of.get(name, -1) for name in relations.names], np.int64))
    rows = np.where(rows >= 0, bases[rows], -1)
    narrower, broader = rows[relations.sources], rows[relations.targets]
    is_known = (narrower >= 0) & (broader >= 0) & (narrower != broader)
    weights = np.ones(relations.edge_count) if relations.weights is None else relations.weights
    counts = sp.csr_array(
        (weights[is_known], (narrower[is_known], broader[is_known])),
        shape=(len(vectors), len(vectors)),
    )
    counts.sum_duplicates()
    return WordRelations(counts), bases


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


def _joined(name: str, joiner: str) -> str:
    return name.replace(" ", joiner)


def _filled(rows: Rows, others: Rows) -> Rows:
    return np.where(rows >= 0, rows, others)
