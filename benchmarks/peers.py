"""Speed, memory and quality of hyperskip, fastText and gensim on the same text.

    make bench ARGUMENTS="--corpus FILE --data FOLDER --json FILE"

All train skip-gram on the same plain file, with the same window, negative samples (count^0.5),
subsampling, min-count, dimension, epochs and threads; fastText without subwords, gensim with
`corpus_file`. A round trains each program once in a new process, so that other work on the machine
affects all of them. Prints medians with minimum and maximum over the rounds, and the same for the
ratios within each round. See `one_training.py` for how the time of training alone is measured.

- words/s: words of the vocabulary, over all epochs, per second of training alone and per thread.
- pairs/s: the same for pairs. fastText and gensim draw each window from 1 to window and do not
  count pairs; theirs are estimated from the text. hyperskip uses full windows, unless you pass
  `--hyperskip-option shrink_window=true`, and counts them.
- whole: seconds from the start of the process to its end, from text to saved vectors.
- CPU: seconds of all threads together, for the whole process; hardly affected by other work.
- peak: the peak memory of the process.
- similarity: the average over WS-353, SimLex-999 and MEN; analogy: Google's, without questions that
  have unknown words, by route Z for hyperskip.

Without `--corpus`, the text is random with Zipf's word frequencies, and there is no quality.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import one_training
from one_training import Cost, Training
from reporting import print_markdown, spread
from texts import Text, expected_pairs, file_lines, write_text, zipf_lines

from hyperskip import import_vectors, load
from hyperskip.evaluation.chosen_sets import EvaluationSets
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.evaluating import evaluate_sets
from hyperskip.evaluation.known_sets import DATA_VARIABLE, SIMILARITY_SETS
from hyperskip.geometry.names import PRODUCT
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions

OURS, PEERS = "hyperskip", ("fasttext", "gensim")
RANDOM_WORDS, RANDOM_VOCABULARY = 1_000_000, 40_000


@dataclass(frozen=True)
class Quality:
    """Scores of the vectors of a run; None without evaluation sets."""

    similarity: float | None = None
    analogy: float | None = None


@dataclass(frozen=True)
class Run:
    """A training and its results."""

    training: Training
    round: int
    cost: Cost
    pairs: float  # counted by hyperskip, estimated for the others
    quality: Quality

    @property
    def words_per_second(self) -> float:
        """Words per second and thread."""
        return self.cost.words_per_second(self.training.threads)

    @property
    def pairs_per_second(self) -> float:
        """Pairs per second and thread."""
        return self.pairs / self.cost.training_seconds / self.training.threads

    def as_dict(self) -> dict[str, Any]:
        """The run and its speeds, as plain values."""
        speeds = {"words_per_second": self.words_per_second}
        return asdict(self) | speeds | {"pairs_per_second": self.pairs_per_second}


Score = Callable[[Path], Quality]


def main() -> None:
    """Run the benchmark."""
    arguments = parsed_arguments()
    for peer in arguments.peers:
        if find_spec(peer) is None:
            sys.exit(
                f"{peer} is not installed\nhint: `make bench` installs it (fasttext needs a C++ "
                "compiler); choose other programs with --peers"
            )
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as name:
        folder = Path(name)
        text = written_text(arguments, folder / "text.txt")
        pairs_per_word = describe(text, arguments, folder)
        score = scorer(arguments)
        # This compiles the kernels, so that no round has to.
        small = write_text(zipf_lines(100), folder / "small.txt", words=10_000)
        one_training.run(training(OURS, small, arguments.dimensions[0], arguments, folder))
        runs = [
            measured(
                training(program, text, dimension, arguments, folder), number, pairs_per_word, score
            )
            for number in range(1, arguments.rounds + 1)
            for dimension in arguments.dimensions
            for program in (OURS, *arguments.peers)
        ]
    print_runs(runs, arguments)
    print_ratios(runs, arguments)
    if arguments.json:
        arguments.json.write_text(json.dumps(summary(runs, text, arguments), indent=2) + "\n")


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
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--window", type=int, default=10)
    parser.add_argument("--negatives", type=int, default=10)
    parser.add_argument("--subsample", type=float, default=1e-5)
    parser.add_argument("--min-count", type=int, default=15)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=PEERS)
    parser.add_argument("--schedule", help="schedule of hyperskip; its default if not given")
    parser.add_argument(
        "--hyperskip-option",
        dest="options",
        type=named_value,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another option of hyperskip, such as rate=0.02 or geometry=euclidean",
    )
    parser.add_argument("--fasttext-rate", type=float, default=0.05)
    parser.add_argument("--gensim-rate", type=float, default=0.025)
    arguments = parser.parse_args(given)
    if arguments.schedule:
        arguments.options.append(("schedule", arguments.schedule))
    return arguments


def named_value(text: str) -> tuple[str, Any]:
    """Parse an option of hyperskip; the value is JSON, or a string if it is not valid JSON."""
    name, separator, value = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form NAME=VALUE")
    try:
        return name.replace("-", "_"), json.loads(value)
    except json.JSONDecodeError:
        return name.replace("-", "_"), value


def written_text(arguments: argparse.Namespace, path: Path) -> Text:
    """Write the text as a plain file that all programs read in the same way."""
    if arguments.corpus:
        return write_text(file_lines(arguments.corpus), path, words=arguments.words)
    words = arguments.words or RANDOM_WORDS
    return write_text(zipf_lines(RANDOM_VOCABULARY), path, words=words)


def describe(text: Text, arguments: argparse.Namespace, folder: Path) -> dict[bool, float]:
    """Print facts about the text; returns pairs per word by whether windows are drawn."""
    options = TextOptions(tokenizer="whitespace", min_count=arguments.min_count)
    encoded = encode_into(Path(text.path), options, folder)
    known = encoded.vocabulary.total
    pairs_per_word = {
        shrink: expected_pairs(
            encoded,
            window=arguments.window,
            shrink_window=shrink,
            subsample=arguments.subsample,
        )
        for shrink in (False, True)
    }
    print(
        f"{text.words:,} words in {text.lines:,} lines; {known:,} of them are in the vocabulary of "
        f"{len(encoded.vocabulary):,} words.\nPairs per word: {pairs_per_word[False]:.2f} with "
        f"full windows, about {pairs_per_word[True]:.2f} with drawn ones. An epoch of fastText is "
        "about "
        f"{(text.words + text.lines) / (known + text.lines):.2f} passes over the text.\n",
        flush=True,
    )
    return pairs_per_word


def scorer(arguments: argparse.Namespace) -> Score:
    """A function that scores a vector file, or returns no scores without evaluation sets."""
    if not (arguments.corpus and arguments.data):
        print("No quality: it needs --corpus, and --data with the evaluation sets.\n", flush=True)
        return lambda _: Quality()
    pairs = {name: similarity_pairs(name, arguments.data) for name in SIMILARITY_SETS}
    questions = {"google": analogy_questions("google", arguments.data)}

    def score(path: Path) -> Quality:
        ours = path.suffix == ".safetensors"
        vectors = load(path) if ours else import_vectors(path, coordinates="euclidean")
        scores = evaluate_sets(vectors, EvaluationSets(pairs, questions))
        return Quality(scores.average, scores.analogy[PRODUCT]["Z"].total.accuracy)

    return score


def training(
    program: str, text: Text, dimension: int, arguments: argparse.Namespace, folder: Path
) -> Training:
    """The training for a program."""
    rates = {"fasttext": arguments.fasttext_rate, "gensim": arguments.gensim_rate}
    return Training(
        program=program,
        text=text,
        output=str(folder / ("vectors.safetensors" if program == OURS else "vectors.bin")),
        dimension=dimension,
        window=arguments.window,
        negatives=arguments.negatives,
        subsample=arguments.subsample,
        min_count=arguments.min_count,
        epochs=arguments.epochs,
        threads=arguments.threads,
        rate=rates.get(program),
        options=dict(arguments.options) if program == OURS else {},
    )


def measured(
    training: Training, number: int, pairs_per_word: dict[bool, float], score: Score
) -> Run:
    """Train, score and print the speed."""
    training = replace(training, seed=number)
    cost = one_training.run(training)
    pairs = float(cost.words * pairs_per_word[True]) if cost.pairs is None else float(cost.pairs)
    run = Run(training, number, cost, pairs, score(Path(training.output)))
    print(
        f"round {number}, d {training.dimension}, {training.program}: "
        f"{run.words_per_second:,.0f} words/s per thread, {cost.whole_seconds:.1f} s in all",
        file=sys.stderr,
        flush=True,
    )
    return run


def chosen(runs: list[Run], program: str, dimension: int) -> list[Run]:
    """The runs of a program and dimension, in the order of rounds."""
    wanted = (program, dimension)
    return [run for run in runs if (run.training.program, run.training.dimension) == wanted]


def print_runs(runs: list[Run], arguments: argparse.Namespace) -> None:
    """Print a row for each dimension and program."""
    speeds = ("words/s per thread", "pairs/s per thread")
    header = ("d", "program", *speeds, "whole, s", "CPU, s", "peak, MB", "similarity", "analogy")
    rows = []
    for dimension in arguments.dimensions:
        for program in (OURS, *arguments.peers):
            rounds = chosen(runs, program, dimension)
            estimated = "~" if rounds[0].cost.pairs is None else ""
            rows.append(
                (
                    str(dimension),
                    program,
                    spread([run.words_per_second for run in rounds], ",.0f"),
                    estimated + spread([run.pairs_per_second for run in rounds], ",.0f"),
                    spread([run.cost.whole_seconds for run in rounds], ".1f"),
                    spread([run.cost.cpu_seconds for run in rounds], ".1f"),
                    spread([run.cost.peak_bytes / 1e6 for run in rounds], ".0f"),
                    quality([run.quality.similarity for run in rounds]),
                    quality([run.quality.analogy for run in rounds]),
                )
            )
    print_markdown(header, rows)


def quality(scores: list[float | None]) -> str:
    """Format scores for a table; a dash if there are none."""
    known = [score for score in scores if score is not None]
    return spread(known, ".3f") if known else "-"


# The comparisons; more than 1 means that hyperskip is better.
RATIOS: dict[str, Callable[[Run, Run], float]] = {
    "words/s": lambda ours, theirs: ours.words_per_second / theirs.words_per_second,
    "pairs/s": lambda ours, theirs: ours.pairs_per_second / theirs.pairs_per_second,
    "whole": lambda ours, theirs: theirs.cost.whole_seconds / ours.cost.whole_seconds,
    "CPU": lambda ours, theirs: theirs.cost.cpu_seconds / ours.cost.cpu_seconds,
    "peak": lambda ours, theirs: theirs.cost.peak_bytes / ours.cost.peak_bytes,
}


def ratios(runs: list[Run], peer: str, dimension: int) -> dict[str, list[float]]:
    """Each comparison with another program, for every round."""
    rounds = list(zip(chosen(runs, OURS, dimension), chosen(runs, peer, dimension), strict=True))
    return {
        name: [ratio(ours, theirs) for ours, theirs in rounds] for name, ratio in RATIOS.items()
    }


def print_ratios(runs: list[Run], arguments: argparse.Namespace) -> None:
    """Print a row for each dimension and other program."""
    rows = [
        (
            str(dimension),
            peer,
            *(spread(each, ".2f") for each in ratios(runs, peer, dimension).values()),
        )
        for dimension in arguments.dimensions
        for peer in arguments.peers
    ]
    if rows:
        print("\nRatios (more than 1: hyperskip is better):\n")
        print_markdown(("d", "than", *RATIOS), rows)


def summary(runs: list[Run], text: Text, arguments: argparse.Namespace) -> dict[str, Any]:
    """All runs and ratios, as plain values."""
    packages = (OURS, *arguments.peers, "numba", "numpy")
    return {
        "machine": {
            "system": platform.platform(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "packages": {name: version(name) for name in packages},
        },
        "text": {"words": text.words, "lines": text.lines},
        "runs": [run.as_dict() for run in runs],
        "ratios": [
            {"dimension": dimension, "peer": peer, "ratio": name}
            | {"median": statistics.median(values), "least": min(values), "greatest": max(values)}
            for dimension in arguments.dimensions
            for peer in arguments.peers
            for name, values in ratios(runs, peer, dimension).items()
        ],
    }


if __name__ == "__main__":
    main()
