"""Kernels of the forces on a map: attraction by neighbors, and repulsion by all words.

Places are points (x, y) of the unit disc. The stretch of a place is 1 / (1 - x² - y²). Two places
at the hyperbolic distance d have the chord q = sinh²(d / 2) = |z - w|² stretch(z) stretch(w), and
the similarity 1 / (1 + steepness q). Seen from z, the gradient of q is (z - w) stretch(w) + q z;
its length is hyperbolic. `reference.py` has the slow twins.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

LEAF = 16  # words of a leaf of the tree, at most
_DEEPEST = 128  # nodes that wait to be opened, at most: two for each level of the tree


@cached_on_disk
@njit(nogil=True)
def split(
    places: Any,  # (words, 2)
    order: Any,  # (words,) int64, changed: words of a node are adjacent
    begins: Any,  # (nodes,) int64, changed: the range of each node in the order
    ends: Any,  # (nodes,) int64, changed
) -> None:
    """Divide the places into a tree: node 0 is the root, and 2n + 1 and 2n + 2 are the halves of n.

    Each node is cut at the median of its longer side. The disc is conformal, so the longer side is
    also longer in hyperbolic lengths if the node is small.
    """
    begins[:], ends[:] = 0, 0
    ends[0] = len(places)
    for node in range(len(begins) // 2):
        begin, end = begins[node], ends[node]
        if end - begin <= LEAF:
            continue
        low_x, high_x, low_y, high_y = np.inf, -np.inf, np.inf, -np.inf
        for k in range(begin, end):
            x, y = places[order[k], 0], places[order[k], 1]
            low_x, high_x = min(low_x, x), max(high_x, x)
            low_y, high_y = min(low_y, y), max(high_y, y)
        axis = 0 if high_x - low_x >= high_y - low_y else 1
        middle = (begin + end) // 2
        first, last = begin, end - 1
        while first < last:  # quickselect (Hoare, 1961)
            pivot = places[order[(first + last) // 2], axis]
            i, j = first, last
            while i <= j:
                while places[order[i], axis] < pivot:
                    i += 1
                while places[order[j], axis] > pivot:
                    j -= 1
                if i <= j:
                    order[i], order[j] = order[j], order[i]
                    i += 1
                    j -= 1
            if middle <= j:
                last = j
            elif middle >= i:
                first = i
            else:
                break
        begins[2 * node + 1], ends[2 * node + 1] = begin, middle
        begins[2 * node + 2], ends[2 * node + 2] = middle, end


@cached_on_disk
@njit(nogil=True, error_model="numpy")
def summarize(
    begin: Any,  # first node of the range
    end: Any,  # first node after it
    places: Any,  # (words, 3): x, y and stretch, in the order of the tree
    begins: Any,  # (nodes,)
    ends: Any,  # (nodes,)
    nodes: Any,  # (nodes, 4), changed: x, y and stretch of the centroid, and the radius around it
) -> None:
    """Compute the hyperbolic centroid of each node, and the distance of its farthest word."""
    for node in range(begin, end):
        if ends[node] == begins[node]:
            continue
        # Sums of points on the hyperboloid: (2x, 2y, 1 + x² + y²) stretch.
        sum_x, sum_y, time = 0.0, 0.0, 0.0
        for k in range(begins[node], ends[node]):
            sum_x += 2.0 * places[k, 0] * places[k, 2]
            sum_y += 2.0 * places[k, 1] * places[k, 2]
            time += 2.0 * places[k, 2] - 1.0
        length = math.sqrt(max(time * time - sum_x * sum_x - sum_y * sum_y, 1e-300))
        x, y = sum_x / (time + length), sum_y / (time + length)
        stretch = (time + length) / (2.0 * length)
        widest = 0.0
        for k in range(begins[node], ends[node]):
            apart = (places[k, 0] - x) ** 2 + (places[k, 1] - y) ** 2
            widest = max(widest, apart * places[k, 2])
        nodes[node, 0], nodes[node, 1], nodes[node, 2] = x, y, stretch
        nodes[node, 3] = 2.0 * math.asinh(math.sqrt(widest * stretch))


@cached_on_disk
@njit(nogil=True, fastmath=True, error_model="numpy")
def repulsion(
    begin: Any,  # first leaf of the range
    end: Any,  # first leaf after it
    leaves: Any,  # (leaves,) int64: their nodes
    places: Any,  # (words, 3), in the order of the tree
    begins: Any,  # (nodes,)
    ends: Any,  # (nodes,)
    nodes: Any,  # (nodes, 4)
    steepness: Any,
    opening: Any,  # a node is opened if its radius is more than this share of its distance
    found: Any,  # (words, 3), changed: the sum of similarity² · gradient, and of similarities
) -> None:
    """Add up the repulsion of each word by all words; nodes that are far away count as one place.

    All words of a leaf use the same nodes.
    """
    listed_x, listed_y = np.empty(len(places)), np.empty(len(places))
    stretches, counts = np.empty(len(places)), np.empty(len(places))
    waiting = np.empty(_DEEPEST, dtype=np.int64)
    for leaf in leaves[begin:end]:
        listed, left = 0, 1
        waiting[0] = 0
        while left > 0:
            left -= 1
            node = waiting[left]
            apart = (nodes[node, 0] - nodes[leaf, 0]) ** 2 + (nodes[node, 1] - nodes[leaf, 1]) ** 2
            chord = apart * nodes[node, 2] * nodes[leaf, 2]
            distance = 2.0 * math.asinh(math.sqrt(chord)) - nodes[leaf, 3]
            if nodes[node, 3] < opening * distance:
                listed_x[listed], listed_y[listed] = nodes[node, 0], nodes[node, 1]
                stretches[listed] = nodes[node, 2]
                counts[listed] = ends[node] - begins[node]
                listed += 1
            elif ends[node] - begins[node] <= LEAF:
                for k in range(begins[node], ends[node]):
                    listed_x[listed], listed_y[listed] = places[k, 0], places[k, 1]
                    stretches[listed], counts[listed] = places[k, 2], 1.0
                    listed += 1
            else:
                waiting[left], waiting[left + 1] = 2 * node + 1, 2 * node + 2
                left += 2
        for k in range(begins[leaf], ends[leaf]):
            x, y, stretch = places[k, 0], places[k, 1], places[k, 2]
            along_x, along_y, along_z, total = 0.0, 0.0, 0.0, 0.0
            for i in range(listed):
                apart_x, apart_y = x - listed_x[i], y - listed_y[i]
                part = (apart_x * apart_x + apart_y * apart_y) * stretches[i]
                similarity = 1.0 / (1.0 + steepness * stretch * part)
                weight = counts[i] * similarity
                total += weight
                weight *= similarity
                along_x += weight * stretches[i] * apart_x
                along_y += weight * stretches[i] * apart_y
                along_z += weight * part
            found[k, 0] = along_x + along_z * stretch * x
            found[k, 1] = along_y + along_z * stretch * y
            found[k, 2] = total - 1.0  # without the word itself


@cached_on_disk
@njit(nogil=True, fastmath=True, error_model="numpy")
def attraction(
    begin: Any,  # first word of the range
    end: Any,  # first word after it
    places: Any,  # (words, 3): x, y and stretch
    starts: Any,  # (words + 1,)
    pulling: Any,  # (pulls,) int32
    strengths: Any,  # (pulls,)
    steepness: Any,
    found: Any,  # (words, 2), changed: the sum of strength · similarity · gradient
) -> None:
    """Add up the attraction of each word by its neighbors."""
    for word in range(begin, end):
        x, y, stretch = places[word, 0], places[word, 1], places[word, 2]
        along_x, along_y, along_z = 0.0, 0.0, 0.0
        for pull in range(starts[word], starts[word + 1]):
            other = pulling[pull]
            apart_x, apart_y = x - places[other, 0], y - places[other, 1]
            part = (apart_x * apart_x + apart_y * apart_y) * places[other, 2]
            weight = strengths[pull] / (1.0 + steepness * stretch * part)
            along_x += weight * places[other, 2] * apart_x
            along_y += weight * places[other, 2] * apart_y
            along_z += weight * part
        found[word, 0] = along_x + along_z * stretch * x
        found[word, 1] = along_y + along_z * stretch * y
