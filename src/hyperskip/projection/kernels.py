"""Kernels of a map: nearest words, and forces between places on the Poincaré disc.

Places are complex numbers in the unit disc, stored as pairs. Seen from z, the place w is in the
direction of m = (w - z) / (1 - conj(z) w), at the distance 2 artanh |m|. Lengths of forces and
steps are hyperbolic. `reference.py` has the slow twins.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

# SplitMix64 (Steele et al., 2014).
_NEXT = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_NEAREST_TO_ONE = 1.0 - 1e-15
_SHORTEST = 1e-12
# The steps of a coordinate grow while its force keeps its sign (Jacobs, 1988).
_LONGER, _SHORTER, _LONGEST_GAIN, _SHORTEST_GAIN = 0.2, 0.8, 4.0, 0.05


class ForceLaw(NamedTuple):
    """How forces depend on the distance, by similarity = 1 / (1 + (distance / scale)²)."""

    scale: float
    noise: float  # the similarity at which neighbors and negatives are equally likely
    repulsion: float  # of all negatives together
    negatives: int  # random words that repel a word in each step, in place of all other words
    gravity: float  # toward the center, the same at every distance
    radial: bool  # whether places may change their distance from the center


class StepRule(NamedTuple):
    """How words move along their forces."""

    rate: float
    momentum: float
    longest: float  # step
    rim: float  # greatest length of a place, below 1
    radial: bool  # whether places may change their distance from the center


@njit(forceinline=True)
def _mixed(counter: Any) -> Any:
    bits = (counter ^ (counter >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))


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


@njit(forceinline=True)
def _distance_and_similarity(length: Any, law: Any) -> Any:
    distance = math.log((1.0 + length) / (1.0 - length))
    ratio = distance / law.scale
    return distance, 1.0 / (1.0 + ratio * ratio)


@njit(forceinline=True)
def _length(x: Any, y: Any) -> Any:
    return min(math.sqrt(x * x + y * y) + _SHORTEST, _NEAREST_TO_ONE)


@cached_on_disk
@njit(nogil=True, fastmath=True, error_model="numpy")
def forces(
    places: Any,  # (words, 2)
    begin: Any,  # first word of the range
    end: Any,  # first word after it
    starts: Any,  # (words + 1,)
    pulling: Any,  # (pulls,) int32
    strengths: Any,  # (pulls,)
    law: Any,  # ForceLaw
    seed: Any,  # of this step
    found: Any,  # (words, 2): the forces
) -> None:
    """Compute the force on each word of a range: attraction by neighbors, repulsion by negatives.

    It is the gradient of negative sampling (Mikolov et al., 2013; Damrich et al., 2022), which
    raises the probability of being a neighbor, similarity / (similarity + noise), for neighbors and
    lowers it for negatives.
    """
    words = len(places)
    for word in range(begin, end):
        x, y = places[word, 0], places[word, 1]
        force_x, force_y = 0.0, 0.0
        for pull in range(starts[word], starts[word + 1]):
            other = pulling[pull]
            seen_x, seen_y = _seen_from(x, y, places[other, 0], places[other, 1])
            length = _length(seen_x, seen_y)
            distance, similarity = _distance_and_similarity(length, law)
            pulled = strengths[pull] * distance * similarity * law.noise / (similarity + law.noise)
            force_x += pulled * seen_x / length
            force_y += pulled * seen_y / length
        away_x, away_y = 0.0, 0.0
        counter = _mixed(np.uint64(seed) + _NEXT * np.uint64(word))
        for _ in range(law.negatives):
            counter += _NEXT
            other = ((_mixed(counter) >> np.uint64(32)) * np.uint64(words)) >> np.uint64(32)
            seen_x, seen_y = _seen_from(x, y, places[other, 0], places[other, 1])
            length = _length(seen_x, seen_y)
            distance, similarity = _distance_and_similarity(length, law)
            pushed = distance * similarity * similarity / (similarity + law.noise)
            away_x += pushed * seen_x / length
            away_y += pushed * seen_y / length
        share = law.repulsion / law.negatives
        force_x -= share * away_x
        force_y -= share * away_y
        radius = math.sqrt(x * x + y * y) + _SHORTEST
        force_x -= law.gravity * x / radius
        force_y -= law.gravity * y / radius
        if not law.radial:
            outward = (force_x * x + force_y * y) / radius
            force_x -= outward * x / radius
            force_y -= outward * y / radius
        found[word, 0] = 2.0 * force_x / law.scale
        found[word, 1] = 2.0 * force_y / law.scale


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
