"""Scores by learning rate and window: the study behind the default rate.

    python benchmarks/rates.py corpus.txt --data eval [--windows 5 10] [--rates 0.01 0.02] ...

Encodes the corpus once, trains a model for every combination, and prints similarity (average rank
correlation) and analogy accuracy (route Z) of each, mean and spread over the seeds, as Markdown.
With --tiles, training is deterministic, in rounds of this number of tiles.
"""

import argparse
import itertools
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from hyperskip.evaluation import datasets, known_sets
from hyperskip.evaluation.analogy import evaluate_analogies
from hyperskip.evaluation.similarity import average_spearman, evaluate_similarity
from hyperskip.geometry.names import HYPERBOLOID
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.training.objective import sampling
from hyperskip.training.options import WINDOW, TrainingOptions
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.trainer import train_encoded
from hyperskip.vectors.word_vectors import WordVectors


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, help="folder with the evaluation sets")
    parser.add_argument("--geometry", default=HYPERBOLOID)
    parser.add_argument("--schedule", default=WINDOW)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20])
    parser.add_argument("--windows", type=int, nargs="+", default=[5])
    parser.add_argument("--negatives", type=int, nargs="+", default=[5])
    parser.add_argument("--shared", type=int, nargs="+", default=[None], help="shared negatives")
    parser.add_argument("--subsample", type=float, default=1e-4)
    parser.add_argument("--tiles", type=int, nargs="+", default=[0], help="in a round; 0: free")
    parser.add_argument("--rates", type=float, nargs="+", default=[0.005, 0.01, 0.02, 0.04])
    parser.add_argument("--min-count", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    titles = ["dimension", "window", "negatives", "shared", "tiles", "rate", "seconds"]
    titles += ["similarity", "analogy"]
    print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|")
    with tempfile.TemporaryDirectory() as folder:
        encoded = encode_into(
            arguments.corpus, TextOptions(min_count=arguments.min_count), Path(folder)
        )
        for dimension, window, negatives, shared, tiles, rate in itertools.product(
            arguments.dimensions,
            arguments.windows,
            arguments.negatives,
            arguments.shared,
            arguments.tiles,
            arguments.rates,
        ):
            options = TrainingOptions(
                geometry=arguments.geometry,
                schedule=arguments.schedule,
                dimension=dimension,
                window=window,
                negatives=negatives,
                shared_negatives=shared,
                subsample=arguments.subsample,
                rate=rate,
                epochs=arguments.epochs,
                deterministic=tiles > 0,
            )
            with rounds_of(tiles):
                runs = [
                    measured(encoded, replace(options, seed=seed), arguments.data)
                    for seed in range(1, arguments.seeds + 1)
                ]
            seconds, similarity, analogy = zip(*runs, strict=True)
            print(
                f"| {dimension} | {window} | {negatives} | {shared or 'default'} "
                f"| {tiles or 'free'} | {rate:g} "
                f"| {statistics.mean(seconds):.1f} | {shown(similarity)} | {shown(analogy)} |",
                flush=True,
            )


@contextmanager
def rounds_of(tiles: int) -> Iterator[None]:
    """Use this number of tiles in a round, for any vocabulary."""
    with patch.object(sampling, "tiles_of_a_round", lambda *_: tiles):
        yield


def measured(
    encoded: EncodedCorpus, options: TrainingOptions, data: Path | None
) -> tuple[float, float, float]:
    """Seconds of training, similarity and analogy accuracy of one run."""
    seconds: list[float] = []

    def note(progress: object) -> None:
        if isinstance(progress, EpochSummary):
            seconds.append(progress.seconds)

    vectors = train_encoded(encoded, options, note)
    return sum(seconds), *scores(vectors, data)


def scores(vectors: WordVectors, data: Path | None) -> tuple[float, float]:
    """The similarity average, and the accuracy on Google's analogies by route Z."""
    similarity = [
        evaluate_similarity(vectors, datasets.similarity_pairs(name, data))
        for name in known_sets.SIMILARITY_SETS
    ]
    questions = datasets.analogy_questions("google", data)
    accuracy = evaluate_analogies(vectors, questions, "Z").total.accuracy
    return average_spearman(similarity) or 0.0, accuracy or 0.0


def shown(values: Sequence[float]) -> str:
    """The mean, and the range of several values."""
    mean = f"{statistics.mean(values):.3f}"
    return mean if len(values) == 1 else f"{mean} ({min(values):.3f}-{max(values):.3f})"


if __name__ == "__main__":
    main()
