"""The spaces that words can be embedded in, behind one interface.

Stored coordinates (words, dimension) have no time; `points` adds it. Each space has its measures of
similarity. The first is the paper's: the Minkowski product on the hyperboloid, the cosine in
Euclidean space.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Coordinates, Floats, Scalar
from hyperskip.geometry.measures import (
    Angle,
    EuclideanDistance,
    HyperbolicDistance,
    Measure,
    MinkowskiProduct,
    SumOfProducts,
    by_factor,
    unit,
)
from hyperskip.geometry.names import (
    ANGLE,
    DISTANCE,
    EUCLIDEAN,
    GEOMETRIES,
    HYPERBOLOID,
    PRODUCT,
    ROUTES,
)

_FLOAT32_UNIT = 2.0**24  # from here on, neighboring float32 numbers differ by 1 or more
_BLOCK_NUMBERS = 1 << 21  # float64 numbers that are in memory at the same time


class Space(ABC):
    """A space that words are points of."""

    name: str  # of the geometry, as in `geometry.names`
    factors: int = 1  # number of hyperboloids in the product; 1 for any other space
    is_curved: bool  # whether it is a hyperbolic space or a product of them
    is_single_hyperboloid: bool  # whether it is one hyperbolic space, with totally geodesic planes
    routes: tuple[str, ...]  # analogy routes that give different answers
    measures: Mapping[str, Measure]  # measures of similarity by name; `product` is the paper's
    compared_measures: tuple[str, ...]  # measures worth comparing, the paper's first
    # On each factor; beyond it, neighboring float32 points are a distance of 1 or more apart.
    float32_radius: float
    distance_name: str  # of the distance that nodes of a graph are ranked by

    @abstractmethod
    def points(self, coordinates: Coordinates) -> Floats:
        """Points (..., n) with these stored coordinates (..., dimension)."""

    @abstractmethod
    def coordinates(self, points: Floats) -> Floats:
        """Stored coordinates (..., dimension) of points (..., n): the inverse of `points`."""

    @abstractmethod
    def times(self, coordinates: Coordinates) -> Floats:
        """Time coordinates (..., factors) of points with these stored coordinates (..., dimension).

        They are those of `points` up to rounding, and faster. Euclidean points have none (..., 0).
        """

    @abstractmethod
    def with_times(self, coordinates: Floats, times: Floats) -> Floats:
        """Stored coordinates and times as the numbers (..., n) of points."""

    @abstractmethod
    def contains(self, points: Floats) -> bool:
        """Whether all points (..., n) belong to the space, up to rounding."""

    @abstractmethod
    def distance(self, p: Floats, q: Floats) -> Floats:
        """Geodesic distance of points; in Euclidean space 1 - cosine."""

    @abstractmethod
    def radius(self, points: Floats) -> Floats:
        """Distance from the base point."""

    @abstractmethod
    def centroid(self, points: Floats, weights: npt.ArrayLike | None = None) -> Floats:
        """Centroid (..., n) of each group of points (..., count, n), with weights (..., count).

        Weights are 0 or more and not all 0; by default they are equal.
        """

    def centroids(self, coordinates: Coordinates, weights: Floats) -> Floats:
        """Weighted centroid of each of many groups, in blocks that bound the memory.

        Args:
            coordinates: (groups, count, dimension).
            weights: (groups, count).

        Returns:
            (groups, dimension): stored coordinates of the centroids.
        """
        groups, count, dimension = coordinates.shape
        found = np.empty((groups, dimension))
        for block in _blocks(groups, count * dimension):
            points = self.points(coordinates[block])
            found[block] = self.coordinates(self.centroid(points, weights[block]))
        return found

    @abstractmethod
    def centroid_of_mean(self, means: Floats) -> Floats:
        """Centroids (..., n) of groups of points, from the weighted means of their numbers.

        In curved space, these means (..., n) are not points of the space. The error grows with the
        square of that of `centroid`: it is negligible up to a radius of 7.
        """

    @abstractmethod
    def centered(self, coordinates: Coordinates) -> npt.NDArray[np.float32]:
        """Move all words (words, dimension) together so that their centroid is the base point.

        Training depends on distances only and lets all words drift. Moving them back changes no
        distance and gives a meaning to radii and to angles at the base point. Euclidean vectors
        stay as they are, since moving them would change their cosines.
        """

    @abstractmethod
    def recentered(self, points: Floats, center: Floats) -> Floats:
        """Move points (..., n) by the translation that takes `center` (n,) to the base point."""

    @abstractmethod
    def tangents(self, points: Floats) -> Floats:
        """Tangent vectors (..., dimension) from the base point to each of the points (..., n)."""

    @abstractmethod
    def around_centroid(self, points: Floats) -> Floats:
        """Tangent vectors (count, dimension) from the centroid to each of the points (count, n).

        For Euclidean vectors these are the differences of their directions from the mean direction.
        """

    @abstractmethod
    def normalized(self, points: Floats) -> Floats:
        """Points without what the `product` measure ignores: Euclidean ones get length 1."""

    @abstractmethod
    def geodesic(self, p: Floats, q: Floats, t: npt.ArrayLike) -> Floats:
        """Points on the geodesic from p (t = 0) to q (t = 1), at constant speed.

        `t` broadcasts against the leading axes of the points.
        """

    @abstractmethod
    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        """The point d with a : b = c : d."""

    @abstractmethod
    def combined(self, added: Floats, subtracted: Floats) -> Floats:
        """A point (n,) that stands for the sum of some points less that of others.

        In curved space, each subtracted point makes a relation with the added one of the same row,
        as in an analogy. All relations are transported to the centroid of the other added points,
        or to the base point if there are none, and their sum is a step from there. So the
        combination of (b, c) and (a,) is the point d with a : b = c : d.

        Args:
            added: (added, n).
            subtracted: (subtracted, n): at most as many.
        """

    @abstractmethod
    def ball(self, points: Floats) -> Floats:
        """Coordinates in the Poincaré ball, one ball for each factor."""

    @abstractmethod
    def random_coordinates(
        self, generator: np.random.Generator, count: int, dimension: int, deviation: float
    ) -> Floats:
        """Stored coordinates (count, dimension) of random points around the base point.

        They are the exponential map of tangent vectors with N(0, deviation²) coordinates.
        """


def _without_time(points: Floats) -> Floats:
    return points[..., :-1]


def _all_coordinates(points: Floats) -> Floats:
    return points


class Hyperboloid(Space):
    """Hyperbolic space; stored are the spatial coordinates, and points have the time last."""

    name = HYPERBOLOID
    is_curved = True
    is_single_hyperboloid = True
    routes = ROUTES
    measures: Mapping[str, Measure] = {
        PRODUCT: MinkowskiProduct(),
        DISTANCE: HyperbolicDistance(),
        ANGLE: Angle(_without_time),
    }
    compared_measures = (PRODUCT, ANGLE)
    float32_radius = math.asinh(_FLOAT32_UNIT)
    distance_name = "hyperbolic distance"

    def points(self, coordinates: Coordinates) -> Floats:
        return hyperboloid.from_spatial(coordinates)

    def coordinates(self, points: Floats) -> Floats:
        return _without_time(points)

    def times(self, coordinates: Coordinates) -> Floats:
        x = np.asarray(coordinates, dtype=np.float64)
        return np.asarray(np.sqrt(1.0 + np.vecdot(x, x)))[..., None]

    def with_times(self, coordinates: Floats, times: Floats) -> Floats:
        return np.concatenate((coordinates, times), axis=-1)

    def contains(self, points: Floats) -> bool:
        time = hyperboloid.from_spatial(_without_time(points))[..., -1]
        near = np.abs(points[..., -1] - time) <= 1e-6 * time
        return bool((np.isfinite(time) & near).all())

    def distance(self, p: Floats, q: Floats) -> Floats:
        return hyperboloid.distance(p, q)

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.arcsinh(np.linalg.norm(_without_time(points), axis=-1)))

    def centroid(self, points: Floats, weights: npt.ArrayLike | None = None) -> Floats:
        return hyperboloid.centroid(points, weights)

    def centroid_of_mean(self, means: Floats) -> Floats:
        return hyperboloid.centroid_of_mean(means)

    def centered(self, coordinates: Coordinates) -> npt.NDArray[np.float32]:
        return _centered(coordinates, factors=1)

    def recentered(self, points: Floats, center: Floats) -> Floats:
        return hyperboloid.translate_to_base(points, center)

    def tangents(self, points: Floats) -> Floats:
        return charts.to_tangent(points)

    def around_centroid(self, points: Floats) -> Floats:
        return self.tangents(self.recentered(points, hyperboloid.centroid(points)))

    def normalized(self, points: Floats) -> Floats:
        return points

    def geodesic(self, p: Floats, q: Floats, t: npt.ArrayLike) -> Floats:
        return hyperboloid.geodesic(p, q, t)

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        """The paper's boxed procedure: Z via c, or Z' via b."""
        if route == "Z":
            relation, via = hyperboloid.logarithm(a, b), c
        else:
            relation, via = hyperboloid.logarithm(a, c), b
        return hyperboloid.exponential(via, hyperboloid.parallel_transport(a, via, relation))

    def combined(self, added: Floats, subtracted: Floats) -> Floats:
        others = added[len(subtracted) :]
        base = hyperboloid.base_point(added.shape[-1] - 1)
        start = others[0] if len(others) == 1 else self.centroid(others) if len(others) else base
        if not len(subtracted):
            return start
        relations = hyperboloid.logarithm(subtracted, added[: len(subtracted)])
        step = hyperboloid.parallel_transport(subtracted, start, relations).sum(axis=0)
        return hyperboloid.exponential(start, step)

    def ball(self, points: Floats) -> Floats:
        return charts.to_ball(points)

    def random_coordinates(
        self, generator: np.random.Generator, count: int, dimension: int, deviation: float
    ) -> Floats:
        return _without_time(hyperboloid.random_points(generator, count, dimension, deviation))


class ProductOfHyperboloids(Space):
    """Product of hyperboloids: a point has coordinates on each, in order.

    Each operation acts on every factor (Gu et al., 2019), and squared distances add up. There is no
    measure `distance`, since distances are not a function of the products.

    Args:
        factors: Number of hyperboloids.
    """

    name = HYPERBOLOID
    is_curved = True
    is_single_hyperboloid = False
    routes = ROUTES
    compared_measures = (PRODUCT, ANGLE)
    float32_radius = Hyperboloid.float32_radius
    distance_name = "distance in the product space"

    def __init__(self, factors: int) -> None:
        self.factors = factors
        self._factor = Hyperboloid()
        self.measures = {PRODUCT: SumOfProducts(factors), ANGLE: Angle(self.coordinates)}

    def points(self, coordinates: Coordinates) -> Floats:
        return self._joined(self._factor.points(self._split(coordinates)))

    def coordinates(self, points: Floats) -> Floats:
        return self._joined(self._factor.coordinates(self._split(points)))

    def times(self, coordinates: Coordinates) -> Floats:
        return self._joined(self._factor.times(self._split(coordinates)))

    def with_times(self, coordinates: Floats, times: Floats) -> Floats:
        return self._joined(self._factor.with_times(self._split(coordinates), times[..., None]))

    def contains(self, points: Floats) -> bool:
        return self._factor.contains(self._split(points))

    def distance(self, p: Floats, q: Floats) -> Floats:
        distances = self._factor.distance(self._split(p), self._split(q))
        return np.asarray(np.linalg.norm(distances, axis=-1))

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.linalg.norm(self._factor.radius(self._split(points)), axis=-1))

    def centroid(self, points: Floats, weights: npt.ArrayLike | None = None) -> Floats:
        if weights is not None:
            weights = np.asarray(weights)[..., None, :]  # the same on every factor
        return self._joined(hyperboloid.centroid(self._split(points), weights, axis=-3))

    def centroid_of_mean(self, means: Floats) -> Floats:
        return self._joined(self._factor.centroid_of_mean(self._split(means)))

    def centered(self, coordinates: Coordinates) -> npt.NDArray[np.float32]:
        return _centered(coordinates, self.factors)

    def recentered(self, points: Floats, center: Floats) -> Floats:
        return self._joined(self._factor.recentered(self._split(points), self._split(center)))

    def tangents(self, points: Floats) -> Floats:
        return self._joined(self._factor.tangents(self._split(points)))

    def around_centroid(self, points: Floats) -> Floats:
        return self.tangents(self.recentered(points, self.centroid(points)))

    def normalized(self, points: Floats) -> Floats:
        return points

    def geodesic(self, p: Floats, q: Floats, t: npt.ArrayLike) -> Floats:
        t = np.asarray(t)[..., None]
        return self._joined(self._factor.geodesic(self._split(p), self._split(q), t))

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        a, b, c = self._split(a), self._split(b), self._split(c)
        return self._joined(self._factor.analogy(a, b, c, route))

    def combined(self, added: Floats, subtracted: Floats) -> Floats:
        parts = zip(
            np.moveaxis(self._split(added), -2, 0),
            np.moveaxis(self._split(subtracted), -2, 0),
            strict=True,
        )
        return np.concatenate([self._factor.combined(*part) for part in parts])

    def ball(self, points: Floats) -> Floats:
        return self._joined(self._factor.ball(self._split(points)))

    def random_coordinates(
        self, generator: np.random.Generator, count: int, dimension: int, deviation: float
    ) -> Floats:
        each = self._factor.random_coordinates(
            generator, count * self.factors, dimension // self.factors, deviation
        )
        return each.reshape(count, dimension)

    def _split(self, numbers: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        return by_factor(numbers, self.factors)

    def _joined(self, numbers: Floats) -> Floats:
        *others, factors, length = numbers.shape
        return numbers.reshape(*others, factors * length)


class Euclidean(Space):
    """Flat space, compared by cosine: the paper's baseline."""

    name = EUCLIDEAN
    is_curved = False
    is_single_hyperboloid = False
    routes = ROUTES[:1]
    measures: Mapping[str, Measure] = {
        PRODUCT: Angle(_all_coordinates),
        DISTANCE: EuclideanDistance(),
        ANGLE: Angle(_all_coordinates),
    }
    compared_measures = (PRODUCT,)  # the angle is the same
    float32_radius = _FLOAT32_UNIT
    distance_name = "Euclidean distance"

    def points(self, coordinates: Coordinates) -> Floats:
        return coordinates.astype(np.float64)

    def coordinates(self, points: Floats) -> Floats:
        return points

    def times(self, coordinates: Coordinates) -> Floats:
        return np.empty((*coordinates.shape[:-1], 0))

    def with_times(self, coordinates: Floats, times: Floats) -> Floats:  # noqa: ARG002
        return coordinates

    def contains(self, points: Floats) -> bool:
        return bool(np.isfinite(points).all())

    def distance(self, p: Floats, q: Floats) -> Floats:
        """1 - cosine, which ranks as the paper's measure in flat space."""
        return self.measures[PRODUCT].dissimilarity(p, q)

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.linalg.norm(points, axis=-1))

    def centroid(self, points: Floats, weights: npt.ArrayLike | None = None) -> Floats:
        if weights is None:
            return np.asarray(points.mean(axis=-2))
        weights = np.asarray(weights, dtype=np.float64)
        shares = weights / weights.sum(axis=-1, keepdims=True)
        return np.asarray(np.einsum("...p,...pd->...d", shares, points))

    def centroid_of_mean(self, means: Floats) -> Floats:
        return means

    def centered(self, coordinates: Coordinates) -> npt.NDArray[np.float32]:
        return np.asarray(coordinates, dtype=np.float32)

    def recentered(self, points: Floats, center: Floats) -> Floats:
        return points - center

    def tangents(self, points: Floats) -> Floats:
        return points

    def around_centroid(self, points: Floats) -> Floats:
        directions = unit(points)
        return np.asarray(directions - directions.mean(axis=0))

    def normalized(self, points: Floats) -> Floats:
        return unit(points)

    def geodesic(self, p: Floats, q: Floats, t: npt.ArrayLike) -> Floats:
        share = np.asarray(t)[..., None]
        return np.asarray((1.0 - share) * p + share * q)

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:  # noqa: ARG002
        """B - a + c of unit vectors; in flat space both routes lead to the same point."""
        return unit(b) - unit(a) + unit(c)

    def combined(self, added: Floats, subtracted: Floats) -> Floats:
        """The sum of unit vectors, less the subtracted ones."""
        return np.asarray(unit(added).sum(axis=0) - unit(subtracted).sum(axis=0))

    def ball(self, points: Floats) -> Floats:  # noqa: ARG002
        raise GeometryError(
            "Euclidean vectors have no coordinates in the Poincaré ball",
            hint="train in the geometry hyperboloid",
        )

    def random_coordinates(
        self, generator: np.random.Generator, count: int, dimension: int, deviation: float
    ) -> Floats:
        return generator.normal(0.0, deviation, (count, dimension))


def space_named(name: str, factors: int = 1) -> Space:
    """The space of a geometry, as a product of `factors` hyperboloids if there are several.

    Raises:
        OptionError: There is no geometry of this name.
    """
    if name not in GEOMETRIES:
        raise OptionError(
            f"`geometry` must be {' or '.join(GEOMETRIES)}, got {name!r}",
            hint=f"`geometry`: {HYPERBOLOID} is the paper's; {EUCLIDEAN} is compared by cosine",
        )
    if name == EUCLIDEAN:
        return Euclidean()
    return Hyperboloid() if factors == 1 else ProductOfHyperboloids(factors)


def check_route(route: str) -> None:
    """Check the name of an analogy route.

    Raises:
        OptionError: The route is unknown.
    """
    if route not in ROUTES:
        raise OptionError(
            f"`route` must be {' or '.join(ROUTES)}, got {route!r}",
            hint="`route`: Z transports the relation of a and b to c, Z' that of a and c to b",
        )


def _centered(coordinates: Coordinates, factors: int) -> npt.NDArray[np.float32]:
    """Translate words on each factor so that their centroid is the base point."""
    moved = by_factor(np.array(coordinates, dtype=np.float32), factors)
    for _ in range(2):  # the centroid of words that are all far out is exact on the second try
        _translate_to_base(moved)
    return moved.reshape(coordinates.shape)


def _translate_to_base(words: npt.NDArray[np.float32]) -> None:
    """Move words (words, factors, factor dimension) so that their centroid is the base point."""
    blocks = list(_blocks(len(words), words[:1].size))
    total = np.sum([hyperboloid.from_spatial(words[block]).sum(axis=0) for block in blocks], axis=0)
    # The centroid is the point in the direction of the sum: -⟨total, total⟩ is its square length.
    length = np.sqrt(-hyperboloid.minkowski_dot(total, total))[:, None]
    center = hyperboloid.from_spatial(total[:, :-1] / length)
    base = hyperboloid.base_point(words.shape[-1])
    for block in blocks:
        points = hyperboloid.from_spatial(words[block])
        words[block] = hyperboloid.translate(points, center, base)[..., :-1]


def _blocks(rows: int, numbers_per_row: int) -> Iterator[slice]:
    step = max(1, _BLOCK_NUMBERS // max(1, numbers_per_row))
    for begin in range(0, rows, step):
        yield slice(begin, begin + step)
