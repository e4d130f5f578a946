"""Ways to score "the first word is a kind of the second" for pairs of words.

Similarity has no direction. The radius has one if general words lie nearer to the base point than
specific ones. So does frequency, whose scores are a baseline without vectors.
"""

import numpy as np
from scipy import special

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.names import ANGLE, PRODUCT
from hyperskip.vectors.word_vectors import WordVectors

FREQUENCY = "frequency"  # the score that uses no vectors

_NICKEL_KIELA_ALPHA = 1000.0


def hypernymy_scores(vectors: WordVectors, first: Rows, second: Rows) -> dict[str, Floats]:
    """Scores of "the first is a kind of the second" for pairs of rows; greater means more likely.

    The first is the main score of the model: the one to compare with `frequency` and with other
    models.

    - `is_a`: the probability of `vectors.is_a`, if the model has a hierarchy.
    - `hierarchy radius`: the difference of the radii in the hierarchy.
    - `frequency`: log n(second) - log n(first), where n is the count of a word.
    - `angle-radius`: (1 + cos) / 2 · Φ(Δr), where cos is of the angle at the base point, Δr the
      difference of the radii in units of its standard deviation over pairs of words, and Φ the
      normal distribution: similar in direction, and the first farther out than the second.
    - `similarity`: the paper's measure, which has no direction.
    - `radius`: r(first) - r(second), where r is the distance from the base point, or the length of
      a Euclidean vector.
    - `nickel-kiela`: -(1 + α (r(second) - r(first))) · distance, with their α of 1000.
    - `angle-frequency`: like `angle-radius`, with the frequency instead of the radius.

    Those with the frequency are left out if the counts are unknown.
    """
    nearness = (1.0 + vectors.measured_by(ANGLE).similarity_of_rows(first, second)) / 2.0
    farther_out = vectors.radii[first] - vectors.radii[second]
    distances = vectors.distance_of_rows(first, second)
    angle_radius = {"angle-radius": nearness * _share_below(farther_out, vectors.radii)}
    others = {
        "similarity": vectors.measured_by(PRODUCT).similarity_of_rows(first, second),
        "radius": farther_out,
        "nickel-kiela": -(1.0 - _NICKEL_KIELA_ALPHA * farther_out) * distances,
    }
    baseline = {}
    if vectors.counts.any():
        frequencies = np.log(np.maximum(vectors.counts, 1))
        rarer = frequencies[second] - frequencies[first]
        baseline = {FREQUENCY: rarer}
        others["angle-frequency"] = nearness * _share_below(rarer, frequencies)
    if not vectors.has_hierarchy:
        return angle_radius | baseline | others
    hierarchy = {
        "is_a": vectors.is_a_of_rows(first, second),
        "hierarchy radius": vectors.hierarchy_radii[first] - vectors.hierarchy_radii[second],
    }
    return hierarchy | baseline | angle_radius | others


def _share_below(differences: Floats, values: Floats) -> Floats:
    """Share of random pairs with a smaller difference, if the values were normally distributed."""
    spread = np.sqrt(2.0) * values.std()
    return np.asarray(special.ndtr(differences / (spread or 1.0)))
