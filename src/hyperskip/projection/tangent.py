"""Points as they are seen from their middle, in the two directions in which they differ most."""

import numpy as np

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.spaces import Floats
from hyperskip.vectors.word_vectors import WordVectors


def tangent_places(vectors: WordVectors) -> Floats:
    """(words, 2): places on the disc, which is centered on the words' centroid.

    In a hyperbolic space of two dimensions that is all, and distances are exact. Else the words are
    seen from the centroid (logarithm), and the two directions in which they differ most are kept:
    distances from the center shrink, and never grow. Euclidean vectors are seen by their
    directions, as only those count for their neighbors.
    """
    flat = widest_directions(vectors.space.around_centroid(vectors.points))
    return charts.to_ball(
        hyperboloid.exponential(hyperboloid.base_point(2), np.pad(flat, ((0, 0), (0, 1))))
    )


def widest_directions(vectors: Floats) -> Floats:
    """(count, 2): the components of vectors (count, n) in the directions of greatest spread.

    With n = 2 they stay as they are, and with n = 1 they get a zero.
    """
    if vectors.shape[1] <= 2:
        return np.pad(vectors, ((0, 0), (0, 2 - vectors.shape[1])))
    _, directions = np.linalg.eigh(vectors.T @ vectors)  # the widest last
    widest = directions[:, :-3:-1]
    # A direction has no sign of its own: the greatest entry is positive.
    greatest = widest[np.abs(widest).argmax(axis=0), [0, 1]]
    return np.asarray(vectors @ (widest * np.where(greatest < 0, -1.0, 1.0)))
