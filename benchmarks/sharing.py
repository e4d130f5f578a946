"""The cost of sharing vectors between threads without locks.

    python benchmarks/sharing.py [--dimensions 20 100] [--threads 2] [--repeats 5]

Trains on random text with Zipf's word frequencies: one thread alone, several threads with separate
vectors, and several threads with the same vectors. The second variant shows the limits of the
machine (its clock and shared caches), the third what is lost to rows that several threads write.
Variants are interleaved; the ratios are words/s per thread compared with one thread alone.
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from kernel_runs import TOKENS, KernelRun
from reporting import spread

PACKAGE = "hyperskip.training.cpu"


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    for dimension in arguments.dimensions:
        compare(dimension, arguments.threads, arguments.repeats)


def compare(dimension: int, threads: int, repeats: int) -> None:
    """Run the three variants in turns, and print their speeds."""
    own = [KernelRun(PACKAGE, "window", dimension, seed=seed) for seed in range(threads)]
    shared = [KernelRun(PACKAGE, "window", dimension, seed=seed) for seed in range(threads)]
    for run in shared:
        run.layers = shared[0].layers
    variants = {
        "one thread": own[:1],
        f"{threads} threads, separate vectors": own,
        f"{threads} threads, the same vectors": shared,
    }
    speeds: dict[str, list[float]] = {title: [] for title in variants}
    for repeat in range(repeats + 1):
        for title, runs in variants.items():
            speed = words_per_second(runs)
            if repeat:  # the first run compiles
                speeds[title].append(speed)
    for title, measured in speeds.items():
        ratios = [a / b for a, b in zip(measured, speeds["one thread"], strict=True)]
        print(
            f"d {dimension:4}  {title:36} {statistics.median(measured):12,.0f} words/s per thread  "
            f"x {spread(ratios, '.2f')}",
            flush=True,
        )


def words_per_second(runs: list[KernelRun]) -> float:
    """Words/s per thread, with a thread for each run."""
    with ThreadPoolExecutor(len(runs)) as pool:
        began = time.perf_counter()
        list(pool.map(KernelRun.seconds, runs))
        return TOKENS / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
