"""Points of words in the hierarchy: a direction from their relations, and a height above the edge.

The height says how general a word is, and the direction what it is about. docs/hierarchy.md
compares other ways.
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from hyperskip.geometry.arrays import Floats, Matrix
from hyperskip.training.hierarchy.factorization import Factors, factorized
from hyperskip.training.hierarchy.propagation import NEIGHBORS, only_from
from hyperskip.training.hierarchy.word_relations import WordRelations

_NARROWER = 0.5  # weight of the statements that a word is a kind of another one
_FREQUENCY = 0.1  # weight of the frequency: a rare word with as many kinds is more general
_PRIOR = 2.0  # number of statements that 20 similar words are worth
_LEAST_SHARE = 0.05  # of the relations of the median word, for a noun
_INNERMOST = 1.0  # radius of the most general word


class Placement(NamedTuple):
    """Where each word lies."""

    directions: Matrix  # (words, dimension): unit vectors
    heights: Floats  # (words,): above the edge, greater than 0

    @property
    def edge(self) -> float:
        """The radius of height 0."""
        return float(self.heights.max()) + _INNERMOST

    @property
    def coordinates(self) -> Matrix:
        """Spatial coordinates of the points on the hyperboloid (words, dimension)."""
        return self.directions * np.sinh(self.edge - self.heights)[:, None]


def placed(
    relations: WordRelations,
    similar: sp.csr_array,
    counts: Floats,
    dimension: int,
    seed: int,
) -> Placement:
    """Place all words by their relations and those of similar words.

    Args:
        relations: What is stated.
        similar: Weights of similar words with relations.
        counts: (words,): number of occurrences of each word in the text.
        dimension: Of the hierarchy.
        seed: Of the random start of the factorization.
    """
    narrower = only_from(similar, relations.as_narrower > 0)
    factors = factorized(relations, narrower, dimension - 1, seed)
    return Placement(
        directions_of(factors, relations, counts), heights_of(relations, similar, counts)
    )


def heights_of(relations: WordRelations, similar: sp.csr_array, counts: Floats) -> Floats:
    """Heights (words,): log(1 + exp(g)), where g compares the two roles of a word.

    g = log(1 + b) - log(1 + a)/2 - log(f)/10, where b and a count how often the word is stated to
    be the broader and the narrower one, and f is its count relative to the geometric mean. The mean
    of 20 similar words is worth two statements, and of fewer words fewer. It decides about words
    without any statement; without similar words, too, their g is 0.
    """
    logarithms = np.log(np.maximum(counts, 1.0))
    own = (
        np.log1p(relations.as_broader)
        - _NARROWER * np.log1p(relations.as_narrower)
        - _FREQUENCY * (logarithms - logarithms.mean())
    )
    evidence = relations.evidence
    prior = _PRIOR * np.diff(similar.indptr) / NEIGHBORS
    weights = evidence + prior
    sums = evidence * own + prior * (similar @ own)
    generality = np.divide(sums, weights, out=np.zeros_like(own), where=weights > 0)
    return np.asarray(np.logaddexp(0.0, generality))


def directions_of(factors: Factors, relations: WordRelations, counts: Floats) -> Matrix:
    """Directions (words, dimension): one for both roles of a word, weighted by its statements.

    The last coordinate is for what is not known: the less a word is trusted to be a noun, the more
    its direction turns there, away from all nouns. A word that nothing is known about, not even by
    similar words, has this direction.
    """
    evidence = relations.evidence
    share = np.divide(
        relations.as_narrower, evidence, out=np.ones_like(evidence), where=evidence > 0
    )[:, None]
    both = _unit(share * _unit(factors.narrower) + (1.0 - share) * _unit(factors.broader))
    trust = noun_trust(relations, counts)[:, None] * both.any(axis=1, keepdims=True)
    return _unit(np.concatenate((trust * both, 1.0 - trust), axis=1))


def noun_trust(relations: WordRelations, counts: Floats) -> Floats:
    """How much each word is trusted to be a noun (words,), from 0 to 1.

    A word that is frequent, but hardly ever in a relation, is not a noun: "the", "often", "went".
    The trust is 1 if the word has at least 1/20 of the relations of the median word at its count.
    """
    evidence = relations.evidence
    is_known = (evidence > 0) & (counts > 0)
    rate = float(np.median(evidence[is_known] / counts[is_known])) if is_known.any() else 0.0
    share = (evidence + 1.0) / (rate * counts + 1.0)
    return np.asarray(np.minimum(share / _LEAST_SHARE, 1.0))


def _unit(rows: Matrix) -> Matrix:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0))
