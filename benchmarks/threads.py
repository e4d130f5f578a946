"""How training scales with threads: free and deterministic, beside fastText and the processor.

    make bench  # once, to install fastText
    .venv/bench/bin/python benchmarks/threads.py CORPUS --threads 1 2 4 8 16 [--dimensions 20 100]

Prints the words/s of training alone, and how many times as fast as one thread that is. The last
column is the same for multiply-adds in registers, which use no memory: threads that share a core,
or a processor that lowers its clock, bound every other column, too. `--without-fasttext` leaves out
fastText. Each training is a process of its own.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import one_training
from one_training import Training
from reporting import print_markdown
from roofline import multiply_add
from texts import file_lines, write_text

STEPS = 5_000_000


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--words", type=int, default=5_000_000, help="from the start of the text")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--without-fasttext", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as folder:
        base = Training(
            program="hyperskip",
            text=write_text(
                file_lines(arguments.corpus), Path(folder, "text"), words=arguments.words
            ),
            output=str(Path(folder, "vectors.safetensors")),
            dimension=arguments.dimensions[0],
            window=7,
            negatives=10,
            subsample=1e-5,
            min_count=15,
            epochs=arguments.epochs,
            threads=1,
            options={"device": "cpu"},
        )
        one_training.run(replace(base, epochs=1))  # compiles the kernels
        variants = {
            "free": base,
            "deterministic": replace(base, options=base.options | {"deterministic": True}),
        }
        if not arguments.without_fasttext:
            variants["fastText"] = replace(
                base, program="fasttext", output=str(Path(folder, "vectors")), options={}
            )
        for dimension in arguments.dimensions:
            measure(variants, dimension, arguments.threads)


def measure(variants: dict[str, Training], dimension: int, threads: Sequence[int]) -> None:
    """Print the table of a dimension."""
    speeds: dict[str, list[float]] = {name: [] for name in (*variants, "multiply-adds")}
    for count in threads:
        for name, training in variants.items():
            cost = one_training.run(replace(training, dimension=dimension, threads=count))
            speeds[name].append(cost.words / cost.training_seconds)
        speeds["multiply-adds"].append(multiply_adds(count))
    print(f"\nd {dimension}\n")
    print_markdown(["threads", *titles(variants), "multiply-adds"], table(speeds, threads))


def titles(variants: dict[str, Training]) -> list[str]:
    """The titles of the columns of trainings."""
    return [f"{name}, M words/s" for name in variants] + ["free / deterministic"]


def table(speeds: dict[str, list[float]], threads: Sequence[int]) -> list[list[str]]:
    """A row for each number of threads: speeds, and how many times as fast as the first."""
    rows = []
    for i, count in enumerate(threads):
        trained = [
            f"{own[i] / 1e6:.2f} (x {own[i] / own[0]:.2f})"
            for name, own in speeds.items()
            if name != "multiply-adds"
        ]
        ratio = f"{speeds['free'][i] / speeds['deterministic'][i]:.2f}"
        bound = speeds["multiply-adds"]
        rows.append([str(count), *trained, ratio, f"x {bound[i] / bound[0]:.2f}"])
    return rows


def multiply_adds(threads: int) -> float:
    """Steps of multiply-adds per second, all threads together."""
    multiply_add(1)  # compiles it
    with ThreadPoolExecutor(threads) as pool:
        began = time.perf_counter()
        list(pool.map(multiply_add, [STEPS] * threads))
        return threads * STEPS / (time.perf_counter() - began)


if __name__ == "__main__":
    main()
