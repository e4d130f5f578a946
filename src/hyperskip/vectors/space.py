"""The two spaces that words may live in, behind one face.

Nearest neighbours are found by products: `keys` of all words times `queries` of a few points give
the similarity that ranks them, the Minkowski product on the hyperboloid and the cosine in Euclidean
space. Distances, which cost more, are computed only for the few that are shown.
"""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry import charts, hyperboloid

Floats = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float32] | npt.NDArray[np.float64]

ROUTES = ("Z", "Z'")


class Space(Protocol):
    """What vectors need to know of the space that they live in."""

    name: str

    def points(self, coordinates: npt.NDArray[np.float32]) -> Floats:
        """Stored coordinates (..., n) as points."""

    def contains(self, point: Floats) -> bool:
        """Whether the coordinates are those of a point, up to rounding."""

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        """One row a word, to be multiplied with queries."""

    def queries(self, points: Floats) -> Floats:
        """One row a point, such that keys @ queries.T are similarities."""

    def similarity(self, p: Floats, q: Floats) -> Floats:
        """The paper's measure of similarity."""

    def distance(self, p: Floats, q: Floats) -> Floats:
        """The distance that the similarity ranks by."""

    def radius(self, points: Floats) -> Floats:
        """Distance from the base point."""

    def centroid(self, points: Floats) -> Floats:
        """The point in the middle of points (count, ...)."""

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        """The point d with a : b = c : d."""

    def ball(self, points: Floats) -> Floats:
        """Coordinates in the Poincaré ball."""


class Hyperboloid:
    """Hyperbolic space; stored are the spatial coordinates, points have the time behind them."""

    name = "hyperboloid"

    # A float32 product of times t and s is off by about 6e-8 t s. Up to these times that is 6e-4,
    # little beside the products of neighbours; farther out, keys are float64.
    _greatest_time_in_float32 = 100.0

    def points(self, coordinates: npt.NDArray[np.float32]) -> Floats:
        return hyperboloid.from_spatial(coordinates.astype(np.float64))

    def contains(self, point: Floats) -> bool:
        time = hyperboloid.from_spatial(point[:-1])[-1]
        return bool(np.isfinite(time) and abs(point[-1] - time) <= 1e-6 * time)

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        times = np.sqrt(1.0 + _squares(coordinates))
        if times.max() > self._greatest_time_in_float32:
            return self.points(coordinates)
        return np.column_stack((coordinates, times.astype(np.float32)))

    def queries(self, points: Floats) -> Floats:
        signs = np.ones(points.shape[-1])
        signs[-1] = -1.0
        return points * signs

    def similarity(self, p: Floats, q: Floats) -> Floats:
        return hyperboloid.minkowski_dot(p, q)

    def distance(self, p: Floats, q: Floats) -> Floats:
        return hyperboloid.distance(p, q)

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.arcsinh(np.linalg.norm(points[..., :-1], axis=-1)))

    def centroid(self, points: Floats) -> Floats:
        return hyperboloid.centroid(points)

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:
        """The paper's boxed procedure: Z via c, or Z' via b."""
        if route == "Z":
            relation, via = hyperboloid.logarithm(a, b), c
        else:
            relation, via = hyperboloid.logarithm(a, c), b
        return hyperboloid.exponential(via, hyperboloid.parallel_transport(a, via, relation))

    def ball(self, points: Floats) -> Floats:
        return charts.to_ball(points)


class Euclidean:
    """Flat space, compared by cosine: what the paper measures itself against."""

    name = "euclidean"

    def points(self, coordinates: npt.NDArray[np.float32]) -> Floats:
        return coordinates.astype(np.float64)

    def contains(self, point: Floats) -> bool:
        return bool(np.isfinite(point).all())

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        lengths = np.sqrt(_squares(coordinates)).astype(np.float32)
        return np.asarray(coordinates / np.where(lengths > 0, lengths, np.float32(1.0))[:, None])

    def queries(self, points: Floats) -> Floats:
        return _unit(points)

    def similarity(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.sum(_unit(p) * _unit(q), axis=-1))

    def distance(self, p: Floats, q: Floats) -> Floats:
        """1 - cosine, as half the squared chord: accurate near 0."""
        difference = _unit(p) - _unit(q)
        return np.asarray(np.sum(difference * difference, axis=-1) / 2.0)

    def radius(self, points: Floats) -> Floats:
        return np.asarray(np.linalg.norm(points, axis=-1))

    def centroid(self, points: Floats) -> Floats:
        return np.asarray(points.mean(axis=-2))

    def analogy(self, a: Floats, b: Floats, c: Floats, route: str) -> Floats:  # noqa: ARG002
        """B - a + c of unit vectors; in flat space both routes lead to the same point."""
        return _unit(b) - _unit(a) + _unit(c)

    def ball(self, points: Floats) -> Floats:  # noqa: ARG002
        raise GeometryError(
            "Euclidean vectors have no coordinates in the Poincaré ball",
            hint="train with --geometry hyperboloid",
        )


def _squares(coordinates: npt.NDArray[np.float32]) -> Floats:
    """(words,): the squared lengths, summed in float64 without a copy of all in float64."""
    return np.asarray(np.einsum("wd,wd->w", coordinates, coordinates, dtype=np.float64))


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))


def space_named(name: str) -> Space:
    """The space of a geometry's name."""
    spaces: dict[str, Space] = {"hyperboloid": Hyperboloid(), "euclidean": Euclidean()}
    if name not in spaces:
        raise OptionError(f"geometry is {name!r}", hint=f"geometry takes {' or '.join(spaces)}")
    return spaces[name]


def check_route(route: str) -> None:
    """Refuse an analogy route that there is not."""
    if route not in ROUTES:
        raise OptionError(f"route is {route!r}", hint=f"route takes {' or '.join(ROUTES)}")
