"""Hypernymy: how well vectors tell which word is a kind of which.

Similarity has no direction. The radius has one, since general words lie nearer to the base point
than specific ones. So does frequency, whose scores are shown as a baseline for the radius.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from hyperskip.evaluation.similarity import RatedPair, known_pairs
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.names import ANGLE, PRODUCT
from hyperskip.rank_correlation import spearman
from hyperskip.vectors.word_vectors import WordVectors

SPEARMAN, AVERAGE_PRECISION = "Spearman", "average precision"
FREQUENCY = "frequency"  # the score that uses no vectors

_NICKEL_KIELA_ALPHA = 1000.0


@dataclass(frozen=True)
class HypernymyScore:
    """Agreement of each score with one data set."""

    figure: str  # Spearman for graded labels, average precision for yes and no
    agreement: dict[str, float | None]  # by score; None if it is undefined
    chance: float | None  # the expected agreement of random scores
    found: int  # number of pairs with both words in the vocabulary
    pairs: int


def evaluate_hypernymy(vectors: WordVectors, pairs: Sequence[RatedPair]) -> HypernymyScore:
    """How well scores of "the first is a kind of the second" agree with labels.

    The figure is Spearman's rank correlation; if the labels have only two values, it is the average
    precision, and the greater value means yes. Pairs with an unknown word are left out.
    """
    first, second, labels = known_pairs(vectors, pairs)
    scores = hypernymy_scores(vectors, first, second)
    values = {pair.score for pair in pairs}
    if len(values) > 2:
        graded = {name: spearman(score, labels) for name, score in scores.items()}
        return HypernymyScore(SPEARMAN, graded, 0.0, len(labels), len(pairs))
    is_kind = labels == max(values, default=0.0)
    # With one value only, every order is right.
    share = float(is_kind.mean()) if len(np.unique(labels)) == 2 else None
    precise = {
        name: None if share is None else average_precision(score, is_kind)
        for name, score in scores.items()
    }
    return HypernymyScore(AVERAGE_PRECISION, precise, share, len(labels), len(pairs))


def hypernymy_scores(vectors: WordVectors, first: Rows, second: Rows) -> dict[str, Floats]:
    """Scores of "the first is a kind of the second" for pairs of rows; greater means more likely.

    - `similarity`: the paper's measure, which has no direction.
    - `radius`: r(first) - r(second), where r is the distance from the base point, or the length of
      a Euclidean vector.
    - `angle-radius`: (1 + cos) / 2 · Φ(Δr), where cos is of the angle at the base point, Δr the
      difference of the radii in units of its standard deviation over pairs of words, and Φ the
      normal distribution: similar in direction, and the first farther out than the second.
    - `nickel-kiela`: -(1 + α (r(second) - r(first))) · distance, with their α of 1000.
    - `frequency`: log n(second) - log n(first), where n is the count of a word.
    - `angle-frequency`: like `angle-radius`, with the frequency instead of the radius.

    The last two are left out if the counts are unknown.
    """
    nearness = (1.0 + vectors.measured_by(ANGLE).similarity_of_rows(first, second)) / 2.0
    farther_out = vectors.radii[first] - vectors.radii[second]
    distances = vectors.distance_of_rows(first, second)
    scores = {
        "similarity": vectors.measured_by(PRODUCT).similarity_of_rows(first, second),
        "radius": farther_out,
        "angle-radius": nearness * _share_below(farther_out, vectors.radii),
        "nickel-kiela": -(1.0 - _NICKEL_KIELA_ALPHA * farther_out) * distances,
    }
    if vectors.counts.any():
        frequencies = np.log(np.maximum(vectors.counts, 1))
        rarer = frequencies[second] - frequencies[first]
        scores |= {
            FREQUENCY: rarer,
            "angle-frequency": nearness * _share_below(rarer, frequencies),
        }
    return scores


def _share_below(differences: Floats, values: Floats) -> Floats:
    """Share of random pairs with a smaller difference, if the values were normally distributed."""
    spread = np.sqrt(2.0) * values.std()
    return np.asarray(special.ndtr(differences / (spread or 1.0)))


def average_precision(scores: Floats, is_true: npt.NDArray[np.bool_]) -> float:
    """Mean over the true pairs of the precision at their ranks.

    Pairs with the same score share the last of their ranks, so their order does not matter. At
    least one pair must be true.
    """
    order = np.argsort(-scores, kind="stable")
    last_of_ties = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    found = np.cumsum(is_true[order])[last_of_ties]
    precision = found / (last_of_ties + 1)
    return float(np.sum(np.diff(found, prepend=0) * precision) / is_true.sum())
