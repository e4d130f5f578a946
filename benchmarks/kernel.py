"""What each liberty of the kernel is worth: padded rows, and relaxed floating point.

    python benchmarks/kernel.py [--dimensions 20 100] [--repeats 5]

Trains one thread on random text with the frequencies of language (Zipf), variants interleaved, and
prints nanoseconds a sample (a target of a pair) and the ratio to the kernel as it is.
"""

import argparse
import importlib.util
import statistics
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from reporting import spread
from texts import zipf_counts

from hyperskip.training import cpu, sampling

WORDS, TOKENS, SENTENCE = 40_000, 400_000, 100
WINDOW, NEGATIVES = 10, 10


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        strict = variant(Path(folder), "_FAST = {", "_FAST = set() and {")
        for dimension in arguments.dimensions:
            variants = {
                "as it is": (cpu, cpu.ROW_MULTIPLE),
                "rows not padded": (cpu, 1),
                "strict floating point": (strict, cpu.ROW_MULTIPLE),
            }
            compare(dimension, variants, arguments.repeats)


def variant(folder: Path, old: str, new: str) -> ModuleType:
    """The kernel's module with one piece of its source replaced."""
    source = Path(cpu.__file__).read_text(encoding="utf-8")
    assert old in source
    path = folder / "strict_cpu.py"
    path.write_text(source.replace(old, new), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("strict_cpu", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def compare(dimension: int, variants: dict[str, tuple[ModuleType, int]], repeats: int) -> None:
    """Interleave the variants and print their times."""
    times: dict[str, list[float]] = {name: [] for name in variants}
    for repeat in range(repeats + 1):
        for name, (module, multiple) in variants.items():
            nanoseconds = measure(module, dimension, multiple)
            if repeat:  # the first one compiles
                times[name].append(nanoseconds)
    base = times["as it is"]
    for name, measured in times.items():
        ratios = [one / other for one, other in zip(measured, base, strict=True)]
        print(
            f"d {dimension:4}  {name:22} {statistics.median(measured):6.1f} ns a sample   "
            f"x {spread(ratios, '.2f')}",
            flush=True,
        )


def measure(module: Any, dimension: int, multiple: int) -> float:
    """Nanoseconds a sample of one run."""
    generator = np.random.default_rng(1)
    counts = zipf_counts(WORDS)
    tokens = generator.choice(WORDS, TOKENS, p=counts / counts.sum()).astype(np.int32)
    starts = np.arange(0, TOKENS + 1, SENTENCE).astype(np.int64)
    rows = np.zeros((WORDS, -(-dimension // multiple) * multiple), dtype=np.float32)
    rows[:, :dimension] = generator.normal(0, 0.01, (WORDS, dimension))
    row_times = np.sqrt(1 + np.sum(rows * rows, axis=1, dtype=np.float64)).astype(np.float32)
    layers = module.Layers(rows, row_times, rows, row_times, np.array([3.0]))
    chances = module.Chances(
        sampling.keep_thresholds(counts, 1e-4), sampling.noise_table(counts, 0.5)
    )
    settings = module.Settings(True, True, WINDOW, False, NEGATIVES, 1.0, False, False)
    locks = np.zeros(0, dtype=np.int32)
    began = time.perf_counter()
    pairs, _, _ = module.train_block(
        tokens, starts, layers, chances, settings, 0.05, 0.05, np.uint64(1), locks, np.int32(1)
    )
    return float(1e9 * (time.perf_counter() - began) / (pairs * (1 + NEGATIVES)))


if __name__ == "__main__":
    main()
