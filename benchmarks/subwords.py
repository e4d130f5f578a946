"""Subwords: hyperskip with and without them beside fastText, on the same text in one run.

    python benchmarks/subwords.py corpus.txt --data eval [--dimensions 20 100] [--epochs 10]

Needs `fasttext` (make bench installs it), or `--peer none`. fastText and hyperskip have the same
n-grams, buckets, min-count, epochs and threads; all other options are the defaults of each program.
Prints the quality of words of the vocabulary, and the time of the whole job, from text to vectors.

Then every tenth word of the similarity sets is removed from the text, and everything is trained
again. `unknown` are the pairs that have a removed word: their rank correlation, and in parentheses
that of the same pairs if the words are known.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from reporting import print_markdown

import hyperskip
from hyperskip import WordVectors
from hyperskip.evaluation.analogy import evaluate_analogies
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.known_sets import SIMILARITY_SETS
from hyperskip.evaluation.similarity import RatedPair, average_spearman, evaluate_similarity
from hyperskip.experiment.runs.fasttext_training import FASTTEXT_ENVIRONMENT

WORDS, SUBWORDS, SHARED, FASTTEXT = "words only", "subwords", "shared table", "fastText"
OURS: dict[str, dict[str, Any]] = {
    WORDS: {},
    SUBWORDS: {"subwords": True},
    SHARED: {"subwords": True, "bucket_hashes": 2},
}
EVERY = 10  # of the words of the similarity sets is removed


@dataclass(frozen=True)
class Trained:
    """Vectors and the cost of the whole job."""

    vectors: WordVectors
    seconds: float
    cpu_seconds: float


class Runs(NamedTuple):
    """What one program learned from the text, and from the text without the removed words."""

    whole: Trained
    cut: Trained | None


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="folder with the evaluation sets")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--min-count", type=int, default=15)
    parser.add_argument("--buckets", type=int, default=2_000_000, help="not of the shared table")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--peer", choices=["fasttext", "none"], default="fasttext")
    parser.add_argument("--words", type=int, help="number of words to take from the corpus")
    arguments = parser.parse_args()
    sets = {name: similarity_pairs(name, arguments.data) for name in SIMILARITY_SETS}
    in_sets = sorted({word.lower() for pairs in sets.values() for p in pairs for word in p[:2]})
    removed = set(in_sets[::EVERY])
    names = [*OURS, *([FASTTEXT] if arguments.peer == "fasttext" else [])]
    with tempfile.TemporaryDirectory() as folder:
        whole, cut = Path(folder) / "whole.txt", Path(folder) / "cut.txt"
        write_texts(arguments.corpus, arguments.words, removed, whole, cut)
        for dimension in arguments.dimensions:
            runs = [
                {
                    name: Runs(
                        trained(name, whole, dimension, seed, arguments),
                        None if name == WORDS else trained(name, cut, dimension, seed, arguments),
                    )
                    for name in names
                }
                for seed in range(1, arguments.seeds + 1)
            ]
            report(dimension, names, runs, sets, removed, arguments.data)


def write_texts(corpus: Path, most: int | None, removed: set[str], whole: Path, cut: Path) -> None:
    """Write the text, and the text without the removed words."""
    taken = 0
    with corpus.open() as lines, whole.open("w") as all_words, cut.open("w") as others:
        for line in lines:
            words = line.split()
            taken += len(words)
            all_words.write(" ".join(words) + "\n")
            others.write(" ".join(word for word in words if word not in removed) + "\n")
            if most is not None and taken >= most:
                break


def trained(
    name: str, text: Path, dimension: int, seed: int, arguments: argparse.Namespace
) -> Trained:
    """Train in a new process, and measure the whole job."""
    model = text.with_suffix(".bin" if name == FASTTEXT else ".safetensors")
    job = {
        "name": name,
        "text": str(text),
        "model": str(model),
        "dimension": dimension,
        "seed": seed,
        **{
            k: getattr(arguments, k)
            for k in ("epochs", "min_count", "threads", "device", "buckets")
        },
    }
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", f"import subwords; subwords.run_job({json.dumps(job)!r})"],
        check=True,
        cwd=Path(__file__).parent,
        env=os.environ | FASTTEXT_ENVIRONMENT,
    )
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = sum(getattr(after, k) - getattr(before, k) for k in ("ru_utime", "ru_stime"))
    print(f"{name} d {dimension} {text.stem}: {seconds:.1f} s, CPU {cpu:.1f} s", file=sys.stderr)
    read = hyperskip.import_vectors if name == FASTTEXT else hyperskip.load
    return Trained(read(model), seconds, cpu)


def run_job(job_text: str) -> None:
    """Train one model in this process."""
    job = json.loads(job_text)
    if job["name"] == FASTTEXT:
        import fasttext

        model = fasttext.train_unsupervised(
            *(job["text"], "skipgram"),
            dim=job["dimension"],
            epoch=job["epochs"],
            minCount=job["min_count"],
            minn=3,
            maxn=6,
            bucket=job["buckets"],
            thread=job["threads"],
            verbose=0,
        )
        model.save_model(job["model"])
        return
    options = dict(OURS[job["name"]])
    if job["name"] == SUBWORDS:
        options["buckets"] = job["buckets"]
    names = ("dimension", "seed", "epochs", "min_count", "threads", "device")
    vectors = hyperskip.train(
        Path(job["text"]), progress=False, **options, **{k: job[k] for k in names}
    )
    vectors.save(job["model"])


def report(
    dimension: int,
    names: list[str],
    runs: list[dict[str, Runs]],
    sets: dict[str, list[RatedPair]],
    removed: set[str],
    data: Path,
) -> None:
    """Print the tables of one dimension."""
    questions = analogy_questions("google", data)
    quality, unknown = [], []
    for name in names:
        rows, shares = [], []
        for run in runs:
            vectors = run[name].whole.vectors.measured_by("angle").without_subwords()
            of_sets = [evaluate_similarity(vectors, pairs) for pairs in sets.values()]
            answers = evaluate_analogies(run[name].whole.vectors.without_subwords(), questions, "Z")
            rows.append(
                [
                    *(score.spearman for score in of_sets),
                    average_spearman(of_sets),
                    *(answers.semantic.accuracy, answers.syntactic.accuracy),
                    answers.total.accuracy,
                ]
            )
            without = run[name].cut
            if without is not None:
                shares.append(unknown_words(vectors, without.vectors, sets, removed))
        seconds = statistics.median(run[name].whole.seconds for run in runs)
        cpu = statistics.median(run[name].whole.cpu_seconds for run in runs)
        means = [
            statistics.mean(value or 0.0 for value in column) for column in zip(*rows, strict=True)
        ]
        quality.append([name, *(f"{mean:.3f}" for mean in means), f"{seconds:.1f}", f"{cpu:.1f}"])
        if shares:
            unknown.append([name, *(shown(column) for column in zip(*shares, strict=True))])
    print(f"\ndimension {dimension}, by the angle (fastText: cosine)\n")
    columns = ["", *sets, "average", "semantic", "syntactic", "analogies", "s", "CPU s"]
    print_markdown(columns, quality)
    print("\nunknown words\n")
    print_markdown(["", *sets], unknown)
    seconds_of = {row[0]: float(row[-2]) for row in quality}
    cpu_of = {row[0]: float(row[-1]) for row in quality}
    for slower, faster in ((FASTTEXT, SUBWORDS), (SUBWORDS, WORDS)):
        if slower in seconds_of:
            print(
                f"\n{slower} takes {seconds_of[slower] / seconds_of[faster]:.2f} times the time of "
                f"{faster}, and {cpu_of[slower] / cpu_of[faster]:.2f} times the CPU time"
            )


def unknown_words(
    known: WordVectors, without: WordVectors, sets: dict[str, list[RatedPair]], removed: set[str]
) -> list[tuple[float, float]]:
    """For each set, the correlation of pairs with a removed word: removed, and known."""
    asked = {word for word in removed if word in known and word not in without}
    scores = []
    for pairs in sets.values():
        chosen = [pair for pair in pairs if {pair.first.lower(), pair.second.lower()} & asked]
        composed = evaluate_similarity(without.measured_by("angle"), chosen).spearman
        usual = evaluate_similarity(known, chosen).spearman
        scores.append((composed or 0.0, usual or 0.0))
    return scores


def shown(scores: tuple[tuple[float, float], ...]) -> str:
    """The mean correlation of unknown words, that of known words, and the share that is kept."""
    composed, usual = (statistics.mean(column) for column in zip(*scores, strict=True))
    return f"{composed:.3f} ({usual:.3f}), {composed / usual:.0%}"


if __name__ == "__main__":
    main()
