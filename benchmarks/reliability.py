"""The cost of checkpoints and of deterministic training.

    python benchmarks/reliability.py CORPUS [--dimensions 20 100] [--epochs 3] [--rounds 3]

CORPUS is text or an encoded corpus. Trainings are interleaved, so that other work on the machine
affects all of them. Times start with the first epoch. Ratios are taken within a round, for seconds
and for processor time, which other work affects less. Checkpoints are written after each epoch and
every --checkpoint-minutes.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from reporting import print_markdown, spread

import hyperskip
from hyperskip.training.run.training_events import Compiling, Progress

VARIANTS: dict[str, dict[str, Any]] = {
    "free": {},
    "with checkpoints": {"checkpoints": True},
    "deterministic": {"deterministic": True},
}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--checkpoint-minutes", type=float, default=10)
    parser.add_argument("--window", type=int, default=10)
    parser.add_argument("--negatives", type=int, default=10)
    parser.add_argument("--subsample", type=float, default=1e-5)
    arguments = vars(parser.parse_args())
    rounds, dimensions = arguments.pop("rounds"), arguments.pop("dimensions")
    rows = []
    for dimension in dimensions:
        times = [
            {name: costs(dimension=dimension, **arguments, **VARIANTS[name]) for name in VARIANTS}
            for _ in range(rounds)
        ]
        for name in VARIANTS:
            ratios = np.array([taken[name] / taken["free"] for taken in times])
            own = spread([taken[name][0] for taken in times], ".2f")
            shown = (spread(column, ".3f") for column in ratios.T.tolist())
            rows.append([str(dimension), name, own, *shown])
    print_markdown(["dimension", "training", "seconds", "x free", "x free, processor time"], rows)


def costs(
    corpus: Path, *, checkpoints: bool = False, **options: Any
) -> npt.NDArray[np.float64]:  # (2,)
    """Seconds from the first epoch to the vectors, by the clock and of processor time."""
    began: list[tuple[float, float]] = []

    def note(event: Progress) -> None:
        if isinstance(event, Compiling):
            began.append((time.perf_counter(), time.process_time()))

    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as folder:
        if checkpoints:
            options["checkpoints"] = Path(folder, "checkpoints")
        hyperskip.train(corpus, report=note, **options)
        return np.array((time.perf_counter(), time.process_time())) - began[0]


if __name__ == "__main__":
    main()
