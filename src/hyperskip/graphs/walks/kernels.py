"""Random walks: a Numba kernel that runs without the GIL.

Each walk has its own random draws, so that any part of a text of walks can be generated on its own.
A few walks advance in turns: while one waits for the neighbors of its node, others compute.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk
from hyperskip.kernel_parts import kernel_part
from hyperskip.random_draws import NEXT, mixed, scaled_down

_AT_ONCE = 16  # walks that advance in turns


class WalkRules(NamedTuple):
    """How walks choose their next node."""

    length: int  # nodes of a walk
    is_biased: bool  # whether a step depends on the previous node
    # Of 2**32 draws, those that accept a candidate: the previous node, a neighbor of the previous
    # node, and any other node.
    accept_return: int
    accept_near: int
    accept_far: int


@kernel_part(forceinline=True)
def _candidate(node: Any, starts: Any, neighbors: Any, thresholds: Any, bits: Any) -> Any:
    """A neighbor of a node, from the upper 32 of 64 random bits."""
    first, end = starts[node], starts[node + 1]
    if len(thresholds) == 0:
        return neighbors[first + scaled_down(bits, end - first)]
    draw = bits >> np.uint64(32)
    last = end - 1
    while first < last:
        middle = (first + last) >> 1
        if thresholds[middle] < draw:
            first = middle + 1
        else:
            last = middle
    return neighbors[first]


@kernel_part()
def _is_neighbor(node: Any, other: Any, starts: Any, neighbors: Any) -> Any:
    """Whether a node has an edge to another one."""
    first, last = starts[node], starts[node + 1]
    while first < last:
        middle = (first + last) >> 1
        if neighbors[middle] < other:
            first = middle + 1
        else:
            last = middle
    return first < starts[node + 1] and neighbors[first] == other


@kernel_part(forceinline=True)
def _is_accepted(
    candidate: Any, previous: Any, starts: Any, neighbors: Any, rules: Any, bits: Any
) -> Any:
    """Whether a candidate becomes the next node, from the lower 32 of 64 random bits."""
    draw = np.int64(bits & np.uint64(0xFFFFFFFF))
    if candidate == previous:
        return draw <= rules.accept_return
    if draw <= min(rules.accept_near, rules.accept_far):
        return True
    if draw > max(rules.accept_near, rules.accept_far):
        return False
    is_near = _is_neighbor(previous, candidate, starts, neighbors)
    return is_near == (rules.accept_near > rules.accept_far)


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def write_walks(
    starts: Any,  # (nodes + 1,) int64
    neighbors: Any,  # (neighbors of all nodes,) int32
    thresholds: Any,  # (neighbors of all nodes,) uint32, or (0,)
    origins: Any,  # (origins,) int32: where walks start; each has a neighbor
    ids: Any,  # (nodes,) int32: what to write for each node
    rules: Any,  # WalkRules
    seed: Any,  # uint64
    begin: Any,  # int64: position of the first token in the text of all walks
    tokens: Any,  # (tokens,) int32: written
) -> None:
    """Write a part of the text of all walks, which has `rules.length` tokens for each walk.

    A walk that reaches a node without neighbors continues from the node where it started.
    """
    nodes = np.empty(_AT_ONCE, dtype=np.int64)
    previous = np.empty(_AT_ONCE, dtype=np.int64)
    counters = np.empty(_AT_ONCE, dtype=np.uint64)
    length = rules.length
    end = begin + len(tokens)
    for first in range(begin // length, (end + length - 1) // length, _AT_ONCE):
        count = min(_AT_ONCE, (end + length - 1) // length - first)
        for i in range(count):
            nodes[i] = origins[(first + i) % len(origins)]
            previous[i] = -1
            counters[i] = mixed(seed + np.uint64(first + i + 1) * NEXT)
        for step in range(length):
            for i in range(count):
                position = (first + i) * length + step
                node = nodes[i]
                if begin <= position < end:
                    tokens[position - begin] = ids[node]
                if starts[node] == starts[node + 1]:
                    nodes[i] = origins[(first + i) % len(origins)]
                    previous[i] = -1
                    continue
                counter = counters[i] + NEXT
                bits = mixed(counter)
                following = _candidate(node, starts, neighbors, thresholds, bits)
                if rules.is_biased and previous[i] >= 0:
                    while not _is_accepted(following, previous[i], starts, neighbors, rules, bits):
                        counter += NEXT
                        bits = mixed(counter)
                        following = _candidate(node, starts, neighbors, thresholds, bits)
                counters[i] = counter
                previous[i] = node
                nodes[i] = following


@cached_on_disk
@njit(nogil=True)
def count_nodes(tokens: Any, counts: Any) -> None:
    """Add the number of times that each id occurs in `tokens` to `counts`."""
    for i in range(len(tokens)):
        counts[tokens[i]] += 1
