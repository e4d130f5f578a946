"""What a model of clusters predicts, beside what was measured, and for very large texts.

    python benchmarks/cluster.py --corpus FILE --json measured.json
    python benchmarks/cluster_predictions.py --measured measured.json --costs costs.json
    python benchmarks/cluster_predictions.py --costs costs.json --trillion

`--costs` reads the costs of a merge from a file, or measures them and writes them there: do this on
the machine of the clusters. `--measured` compares predictions with the file of `cluster.py`: the
speed of a node is that of one process in this file, for the CPUs of the node. `--trillion` prints
what the model says about a trillion words, a vocabulary of 100 million, and a hundred nodes.
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
# Text of the predictions: tokens, vocabulary, words of a sentence; and the cluster.
TOKENS, VOCABULARY, SENTENCE, NODES = 1e12, 100_000_000, 20, 100


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
    compared, alone = [], {}
    for runs in groups.values():
        setting = runs[0]["setting"]
        found = {name: statistics.median(run[name] for run in runs) for name in COMPARED}
        if not setting["nodes"]:
            alone = {"speed": found["words_per_second"] / setting["cpus"]}
            continue
        threads = setting["nodes"] * setting["cpus"]
        usable = min(threads, measured["machine"]["cores"]) / threads
        options = {"geometry": setting["geometry"]} if setting["geometry"] else {}
        large = frequencies.tokens >= 5_000_000
        plan = plan_of(setting["dimension"], subsample=1e-5 if large else 1e-4, **options)
        training = ClusterTraining(
            plan=plan,
            frequencies=frequencies,
            epochs=setting["epochs"],
            nodes=setting["nodes"],
            threads=setting["cpus"],
            speed=alone["speed"] * setting["cpus"] * usable,
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


def large_training(costs: Costs, gigabits: float, **changes: Any) -> ClusterTraining:
    """One epoch over a very large text, on many nodes."""
    training = ClusterTraining(
        plan=plan_of(100),
        frequencies=zipf_frequencies(TOKENS, VOCABULARY),
        epochs=1,
        nodes=NODES,
        threads=16,
        speed=20e6,
        costs=replace(costs, bandwidth=gigabits * GIGABIT),
    )
    return replace(training, **changes)


def print_memory(training: ClusterTraining) -> None:
    """Print the memory that nodes and the driver need."""
    node, driver = node_memory(training), driver_memory(training, TOKENS / SENTENCE)
    rows = [("node", name, f"{size / 1e9:,.1f}") for name, size in node._asdict().items()]
    rows += [("driver", name, f"{size / 1e9:,.1f}") for name, size in driver._asdict().items()]
    print_markdown(("where", "what", "GB"), rows)


def print_times(costs: Costs) -> None:
    """Print the time of an epoch for several speeds, bandwidths and intervals."""
    rows = []
    for merge_words in (None, 100_000_000, 1_000_000_000):
        for speed in (2e6, 20e6, 400e6):
            for gigabits in (10, 100):
                training = large_training(costs, gigabits, speed=speed, merge_words=merge_words)
                said = predicted(training)
                cycle = cycle_tokens(training)
                complete = merge_bytes(training, merged_words(training, cycle)[-1])
                own = cycle / ROUNDS / training.nodes
                rows.append(
                    (
                        f"{speed / 1e6:.0f}M",
                        str(gigabits),
                        f"{own / 1e6:,.0f}M" + ("" if merge_words else " (rule)"),
                        f"{said.seconds / 3600:,.2f}",
                        f"{said.merging_seconds / said.seconds:.0%}",
                        f"{sum(complete) / 1e9:,.1f}",
                        f"{said.per_word(training):,.1f}",
                    )
                )
    header = ("words/s of a node", "Gbit/s", "words of a node between merges", "hours")
    costs_header = ("merging", "GB of a node in a complete merge", "bytes per word")
    print_markdown((*header, *costs_header), rows)


def main() -> None:
    """Print what the model says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measured", type=Path, help="the JSON file of cluster.py")
    parser.add_argument("--costs", type=Path, help="read costs from this file, or write them to it")
    parser.add_argument("--trillion", action="store_true", help="predict a trillion words")
    arguments = parser.parse_args()
    costs = kept_costs(arguments.costs)
    print(f"Costs of a merge, in seconds: {json.dumps(asdict(costs))}\n")
    if arguments.measured:
        print_comparisons(comparisons(json.loads(arguments.measured.read_text()), costs))
    if arguments.trillion:
        print("\nMemory:\n")
        print_memory(large_training(costs, gigabits=10))
        print("\nOne epoch:\n")
        print_times(costs)


if __name__ == "__main__":
    main()
