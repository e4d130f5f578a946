"""What a model of clusters predicts, beside what was measured, and for very large texts.

    python benchmarks/cluster.py --corpus FILE --json measured.json
    python benchmarks/cluster_predictions.py --measured measured.json --costs costs.json
    python benchmarks/cluster_predictions.py --costs costs.json --large --vocabulary 1e8

`--costs` reads the costs of a merge from a file, or measures them and writes them there: do this on
the machine of the clusters. `--measured` compares predictions with the file of `cluster.py`: the
speed of a node is that of one process in this file, for the CPUs of the node. `--large` prints what
the model says about one epoch over a very large text.
"""

import argparse
import json
import statistics
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from cluster_costs import kept_costs
from cluster_model import (
    ClusterTraining,
    Costs,
    cycle_tokens,
    driver_memory,
    frequencies_of,
    merge_bytes,
    merged_words,
    node_memory,
    plan_of,
    predicted,
    zipf_frequencies,
)
from reporting import print_markdown

from hyperskip.training.cluster.rounds import ROUNDS

GIGABIT = 1e9 / 8  # bytes/s
SENTENCE = 20  # words, on average


class Comparison(NamedTuple):
    """A measured training, and what the model says about it."""

    setting: dict[str, Any]
    measured: dict[str, float]  # medians over seeds
    predicted: dict[str, float]

    def error(self, name: str) -> float:
        """How much more the model says than was measured, as a share."""
        return self.predicted[name] / self.measured[name] - 1.0 if self.measured[name] else 0.0


COMPARED = ("words_per_second", "bytes_per_word", "merges")


def comparisons(measured: dict[str, Any], costs: Costs) -> list[Comparison]:
    """Compare the runs of `cluster.py` with the model."""
    frequencies = frequencies_of(measured["text"]["counts"])
    groups: dict[str, list[dict[str, Any]]] = {}
    for run in measured["runs"]:
        groups.setdefault(json.dumps(run["setting"], sort_keys=True), []).append(run)
    compared: list[Comparison] = []
    speeds: dict[tuple[Any, ...], float] = {}  # of one CPU, in one process
    for runs in groups.values():
        setting = runs[0]["setting"]
        task = tuple(setting[name] for name in ("dimension", "epochs", "geometry"))
        found = {name: statistics.median(run[name] for run in runs) for name in COMPARED}
        if not setting["nodes"]:
            speeds[task] = found["words_per_second"] / setting["cpus"]
            continue
        threads = setting["nodes"] * setting["cpus"]
        usable = min(threads, measured["machine"]["cores"]) / threads
        options = {name: setting[name] for name in ("epochs", "geometry") if setting[name]}
        large = frequencies.tokens >= 5_000_000
        plan = plan_of(setting["dimension"], subsample=1e-5 if large else 1e-4, **options)
        training = ClusterTraining(
            plan=plan,
            frequencies=frequencies,
            nodes=setting["nodes"],
            threads=setting["cpus"],
            speed=speeds[task] * setting["cpus"] * usable,
            costs=costs,
            merge_words=setting["merge_words"],
        )
        said = predicted(training)
        values = (said.words_per_second(training), said.per_word(training), said.merges)
        compared.append(Comparison(setting, found, dict(zip(COMPARED, values, strict=True))))
    return compared


def print_comparisons(compared: list[Comparison]) -> None:
    """Print predicted beside measured values."""
    header = ["d", "nodes", "CPUs", "merge words"]
    for name in ("words/s", "bytes per word", "merges"):
        header += [f"{name}, measured", "predicted", "error"]
    rows = []
    for each in compared:
        setting = each.setting
        row = [
            str(setting["dimension"]),
            str(setting["nodes"]),
            str(setting["cpus"]),
            f"{setting['merge_words']:,}" if setting["merge_words"] else "rule",
        ]
        for name, form in zip(COMPARED, (",.0f", ".1f", ".0f"), strict=True):
            row += [
                f"{each.measured[name]:{form}}",
                f"{each.predicted[name]:{form}}",
                f"{each.error(name):+.0%}" if each.measured[name] else "-",
            ]
        rows.append(row)
    print_markdown(header, rows)


def print_memory(training: ClusterTraining) -> None:
    """Print the memory that nodes and the driver need."""
    sentences = training.frequencies.tokens / SENTENCE
    node, driver = node_memory(training), driver_memory(training, sentences)
    rows = [("node", name, f"{size / 1e9:,.1f}") for name, size in node._asdict().items()]
    rows += [("driver", name, f"{size / 1e9:,.1f}") for name, size in driver._asdict().items()]
    print_markdown(("where", "what", "GB"), rows)


def print_times(training: ClusterTraining, intervals: list[int | None]) -> None:
    """Print the time of an epoch for several speeds, bandwidths and intervals."""
    rows = [
        time_row(
            replace(
                training,
                merge_words=merge_words,
                speed=speed,
                costs=replace(training.costs, bandwidth=gigabits * GIGABIT),
            )
        )
        for merge_words in intervals
        for speed in (2e6, 20e6, 400e6)
        for gigabits in (10, 100)
    ]
    header = ("words/s of a node", "Gbit/s", "words between merges", "merges")
    hours = ("hours", "training", "computing", "sending", "calling")
    print_markdown((*header, *hours, "GB in a complete merge", "bytes per word"), rows)


def time_row(training: ClusterTraining) -> tuple[str, ...]:
    """The time of an epoch: in all, and of each step."""
    said, cycle = predicted(training), cycle_tokens(training)
    complete = merge_bytes(training, merged_words(training, cycle)[-1])
    steps = (said.seconds, said.training, said.computing, said.sending, said.calling)
    return (
        f"{training.speed / 1e6:.0f}M",
        f"{training.costs.bandwidth / GIGABIT:.0f}",
        f"{cycle / ROUNDS / training.nodes / 1e6:,.1f}M",
        f"{said.merges:,.0f}",
        *(f"{seconds / 3600:,.2f}" for seconds in steps),
        f"{sum(complete) / 1e9:,.1f}",
        f"{said.per_word(training):,.1f}",
    )


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measured", type=Path, help="the JSON file of cluster.py")
    parser.add_argument("--costs", type=Path, help="read costs from this file, or write them to it")
    large = parser.add_argument_group("a very large text")
    large.add_argument("--large", action="store_true", help="predict one epoch over such a text")
    large.add_argument("--tokens", type=float, default=1e12)
    large.add_argument("--vocabulary", type=float, default=1e8)
    large.add_argument("--dimension", type=int, default=100)
    large.add_argument("--nodes", type=int, default=100)
    large.add_argument("--threads", type=int, default=16, help="of a node")
    large.add_argument(
        "--merge-words",
        type=float,
        nargs="+",
        default=[0, 1e8, 1e9],
        help="of each node between two merges; 0: by the rule",
    )
    return parser.parse_args(given)


def large_training(arguments: argparse.Namespace, costs: Costs) -> ClusterTraining:
    """One epoch over a very large text."""
    return ClusterTraining(
        plan=plan_of(arguments.dimension, epochs=1),
        frequencies=zipf_frequencies(arguments.tokens, round(arguments.vocabulary)),
        nodes=arguments.nodes,
        threads=arguments.threads,
        speed=20e6,
        costs=replace(costs, local={}),
    )


def main() -> None:
    """Print what the model says."""
    arguments = parsed_arguments()
    costs = kept_costs(arguments.costs)
    print(f"Costs of a merge, in seconds: {json.dumps(asdict(costs))}\n")
    if arguments.measured:
        print_comparisons(comparisons(json.loads(arguments.measured.read_text()), costs))
    if arguments.large:
        training = large_training(arguments, costs)
        print("\nMemory:\n")
        print_memory(training)
        print("\nOne epoch, in hours:\n")
        print_times(training, [int(words) or None for words in arguments.merge_words])


if __name__ == "__main__":
    main()
