"""The slow reference of the merge, in NumPy and float64."""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.spaces import Space


def merged_points(
    space: Space,
    base: npt.NDArray[np.float32],  # (words, dimension)
    points: npt.NDArray[np.float32],  # (nodes, words, dimension)
    weights: Floats,  # (nodes, words)
    gains: Floats,  # (words,)
) -> Floats:  # (words, dimension)
    """Points on the geodesics from the old points through the weighted centroids of the new ones.

    A gain of 1 gives the centroid.
    """
    by_word = np.moveaxis(points, 0, 1).astype(np.float64)
    centroids = space.centroid(space.points(by_word), weights.T)
    old = space.points(base.astype(np.float64))
    return space.coordinates(space.geodesic(old, centroids, gains))
