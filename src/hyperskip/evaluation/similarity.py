"""Word similarity: do the vectors rank pairs of words as people do?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import stats

from hyperskip.vectors.word_vectors import WordVectors


class RatedPair(NamedTuple):
    """Two words and how similar people find them."""

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
    """Spearman's rank correlation of similarity and score.

    The similarity is the Minkowski product, and the cosine for Euclidean vectors. Pairs with an
    unknown word are left out.
    """
    known = [
        (first, second, pair.score)
        for pair in pairs
        if (first := vectors.known_form(pair.first)) is not None
        and (second := vectors.known_form(pair.second)) is not None
    ]
    similarities = [vectors.similarity(first, second) for first, second, _ in known]
    return SimilarityScore(
        _spearman(similarities, [score for _, _, score in known]), len(known), len(pairs)
    )


def average_spearman(scores: Sequence[SimilarityScore]) -> float | None:
    """Mean over data sets, weighted by the pairs found, as in the paper."""
    usable = [(score.spearman, score.found) for score in scores if score.spearman is not None]
    if not usable:
        return None
    values, weights = zip(*usable, strict=True)
    return float(np.average(values, weights=weights))


def _spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return float(np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1])
