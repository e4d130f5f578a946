"""Distances between many points of the hyperboloid, in bounded memory.

They are ranked by cosh(distance) - 1, which is a matrix product. Its error is u·e^2r, where u is
1.1e-16 and r is the distance of the points from the base point.
"""

from collections.abc import Iterator

import numpy as np

from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats

_CELLS_AT_ONCE = 1 << 22  # of the matrix (points, others): 32 MiB


def cosh_less_one(points: Floats, others: Floats) -> Floats:
    """Return cosh(distance) - 1 between points (points, d + 1) and others (others, d + 1)."""
    # With time = 1 + excess, the 1 that would swallow small distances cancels.
    mine, theirs = _time_less_one(points)[:, None], _time_less_one(others)
    found: Floats = mine * (1.0 + theirs) + theirs - points[:, :-1] @ others[:, :-1].T
    return np.maximum(found, 0.0, out=found)


def distances(points: Floats, centers: Floats) -> Floats:
    """Return the exact distances (points, centers) to a few centers (centers, d + 1)."""
    return np.stack([hyperboloid.distance(points, center) for center in centers], axis=1)


def point_blocks(points: int, others: int) -> Iterator[slice]:
    """Cut points into blocks whose matrix (points, others) is small."""
    at_once = max(1, _CELLS_AT_ONCE // max(1, others))
    return (slice(begin, begin + at_once) for begin in range(0, points, at_once))


def _time_less_one(points: Floats) -> Floats:
    less_one: Floats = np.vecdot(points[:, :-1], points[:, :-1]) / (1.0 + points[:, -1])
    return less_one
