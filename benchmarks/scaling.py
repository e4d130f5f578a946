"""Time and memory of training by size of the text, dimension, vocabulary and threads.

    python benchmarks/scaling.py --output scaling.png [--corpus FILE] [--schedule NAME]

Starting from one training (--words, --dimension, --min-count, --threads), one value is changed at a
time; the vocabulary is changed with min-count. With a small vocabulary, subsampling leaves fewer
pairs per word, because the remaining words are frequent; pairs/s does not depend on this.

Each training runs in a new process. There are several rounds of all trainings, and the fastest run
of each counts, because other work on the machine only adds time. Prints a table and draws a panel
for each value. Without --corpus, the text is random with Zipf's word frequencies, and depends only
on --seed.
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
    """A training and its cost."""

    training: Training
    cost: Cost


# The values that are changed, and how to get them from a point.
VALUES: dict[str, Callable[[Point], int]] = {
    "words": lambda point: point.training.text.words,
    "dimension": lambda point: point.training.dimension,
    "vocabulary": lambda point: point.cost.vocabulary,
    "threads": lambda point: point.training.threads,
}


def main() -> None:
    """Run the benchmark."""
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
        draw(panels).savefig(arguments.output, dpi=150)


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, help="the figure: .png, .svg or .pdf")
    parser.add_argument("--corpus", type=Path, help="words separated by spaces; may be compressed")
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
    """The trainings of each panel, smallest first; this writes their texts."""
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
    one_training.run(smallest)  # compiles the kernels

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
    """The powers of two up to the limit, and the limit."""
    powers = [1 << shift for shift in range(limit.bit_length())]
    return sorted({*powers, limit})


def print_points(panels: dict[str, list[Point]]) -> None:
    """Print a row for each training."""
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


def draw(panels: dict[str, list[Point]]) -> Figure:
    """Draw the figure, with seconds on the left axis of each panel and memory on the right."""
    figure = Figure(figsize=(11, 8), layout="constrained")
    for axes, (changed, points) in zip(figure.subplots(2, 2).flat, panels.items(), strict=True):
        lines = draw_panel(axes, changed, points)
    figure.legend(handles=lines, loc="outside upper center", ncols=len(lines))
    return figure


def draw_panel(axes: Axes, changed: str, points: Sequence[Point]) -> list[Line2D]:
    """Draw time and memory by one value, with words per second below the points."""
    values = [VALUES[changed](point) for point in points]
    training = [point.cost.training_seconds for point in points]
    lines = axes.plot(values, training, "o-", label="training, with words per second")
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
