"""What training costs as the text, the dimension, the vocabulary and the threads grow.

    python benchmarks/scaling.py --output scaling.png [--corpus FILE] [--schedule NAME]

Around one training (--words, --dimension, --min-count, --threads) one thing is changed at a time;
the vocabulary through min-count. Subsampling makes fewer pairs of a word where the vocabulary is
small, for what is left is frequent: pairs/s tells that from what a pair costs.

Each training runs in a fresh process. Rounds go through all of them, and the fastest run of each
counts: what disturbs a training only ever adds to its time. Prints a table and draws a panel for
each thing. Without --corpus, the text is random with the frequencies of language, the same for the
same --seed.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import one_training
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from one_training import Cost, Training
from reporting import print_markdown
from texts import file_lines, write_text, zipf_lines

from hyperskip.devices import core_count

RANDOM_VOCABULARY = 200_000


@dataclass(frozen=True)
class Point:
    """A training with what it took."""

    training: Training
    cost: Cost


# What is changed, and how it is read off a point.
VALUES: dict[str, Callable[[Point], int]] = {
    "words": lambda point: point.training.text.words,
    "dimension": lambda point: point.training.dimension,
    "vocabulary": lambda point: point.cost.vocabulary,
    "threads": lambda point: point.training.threads,
}


def main() -> None:
    """Run it."""
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as name:
        plan = planned(arguments, Path(name))
        rounds = [
            {changed: list(map(one_training.run, plan[changed])) for changed in plan}
            for _ in range(arguments.rounds)
        ]
    panels = {
        changed: [
            Point(training, min(costs, key=lambda cost: cost.training_seconds))
            for training, *costs in zip(
                plan[changed], *(costs[changed] for costs in rounds), strict=True
            )
        ]
        for changed in plan
    }
    print_points(panels)
    if arguments.output:
        drawn(panels).savefig(arguments.output, dpi=150)


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, help="the figure: .png, .svg or .pdf")
    parser.add_argument("--corpus", type=Path, help="words between blanks; may be compressed")
    parser.add_argument("--seed", type=int, default=1, help="of the random text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--dimension", type=int, default=20)
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--threads", type=int, default=core_count())
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--negatives", type=int, default=5)
    parser.add_argument("--subsample", type=float, default=1e-4)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--schedule", help="hyperskip's default if not given")
    return parser.parse_args(given)


def planned(arguments: argparse.Namespace, folder: Path) -> dict[str, list[Training]]:
    """The trainings of each panel, smallest first; their texts are written."""
    smallest = Training(
        program="hyperskip",
        text=write_text(zipf_lines(100), folder / "smallest.txt", words=10_000),
        output=str(folder / "vectors.safetensors"),
        dimension=arguments.dimension,
        window=arguments.window,
        negatives=arguments.negatives,
        subsample=arguments.subsample,
        min_count=arguments.min_count,
        epochs=arguments.epochs,
        threads=arguments.threads,
        options={"schedule": arguments.schedule} if arguments.schedule else {},
    )
    one_training.run(smallest)  # compiles the kernels, if that was never done

    def on_words(count: int) -> Training:
        if arguments.corpus:
            lines = file_lines(arguments.corpus)
        else:
            lines = zipf_lines(RANDOM_VOCABULARY, arguments.seed)
        return replace(smallest, text=write_text(lines, folder / f"{count}.txt", words=count))

    base = on_words(arguments.words)
    parts = [on_words(arguments.words // share) for share in (8, 4, 2)]
    return {
        "words": [*parts, base, on_words(2 * arguments.words)],
        "dimension": [replace(base, dimension=d) for d in (5, 20, 50, 100, 200, 300)],
        "vocabulary": [replace(base, min_count=least) for least in (100, 30, 10, 3, 1)],
        "threads": [replace(base, threads=n) for n in doublings(arguments.threads)],
    }


def doublings(limit: int) -> list[int]:
    """1, 2, 4 ... and the limit."""
    powers = [1 << shift for shift in range(limit.bit_length())]
    return sorted({*powers, limit})


def print_points(panels: dict[str, list[Point]]) -> None:
    """One row a training."""
    header = ("changed", "to", "training, s", "whole, s", "words/s", "pairs/s", "peak, MB")
    rows = [
        (
            changed,
            f"{VALUES[changed](point):,}",
            f"{point.cost.training_seconds:.2f}",
            f"{point.cost.whole_seconds:.2f}",
            f"{point.cost.words_per_second(1):,.0f}",
            f"{(point.cost.pairs or 0) / point.cost.training_seconds:,.0f}",
            f"{point.cost.peak_bytes / 1e6:.0f}",
        )
        for changed, points in panels.items()
        for point in points
    ]
    print_markdown(header, rows)


def drawn(panels: dict[str, list[Point]]) -> Figure:
    """The figure: seconds on the left of each panel, memory on the right."""
    figure = Figure(figsize=(11, 8), layout="constrained")
    for axes, (changed, points) in zip(figure.subplots(2, 2).flat, panels.items(), strict=True):
        lines = draw_panel(axes, changed, points)
    figure.legend(handles=lines, loc="outside upper center", ncols=len(lines))
    return figure


def draw_panel(axes: Axes, changed: str, points: Sequence[Point]) -> list[Line2D]:
    """Time and memory against one thing, with words a second below the points."""
    values = [VALUES[changed](point) for point in points]
    training = [point.cost.training_seconds for point in points]
    lines = axes.plot(values, training, "o-", label="training, with words a second")
    lines += axes.plot(values, [point.cost.whole_seconds for point in points], "s-", label="whole")
    for value, seconds, point in zip(values, training, points, strict=True):
        axes.annotate(
            f"{point.cost.words_per_second(1) / 1e6:.2f}M",
            (value, seconds),
            xytext=(0, -14),
            textcoords="offset points",
            ha="center",
            fontsize="small",
        )
    axes.set(xlabel=changed, ylabel="seconds", xscale="log", yscale="log")
    axes.set_xticks(values, [f"{value:,}" for value in values])
    axes.set_xticks([], minor=True)
    axes.margins(x=0.1, y=0.2)
    memory = axes.twinx()
    peaks = [point.cost.peak_bytes / 1e6 for point in points]
    lines += memory.plot(values, peaks, "x--", color="gray", label="peak memory")
    memory.set(ylabel="MB", ylim=(0, 1.3 * max(peaks)))
    return lines


if __name__ == "__main__":
    main()
