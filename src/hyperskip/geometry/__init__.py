"""Hyperbolic geometry: maps and distances on the hyperboloid, and charts to look at it in."""

from hyperskip.geometry.charts import (
    from_ball,
    from_half_space,
    from_klein,
    to_ball,
    to_half_space,
    to_klein,
)
from hyperskip.geometry.hyperboloid import (
    base_point,
    centroid,
    distance,
    exponential,
    from_spatial,
    geodesic,
    logarithm,
    minkowski_dot,
    norm,
    parallel_transport,
    project_to_tangent,
    random_points,
    reflect,
    translate,
)

__all__ = [
    "base_point",
    "centroid",
    "distance",
    "exponential",
    "from_ball",
    "from_half_space",
    "from_klein",
    "from_spatial",
    "geodesic",
    "logarithm",
    "minkowski_dot",
    "norm",
    "parallel_transport",
    "project_to_tangent",
    "random_points",
    "reflect",
    "to_ball",
    "to_half_space",
    "to_klein",
    "translate",
]
