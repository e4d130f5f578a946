"""Words/s and recall on sessions over few items, on the CPU and on the GPU, in the same run.

    python benchmarks/small_vocabulary.py [--devices cpu cuda] [--words 3000000] [--seeds 2]

The sessions are those of grouped_sessions.py, without subsampling, so that the most popular items
occur many times in every round of the GPU. *Recall* is the share of the ten nearest items of an
item that are in its group. Words/s are those of whole epochs, without compilation. *Tiles* are
those of a round: what repeats alone would allow, and what is used.
"""

import argparse
import statistics
from dataclasses import replace

import numpy as np
from grouped_sessions import Shape
from reporting import print_markdown, spread
from texts import corpus_of_ids

from hyperskip.devices import CPU, CUDA, why_no_gpu
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.kernel_settings import gpu_settings
from hyperskip.training.objective import sampling
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import plan_training
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.trainer import train_encoded

NEAREST = 10
SHAPES = (
    Shape(0, 500, 25, 1.0, 0.7),
    Shape(0, 1_000, 25, 1.0, 0.7),
    Shape(0, 1_000, 25, 0.0, 0.85),
    Shape(0, 10_000, 100, 1.0, 0.5),
)


def main() -> None:
    """Measure every shape and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--devices", nargs="+", choices=(CPU, CUDA), default=[CPU, CUDA])
    parser.add_argument("--words", type=int, default=3_000_000, help="words of the sessions")
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--epochs", type=int, default=3)
    arguments = parser.parse_args()
    if CUDA in arguments.devices and (reason := why_no_gpu()) is not None:
        parser.error(f"there is no GPU: {reason}")
    rows = []
    for without_size in SHAPES:
        shape = replace(without_size, sessions=arguments.words // without_size.length)
        texts = [corpus(shape, seed) for seed in range(1, arguments.seeds + 1)]
        for dimension in arguments.dimensions:
            for device in arguments.devices:
                options = TrainingOptions(
                    dimension=dimension, subsample=0.0, epochs=arguments.epochs, device=device
                )
                runs = [
                    measured(text, shape, replace(options, seed=seed))
                    for seed, text in enumerate(texts, start=1)
                ]
                speeds, recalls = zip(*runs, strict=True)
                found = f"{statistics.mean(recalls):.3f} ({min(recalls):.3f}-{max(recalls):.3f})"
                tiles = tiles_of(texts[0], options) if device == CUDA else ""
                rows.append(
                    (str(shape), str(dimension), device, tiles, spread(speeds, ".1f"), found)
                )
    print_markdown(("data", "dimension", "device", "tiles", "M words/s", "recall"), rows)


def corpus(shape: Shape, seed: int) -> EncodedCorpus:
    """Sessions of this shape."""
    items = shape.drawn_ids(seed)
    starts = np.arange(0, items.size + 1, shape.length)
    return corpus_of_ids(items.ravel(), starts, "item_")


def measured(text: EncodedCorpus, shape: Shape, options: TrainingOptions) -> tuple[float, float]:
    """Million words/s and recall of a training."""
    epochs: list[EpochSummary] = []

    def note(progress: object) -> None:
        if isinstance(progress, EpochSummary):
            epochs.append(progress)

    vectors = train_encoded(text, options, note)
    seconds = sum(epoch.seconds for epoch in epochs)
    nearest = vectors.neighbors_of(vectors.words, NEAREST)
    recall = shape.recall(nearest, lambda item: [each.word for each in nearest[item]])
    return len(text.tokens) * len(epochs) / seconds / 1e6, recall


def tiles_of(text: EncodedCorpus, options: TrainingOptions) -> str:
    """Tiles of a round: what repeats alone would allow, and what is used."""
    from hyperskip.training.gpu.rounds import TILE

    plan, counts = plan_training(options, text, CUDA), text.vocabulary.counts
    allowed = sampling.tiles_of_a_round(TILE, sampling.chance_of_a_repeat(counts, 0.0), 256)
    return f"{allowed} -> {gpu_settings(plan, counts, len(text.tokens)).tiles}"


if __name__ == "__main__":
    main()
