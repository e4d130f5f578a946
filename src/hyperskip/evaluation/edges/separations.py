"""Separations: numbers that order pairs of points as their distances do, without cancellation.

On the hyperboloid, products of coordinates cancel far from the base point. With radii r and
directions u (unit vectors), 2 (cosh d - 1) = (e^r - e^r')² e^-r e^-r' + sinh r sinh r' |u - u'|²,
where all terms are positive. In flat space, the separation is the squared distance. By angle, it is
|u - u'|² in every space.
"""

from typing import NamedTuple

import numpy as np

from hyperskip.geometry.arrays import Coordinates, Floats, Rows
from hyperskip.geometry.measures import by_factor, unit
from hyperskip.geometry.spaces import Space

LANES = 4  # directions are padded with zeros to a multiple of this, the step of the kernel

_PAIRS_AT_ONCE = 1 << 16


class Placed(NamedTuple):
    """Points as the kernels read them; a space that is not a product has one factor.

    In flat space, directions are coordinates. There and by angle, lengths are 1 and decays are 0.
    """

    directions: Floats  # (factors, width, nodes)
    lengths: Floats  # (factors, nodes): sinh r
    growths: Floats  # (factors, nodes): e^r
    decays: Floats  # (factors, nodes): e^-r


def placed(space: Space, coordinates: Coordinates, *, by_angle: bool = False) -> Placed:
    """Prepare points for separations, from their stored coordinates (nodes, dimension).

    By angle, points are compared by the angle at the base point, and not by distance.
    """
    numbers = coordinates.astype(np.float64)
    parts = unit(numbers)[:, None] if by_angle else by_factor(numbers, space.factors)
    nodes, factors, dimension = parts.shape
    directions = np.zeros((factors, -(-dimension // LANES) * LANES, nodes))
    directions[:, :dimension] = parts.transpose(1, 2, 0)
    if by_angle or not space.is_curved:
        return Placed(directions, *(np.full((1, nodes), number) for number in (1.0, 0.0, 0.0)))
    lengths = np.ascontiguousarray(np.linalg.norm(parts, axis=-1).T)
    directions /= np.where(lengths > 0, lengths, 1.0)[:, None]
    growths = lengths + np.hypot(1.0, lengths)
    return Placed(directions, lengths, growths, 1.0 / growths)


def separations_of_pairs(points: Placed, first: Rows, second: Rows) -> Floats:
    """Return the separations of many pairs of nodes (pairs,), in blocks that bound the memory.

    They are equal to those of the kernels, bit for bit, because sums have the same order. Only in
    product spaces, logarithms may be rounded differently.
    """
    found = np.empty(len(first))
    for begin in range(0, len(first), _PAIRS_AT_ONCE):
        block = slice(begin, begin + _PAIRS_AT_ONCE)
        found[block] = _separations(points, first[block], second[block])
    return found


def _separations(points: Placed, first: Rows, second: Rows) -> Floats:
    factors, width, _ = points.directions.shape
    total = np.zeros(len(first))
    for factor in range(factors):
        lengths, growths, decays = (array[factor] for array in points[1:])
        spread = np.zeros(len(first))
        for axis in range(width):
            difference = points.directions[factor, axis, first]
            difference = difference - points.directions[factor, axis, second]
            spread += difference * difference
        outward = growths[first] - growths[second]
        part = lengths[first] * lengths[second] * spread
        part += decays[first] * decays[second] * (outward * outward)
        if factors == 1:
            return np.asarray(part)
        total += squared_distance(part)
    return total


def squared_distance(separation: Floats) -> Floats:
    """The squared distance on one factor of a product: d = arccosh(1 + separation / 2)."""
    half = separation / 2.0
    distance = np.log1p(half + np.sqrt(half * (half + 2.0)))
    return np.asarray(distance * distance)
