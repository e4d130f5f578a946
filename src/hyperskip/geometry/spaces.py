"""The spaces that words may live in, behind one face.

Each has its measures of similarity, of which the first is the paper's: the Minkowski product on the
hyperboloid, the cosine in Euclidean space.
"""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.measures import (
    ANGLE,
    DISTANCE,
    PRODUCT,
    Angle,
    EuclideanDistance,
    HyperbolicDistance,
    Measure,
    MinkowskiProduct,
    Scalar,
    SumOfProducts,
    by_factor,
    unit,
)

Floats = npt.NDArray[np.float64]

ROUTES = ("Z", "Z'")


class Space(Protocol):
    """What vectors need to know of the space that they live in."""

    name: str

    @property
    def measures(self) -> Mapping[str, Measure]:
        """Measures of similarity by their names; `product` is the paper's."""

    @property
    def compared_measures(self) -> tuple[str, ...]:
        """What to show side by side where nobody chose: measures that differ, the paper's first."""

    def points(self, coordinates: npt.NDArray[np.float32]) -> Floats:
        """Stored coordinates (..., n) as points."""

    def contains(self, point: Floats) -> bool:
        """Whether the coordinates are those of a point, up to rounding."""

    def distance(self, p: Floats, q: Floats) -> Floats:
        """How far apart points are, in the space's own terms."""

    def radius(self, points: Floats) -> Floats:
        """Distance from the base point."""

    def centroid(self, points: Floats) -> Floats:
        """The point in the middle of points (count, ...)."""

    def geodesic(self, p: Floats, q: Floats, t: Floats) -> Floats:
        """The points on the straight way from p (t = 0) to q (t = 1), at constant speed.

        `t` broadcasts against the leading axes of the points.
        """

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        """The point d with a : b = c : d."""

    def ball(self, points: Floats) -> Floats:
        """Coordinates in the Poincaré ball."""


def _without_time(points: Floats) -> Floats:
    return points[..., :-1]


def _all_coordinates(points: Floats) -> Floats:
    return points


class Hyperboloid:
    """Hyperbolic space; stored are the spatial coordinates, points have the time behind them."""

    name = "hyperboloid"

    measures: Mapping[str, Measure] = {
        PRODUCT: MinkowskiProduct(),
        DISTANCE: HyperbolicDistance(),
        ANGLE: Angle(_without_time),
    }
    compared_measures = (PRODUCT, ANGLE)

    def points(self, coordinates: npt.NDArray[np.float32]) -> Floats:
        return hyperboloid.from_spatial(coordinates.astype(np.float64))

    def contains(self, point: Floats) -> bool:
        time = hyperboloid.from_spatial(point[:-1])[-1]
        return bool(np.isfinite(time) and abs(point[-1] - time) <= 1e-6 * time)

    def distance(self, p: Floats, q: Floats) -> Floats:
        return hyperboloid.distance(p, q)

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.arcsinh(np.linalg.norm(_without_time(points), axis=-1)))

    def centroid(self, points: Floats) -> Floats:
        return hyperboloid.centroid(points)

    def geodesic(self, p: Floats, q: Floats, t: Floats) -> Floats:
        return hyperboloid.geodesic(p, q, t)

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        """The paper's boxed procedure: Z via c, or Z' via b."""
        if route == "Z":
            relation, via = hyperboloid.logarithm(a, b), c
        else:
            relation, via = hyperboloid.logarithm(a, c), b
        return hyperboloid.exponential(via, hyperboloid.parallel_transport(a, via, relation))

    def ball(self, points: Floats) -> Floats:
        return charts.to_ball(points)


class ProductOfHyperboloids:
    """Several hyperboloids at once: a point has coordinates on each, one behind the other.

    What is done to a point is done on each of them (Gu et al., 2019); the squares of distances add
    up. There is no measure `distance`, as it is no function of products.

    Args:
        factors: How many they are.
    """

    name = "hyperboloid"
    compared_measures = (PRODUCT, ANGLE)

    def __init__(self, factors: int) -> None:
        self._factors = factors
        self._each = Hyperboloid()
        self.measures: Mapping[str, Measure] = {
            PRODUCT: SumOfProducts(factors),
            ANGLE: Angle(lambda points: self._joined(_without_time(self._split(points)))),
        }

    def points(self, coordinates: npt.NDArray[np.float32]) -> Floats:
        return self._joined(self._each.points(self._split(coordinates)))

    def contains(self, point: Floats) -> bool:
        return all(self._each.contains(part) for part in self._split(point))

    def distance(self, p: Floats, q: Floats) -> Floats:
        distances = self._each.distance(self._split(p), self._split(q))
        return np.asarray(np.linalg.norm(distances, axis=-1))

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.linalg.norm(self._each.radius(self._split(points)), axis=-1))

    def centroid(self, points: Floats) -> Floats:
        return self._joined(hyperboloid.centroid(self._split(points), axis=-3))

    def geodesic(self, p: Floats, q: Floats, t: Floats) -> Floats:
        each = self._each.geodesic(self._split(p), self._split(q), np.asarray(t)[..., None])
        return self._joined(each)

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        a, b, c = self._split(a), self._split(b), self._split(c)
        return self._joined(self._each.analogy(a, b, c, route))

    def ball(self, points: Floats) -> Floats:
        """Coordinates in a Poincaré ball for each factor, one behind the other."""
        return self._joined(self._each.ball(self._split(points)))

    def _split(self, numbers: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        return by_factor(numbers, self._factors)

    def _joined(self, numbers: Floats) -> Floats:
        *others, factors, length = numbers.shape
        return numbers.reshape(*others, factors * length)


class Euclidean:
    """Flat space, compared by cosine: what the paper measures itself against."""

    name = "euclidean"
    measures: Mapping[str, Measure] = {
        PRODUCT: Angle(_all_coordinates),
        DISTANCE: EuclideanDistance(),
        ANGLE: Angle(_all_coordinates),
    }
    compared_measures = (PRODUCT,)  # the angle is the same

    def points(self, coordinates: npt.NDArray[np.float32]) -> Floats:
        return coordinates.astype(np.float64)

    def contains(self, point: Floats) -> bool:
        return bool(np.isfinite(point).all())

    def distance(self, p: Floats, q: Floats) -> Floats:
        """1 - cosine: what goes by the paper's measure in flat space."""
        return self.measures[PRODUCT].apartness(p, q)

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.linalg.norm(points, axis=-1))

    def centroid(self, points: Floats) -> Floats:
        return np.asarray(points.mean(axis=-2))

    def geodesic(self, p: Floats, q: Floats, t: Floats) -> Floats:
        share = np.asarray(t)[..., None]
        return (1.0 - share) * p + share * q

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:  # noqa: ARG002
        """B - a + c of unit vectors; in flat space both routes lead to the same point."""
        return unit(b) - unit(a) + unit(c)

    def ball(self, points: Floats) -> Floats:  # noqa: ARG002
        raise GeometryError(
            "Euclidean vectors have no coordinates in the Poincaré ball",
            hint="train with --geometry hyperboloid",
        )


def space_named(name: str, factors: int = 1) -> Space:
    """The space of a geometry's name, with so many factors."""
    hyperbolic = Hyperboloid() if factors == 1 else ProductOfHyperboloids(factors)
    spaces: dict[str, Space] = {"hyperboloid": hyperbolic, "euclidean": Euclidean()}
    if name not in spaces:
        raise OptionError(f"geometry is {name!r}", hint=f"geometry takes {' or '.join(spaces)}")
    return spaces[name]


def check_route(route: str) -> None:
    """Refuse an analogy route that there is not."""
    if route not in ROUTES:
        raise OptionError(f"route is {route!r}", hint=f"route takes {' or '.join(ROUTES)}")
