"""Kernels of merging: counting words, and the weighted centroid of what several nodes learned."""

import math
from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

_NEAR = 1e-9  # points that are nearer are on a straight line


@cached_on_disk
@njit(nogil=True)
def count_words(tokens: Any, occurrences: Any) -> None:
    """Add the number of times that each word occurs in `tokens` to `occurrences`."""
    for i in range(len(tokens)):
        occurrences[tokens[i]] += 1


@njit
def _mean(points: Any, weights: Any, total: float, mean: Any) -> float:
    """Write the weighted mean of points (nodes, dimension); returns that of their times."""
    mean[:] = 0.0
    time = 0.0
    for node in range(len(points)):
        weight = weights[node] / total
        if weight == 0.0:
            continue
        square = 0.0
        for i in range(len(mean)):
            x = np.float64(points[node, i])  # `float` would keep float32
            mean[i] += weight * x
            square += x * x
        time += weight * math.sqrt(1.0 + square)
    return time


@njit
def _scale_to_hyperboloid(mean: Any, time: float) -> None:
    """Turn the mean of points of the hyperboloid into their centroid."""
    square = 0.0
    for i in range(len(mean)):
        square += mean[i] * mean[i]
    mean /= math.sqrt(max(time * time - square, 1e-300))


@njit
def _geodesic(start: Any, end: Any, t: float) -> tuple[float, float]:
    """The weights of two points in the point at t on the geodesic through them."""
    start_square, end_square, difference, along = 0.0, 0.0, 0.0, 0.0
    for i in range(len(end)):
        x, y = np.float64(start[i]), end[i]
        start_square += x * x
        end_square += y * y
        difference += (y - x) * (y - x)
        along += (y - x) * (y + x)
    # The difference of the times, without subtracting large numbers.
    times = along / (math.sqrt(1.0 + start_square) + math.sqrt(1.0 + end_square))
    distance = 2.0 * math.asinh(0.5 * math.sqrt(max(difference - times * times, 0.0)))
    if distance < _NEAR:
        return 1.0 - t, t
    toward = math.sinh(t * distance) / math.sinh(distance)
    return math.cosh(t * distance) - toward * math.cosh(distance), toward


@cached_on_disk
@njit(nogil=True)
def merge_points(
    base: Any, points: Any, weights: Any, gains: Any, curved: bool, merged: Any
) -> None:
    """Move each word along the geodesic from its old point through the centroid of the new ones.

    Args:
        base: (words, factors, dimension) float32: spatial coordinates at the last merge.
        points: (nodes, words, factors, dimension) float32: where each node moved the words.
        weights: (nodes, words) float64; 0 for a node that did not move the word.
        gains: (words,) float64: 1 moves a word to the centroid, 2 twice as far.
        curved: Whether each factor is a hyperboloid; otherwise it is flat.
        merged: (words, factors, dimension) float32: the result.
    """
    nodes, words, factors, dimension = points.shape
    centroid = np.empty(dimension)
    for word in range(words):
        total = 0.0
        for node in range(nodes):
            total += weights[node, word]
        for factor in range(factors):
            old, new = base[word, factor], merged[word, factor]
            time = _mean(points[:, word, factor], weights[:, word], total, centroid)
            stay, toward = 1.0 - gains[word], gains[word]
            if curved:
                _scale_to_hyperboloid(centroid, time)
                stay, toward = _geodesic(old, centroid, gains[word])
            for i in range(dimension):
                new[i] = stay * old[i] + toward * centroid[i]
