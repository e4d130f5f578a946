"""What checkpoints and deterministic training cost, beside training without them.

    python benchmarks/reliability.py CORPUS [--dimensions 20 100] [--epochs 3] [--rounds 3]

CORPUS is text, or the folder of an encoded one. Trainings are interleaved, so that what else the
machine does hits all of them; times are those of the epochs and what is between them, and ratios
are made within a round. Checkpoints are written at each epoch and every --checkpoint-minutes.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from reporting import print_markdown, spread

import hyperskip
from hyperskip.training.progress import Compiling, Progress

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
            {name: seconds(dimension=dimension, **arguments, **WAYS[name]) for name in WAYS}
            for _ in range(rounds)
        ]
        for name in WAYS:
            ratios = [taken[name] / taken["free"] for taken in times]
            own = spread([taken[name] for taken in times], ".2f")
            rows.append([str(dimension), name, own, spread(ratios, ".3f")])
    print_markdown(["dimension", "training", "seconds", "x free"], rows)


def seconds(corpus: Path, *, checkpoints: bool = False, **options: Any) -> float:
    """Of a training, from the first epoch to the vectors."""
    began: list[float] = []

    def note(event: Progress) -> None:
        if isinstance(event, Compiling):
            began.append(time.perf_counter())

    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as folder:
        if checkpoints:
            options["checkpoints"] = Path(folder, "checkpoints")
        hyperskip.train(corpus, report=note, **options)
        return time.perf_counter() - began[0]


if __name__ == "__main__":
    main()
