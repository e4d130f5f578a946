"""What it costs that threads share the vectors, without locks.

    python benchmarks/sharing.py [--dimensions 20 100] [--threads 2] [--repeats 5]

Trains on random text with the frequencies of language: one thread alone, several threads with
vectors of their own, and several on the same ones. The second shows what the machine allows (its
clock, shared caches), the third what is lost to rows that several threads write. Variants are
interleaved; figures are words/s a thread against one thread alone.
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from kernel_runs import TOKENS, KernelRun
from reporting import spread

PACKAGE = "hyperskip.training.cpu"


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    for dimension in arguments.dimensions:
        compare(dimension, arguments.threads, arguments.repeats)


def compare(dimension: int, threads: int, repeats: int) -> None:
    """Interleave the three and print their speeds."""
    own = [KernelRun(PACKAGE, "window", dimension, seed=seed) for seed in range(threads)]
    shared = [KernelRun(PACKAGE, "window", dimension, seed=seed) for seed in range(threads)]
    for run in shared:
        run.layers = shared[0].layers
    variants = {
        "one thread": own[:1],
        f"{threads} threads, vectors of their own": own,
        f"{threads} threads, the same vectors": shared,
    }
    speeds: dict[str, list[float]] = {title: [] for title in variants}
    for repeat in range(repeats + 1):
        for title, runs in variants.items():
            speed = words_a_second(runs)
            if repeat:  # the first one compiles
                speeds[title].append(speed)
    for title, measured in speeds.items():
        ratios = [a / b for a, b in zip(measured, speeds["one thread"], strict=True)]
        print(
            f"d {dimension:4}  {title:36} {statistics.median(measured):12,.0f} words/s a thread   "
            f"x {spread(ratios, '.2f')}",
            flush=True,
        )


def words_a_second(runs: list[KernelRun]) -> float:
    """Words/s a thread, with a thread for each of the runs."""
    with ThreadPoolExecutor(len(runs)) as pool:
        began = time.perf_counter()
        list(pool.map(KernelRun.seconds, runs))
        return TOKENS / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
