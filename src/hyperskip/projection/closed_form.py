"""Projections that are a formula: the tangent plane at the centroid, and the geodesic plane."""

import numpy as np

from hyperskip.errors import GeometryError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.vectors.word_vectors import WordVectors


def tangent_places(vectors: WordVectors) -> Floats:
    """(words, 2): places on the disc, with the centroid of the words at its center.

    Each word is represented by the tangent vector from the centroid to it (logarithm), of which the
    two directions of greatest spread are kept. Distances from the center never grow. In the
    hyperbolic plane all distances are exact. Euclidean vectors are represented by their directions,
    since their neighbors depend on these only.
    """
    flat = _widest_directions(vectors.space.around_centroid(vectors.points))
    return charts.to_ball(
        hyperboloid.exponential(hyperboloid.base_point(2), np.pad(flat, ((0, 0), (0, 1))))
    )


def geodesic_places(vectors: WordVectors) -> Floats:
    """(words, 2): orthogonal projection of the words onto a totally geodesic plane.

    The plane goes through the centroid of the words, in the directions of their greatest spread.
    The projection of a word is the nearest point of the plane. With the base point at the centroid
    it has the word's coordinates in the plane and its time, scaled back to the hyperboloid.

    Raises:
        GeometryError: The words are not on a single hyperboloid.
    """
    if not vectors.space.is_single_hyperboloid:
        raise GeometryError(
            "`projection='geodesic'` requires vectors on a single hyperboloid",
            hint="choose another `projection`: fitted, polar or tangent",
        )
    points = vectors.points
    base = hyperboloid.base_point(vectors.dimension)
    moved = hyperboloid.translate(points, hyperboloid.centroid(points), base)
    in_plane = _widest_directions(moved[:, :-1])
    beside = np.sum(moved[:, :-1] ** 2, axis=1) - np.sum(in_plane**2, axis=1)
    length = np.sqrt(1.0 + np.maximum(beside, 0.0))  # of time² - |in the plane|²
    return charts.to_ball(hyperboloid.from_spatial(in_plane / length[:, None]))


def _widest_directions(vectors: Floats) -> Floats:
    """(count, 2): components of vectors (count, n) in the two directions of greatest spread.

    With n = 2 the vectors stay as they are; with n = 1 they get a zero.
    """
    if vectors.shape[1] <= 2:
        return np.pad(vectors, ((0, 0), (0, 2 - vectors.shape[1])))
    _, directions = np.linalg.eigh(vectors.T @ vectors)  # the widest last
    widest = directions[:, :-3:-1]
    # The sign of a direction is arbitrary: make the greatest entry positive.
    greatest = widest[np.abs(widest).argmax(axis=0), [0, 1]]
    return np.asarray(vectors @ (widest * np.where(greatest < 0, -1.0, 1.0)))
