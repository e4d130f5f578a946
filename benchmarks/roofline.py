"""Speed of the window kernel as a share of the peak of the processor.

    python benchmarks/roofline.py [--dimensions 20 50 100 300] [--repeats 5]
    NUMBA_CPU_NAME=haswell NUMBA_CPU_FEATURES=+avx2,+fma python benchmarks/roofline.py

The second form uses registers of 256 bits, as on processors without AVX-512.

Measures the peak rates of one core with minimal kernels (multiply-adds in registers, loads from the
first and second level of cache), computes the operations of a tile from its shape, times the kernel
on random text with Zipf's word frequencies, and prints the shares of the peak.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from kernel_runs import SHARED_NEGATIVES, TOKENS, KernelRun
from numba import njit
from reporting import print_markdown

from hyperskip.training.cpu.lanes import LANES, WIDE, everywhere, load, total
from hyperskip.training.cpu.layout import aligned, rounded_up
from hyperskip.training.cpu.round_memory import TILE, RoundShape, shared_round, workspace
from hyperskip.training.cpu.tiles import multiply

f32 = np.float32
FIRST_LEVEL, SECOND_LEVEL = (
    16 << 10,
    512 << 10,
)  # bytes, which fit into the caches


@njit(nogil=True)
def multiply_add(count: int) -> Any:
    """Do `count` steps of independent multiply-adds in registers: eight, or four in narrow ones.

    The compiler cannot simplify x <- x² + c, unlike a sum or a product of many steps.
    """
    s0, s1 = everywhere(f32(0.0)), everywhere(f32(0.1))
    s2, s3 = everywhere(f32(0.2)), everywhere(f32(0.3))
    s4, s5 = everywhere(f32(0.4)), everywhere(f32(0.5))
    s6, s7 = everywhere(f32(0.6)), everywhere(f32(0.7))
    c = everywhere(f32(0.2))
    for _ in range(count):
        s0 = s0 * s0 + c
        s1 = s1 * s1 + c
        s2 = s2 * s2 + c
        s3 = s3 * s3 + c
        if WIDE:
            s4 = s4 * s4 + c
            s5 = s5 * s5 + c
            s6 = s6 * s6 + c
            s7 = s7 * s7 + c
    return total(s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7)


@njit(nogil=True)
def read(memory: Any, count: int) -> Any:
    """Load the whole memory `count` times."""
    s0 = s1 = s2 = s3 = everywhere(f32(0.0))
    for _ in range(count):
        for column in range(0, memory.shape[1], 4 * LANES):
            s0 += load(memory, 0, column)
            s1 += load(memory, 0, column + LANES)
            s2 += load(memory, 0, column + 2 * LANES)
            s3 += load(memory, 0, column + 3 * LANES)
    return total(s0 + s1 + s2 + s3)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 50, 100, 300])
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    repeats = arguments.repeats
    steps = 2_000_000
    multiply_adds = (
        (8 if WIDE else 4) * LANES * steps / fastest(lambda: multiply_add(steps), repeats)
    )
    print(f"one core: {multiply_adds / 1e9:.0f} G multiply-adds/s (float32)", end="")
    rates = {}
    for name, size in (("first", FIRST_LEVEL), ("second", SECOND_LEVEL)):
        rates[name] = reading_rate(size, repeats)
        print(f", {rates[name] / 1e9:.0f} GB/s from the {name} level of cache", end="")
    print("\n")
    print_markdown(
        [
            "dimension",
            "us per tile",
            "multiply-adds",
            "share of peak",
            "products alone",
            "bytes from cache",
            "share of first level",
            "rows from tables, bytes",
            "words/s",
        ],
        [
            report(dimension, repeats, multiply_adds, rates["first"])
            for dimension in arguments.dimensions
        ],
    )


def reading_rate(size: int, repeats: int) -> float:
    """Bytes per second when loading this number of bytes repeatedly."""
    memory = aligned((1, size // 4))
    rounds = (1 << 30) // size
    return size * rounds / fastest(lambda: read(memory, rounds), repeats)


def report(dimension: int, repeats: int, peak: float, bandwidth: float) -> list[str]:
    """A row of the table."""
    run = KernelRun("hyperskip.training.cpu", "window", dimension)
    row = rounded_up(dimension + 1)
    rows = TILE + 2 * run.window + SHARED_NEGATIVES
    # Scores are sums over the spatial and time coordinates; gradients cover padded rows.
    operations = TILE * rows * ((dimension + 1) + row + row)
    cached = products_bytes(rows, row, dimension)
    seconds = fastest(run.seconds, repeats)
    tile = seconds / (run.kept / TILE)
    alone = products_seconds(rows, row, dimension, repeats)
    return [
        str(dimension),
        f"{1e6 * tile:.1f}",
        f"{operations:,}",
        f"{operations / tile / peak:.0%}",
        f"{alone / tile:.0%} of the time",
        f"{cached:,}",
        f"{cached / tile / bandwidth:.0%}",
        f"{2 * 4 * rows * row:,}",
        f"{TOKENS / seconds:,.0f}",
    ]


def products_bytes(rows: int, row: int, dimension: int) -> int:
    """Bytes that the three products load: in each step, one register and a number of each row."""
    steps = rows * (dimension + 1) + 2 * TILE * rows * row // LANES
    at_once = 8 if WIDE else 4  # rows
    return steps // at_once * (4 * LANES + at_once * 4)


@njit(nogil=True)
def products(
    work: Any, tile: Any, gradients: Any, rows: int, depth: int, row: int, count: int
) -> None:
    """Compute the three matrix products of a tile `count` times."""
    for _ in range(count):
        multiply(work.positions, 0, work.turned_centers, work.scores, rows, depth, TILE, False)
        multiply(work.pulls, 0, tile, gradients, rows, TILE, row, False)
        multiply(work.pulls.T, 0, work.positions, gradients, TILE, rows, row, True)


def products_seconds(rows: int, row: int, dimension: int, repeats: int) -> float:
    """Seconds of the three matrix products of a tile alone."""
    shape = RoundShape(1, (rows - TILE - SHARED_NEGATIVES) // 2, SHARED_NEGATIVES, row)
    work, gradients = workspace(shape), shared_round(shape).contexts.gradients
    tile = work.positions[:TILE]
    arguments = work, tile, gradients, rows, dimension + 1, row, 20
    return fastest(lambda: products(*arguments), 5 * repeats) / 20


def fastest(action: Callable[[], Any], repeats: int) -> float:
    """Seconds of the fastest run, after a first one that compiles."""
    action()
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return min(times)


if __name__ == "__main__":
    main()
