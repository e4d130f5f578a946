"""The study behind the defaults: the best options of each dimension, found on half of the data.

    python benchmarks/study.py corpus.txt --data eval --dimensions 5 20 50 100 --json study.jsonl

Each evaluation set is split in two by even and odd lines. For every dimension, in hyperbolic and in
Euclidean space, the search starts with the paper's settings and goes through the steps below in
order. A step trains with each of its candidates and keeps the one with the highest similarity plus
analogy accuracy (route Z) on the first half, as the mean over seeds. The second half never decides
anything; it is printed next to the first. The last steps, `epochs` and `instead`, are only
reported.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from hyperskip.errors import HyperskipError
from hyperskip.evaluation import datasets, known_sets
from hyperskip.evaluation.analogy import Question, evaluate_analogies
from hyperskip.evaluation.similarity import RatedPair, average_spearman, evaluate_similarity
from hyperskip.geometry.names import EUCLIDEAN
from hyperskip.text.encoding.corpus_folder import open_if_encoded
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.training.options import TrainingOptions
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.trainer import train_encoded
from hyperskip.vectors.word_vectors import WordVectors

Choice = dict[str, Any]

START: Choice = {"window": 10, "negatives": 10, "subsample": 1e-5, "epochs": 10}
# By dimension: curvatures, thetas, factors.
SPACES = {
    5: ((1, 0.5, 0.25, 0.125), (0, 1, 2, 3, 4), (1,)),
    20: ((1, 0.5, 0.25, 0.125), (2, 3, 4, 5), (1, 2)),
    50: ((0.5, 0.25, 0.125, 0.0625), (3, 4, 5, 6), (1, 2)),
    100: ((0.5, 0.25, 0.125, 0.0625), (3, 4, 5, 6), (1, 2, 4, 5)),
}
SHARED_STEPS: dict[str, list[Choice]] = {
    "rate": [{"rate": rate} for rate in (0.004, 0.0056, 0.008, 0.011, 0.016, 0.022)],
    "negatives": [{"negatives": count} for count in (5, 10, 20, 40)],
    "power": [{"power": power} for power in (0.25, 0.35, 0.5, 0.75)],
    "shared negatives": [{"shared_negatives": count} for count in (64, 128, 256)],
    "window": [
        {"window": window, "shrink_window": shrinks}
        for window, shrinks in ((5, False), (7, False), (10, False), (15, False), (10, True))
    ],
    "subsample": [{"subsample": share} for share in (3e-6, 1e-5, 3e-5, 1e-4)],
}
EPOCHS = [{"epochs": epochs} for epochs in (3, 5, 10, 15, 20, 30)]
INSTEAD: list[Choice] = [
    {},
    {"learn_theta": True},
    {"tied": False, "rate": 0.02},
    {"tied": False, "rate": 0.02, "layer": "centroid"},
    {"tied": False, "rate": 0.04, "layer": "centroid"},
    {"curvature": 1.0, "theta": 3.0, "factors": 1},
    {"factors": 2},
    {"factors": 5},
]


@dataclass(frozen=True)
class Half:
    """Half of the evaluation sets."""

    pairs: Mapping[str, Sequence[RatedPair]]
    questions: Mapping[str, Sequence[Question]]

    def scores(self, vectors: WordVectors) -> dict[str, float]:
        """Similarity by the paper's measure and by the angle, and analogies by route Z."""
        found = {}
        for measure in ("product", "angle"):
            view = vectors.measured_by(measure)
            ranks = [evaluate_similarity(view, pairs) for pairs in self.pairs.values()]
            found[measure] = average_spearman(ranks) or 0.0
        found["analogy"] = evaluate_analogies(vectors, self.questions, "Z").total.accuracy or 0.0
        return found


def halves(data: Path | None) -> tuple[Half, Half]:
    """The even and the odd lines of each set, counted from 0."""
    pairs = {name: datasets.similarity_pairs(name, data) for name in known_sets.SIMILARITY_SETS}
    questions = datasets.analogy_questions("google", data)
    first, second = (
        Half(
            {name: rated[parity::2] for name, rated in pairs.items()},
            {section: asked[parity::2] for section, asked in questions.items()},
        )
        for parity in (0, 1)
    )
    return first, second


class Study:
    """Trains and scores candidates, and writes a record of each training.

    Args:
        encoded: The text.
        both: Halves of the evaluation sets.
        seeds: The number of seeds for each candidate.
        notes: A file with one line for each training, or None.
        until: The time by `time.monotonic` after which no training starts.
    """

    def __init__(
        self,
        encoded: EncodedCorpus,
        both: tuple[Half, Half],
        seeds: int,
        notes: Path | None,
        until: float,
    ) -> None:
        self._encoded, self._both = encoded, both
        self._seeds, self._notes, self._until = seeds, notes, until

    def best(self, step: str, chosen: Choice, candidates: Sequence[Choice]) -> Choice:
        """Add the best candidate on the first half to the options chosen before."""
        ranking = []
        for candidate in candidates:
            if time.monotonic() > self._until:
                sys.exit("The time is over.")
            records = self._trained(step, chosen | candidate)
            if records:
                ranking.append(
                    (mean(records, 0, "product") + mean(records, 0, "analogy"), candidate)
                )
        return chosen | max(ranking, key=lambda ranked: ranked[0])[1] if ranking else chosen

    def _trained(self, step: str, choice: Choice) -> list[dict[str, Any]]:
        records = []
        for seed in range(1, self._seeds + 1):
            try:
                records.append(self._record(step, choice, seed))
            except HyperskipError as error:
                print(f"| {step} | {shown(choice)} | {error.message} |", flush=True)
                return []
        columns = [
            f"{mean(records, half, kind):.3f}"
            for kind in ("product", "angle", "analogy")
            for half in (0, 1)
        ]
        seconds = statistics.mean(record["seconds"] for record in records)
        print(f"| {step} | {shown(choice)} | {' | '.join(columns)} | {seconds:.1f} |", flush=True)
        return records

    def _record(self, step: str, choice: Choice, seed: int) -> dict[str, Any]:
        epochs: list[EpochSummary] = []

        def note(event: object) -> None:
            if isinstance(event, EpochSummary):
                epochs.append(event)

        vectors = train_encoded(self._encoded, TrainingOptions(**choice, seed=seed), note)
        record = {
            "step": step,
            "choice": choice,
            "seed": seed,
            "seconds": sum(epoch.seconds for epoch in epochs),
            "loss": epochs[-1].loss,
            "halves": [half.scores(vectors.on("auto", questions=10_000)) for half in self._both],
        }
        if self._notes is not None:
            with self._notes.open("a") as file:
                print(json.dumps(record), file=file)
        return record


def mean(records: Sequence[Mapping[str, Any]], half: int, kind: str) -> float:
    """The mean of a score over seeds."""
    return float(statistics.mean(record["halves"][half][kind] for record in records))


def shown(choice: Choice) -> str:
    """A choice as the text of a cell."""
    return ", ".join(f"{name} {value}" for name, value in choice.items())


def study_hyperboloids(study: Study, dimension: int) -> None:
    """Find the best options for hyperbolic space of a dimension."""
    curvatures, thetas, factors = SPACES[dimension]
    spaces = [
        {"curvature": float(curvature), "theta": float(theta), "factors": count}
        for count, curvature, theta in product(factors, curvatures, thetas)
    ]
    chosen = study.best("space", START | {"dimension": dimension}, spaces)
    for step, candidates in SHARED_STEPS.items():
        if step == "window":  # more contexts push a center at once
            rate = chosen["rate"] * chosen["window"]
            candidates = [own | {"rate": rate / own["window"]} for own in candidates]
        chosen = study.best(step, chosen, candidates)
    near = product((0.7, 1.0, 1.4), (-0.5, 0.0, 0.5))
    spaces = [
        {"curvature": chosen["curvature"] * times, "theta": chosen["theta"] + more}
        for times, more in near
    ]
    chosen = study.best("space, again", chosen, spaces)
    study.best("epochs", chosen, EPOCHS)
    study.best("epochs, 0.7 of the rate", chosen | {"rate": 0.7 * chosen["rate"]}, EPOCHS)
    study.best("instead", chosen, INSTEAD)


def study_euclidean(study: Study, dimension: int) -> None:
    """Find the best options for Euclidean space of a dimension."""
    chosen = START | {"dimension": dimension, "geometry": EUCLIDEAN}
    rates = [{"rate": rate} for rate in (0.0125, 0.025, 0.035, 0.05, 0.07, 0.1)]
    steps = SHARED_STEPS | {"rate": rates}
    for step in ("rate", "negatives", "power"):
        chosen = study.best(f"euclidean, {step}", chosen, steps[step])
    study.best("euclidean, epochs", chosen, EPOCHS)
    study.best("euclidean, instead", chosen, [{}, {"layer": "centroid"}])


def main() -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="text, or a folder written by `hyperskip encode`")
    parser.add_argument("--data", type=Path, help="folder with the evaluation sets")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20], choices=SPACES)
    parser.add_argument("--min-count", type=int, default=15)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=1e6, help="start no training later")
    parser.add_argument("--json", type=Path, help="file with one line for each training")
    arguments = parser.parse_args()
    until = time.monotonic() + 60 * arguments.minutes
    titles = ["step", "choice", "product", "other half", "angle", "other half", "analogy Z"]
    titles += ["other half", "seconds"]
    print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|")
    with tempfile.TemporaryDirectory() as folder:
        text_options = TextOptions(min_count=arguments.min_count)
        encoded = open_if_encoded(arguments.corpus)
        encoded = encoded or encode_into(arguments.corpus, text_options, Path(folder))
        study = Study(encoded, halves(arguments.data), arguments.seeds, arguments.json, until)
        for dimension in arguments.dimensions:
            study_hyperboloids(study, dimension)
            study_euclidean(study, dimension)


if __name__ == "__main__":
    main()
