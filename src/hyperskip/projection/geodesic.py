"""Points of a hyperboloid, dropped on the plane of their two principal geodesics."""

import numpy as np

from hyperskip.errors import GeometryError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.spaces import Floats
from hyperskip.projection.tangent import widest_directions
from hyperskip.vectors.word_vectors import WordVectors


def geodesic_places(vectors: WordVectors) -> Floats:
    """(words, 2): the foot of each word's perpendicular on a totally geodesic plane.

    The plane goes through the words' centroid, in the directions in which the words' coordinates
    spread most there. A foot is nearest to its word of all points in the plane: with the base point
    at the centroid it has the word's coordinates in the plane and its time, scaled back to the
    hyperboloid.

    Raises:
        GeometryError: The words are not on a single hyperboloid.
    """
    if not vectors.space.is_hyperbolic:
        raise GeometryError(
            "only words on a single hyperboloid have principal geodesics",
            hint="choose another projection: fitted, polar or tangent",
        )
    points = vectors.points
    base = hyperboloid.base_point(vectors.dimension)
    moved = hyperboloid.translate(points, hyperboloid.centroid(points), base)
    in_plane = widest_directions(moved[:, :-1])
    beside = np.sum(moved[:, :-1] ** 2, axis=1) - np.sum(in_plane**2, axis=1)
    length = np.sqrt(1.0 + np.maximum(beside, 0.0))  # time² - |in the plane|²
    return charts.to_ball(hyperboloid.from_spatial(in_plane / length[:, None]))
