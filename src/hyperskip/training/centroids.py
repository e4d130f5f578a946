"""The middle of points, in any space that words may be trained in."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.geometry import hyperboloid
from hyperskip.training.options import HYPERBOLOID, TrainingOptions


def centroids(
    positions: npt.NDArray[Any],  # (words, points, dimension)
    weights: npt.NDArray[np.float64],  # (words, points)
    options: TrainingOptions,
) -> npt.NDArray[np.float64]:  # (words, dimension)
    """The weighted centroid of each word's points, as they all are: without time."""
    if options.geometry == HYPERBOLOID:
        shape = *positions.shape[:2], options.factors, options.factor_dimension
        by_factor = positions.reshape(shape)
        points = hyperboloid.from_spatial(by_factor)
        middle = hyperboloid.centroid(points, weights[:, None], axis=1)[..., :-1]
        return middle.reshape(len(positions), options.dimension)
    shares = weights / weights.sum(axis=1, keepdims=True)
    return np.asarray(np.einsum("wp,wpd->wd", shares, positions))
