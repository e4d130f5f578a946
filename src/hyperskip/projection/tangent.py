"""Points as they are seen from their middle, in the two directions in which they differ most."""

import numpy as np

from hyperskip.geometry import charts, hyperboloid
from hyperskip.vectors.space import Floats


def project_to_disc(points: Floats, factors: int = 1) -> Floats:
    """Coordinates (words, 2) in the Poincaré disc for points of a product of so many hyperboloids.

    The picture is centred on the points' centroid. In two dimensions that is all, and distances
    are exact. Else the points are seen from the centroid (logarithm), and the two directions in
    which they differ most are kept: distances from the centre shrink, and never grow.
    """
    by_factor = points.reshape(len(points), factors, -1)
    seen = np.concatenate([_seen_from_centroid(by_factor[:, f]) for f in range(factors)], axis=1)
    dimension = seen.shape[1]
    if dimension == 1:
        seen = np.pad(seen, ((0, 0), (0, 1)))
    elif dimension > 2:
        left, lengths, _ = np.linalg.svd(seen, full_matrices=False)
        seen = left[:, :2] * lengths[:2]
    flat = hyperboloid.exponential(hyperboloid.base_point(2), np.pad(seen, ((0, 0), (0, 1))))
    return charts.to_ball(flat)


def _seen_from_centroid(points: Floats) -> Floats:
    """The logarithms (words, n) of points (words, n + 1) of a hyperboloid at their centroid."""
    centre = hyperboloid.centroid(points)
    base = hyperboloid.base_point(points.shape[-1] - 1)
    seen = hyperboloid.parallel_transport(centre, base, hyperboloid.logarithm(centre, points))
    return seen[:, :-1]  # tangent vectors at the base point have no time component
