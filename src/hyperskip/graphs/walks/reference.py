"""Random walks, slow and literal: the reference that the kernel is tested against."""

from collections.abc import Iterator

import numpy as np

from hyperskip.graphs.walks.adjacency import Adjacency
from hyperskip.graphs.walks.kernels import WalkRules

_64_BITS = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15


def literal_walk(
    adjacency: Adjacency, origin: int, number: int, rules: WalkRules, seed: int
) -> list[int]:
    """The nodes of one walk.

    Args:
        adjacency: The neighbors of each node.
        origin: Where the walk starts.
        number: The number of the walk, which has its own random draws.
        rules: How it chooses the next node.
        seed: The seed of all walks.
    """
    draws = _draws(_mixed(seed + (number + 1) * _STEP))
    walk, previous = [origin], None
    while len(walk) < rules.length:
        node = walk[-1]
        if not len(_neighbors(adjacency, node)):
            walk.append(origin)
            previous = None
            continue
        bits = next(draws)
        candidate = _candidate(adjacency, node, bits >> 32)
        while (
            rules.is_biased
            and previous is not None
            and bits & 0xFFFFFFFF > _acceptance(adjacency, candidate, previous, rules)
        ):
            bits = next(draws)
            candidate = _candidate(adjacency, node, bits >> 32)
        walk.append(candidate)
        previous = node
    return walk


def _neighbors(adjacency: Adjacency, node: int) -> list[int]:
    begin, end = adjacency.starts[node : node + 2]
    neighbors: list[int] = adjacency.neighbors[begin:end].tolist()
    return neighbors


def _candidate(adjacency: Adjacency, node: int, draw: int) -> int:
    neighbors = _neighbors(adjacency, node)
    if not len(adjacency.thresholds):
        return neighbors[draw * len(neighbors) >> 32]
    begin, end = adjacency.starts[node : node + 2]
    return neighbors[int(np.argmax(adjacency.thresholds[begin:end] >= draw))]


def _acceptance(adjacency: Adjacency, candidate: int, previous: int, rules: WalkRules) -> int:
    if candidate == previous:
        return rules.accept_return
    is_near = candidate in _neighbors(adjacency, previous)
    return rules.accept_near if is_near else rules.accept_far


def _draws(counter: int) -> Iterator[int]:
    while True:
        counter += _STEP
        yield _mixed(counter)


def _mixed(counter: int) -> int:
    """64 random bits from a counter: the finalizer of SplitMix64 (Steele et al., 2014)."""
    bits = counter & _64_BITS
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & _64_BITS
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & _64_BITS
    return bits ^ (bits >> 31)
