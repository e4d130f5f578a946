"""Kernels of merging: counting words, and the weighted centroid of what several nodes learned."""

import math
from typing import Any

from numba import njit

from hyperskip.kernel_cache import cached_on_disk


@cached_on_disk
@njit(nogil=True)
def count_words(tokens: Any, occurrences: Any) -> None:
    """Add the number of times that each word occurs in `tokens` to `occurrences`."""
    for i in range(len(tokens)):
        occurrences[tokens[i]] += 1


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
    for word in range(words):
        total = 0.0
        for node in range(nodes):
            total += weights[node, word]
        gain = gains[word]
        for factor in range(factors):
            old = base[word, factor]
            new = merged[word, factor]
            if not curved:
                for i in range(dimension):
                    mean = 0.0
                    for node in range(nodes):
                        mean += weights[node, word] * points[node, word, factor, i]
                    new[i] = old[i] + gain * (mean / total - old[i])
                continue
            # The centroid is the mean in the ambient space, scaled back to the hyperboloid. The
            # mean lies inside by what the points differ, which is computed from their squares.
            mean_time = 0.0
            for node in range(nodes):
                weight = weights[node, word]
                if weight == 0.0:
                    continue
                square = 0.0
                for i in range(dimension):
                    x = float(points[node, word, factor, i])
                    square += x * x
                mean_time += weight / total * math.sqrt(1.0 + square)
            square = 0.0
            for i in range(dimension):
                mean = 0.0
                for node in range(nodes):
                    mean += weights[node, word] * points[node, word, factor, i]
                mean /= total
                square += mean * mean
            scale = 1.0 / math.sqrt(max(mean_time * mean_time - square, 1e-300))
            time = mean_time * scale
            old_square, difference, along = 0.0, 0.0, 0.0
            for i in range(dimension):
                x = float(old[i])
                old_square += x * x
            old_time = math.sqrt(1.0 + old_square)
            for i in range(dimension):
                mean = 0.0
                for node in range(nodes):
                    mean += weights[node, word] * points[node, word, factor, i]
                x, y = float(old[i]), mean / total * scale
                difference += (y - x) * (y - x)
                along += (y - x) * (y + x)
            time_difference = along / (time + old_time)
            excess = max(difference - time_difference * time_difference, 0.0)
            distance = 2.0 * math.asinh(0.5 * math.sqrt(excess))
            toward = gain
            if distance > 1e-9:
                toward = math.sinh(gain * distance) / math.sinh(distance)
            stay = math.cosh(gain * distance) - toward * math.cosh(distance)
            for i in range(dimension):
                mean = 0.0
                for node in range(nodes):
                    mean += weights[node, word] * points[node, word, factor, i]
                new[i] = stay * old[i] + toward * (mean / total * scale)
