"""For each edge, the number of nodes nearer to its source than its target: a Numba kernel.

The kernel runs without the GIL, for a range of sources. Sums keep their order (no `fastmath`), so
all devices find the same separations (see `separations.py`). `reference.py` has the slow twin.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

_SOURCES = 16  # sources that read a tile of nodes while it is in the cache
_TILE = 512  # nodes
_FEW_TARGETS = 64  # of a source, up to which comparing with each is faster than a search


@njit(forceinline=True)
def _squared_distance(separation: Any) -> Any:
    half = 0.5 * separation
    distance = math.log1p(half + math.sqrt(half * (half + 2.0)))
    return distance * distance


@njit
def _separations(points: Any, source: Any, begin: Any, end: Any, part: Any, total: Any) -> None:
    """Write the separations of a source from the nodes of a range to the front of `total`."""
    directions, lengths, growths, decays = points
    factors, width, _ = directions.shape
    for factor in range(factors):
        out = (total if factors == 1 else part)[: end - begin]
        out[:] = 0.0
        for axis in range(0, width, 4):
            w = directions[factor, axis, begin:end]
            x = directions[factor, axis + 1, begin:end]
            y = directions[factor, axis + 2, begin:end]
            z = directions[factor, axis + 3, begin:end]
            _add_squares(
                *(w, directions[factor, axis, source], x, directions[factor, axis + 1, source]),
                *(y, directions[factor, axis + 2, source], z, directions[factor, axis + 3, source]),
                out,
            )
        _add_outward(
            *(lengths[factor, source], growths[factor, source], decays[factor, source]),
            *(lengths[factor, begin:end], growths[factor, begin:end], decays[factor, begin:end]),
            out,
        )
        if factors > 1:
            for i in range(end - begin):
                total[i] = (total[i] if factor else 0.0) + _squared_distance(part[i])


@njit
def _add_squares(
    w: Any, of_w: Any, x: Any, of_x: Any, y: Any, of_y: Any, z: Any, of_z: Any, out: Any
) -> None:
    """Add the squares of four differences to each number, in order."""
    for i in range(len(out)):
        by_w, by_x, by_y, by_z = of_w - w[i], of_x - x[i], of_y - y[i], of_z - z[i]
        sums = out[i] + by_w * by_w
        sums += by_x * by_x
        sums += by_y * by_y
        out[i] = sums + by_z * by_z


@njit
def _add_outward(
    length: Any, growth: Any, decay: Any, lengths: Any, growths: Any, decays: Any, out: Any
) -> None:
    """Turn the squares of differences between directions into separations."""
    for i in range(len(out)):
        outward = growth - growths[i]
        spread = length * lengths[i] * out[i]
        out[i] = spread + decay * decays[i] * (outward * outward)


@njit
def _first_not_below(numbers: Any, begin: Any, end: Any, number: Any) -> Any:
    while begin < end:
        middle = (begin + end) // 2
        if numbers[middle] < number:
            begin = middle + 1
        else:
            end = middle
    return begin


@njit
def _count(
    ordered: Any, begin: Any, end: Any, separation: Any, by: Any, nearer: Any, within: Any
) -> None:
    """Count a node for the nearest target that is farther than it, and that is not nearer."""
    target = _first_not_below(ordered, begin, end, separation)
    if target == end:
        return
    within[target] += by
    while target < end and ordered[target] == separation:
        target += 1
    if target < end:
        nearer[target] += by


@njit
def _count_all(ordered: Any, begin: Any, end: Any, row: Any, nearer: Any, within: Any) -> None:
    """Do the same as `_count` for many nodes, without branches: faster for few targets."""
    nearer_before, within_before = np.int64(0), np.int64(0)
    for target in range(begin, end):
        bound = ordered[target]
        nearer_now, within_now = np.int64(0), np.int64(0)
        for i in range(len(row)):
            nearer_now += np.int64(row[i] < bound)
            within_now += np.int64(row[i] <= bound)
        nearer[target] += nearer_now - nearer_before
        within[target] += within_now - within_before
        nearer_before, within_before = nearer_now, within_now


@njit
def _any_within(row: Any, bound: Any) -> Any:
    count = np.int64(0)
    for i in range(len(row)):
        count += np.int64(row[i] <= bound)
    return count > 0


@cached_on_disk
@njit(nogil=True, error_model="numpy")
def count_nearer(
    points: Any,  # Placed
    sources: Any,  # (sources,): nodes
    starts: Any,  # (sources + 1,)
    targets: Any,  # (edges,): nodes, by source
    other_starts: Any,  # (sources + 1,)
    others: Any,  # (others,): more nodes, by source, that are not counted
    first: Any,  # first source of the range
    last: Any,  # first source after it
    nearer: Any,  # (edges,): nodes nearer than the target
    within: Any,  # (edges,): nodes at most as far as the target
    targets_within: Any,  # (edges,): targets at most as far as the target, itself included
) -> None:
    """Count nodes by their separation from the source of each edge, compared with its target.

    The source itself, its targets and the other given nodes are not counted in `nearer` and
    `within`. All nodes are counted first, and these are subtracted.
    """
    nodes = points[0].shape[2]
    part, row = np.empty(_TILE), np.empty(_TILE)
    for block in range(first, last, _SOURCES):
        block_end = min(last, block + _SOURCES)
        offset = starts[block]
        count = starts[block_end] - offset
        ordered = np.empty(count)
        order = np.empty(count, dtype=np.int64)
        less, most = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        for i in range(block, block_end):
            begin, end = starts[i] - offset, starts[i + 1] - offset
            for edge in range(begin, end):
                target = targets[offset + edge]
                _separations(points, sources[i], target, target + 1, part, row)
                ordered[edge] = row[0]
            order[begin:end] = begin + np.argsort(ordered[begin:end])
            ordered[begin:end] = np.sort(ordered[begin:end])
            for edge in range(begin, end):
                _count(ordered, begin, end, ordered[edge], -1, less, most)
            for other in range(other_starts[i], other_starts[i + 1]):
                _separations(points, sources[i], others[other], others[other] + 1, part, row)
                _count(ordered, begin, end, row[0], -1, less, most)
            _separations(points, sources[i], sources[i], sources[i] + 1, part, row)
            _count(ordered, begin, end, row[0], -1, less, most)
        for tile in range(0, nodes, _TILE):
            tile_end = min(nodes, tile + _TILE)
            for i in range(block, block_end):
                begin, end = starts[i] - offset, starts[i + 1] - offset
                farthest = ordered[end - 1]
                _separations(points, sources[i], tile, tile_end, part, row)
                tile_row = row[: tile_end - tile]
                if not _any_within(tile_row, farthest):
                    continue
                if end - begin <= _FEW_TARGETS:
                    _count_all(ordered, begin, end, tile_row, less, most)
                else:
                    for separation in tile_row:
                        _count(ordered, begin, end, separation, 1, less, most)
        for i in range(block, block_end):
            begin, end = starts[i] - offset, starts[i + 1] - offset
            sum_less, sum_most = 0, 0
            last_tied = begin
            for edge in range(begin, end):
                sum_less += less[edge]
                sum_most += most[edge]
                last_tied = max(last_tied, edge)
                while last_tied + 1 < end and ordered[last_tied + 1] == ordered[edge]:
                    last_tied += 1
                nearer[offset + order[edge]] = sum_less
                within[offset + order[edge]] = sum_most
                targets_within[offset + order[edge]] = last_tied + 1 - begin
