"""Hyperbolic geometry: maps and distances on the hyperboloid, and charts of it."""

from hyperskip.public_names import import_public

TYPE_CHECKING = False  # that of `typing` would take longer to load than this module
if TYPE_CHECKING:
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

_CHARTS = ("from_ball", "from_half_space", "from_klein", "to_ball", "to_half_space", "to_klein")

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

# The module of each public name, imported when the name is first used: `names` needs no NumPy.
_MODULES = {name: "charts" if name in _CHARTS else "hyperboloid" for name in __all__}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    return import_public(name, __name__, _MODULES)
