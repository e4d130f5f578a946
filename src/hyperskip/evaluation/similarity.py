"""Word similarity: how well vectors rank pairs of words as people do."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

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
    found: int  # number of pairs with two known words
    pairs: int
    composed: int | None = None  # of the pairs found, with a word outside the vocabulary

    def as_dict(self) -> dict[str, Any]:
        """The numbers as plain values; without `composed` if the model has no subwords."""
        return without_none(asdict(self), "composed")


def without_none(values: dict[str, Any], name: str) -> dict[str, Any]:
    """Leave out one of the values if it is None."""
    return {key: value for key, value in values.items() if key != name or value is not None}


def has_few_pairs(found: int, pairs: int) -> bool:
    """Whether so few pairs are known that a score means little."""
    return found < min(_FEW_PAIRS, pairs) or found < pairs / _FEW_PAIRS


def evaluate_similarity(vectors: WordVectors, pairs: Sequence[RatedPair]) -> SimilarityScore:
    """Spearman's rank correlation of the ratings and the similarities by the vectors' measure.

    Pairs with an unknown word are left out. If the model has subwords, words outside the vocabulary
    are composed from n-grams.
    """
    words = (word for pair in pairs for word in pair[:2])
    found = vectors.find(words, any_case=True, skip_unknown=True)
    known = found[0::2].is_known & found[1::2].is_known
    first, second = found[0::2][known], found[1::2][known]
    ratings = np.array([pair.score for pair in pairs], dtype=np.float64)[known]
    similarities = vectors.similarity_of_rows(first, second)
    composed = None if vectors.subwords is None else first.is_composed | second.is_composed
    return SimilarityScore(
        spearman(similarities, ratings),
        len(ratings),
        len(pairs),
        None if composed is None else int(composed.sum()),
    )


def average_spearman(scores: Sequence[SimilarityScore]) -> float | None:
    """Mean over data sets, weighted by the pairs found, as in the paper."""
    usable = [(score.spearman, score.found) for score in scores if score.spearman is not None]
    if not usable:
        return None
    values, weights = zip(*usable, strict=True)
    return float(np.average(values, weights=weights))
