"""Measures of similarity, which rank pairs of words and neighbors.

Neighbors are found by matrix products: `keys` of all words times `queries` of a few points rank the
words as the measure does. The measure itself, which costs more, is computed for a few words only.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError, alternatives
from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats, Matrix, Scalar
from hyperskip.geometry.names import PRODUCT

# A float32 product of vectors of lengths t and s has an error of about 6e-8 t s. Up to this length
# that is 6e-4, small next to the products of neighbors; for longer vectors, keys are float64.
_GREATEST_LENGTH_IN_FLOAT32 = 100.0


class Measure(Protocol):
    """A similarity of points; greater means more similar."""

    def similarity(self, p: Floats, q: Floats) -> Floats:
        """Similarity of points (..., n)."""

    def dissimilarity(self, p: Floats, q: Floats) -> Floats:
        """Dissimilarity of at least 0, in the reverse order; accurate for close points."""

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        """(words, columns): rows to be multiplied with queries, from the stored coordinates."""

    def queries(self, points: Floats) -> Floats:
        """(points, columns): rows for which keys @ queries.T ranks words as the similarity does."""

    def of_products(self, products: Matrix) -> Matrix:
        """Similarities from products of keys and queries."""


class MinkowskiProduct:
    """The paper's measure on the hyperboloid: at most -1."""

    def similarity(self, p: Floats, q: Floats) -> Floats:
        return hyperboloid.minkowski_dot(p, q)

    def dissimilarity(self, p: Floats, q: Floats) -> Floats:
        return hyperboloid.distance(p, q)

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        times = np.sqrt(1.0 + squared_lengths(coordinates))
        if times.max(initial=1.0) > _GREATEST_LENGTH_IN_FLOAT32:
            return hyperboloid.from_spatial(coordinates.astype(np.float64))
        return np.column_stack((coordinates, times.astype(np.float32)))

    def queries(self, points: Floats) -> Floats:
        signs = np.ones(points.shape[-1])
        signs[-1] = -1.0
        return points * signs

    def of_products(self, products: Matrix) -> Matrix:
        return products


class SumOfProducts:
    """The paper's measure on a product of hyperboloids, summed over the factors: at most -factors.

    Args:
        factors: Number of hyperboloids; a point has the coordinates on each in order.
    """

    def __init__(self, factors: int) -> None:
        self._factors = factors

    def similarity(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.sum(p * self.queries(q), axis=-1))

    def dissimilarity(self, p: Floats, q: Floats) -> Floats:
        """The sum of cosh(distance) - 1."""
        distances = hyperboloid.distance(by_factor(p, self._factors), by_factor(q, self._factors))
        return np.asarray(np.sum(2.0 * np.sinh(distances / 2.0) ** 2, axis=-1))

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        parts = by_factor(coordinates, self._factors)
        times = np.sqrt(1.0 + np.einsum("wfd,wfd->wf", parts, parts, dtype=np.float64))[..., None]
        if times.max(initial=1.0) <= _GREATEST_LENGTH_IN_FLOAT32:
            times = times.astype(np.float32)
        keys: Matrix = np.concatenate((parts, times), axis=-1).reshape(len(coordinates), -1)
        return keys

    def queries(self, points: Floats) -> Floats:
        signs = np.ones(points.shape[-1] // self._factors)
        signs[-1] = -1.0
        return np.asarray(points * np.tile(signs, self._factors))

    def of_products(self, products: Matrix) -> Matrix:
        return products


class HyperbolicDistance(MinkowskiProduct):
    """The negative distance on the hyperboloid, which ranks as the product does."""

    def similarity(self, p: Floats, q: Floats) -> Floats:
        return -hyperboloid.distance(p, q)

    def of_products(self, products: Matrix) -> Matrix:
        return np.asarray(-np.arccosh(np.maximum(-products, 1)))


class Angle:
    """The cosine of the angle between two points at the base point.

    Args:
        spatial: Gives the stored coordinates of points (..., n): their direction from the base
            point.
    """

    def __init__(self, spatial: Callable[[Floats], Floats]) -> None:
        self._spatial = spatial

    def similarity(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.sum(self.queries(p) * self.queries(q), axis=-1))

    def dissimilarity(self, p: Floats, q: Floats) -> Floats:
        """1 - cosine, as half the squared chord: accurate near 0."""
        p, q = self.queries(p), self.queries(q)
        # The base point has no direction: its cosine with any point is 0, but its chord is shorter.
        without_direction = ~p.any(axis=-1) | ~q.any(axis=-1)
        return np.where(without_direction, 1.0, np.sum((p - q) ** 2, axis=-1) / 2.0)

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        lengths = np.sqrt(squared_lengths(coordinates)).astype(np.float32)
        return np.asarray(coordinates / np.where(lengths > 0, lengths, np.float32(1.0))[:, None])

    def queries(self, points: Floats) -> Floats:
        return unit(self._spatial(points))

    def of_products(self, products: Matrix) -> Matrix:
        return products


class EuclideanDistance:
    """The negative distance in flat space."""

    def similarity(self, p: Floats, q: Floats) -> Floats:
        return -self.dissimilarity(p, q)

    def dissimilarity(self, p: Floats, q: Floats) -> Floats:
        return np.asarray(np.linalg.norm(p - q, axis=-1))

    def keys(self, coordinates: npt.NDArray[np.float32]) -> Matrix:
        """(x, |x|², 1); the product with (2q, -1, -|q|²) is -|x - q|²."""
        squares = squared_lengths(coordinates)
        keys: Floats = np.column_stack((coordinates, squares, np.ones(len(squares))))
        far = squares.max(initial=0.0) > _GREATEST_LENGTH_IN_FLOAT32
        return keys if far else keys.astype(np.float32)

    def queries(self, points: Floats) -> Floats:
        squares = np.sum(points * points, axis=-1)
        return np.column_stack((2.0 * points, -np.ones(len(points)), -squares))

    def of_products(self, products: Matrix) -> Matrix:
        return np.asarray(-np.sqrt(np.maximum(-products, 0)))


def by_factor(numbers: npt.NDArray[Scalar], factors: int) -> npt.NDArray[Scalar]:
    """Numbers (..., n) of all factors in order, as (..., factors, n / factors)."""
    *others, length = numbers.shape
    return numbers.reshape(*others, factors, length // factors)


def measure_named(name: str, measures: Mapping[str, Measure]) -> Measure:
    """The measure of this name in a space.

    Raises:
        OptionError: The space has no such measure.
    """
    if name not in measures:
        raise OptionError(
            f"`measure` must be {alternatives(measures)} for these vectors, got {name!r}",
            hint=f"`measure`: how similarity is computed; {PRODUCT} is the paper's",
        )
    return measures[name]


def squared_lengths(coordinates: npt.NDArray[np.float32]) -> Floats:
    """(words,): sums in float64, without a float64 copy of all coordinates."""
    return np.asarray(np.einsum("wd,wd->w", coordinates, coordinates, dtype=np.float64))


def unit(vectors: Floats) -> Floats:
    """Vectors of length 1 in the same directions; vectors of length 0 stay as they are."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))
