"""Angles between geodesics, from the formulas of the package."""

import numpy as np
import numpy.typing as npt

from hyperskip import geometry

Points = npt.NDArray[np.float64]


def angle_between(at: Points, first: Points, second: Points) -> Points:
    u, v = geometry.logarithm(at, first), geometry.logarithm(at, second)
    cosine = geometry.minkowski_dot(u, v) / geometry.norm(u, at) / geometry.norm(v, at)
    return np.asarray(np.arccos(np.clip(cosine, -1, 1)))
