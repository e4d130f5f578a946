"""Speed and quality of hyperskip and of Spark MLlib's Word2Vec on the same text.

    pip install pyspark
    python benchmarks/spark.py --corpus FILE --data FOLDER --words 2000000

PySpark is a large package (450 MB) and requires Java 17 or later. Spark runs in local mode, on as
many cores as hyperskip has threads. All train skip-gram on the same plain file, with the same
dimension, window, min-count and epochs. A round trains each program once in a new process, so that
other work on the machine affects all of them.

The programs differ in what they do with a word:

- Spark uses hierarchical softmax, no subsampling, and draws each window from 1 to window. Each of
  its partitions is trained by one core on its own, and the vectors are merged after each epoch.
  One partition gives the best vectors; one for each core lets Spark train on all cores. Run it
  without a native BLAS, which makes it slower: Spark calls it for single vectors.
- hyperskip uses its defaults: negative samples, full windows, and subsampling of frequent words.
- `hyperskip, all words` does not subsample either.

Prints medians with minimum and maximum over the rounds, and the ratios within each round:

- words/s: words of the vocabulary, over all epochs, per second of training alone, on all cores. For
  Spark, training alone is the difference to another run with no epochs, which only counts words.
- pairs/s: the same for pairs of center and context, counted by hyperskip and estimated for Spark.
- whole: seconds from the start of the process to its end, from text to saved vectors.
- CPU: seconds of all threads together, including the Java virtual machine of Spark; hardly affected
  by other work.
- peak: the peak memory. The Java virtual machine may grow up to `--memory` before it frees any.
- similarity: the average over WS-353, SimLex-999 and MEN; analogy: Google's, without questions that
  have unknown words, by route Z for hyperskip.

Without `--corpus`, the text is random with Zipf's word frequencies, and there is no quality.
"""

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import one_training
from one_training import Training
from peers import RATIOS, Run, Score, named_value, quality, scorer, written_text
from reporting import print_markdown, spread
from texts import Text, expected_pairs, write_text, zipf_lines

from hyperskip.evaluation.known_sets import DATA_VARIABLE
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions

HYPERSKIP, ALL_WORDS, SPARK = "hyperskip", "hyperskip, all words", "Spark"


def main() -> None:
    """Run the benchmark."""
    arguments = parsed_arguments()
    check_spark()
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as name:
        folder = Path(name)
        text = written_text(arguments, folder / "text.txt")
        known, pairs = counted(text, arguments, folder)
        score = scorer(arguments)
        compile_kernels(arguments, folder)
        runs: dict[str, list[Run]] = {}
        for number in range(1, arguments.rounds + 1):
            for name, training in trainings(text, arguments, folder).items():
                training = replace(training, seed=arguments.seed + number - 1)
                run = measured(training, number, known, pairs, score)
                print_progress(name, run)
                runs.setdefault(name, []).append(run)
    print_runs(runs)
    print_ratios(runs)
    if arguments.json:
        arguments.json.write_text(json.dumps(summary(runs, text), indent=2) + "\n")


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, help="words separated by spaces; may be compressed")
    parser.add_argument("--words", type=int, help="use only this number of words")
    data = os.environ.get(DATA_VARIABLE)
    parser.add_argument("--data", type=Path, default=data and Path(data), help="evaluation sets")
    parser.add_argument("--json", type=Path, help="write every run here")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="seed of the first round")
    parser.add_argument("--dimension", type=int, default=100)
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--min-count", type=int, default=15)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--partitions", type=int, nargs="+", help="of Spark; default: 1, and one for each thread"
    )
    parser.add_argument("--spark-rate", type=float, default=0.025)
    parser.add_argument("--memory", default="8g", help="of Spark's Java virtual machine")
    parser.add_argument(
        "--hyperskip-option",
        dest="options",
        type=named_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another option of hyperskip, such as rate=0.02 or geometry=euclidean",
    )
    arguments = parser.parse_args(given)
    arguments.partitions = arguments.partitions or sorted({1, arguments.threads})
    return arguments


def check_spark() -> None:
    """Exit with a hint if Spark cannot run."""
    if find_spec("pyspark") is None:
        sys.exit("PySpark is not installed\nhint: pip install pyspark")
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        sys.exit("Spark requires Java\nhint: install Java 17 or later, or set JAVA_HOME")


def counted(text: Text, arguments: argparse.Namespace, folder: Path) -> tuple[int, float]:
    """Print facts about the text; returns its known words, and Spark's pairs per word."""
    options = TextOptions(tokenizer="whitespace", min_count=arguments.min_count)
    encoded = encode_into(Path(text.path), options, folder)
    known = encoded.vocabulary.total
    pairs = expected_pairs(encoded, window=arguments.window, shrink_window=True, subsample=0)
    print(
        f"{text.words:,} words in {text.lines:,} lines; {known:,} of them are in the vocabulary of "
        f"{len(encoded.vocabulary):,} words. d {arguments.dimension}, window {arguments.window}, "
        f"epochs {arguments.epochs}, threads {arguments.threads}. Pairs per word of Spark: about "
        f"{pairs:.2f}.\n",
        flush=True,
    )
    return known, pairs


def compile_kernels(arguments: argparse.Namespace, folder: Path) -> None:
    """Train on a small text, so that no round has to compile the kernels of hyperskip."""
    small = write_text(zipf_lines(100), folder / "small.txt", words=10_000)
    one_training.run(trainings(small, arguments, folder)[HYPERSKIP])


def trainings(text: Text, arguments: argparse.Namespace, folder: Path) -> dict[str, Training]:
    """The trainings to compare, by the name in the tables."""
    ours = Training(
        program="hyperskip",
        text=text,
        output=str(folder / "vectors.safetensors"),
        dimension=arguments.dimension,
        window=arguments.window,
        negatives=None,
        subsample=None,
        min_count=arguments.min_count,
        epochs=arguments.epochs,
        threads=arguments.threads,
        options=dict(arguments.options),
    )
    theirs = replace(
        ours, program="spark", output=str(folder / "vectors.txt"), rate=arguments.spark_rate
    )
    return {
        HYPERSKIP: ours,
        ALL_WORDS: replace(ours, subsample=0.0),
        **{
            f"{SPARK}, {count} partition{'s' if count > 1 else ''}": replace(
                theirs, options={"partitions": count, "memory": arguments.memory}
            )
            for count in arguments.partitions
        },
    }


def measured(training: Training, number: int, known: int, pairs: float, score: Score) -> Run:
    """Train and score. For Spark, the time of counting words is subtracted."""
    cost = one_training.run(training)
    vectors_quality = score(Path(training.output))
    if cost.pairs is not None:
        return Run(training, number, cost, float(cost.pairs), vectors_quality)
    counting = one_training.run(replace(training, epochs=0))
    cost = replace(
        cost,
        training_seconds=cost.training_seconds - counting.training_seconds,
        words=training.epochs * known,
    )
    return Run(training, number, cost, cost.words * pairs, vectors_quality)


def print_progress(name: str, run: Run) -> None:
    """Print the speed of a run."""
    print(
        f"round {run.round}, {name}: {run.cost.words_per_second(threads=1):,.0f} words/s, "
        f"{run.cost.whole_seconds:.1f} s in all",
        file=sys.stderr,
        flush=True,
    )


def print_runs(runs: Mapping[str, list[Run]]) -> None:
    """Print a row for each program."""
    costs = ("whole, s", "CPU, s", "peak, MB")
    header = ("program", "words/s", "pairs/s", *costs, "similarity", "analogy")
    rows = [
        (
            name,
            spread([run.cost.words_per_second(threads=1) for run in rounds], ",.0f"),
            ("" if rounds[0].cost.pairs else "~")
            + spread([run.pairs / run.cost.training_seconds for run in rounds], ",.0f"),
            spread([run.cost.whole_seconds for run in rounds], ".1f"),
            spread([run.cost.cpu_seconds for run in rounds], ".1f"),
            spread([run.cost.peak_bytes / 1e6 for run in rounds], ",.0f"),
            quality([run.quality.similarity for run in rounds]),
            quality([run.quality.analogy for run in rounds]),
        )
        for name, rounds in runs.items()
    ]
    print_markdown(header, rows)


def ratios(runs: Mapping[str, list[Run]]) -> dict[tuple[str, str], dict[str, list[float]]]:
    """Each comparison of hyperskip with Spark, for every round."""
    return {
        (ours, theirs): {
            name: [ratio(*both) for both in zip(runs[ours], runs[theirs], strict=True)]
            for name, ratio in RATIOS.items()
        }
        for ours in (HYPERSKIP, ALL_WORDS)
        for theirs in runs
        if theirs.startswith(SPARK)
    }


def print_ratios(runs: Mapping[str, list[Run]]) -> None:
    """Print a row for each comparison."""
    rows = [
        (*names, *(spread(values, ".1f") for values in compared.values()))
        for names, compared in ratios(runs).items()
    ]
    print("\nRatios (more than 1: hyperskip is better):\n")
    print_markdown(("program", "than", *RATIOS), rows)


def summary(runs: Mapping[str, list[Run]], text: Text) -> dict[str, Any]:
    """All runs, as plain values."""
    return {
        "machine": {
            "system": platform.platform(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "packages": {name: version(name) for name in ("hyperskip", "pyspark", "numba")},
        },
        "text": {"words": text.words, "lines": text.lines},
        "runs": {name: [run.as_dict() for run in rounds] for name, rounds in runs.items()},
    }


if __name__ == "__main__":
    main()
