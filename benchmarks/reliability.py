"""What checkpoints and deterministic training cost, beside training without them.

    python benchmarks/reliability.py CORPUS [--dimensions 20 100] [--epochs 3] [--rounds 3]

CORPUS is text, or the folder of an encoded one. Trainings are interleaved, so that what else the
machine does hits all of them; times are those of the epochs and what is between them, and ratios
are made within a round, of seconds and of processor time, which others disturb less. Checkpoints
are written at each epoch and every --checkpoint-minutes.
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
from hyperskip.training.run.events import Compiling, Progress

WAYS: dict[str, dict[str, Any]] = {
    "free": {},
    "with checkpoints": {"checkpoints": True},
    "deterministic": {"deterministic": True},
}


def main() -> None:
    """Run it."""
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
            {name: costs(dimension=dimension, **arguments, **WAYS[name]) for name in WAYS}
            for _ in range(rounds)
        ]
        for name in WAYS:
            ratios = np.array([taken[name] / taken["free"] for taken in times])
            own = spread([taken[name][0] for taken in times], ".2f")
            shown = (spread(column, ".3f") for column in ratios.T.tolist())
            rows.append([str(dimension), name, own, *shown])
    print_markdown(["dimension", "training", "seconds", "x free", "x free, processor time"], rows)


def costs(
    corpus: Path, *, checkpoints: bool = False, **options: Any
) -> npt.NDArray[np.float64]:  # (2,)
    """Seconds from the first epoch to the vectors, of the clock and of processors."""
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
