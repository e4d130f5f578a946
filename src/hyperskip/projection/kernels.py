"""Kernels of a map: nearest words, and moves on the Poincaré disc.

Places are complex numbers in the unit disc, stored as pairs. Seen from z, the place w is in the
direction of m = (w - z) / (1 - conj(z) w), at the distance 2 artanh |m|. Lengths of forces and
steps are hyperbolic. `reference.py` has the slow twins.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

_SHORTEST = 1e-12
# The steps of a coordinate grow while its force keeps its sign (Jacobs, 1988).
_LONGER, _SHORTER, _LONGEST_GAIN, _SHORTEST_GAIN = 0.2, 0.8, 4.0, 0.05


class StepRule(NamedTuple):
    """How words move along their forces."""

    rate: float
    momentum: float
    longest: float  # step
    rim: float  # greatest length of a place, below 1
    radial: bool  # whether places may change their distance from the center


@njit(forceinline=True)
def _seen_from(x: Any, y: Any, other_x: Any, other_y: Any) -> Any:
    """The other place as seen from (x, y): a vector of length tanh(distance / 2)."""
    above_x, above_y = other_x - x, other_y - y
    below_x, below_y = 1.0 - x * other_x - y * other_y, y * other_x - x * other_y
    scale = 1.0 / (below_x * below_x + below_y * below_y)
    return (
        (above_x * below_x + above_y * below_y) * scale,
        (above_y * below_x - above_x * below_y) * scale,
    )


@cached_on_disk
@njit(nogil=True, error_model="numpy")
def move(
    places: Any,  # (words, 2), changed
    speeds: Any,  # (words, 2), changed
    gains: Any,  # (words, 2), changed
    found: Any,  # (words, 2): the forces
    rule: Any,  # StepRule
) -> None:
    """Move every word along its force, with momentum: z becomes (z + u) / (1 + conj(z) u)."""
    for word in range(len(places)):
        for axis in range(2):
            if found[word, axis] * speeds[word, axis] > 0:
                gains[word, axis] = min(gains[word, axis] + _LONGER, _LONGEST_GAIN)
            else:
                gains[word, axis] = max(gains[word, axis] * _SHORTER, _SHORTEST_GAIN)
            speeds[word, axis] *= rule.momentum
            speeds[word, axis] += rule.rate * gains[word, axis] * found[word, axis]
        speed = math.sqrt(speeds[word, 0] ** 2 + speeds[word, 1] ** 2) + _SHORTEST
        if speed > rule.longest:
            speeds[word, 0] *= rule.longest / speed
            speeds[word, 1] *= rule.longest / speed
            speed = rule.longest
        scale = math.tanh(speed / 2.0) / speed
        x, y = places[word, 0], places[word, 1]
        # A step u from z leads to u as seen from -z.
        new_x, new_y = _seen_from(-x, -y, speeds[word, 0] * scale, speeds[word, 1] * scale)
        radius = math.sqrt(new_x * new_x + new_y * new_y) + _SHORTEST
        bound = min(radius, rule.rim) if rule.radial else math.sqrt(x * x + y * y)
        new_x *= bound / radius
        new_y *= bound / radius
        places[word, 0], places[word, 1] = new_x, new_y


@cached_on_disk
@njit(nogil=True)
def greatest_of_each(
    numbers: Any,  # (rows, columns)
    columns: Any,  # (rows, count) int64: columns of the greatest numbers, greatest first
) -> None:
    """Find the columns of the greatest numbers in each row; of equal numbers, the first columns."""
    count = columns.shape[1]
    greatest = np.empty(count, dtype=numbers.dtype)
    for row in range(len(numbers)):
        greatest[:] = -np.inf
        columns[row, :] = 0
        for column in range(numbers.shape[1]):
            number = numbers[row, column]
            if number > greatest[count - 1]:
                rank = count - 1
                while rank > 0 and greatest[rank - 1] < number:
                    greatest[rank] = greatest[rank - 1]
                    columns[row, rank] = columns[row, rank - 1]
                    rank -= 1
                greatest[rank] = number
                columns[row, rank] = column
