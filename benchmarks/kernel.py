"""Speed of the window kernel without each of its optimizations.

    python benchmarks/kernel.py [--dimensions 20 100] [--repeats 5]

Trains one thread on random text with Zipf's word frequencies, with interleaved variants, and prints
nanoseconds per pair (of center and context, with its share of the negative samples) and the ratio
to the unchanged kernel. A variant is a copy of the kernel's folder with a piece of source replaced.
"""

import argparse
import importlib
import itertools
import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np
from kernel_runs import KernelRun
from reporting import spread

from hyperskip.training import cpu

NAME = "hyperskip.training.cpu"
VARIANTS = {
    "unchanged": ("lanes.py", "", ""),
    "strict floating point": ("lanes.py", "FAST = {", "FAST = set() and {"),
    "rows across cache lines": (
        "layout.py",
        "start = -buffer.ctypes.data % _CACHE_LINE",
        "start = (20 - buffer.ctypes.data) % _CACHE_LINE",
    ),
}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        packages = {
            title: copied(Path(folder), f"variant{number}", *replacement)
            for number, (title, replacement) in enumerate(VARIANTS.items())
        }
        for dimension in arguments.dimensions:
            runs = {
                f"window, {title}": KernelRun(package, "window", dimension)
                for title, package in packages.items()
            }
            runs["pairwise"] = KernelRun(packages["unchanged"], "pairwise", dimension)
            compare(dimension, runs, arguments.repeats)


def copied(folder: Path, name: str, file: str, old: str, new: str) -> str:
    """Copy the kernels' folder to a new package, with one piece of one file replaced."""
    (folder / name).mkdir()
    for path in Path(next(iter(cpu.__path__))).glob("*.py"):
        source = path.read_text(encoding="utf-8").replace(NAME, name)
        if path.name == file:
            assert old in source, old
            source = source.replace(old, new) if old else source
        (folder / name / path.name).write_text(source, encoding="utf-8")
    importlib.invalidate_caches()
    return name


def compare(dimension: int, runs: dict[str, KernelRun], repeats: int) -> None:
    """Run the variants in turns, and print their times."""
    times: dict[str, list[float]] = {title: [] for title in runs}
    for repeat, (title, run) in itertools.product(range(repeats + 1), runs.items()):
        seconds = run.seconds()
        if repeat:  # the first run compiles
            times[title].append(1e9 * seconds / run.pairs)
    base = np.array(times["window, unchanged"])
    for title, measured in times.items():
        print(
            f"d {dimension:4}  {title:32} {statistics.median(measured):7.1f} ns per pair   "
            f"x {spread((np.array(measured) / base).tolist(), '.2f')}",
            flush=True,
        )


if __name__ == "__main__":
    main()
