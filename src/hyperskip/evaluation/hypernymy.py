"""Hypernymy: do the vectors know which word is a kind of which?

Similarity has no direction. What has one is the radius, as general words lie nearer to the base
point than special ones, and so has frequency, whose scores stand beside it: what the radius
knows may be what counting knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from hyperskip.evaluation.similarity import Floats, RatedPair, known_pairs, spearman
from hyperskip.geometry.measures import ANGLE, PRODUCT
from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import WordVectors

SPEARMAN, AVERAGE_PRECISION = "Spearman", "average precision"
FREQUENCY = "frequency"  # the score that asks no vectors

_NICKEL_KIELA_ALPHA = 1000.0


@dataclass(frozen=True)
class HypernymyScore:
    """Agreement with one data set, by each way to score its pairs."""

    figure: str  # Spearman for grades, average precision for yes and no
    agreement: dict[str, float | None]  # None where it cannot be said
    chance: float | None  # what random scores would have
    found: int  # pairs whose words are both known
    pairs: int


def evaluate_hypernymy(vectors: WordVectors, pairs: Sequence[RatedPair]) -> HypernymyScore:
    """How well scores of "the first is a kind of the second" agree with labels.

    By Spearman's rank correlation. Where labels have two values only, by average precision, and the
    greater value is yes. Pairs with an unknown word are left out.
    """
    first, second, labels = known_pairs(vectors, pairs)
    scores = hypernymy_scores(vectors, first, second)
    values = {pair.score for pair in pairs}
    if len(values) > 2:
        graded = {name: spearman(score, labels) for name, score in scores.items()}
        return HypernymyScore(SPEARMAN, graded, 0.0, len(labels), len(pairs))
    is_kind = labels == max(values, default=0.0)
    # One value is no answer: all would be right, or all wrong.
    share = float(is_kind.mean()) if len(np.unique(labels)) == 2 else None
    precise = {
        name: None if share is None else average_precision(score, is_kind)
        for name, score in scores.items()
    }
    return HypernymyScore(AVERAGE_PRECISION, precise, share, len(labels), len(pairs))


def hypernymy_scores(vectors: WordVectors, first: Rows, second: Rows) -> dict[str, Floats]:
    """For pairs of rows, scores of "the first is a kind of the second"; the greater, the more.

    - `similarity`: the paper's measure, which has no direction.
    - `radius`: r(first) - r(second), where r is the distance from the base point, or the length of
      a Euclidean vector.
    - `angle-radius`: (1 + cos) / 2 · Φ(Δr), where cos is of the angle at the base point, Δr the
      difference of the radii in units of its standard deviation over pairs of words, and Φ the
      normal distribution: near in direction, and one farther out than the other.
    - `nickel-kiela`: -(1 + α (r(second) - r(first))) · distance, with their α of 1000.
    - `frequency`: log n(second) - log n(first), where n is how often a word occurs.
    - `angle-frequency`: as `angle-radius`, by the frequency and not by the radius.

    The last two are left out where nobody counted.
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
    """The share of random pairs whose values differ by less, were they normally distributed."""
    spread = np.sqrt(2.0) * values.std()
    return np.asarray(special.ndtr(differences / (spread or 1.0)))


def average_precision(scores: Floats, is_true: npt.NDArray[np.bool_]) -> float:
    """The precision at each true pair's place in the order of scores, averaged over these.

    Pairs with the same score share the last of their places, so that their order does not matter.
    At least one pair must be true.
    """
    order = np.argsort(-scores, kind="stable")
    last_of_ties = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    found = np.cumsum(is_true[order])[last_of_ties]
    precision = found / (last_of_ties + 1)
    return float(np.sum(np.diff(found, prepend=0) * precision) / is_true.sum())
