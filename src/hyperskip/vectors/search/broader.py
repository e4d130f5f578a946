"""Broader words: the score of "a is a b", and the parent of each word.

A word is broader than another if it lies nearer to the base point. Both answers use this radius and
the distance of two words, and nothing else. benchmarks/direction.py compares them with others.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.geometry.names import PRODUCT
from hyperskip.geometry.spaces import Space
from hyperskip.vectors.search.products import query_blocks

_NEAREST = 16  # broader words that may be ancestors: few words have more
_SHORTLIST = 32  # words whose distances are computed to find them, despite rounded products
_GROUP = 32  # columns whose greatest product is taken first
_CELLS_AT_ONCE = 1 << 23  # cells of the matrix (words, broader words): 32 MiB in float32


def is_a_scores(first_radii: Floats, second_radii: Floats, distances: Floats) -> Floats:
    """Scores of "the first is a kind of the second", from -1 to 1.

    With the difference δ of the radii, the distance d and the greater radius r, the score is
    sign(δ) · |δ/d|^¼ · exp(-4 d/r). The direction δ/d is 1 if the second lies on the geodesic from
    the base point to the first. Both quotients are the same at every scale. If the two are
    exchanged, the score changes its sign; of a word with itself it is 0.

    Args:
        first_radii: Distances of the first words from the base point.
        second_radii: Those of the second words.
        distances: Distances of the first from the second words.
    """
    differences = first_radii - second_radii
    greater = np.maximum(first_radii, second_radii)
    apart = distances > 0
    directions = np.where(apart, differences / np.where(apart, distances, 1.0), 0.0)
    lengths = np.minimum(np.abs(directions), 1.0)  # at most 1, up to rounding
    # If the greater radius is 0, both words are the base point, and the direction is 0.
    steps = distances / np.where(greater > 0, greater, 1.0)
    return np.asarray(np.sign(directions) * lengths**0.25 * np.exp(-4.0 * steps))


def narrowest_of_near(distances: Floats, ranks: Rows) -> Rows:
    """Return the column of the narrowest near word for each question (questions,).

    The distances of ancestors are similar, and other words are farther away. So the near words end
    at the widest gap between the fourth powers of consecutive distances. The last near word is at
    most 1.5 times as far away as the nearest: if a grandparent is twice as far away as the parent,
    the parent is the only near word.

    Args:
        distances: (questions, columns): of broader words; infinite if there is no word. At least
            one in each row is finite.
        ranks: (questions, columns): ranks of these words by radius.
    """
    order = np.argsort(distances, axis=1, kind="stable")[:, :_NEAREST]
    nearest = np.take_along_axis(distances, order, axis=1)
    known = np.isfinite(nearest)
    powers = np.where(known, nearest, 0.0) ** 4
    may_end = known[:, 1:] & (nearest[:, :-1] <= 1.5 * nearest[:, :1])
    gaps = np.where(may_end, np.diff(powers, axis=1), -1.0)
    last = gaps.argmax(axis=1) if gaps.shape[1] else np.zeros(len(order), dtype=np.int64)
    is_near = np.arange(order.shape[1]) <= last[:, None]
    narrowest = np.where(is_near, np.take_along_axis(ranks, order, axis=1), -1).argmax(axis=1)
    return np.asarray(np.take_along_axis(order, narrowest[:, None], axis=1)[:, 0])


class BroaderWords:
    """Finds the parents of words: the narrowest of the near words that are broader.

    Args:
        space: The space of the words, which is curved.
        coordinates: (words, dimension).
        ranks: (words,): ranks of the words by radius, from 1.
    """

    def __init__(self, space: Space, coordinates: npt.NDArray[np.float32], ranks: Rows) -> None:
        self._space = space
        self._measure = space.measures[PRODUCT]
        self._ranks = ranks
        # The words in the order of their ranks: those broader than a word come before it.
        self._rows = np.argsort(ranks)
        self._coordinates = coordinates[self._rows]
        self._keys = self._measure.keys(self._coordinates)

    def parents(self, rows: Rows) -> Rows:
        """Return the row of the parent of each word (rows,); -1 for the broadest word of all.

        The nearest words are found by products, which on a product of hyperboloids rank almost as
        distances do.
        """
        parents = np.full(len(rows), -1, dtype=np.int64)
        broader = self._ranks[rows] - 1  # number of broader words
        order = np.argsort(broader, kind="stable")
        order = order[broader[order] > 0]
        for block in query_blocks(len(order), len(self._rows), _CELLS_AT_ONCE):
            asked = order[block]
            parents[asked] = self._rows[self._parents(broader[asked])]
        return parents

    def _parents(self, positions: Rows) -> Rows:
        """Return the positions of the parents of words, which are at ascending positions."""
        points = self._space.points(self._coordinates[positions])
        queries: Any = self._measure.queries(points).astype(self._keys.dtype)
        first, width = positions[0], positions[-1]
        products: Matrix = queries @ self._keys[:width].T
        products[:, first:][np.arange(first, width) >= positions[:, None]] = -np.inf
        near = greatest_columns(products, _SHORTLIST)
        distances = self._space.distance(
            points[:, None], self._space.points(self._coordinates[near])
        )
        distances = np.where(near < positions[:, None], distances, np.inf)
        chosen = narrowest_of_near(distances, near)
        return np.asarray(np.take_along_axis(near, chosen[:, None], axis=1)[:, 0])


def greatest_columns(products: Matrix, count: int) -> Rows:
    """Return the columns of the `count` greatest products of each row, in any order.

    The columns are first divided into groups. The greatest products are in the groups whose maxima
    are greatest, and taking maxima is much faster than selecting.
    """
    rows, width = products.shape
    groups = width // _GROUP
    if groups <= count:
        return _selected(products, np.broadcast_to(np.arange(width), products.shape), count)
    grouped = groups * _GROUP
    # Group i has the columns i, i + groups, i + 2 · groups, ...
    maxima = products[:, :grouped].reshape(rows, _GROUP, groups).max(axis=1)
    chosen = np.argpartition(maxima, groups - count, axis=1)[:, -count:]
    members = chosen[:, None, :] + groups * np.arange(_GROUP)[:, None]
    others = np.broadcast_to(np.arange(grouped, width), (rows, width - grouped))
    columns = np.concatenate((members.reshape(rows, -1), others), axis=1)
    chosen_products: Matrix = np.take_along_axis(products, columns, axis=1)  # type: ignore[assignment]
    return _selected(chosen_products, columns, count)


def _selected(products: Matrix, columns: Rows, count: int) -> Rows:
    width = products.shape[1]
    if width <= count:
        return columns
    chosen = np.argpartition(products, width - count, axis=1)[:, -count:]
    return np.asarray(np.take_along_axis(columns, chosen, axis=1))
