"""Word similarity: do the vectors rank pairs of words as people do?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import WordVectors

Floats = npt.NDArray[np.float64]


class RatedPair(NamedTuple):
    """Two words and what people say of them: how similar, or how much the one is of the other."""

    first: str
    second: str
    score: float


@dataclass(frozen=True)
class SimilarityScore:
    """Agreement with one data set."""

    spearman: float | None  # None where fewer than two different values are known
    found: int  # pairs whose words are both known
    pairs: int


def evaluate_similarity(vectors: WordVectors, pairs: Sequence[RatedPair]) -> SimilarityScore:
    """Spearman's rank correlation of similarity, by the vectors' measure, and score.

    Pairs with an unknown word are left out.
    """
    first, second, scores = known_pairs(vectors, pairs)
    similarities = vectors.similarity_of_rows(first, second)
    return SimilarityScore(spearman(similarities, scores), len(scores), len(pairs))


def known_pairs(vectors: WordVectors, pairs: Sequence[RatedPair]) -> tuple[Rows, Rows, Floats]:
    """The pairs whose words are both known: rows of the first words, of the second, and scores."""
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


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's rank correlation; None where one of them has fewer than two values."""
    if len(np.unique(x)) < 2 or len(np.unique(y)) < 2:
        return None
    return float(np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1])
