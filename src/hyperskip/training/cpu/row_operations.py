"""Operations on rows: products, lengths and moves.

The error of a float32 product of points with times t and s is about 6e-8 t s. Beyond FAR_PRODUCT,
and for points beyond FAR_TIME, the few sums with cancellation are computed in float64. This is
rare: it happens from radius 3 on.
"""

from typing import Any

import numpy as np

from hyperskip.kernel_parts import kernel_part
from hyperskip.training.cpu.lanes import FAST, LANES, everywhere, load, store, total

FAR_PRODUCT, FAR_TIME = np.float32(1e3), np.float32(10.0)

f32 = np.float32


@kernel_part(forceinline=True)
def copy(table: Any, word: Any, rows: Any, i: Any) -> Any:
    """Set rows[i] to table[word]."""
    for column in range(0, rows.shape[1], LANES):
        store(rows, i, column, load(table, word, column))


@kernel_part(forceinline=True)
def product(a: Any, i: Any, b: Any, j: Any, metric: Any) -> Any:
    """<a[i], b[j]>_M, or the flat product, depending on the metric."""
    last = a.shape[1] - LANES
    sums = load(a, i, last) * load(b, j, last) * load(metric, 0, 0)
    for column in range(0, last, LANES):
        sums += load(a, i, column) * load(b, j, column)
    return total(sums)


@kernel_part(forceinline=True)
def add(rows: Any, i: Any, j: Any) -> Any:
    """rows[i] <- rows[i] + rows[j]."""
    for column in range(0, rows.shape[1], LANES):
        store(rows, i, column, load(rows, i, column) + load(rows, j, column))


@kernel_part(fastmath=FAST, forceinline=True)
def move(
    table: Any, word: Any, keep: Any, pull: Any, gradients: Any, i: Any, spatial: Any, metric: Any
) -> Any:
    """table[word] <- keep * table[word] + pull * gradients[i], with the matching time."""
    keeps, pulls = everywhere(keep), everywhere(pull)
    last = table.shape[1] - LANES
    end = load(table, word, last) * keeps + load(gradients, i, last) * pulls
    end *= load(spatial, 0, 0)
    squares = end * end
    for column in range(0, last, LANES):
        moved = load(table, word, column) * keeps + load(gradients, i, column) * pulls
        store(table, word, column, moved)
        squares += moved * moved
    time_lane = load(spatial, 0, 0) - load(metric, 0, 0)  # 1 for time; 0 in flat space
    store(table, word, last, end + time_lane * np.sqrt(f32(1.0) + total(squares)))


@kernel_part()
def far_product(a: Any, i: Any, b: Any, j: Any, first: Any, dimension: Any) -> Any:
    """<a[i], b[j]>_M of the columns from `first`, in float64, with exact times."""
    dot, first_square, second_square = 0.0, 1.0, 1.0
    for d in range(first, first + dimension):
        u, v = np.float64(a[i, d]), np.float64(b[j, d])
        dot += u * v
        first_square += u * u
        second_square += v * v
    return f32(dot - np.sqrt(first_square) * np.sqrt(second_square))


@kernel_part()
def far_slope(
    positions: Any, i: Any, gradients: Any, j: Any, gradient_product: Any, dimension: Any
) -> Any:
    """Length of the tangent vector w = G + <u, G> u at a far u, in float64.

    With w = share u + across, time follows from tangency, and |w|² = |across|² + |share u|²/u_t²:
    two squares, whereas <G, G> + <u, G>² is a difference of large numbers.
    """
    along, square = 0.0, 0.0
    for d in range(dimension):
        u = np.float64(positions[i, d])
        along += (np.float64(gradients[j, d]) + gradient_product * u) * u
        square += u * u
    share = along / square
    length_square = share * share * square / (1.0 + square)
    for d in range(dimension):
        u = np.float64(positions[i, d])
        across = np.float64(gradients[j, d]) + (gradient_product - share) * u
        length_square += across * across
    return f32(np.sqrt(length_square))
