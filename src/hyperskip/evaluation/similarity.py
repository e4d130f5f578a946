"""Word similarity: how well vectors rank pairs of words as people do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.rank_correlation import spearman
from hyperskip.vectors.word_vectors import WordVectors

_FEW_PAIRS = 10  # or a tenth of all pairs


class RatedPair(NamedTuple):
    """Two words and their rating, of similarity or of hypernymy."""

    first: str
    second: str
    score: float


@dataclass(frozen=True)
class SimilarityScore:
    """Agreement with one data set."""

    spearman: float | None  # None if the known pairs have fewer than two different values
    found: int  # number of pairs with both words in the vocabulary
    pairs: int


def has_few_pairs(found: int, pairs: int) -> bool:
    """Whether so few pairs are known that a score means little."""
    return found < min(_FEW_PAIRS, pairs) or found < pairs / _FEW_PAIRS


def evaluate_similarity(vectors: WordVectors, pairs: Sequence[RatedPair]) -> SimilarityScore:
    """Spearman's rank correlation of the ratings and the similarities by the vectors' measure.

    Pairs with an unknown word are left out.
    """
    first, second, scores = known_pairs(vectors, pairs)
    similarities = vectors.similarity_of_rows(first, second)
    return SimilarityScore(spearman(similarities, scores), len(scores), len(pairs))


def known_pairs(vectors: WordVectors, pairs: Sequence[RatedPair]) -> tuple[Rows, Rows, Floats]:
    """Rows of the first words, rows of the second words, and scores of the known pairs."""
    rows = vectors.known_rows(word for pair in pairs for word in pair[:2]).reshape(-1, 2)
    known = (rows >= 0).all(axis=1)
    scores = np.array([pair.score for pair in pairs], dtype=np.float64)
    first, second = rows[known].T
    return first, second, scores[known]


def average_spearman(scores: Sequence[SimilarityScore]) -> float | None:
    """Mean over data sets, weighted by the pairs found, as in the paper."""
    usable = [(score.spearman, score.found) for score in scores if score.spearman is not None]
    if not usable:
        return None
    values, weights = zip(*usable, strict=True)
    return float(np.average(values, weights=weights))
