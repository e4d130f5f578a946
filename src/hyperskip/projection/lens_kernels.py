"""Kernels of the lens: words at given distances from the middle choose their directions.

A direction is a whole number of steps of a full turn. With radii r and s and the angle t between
two words, their chord is sinh²(d / 2) = sinh²((r - s) / 2) + sinh(r) sinh(s) sin²(t / 2).
`lens_reference.py` has the slow twin.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk


class SweepRule(NamedTuple):
    """How words choose among directions."""

    steepness: float  # the similarity of two words is 1 / (1 + steepness chord)
    exaggeration: float  # of the attraction
    kept_weight: float  # of a kept neighbor, relative to the sum of all attraction; 0: not counted
    stride: int  # of the directions that are tried
    offset: int  # of the first direction, relative to the present one


@cached_on_disk
@njit(nogil=True, error_model="numpy")
def sweep(
    apart: Any,  # (words, words): the part of the chords that is given by the radii
    around: Any,  # (words, words): the factor of sin² of half the angle
    sines: Any,  # (directions,): sin² of half of each angle; their number is a power of 2
    pulls: Any,  # (words, words): attraction, symmetric, with the sum 1
    nearest: Any,  # (words, words) bool: whether the second is one of the nearest of the first
    directions: Any,  # (words,) int64, changed
    rule: Any,  # SweepRule
) -> int:
    """Let each word take the best of some directions, one word after the other.

    The best one has the greatest number of kept neighbors, times their weight, less the
    divergence of t-SNE. Returns the number of words that moved.
    """
    words, count = len(directions), len(sines)
    mask = count - 1
    kept = 0
    for other in range(words):
        if nearest[0, other]:
            kept += 1
    chords = np.empty((words, words))
    total = 0.0
    for i in range(words):
        for j in range(words):
            turn = sines[(directions[i] - directions[j]) & mask]
            chords[i, j] = apart[i, j] + around[i, j] * turn
            if i != j:
                total += 1.0 / (1.0 + rule.steepness * chords[i, j])
        chords[i, i] = np.inf
    # The nearest on the lens, and one more, which would take the place of one that moves away.
    found = np.empty((words, kept + 1), dtype=np.int64)
    for i in range(words):
        _smallest(chords[i], found[i])
    limits, losses = np.empty(words), np.empty(words)
    tried = np.empty(words)
    own = np.empty(kept, dtype=np.int64)
    moved = 0
    for i in range(1, words):
        rest = total
        for j in range(words):
            if j != i:
                rest -= 2.0 / (1.0 + rule.steepness * chords[i, j])
                last = kept - 1
                for rank in range(kept):
                    if found[j, rank] == i:
                        last = kept
                limits[j] = chords[j, found[j, last]]
                losses[j] = 1.0 if nearest[j, found[j, last]] else 0.0
        limits[i] = -1.0
        best, chosen, similar = -np.inf, directions[i], 0.0
        for candidate in range(-1, count // rule.stride):
            direction = directions[i]
            if candidate >= 0:
                direction = (direction + rule.offset + candidate * rule.stride) & mask
            similarity, pull = 0.0, 0.0
            gained = 0.0
            for j in range(words):
                chord = apart[i, j] + around[i, j] * sines[(direction - directions[j]) & mask]
                tried[j] = chord
                similarity += 1.0 / (1.0 + rule.steepness * chord)
                if pulls[i, j] > 0.0:
                    pull += pulls[i, j] * math.log(1.0 + rule.steepness * chord)
                if chord < limits[j]:
                    gained += (1.0 if nearest[j, i] else 0.0) - losses[j]
            similarity -= 1.0 / (1.0 + rule.steepness * tried[i])
            if rule.kept_weight > 0.0:
                tried[i] = np.inf
                _smallest(tried, own)
                for rank in range(kept):
                    if nearest[i, own[rank]]:
                        gained += 1.0
            divergence = 2.0 * rule.exaggeration * pull + math.log(rest + 2.0 * similarity)
            score = rule.kept_weight * gained - divergence
            if score > best:
                best, chosen, similar = score, direction, similarity
        total = rest + 2.0 * similar
        if chosen != directions[i]:
            moved += 1
            directions[i] = chosen
            for j in range(words):
                if j != i:
                    was_near = chords[j, i] <= chords[j, found[j, kept]]
                    turn = sines[(chosen - directions[j]) & mask]
                    chords[i, j] = apart[i, j] + around[i, j] * turn
                    chords[j, i] = chords[i, j]
                    if was_near or chords[j, i] <= chords[j, found[j, kept]]:
                        _smallest(chords[j], found[j])
            _smallest(chords[i], found[i])
    return moved


@njit
def _smallest(numbers: Any, found: Any) -> None:
    """Write the indices of the smallest numbers, in their order; of equal ones, the first."""
    size = 0
    for index in range(len(numbers)):
        number = numbers[index]
        if size < len(found):
            rank = size
            size += 1
        elif number < numbers[found[size - 1]]:
            rank = size - 1
        else:
            continue
        while rank > 0 and numbers[found[rank - 1]] > number:
            found[rank] = found[rank - 1]
            rank -= 1
        found[rank] = index
