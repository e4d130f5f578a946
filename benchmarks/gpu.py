"""All measurements on a GPU: precision, speed, quality, stability, and the roofline.

    python benchmarks/gpu.py corpus.txt --data eval --json gpu.json [--parts precision speed ...]

Needs an NVIDIA GPU and the extra `gpu`. The corpus is text or an encoded corpus. Every part prints
a table; all figures are written to the JSON file. Use `--epochs`, `--seeds` and `--dimensions` to
make it shorter. Words/s count the words of the vocabulary before subsampling, in the time of whole
epochs: it includes reading, copying and subsampling, but not compilation before the first epoch.
"""

import argparse
import itertools
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rates import scores, shown
from reporting import print_markdown
from texts import corpus_of_ids, zipf_counts

from hyperskip.devices import CPU, CUDA, gpu, why_no_gpu
from hyperskip.errors import DivergenceError
from hyperskip.evaluation import datasets
from hyperskip.evaluation.analogy import evaluate_analogies
from hyperskip.geometry import hyperboloid
from hyperskip.geometry.names import GEOMETRIES
from hyperskip.text.encoding.corpus_folder import open_if_encoded
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.training.blocks import cut_into_blocks
from hyperskip.training.gpu.rounds import TILE, Rounds, Settings, layer_of
from hyperskip.training.gpu.subsampling import Subsampler, Uploaded
from hyperskip.training.kernel_settings import gpu_settings
from hyperskip.training.objective import reference, sampling
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import TrainingPlan, plan_training
from hyperskip.training.run.device import block_size
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.trainer import train_encoded
from hyperskip.vectors.word_vectors import WordVectors

# From appendix A.2 of the paper.
PAPER: dict[str, Any] = {"window": 10, "negatives": 10, "subsample": 1e-5, "epochs": 3}
PAPER_RATES, PAPER_DIMENSIONS = (0.1, 0.05, 0.01, 0.005), (5, 20, 50, 100)


@dataclass(frozen=True)
class Trained:
    """A training and its cost."""

    vectors: WordVectors
    seconds: float  # of all epochs
    losses: list[float]
    words_per_second: float


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, help="folder with the evaluation sets")
    parser.add_argument("--json", type=Path, help="file for all figures")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--min-count", type=int, default=15)
    arguments = parser.parse_args()
    reason = why_no_gpu()
    if reason is not None:
        parser.error(f"this benchmark needs a GPU: {reason}")
    properties = torch.cuda.get_device_properties(0)
    figures: dict[str, Any] = {
        "device": properties.name,
        "torch": torch.__version__,
        "copy_bytes_per_second": copy_bandwidth(),
    }
    print(json.dumps(figures))
    with tempfile.TemporaryDirectory() as folder:
        options = TextOptions(min_count=arguments.min_count)
        encoded = open_if_encoded(arguments.corpus) or encode_into(
            arguments.corpus, options, Path(folder)
        )
        for name in arguments.parts:
            print(f"\n{name}\n", flush=True)
            began = time.perf_counter()
            figures[name] = PARTS[name](encoded, arguments)
            figures[name + "_took_seconds"] = time.perf_counter() - began
            if arguments.json is not None:
                arguments.json.write_text(json.dumps(figures, indent=1))


def trained(encoded: EncodedCorpus, options: TrainingOptions) -> Trained:
    """Train, and measure the time of the epochs."""
    epochs: list[EpochSummary] = []

    def note(progress: object) -> None:
        if isinstance(progress, EpochSummary):
            epochs.append(progress)

    vectors = train_encoded(encoded, options, note)
    seconds = sum(epoch.seconds for epoch in epochs)
    words = len(encoded.tokens) * len(epochs)
    return Trained(vectors, seconds, [epoch.loss for epoch in epochs], words / seconds)


def speed(encoded: EncodedCorpus, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Words/s, similarity and analogy accuracy of each dimension and geometry."""
    figures, rows = [], []
    for dimension, geometry in itertools.product(arguments.dimensions, GEOMETRIES):
        options = TrainingOptions(
            **PAPER | {"epochs": arguments.epochs},
            dimension=dimension,
            geometry=geometry,
            device=CUDA,
        )
        runs = [
            trained(encoded, replace(options, seed=seed)) for seed in range(1, arguments.seeds + 1)
        ]
        similarity, analogy = zip(
            *(scores(run.vectors, arguments.data) for run in runs), strict=True
        )
        millions = [run.words_per_second / 1e6 for run in runs]
        figures.append(
            {
                "dimension": dimension,
                "geometry": geometry,
                "million_words_per_second": millions,
                "seconds": [run.seconds for run in runs],
                "similarity": similarity,
                "analogy": analogy,
                "losses": [run.losses for run in runs],
            }
        )
        rows.append(
            [
                *(str(dimension), geometry, f"{statistics.mean(r.seconds for r in runs):.2f}"),
                f"{statistics.median(millions):.0f} ({min(millions):.0f}-{max(millions):.0f})",
                *(shown(similarity), shown(analogy)),
            ]
        )
    header = ["dimension", "geometry", "seconds", "M words/s", "similarity", "analogy"]
    print_markdown(header, rows)
    return figures


def grid(encoded: EncodedCorpus, arguments: argparse.Namespace) -> dict[str, Any]:
    """The grid of the paper's tables 1 and 2: all rates, dimensions and geometries."""
    runs, rows = [], []
    for geometry, dimension, rate in itertools.product(GEOMETRIES, PAPER_DIMENSIONS, PAPER_RATES):
        options = TrainingOptions(
            **PAPER, dimension=dimension, geometry=geometry, rate=rate, device=CUDA
        )
        began = time.perf_counter()
        try:
            run = trained(encoded, options)
            similarity, analogy = scores(run.vectors, arguments.data)
            seconds, outcome = run.seconds, [f"{similarity:.3f}", f"{analogy:.3f}"]
        except DivergenceError as error:
            seconds, outcome = time.perf_counter() - began, ["failed", error.message[:60]]
        runs.append((geometry, dimension, rate, seconds, *outcome))
        rows.append([geometry, str(dimension), f"{rate:g}", f"{seconds:.2f}", *outcome])
    print_markdown(["geometry", "dimension", "rate", "seconds", "similarity", "analogy"], rows)
    total = sum(float(row[3]) for row in rows)
    print(f"\n{len(runs)} trainings, {total:.1f} s of training")
    return {"runs": runs, "training_seconds": total}


def precision(encoded: EncodedCorpus, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Compare each precision of the products with the reference in float64, on the same draws.

    Words are those of a trained model, so that products are as large as in training. The error of
    a word's step in one round is given as a share of the root mean square step.
    """
    figures, rows = [], []
    for dimension in arguments.dimensions:
        options = TrainingOptions(**PAPER, dimension=dimension, device=CUDA, rate=0.01)
        start = trained(encoded, options).vectors.coordinates
        plan = plan_training(options, encoded, CUDA)
        expected = None
        for scores_in, gradients_in in (
            ("tf32x3", "tf32x3"),
            ("tf32x3", "tf32"),
            ("tf32", "tf32"),
            ("ieee", "ieee"),
        ):
            settings = replace(
                gpu_settings(plan, encoded.vocabulary.counts, len(encoded.tokens)),
                tiles=4,
                damped=False,
                precision=scores_in,
                gradient_precision=gradients_in,
            )
            ours = one_round(encoded, plan, settings, start)
            if expected is None:
                expected = reference_round(encoded, plan, settings, start)
            moved = np.any(expected != start, axis=1)
            step = rms(expected[moved] - start[moved])
            error = rms(ours[moved] - expected[moved]) / step
            worst = float(np.abs(ours - expected).max() / step)
            figures.append(
                {
                    "dimension": dimension,
                    "scores": scores_in,
                    "gradients": gradients_in,
                    "relative_error": error,
                    "worst": worst,
                }
            )
            rows.append([str(dimension), scores_in, gradients_in, f"{error:.1e}", f"{worst:.1e}"])
    print_markdown(["dimension", "scores", "gradients", "relative error", "worst"], rows)
    return figures


def rms(values: npt.NDArray[Any]) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(np.square(values, dtype=np.float64))))


_SEED, _RATE = 7, 0.01


def one_round(
    encoded: EncodedCorpus,
    plan: TrainingPlan,
    settings: Settings,
    start: npt.NDArray[np.float32],
) -> npt.NDArray[np.float64]:
    """The vectors after one round of the kernels, without subsampling."""
    device = gpu()
    tokens, limits = first_sentences(encoded)
    layer = layer_of(start, None, np.zeros(len(start), dtype=np.bool_), settings, device)
    counts = encoded.vocabulary.counts
    noise = torch.as_tensor(sampling.noise_table(counts, 0.5).astype(np.int64), device=device)
    subsampler = Subsampler(
        len(tokens),
        sampling.keep_thresholds(counts, 0),
        shrink_window=False,
        tied=True,
        distance_weights=sampling.distance_weights(plan.window, plan.distance_decay),
        device=device,
    )
    theta = torch.tensor([plan.theta], dtype=torch.float64, device=device)
    text = Uploaded(
        torch.as_tensor(tokens, device=device),
        torch.as_tensor(limits.astype(np.int32), device=device),
    )
    ones = torch.ones(len(start), device=device)  # equal rates; rounds are not damped here
    rounds = Rounds(layer, layer, theta, noise, ones, ones, subsampler, settings)
    rounds.run(text, np.uint64(_SEED), (_RATE, _RATE), plan.negatives_of(burn_in=False))
    return np.asarray(layer.rows[:, 0, : plan.dimension].double().cpu().numpy())


def reference_round(
    encoded: EncodedCorpus,
    plan: TrainingPlan,
    settings: Settings,
    start: npt.NDArray[np.float32],
) -> npt.NDArray[np.float64]:
    """The vectors after the same round of the NumPy reference."""
    tokens, limits = first_sentences(encoded)
    counts = encoded.vocabulary.counts
    points = hyperboloid.from_spatial(start.astype(np.float64))[:, None]
    model = reference.ReferenceModel(
        points, points, plan.theta, hyperbolic=True, curvature=plan.curvature
    )
    reference.train_tiles(
        [tokens[a:b].tolist() for a, b in itertools.pairwise(limits)],
        model,
        reference.ReferenceSettings(
            keep=sampling.keep_thresholds(counts, 0),
            noise=sampling.noise_table(counts, 0.5),
            window=plan.window,
            shrink_window=False,
            negatives=plan.negatives_of(burn_in=False),
            shared_negatives=settings.shared_negatives,
            max_step=plan.max_step,
            learn_theta=False,
            distance_weights=sampling.distance_weights(plan.window, plan.distance_decay),
            word_rates=np.ones(len(start)),
        ),
        *(_RATE, _RATE, _SEED, TILE, -(-len(tokens) // TILE)),
    )
    return points[:, 0, :-1]


def first_sentences(encoded: EncodedCorpus) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The first sentences, cut to one round of four tiles."""
    tokens = encoded.stretch(0, 4 * TILE)
    starts = encoded.starts_within(1, 4 * TILE)
    return tokens, np.concatenate(([0], starts, [4 * TILE])).astype(np.int64)


def zipf_corpus(words: int, tokens: int) -> EncodedCorpus:
    """Random text with Zipf's word frequencies."""
    generator = np.random.default_rng(1)
    bounds = np.cumsum(zipf_counts(words))
    drawn = np.searchsorted(bounds, generator.integers(bounds[-1], size=tokens), "right")
    drawn[:words] = np.arange(words)  # every word occurs
    return corpus_of_ids(drawn, np.append(np.arange(0, tokens, 50), tokens), "w")


def stability(_: EncodedCorpus, __: argparse.Namespace) -> list[dict[str, Any]]:
    """Train with default options on vocabularies of a thousand to a million words."""
    figures, rows = [], []
    for words, geometry, subsample in itertools.product(
        (1_000, 10_000, 100_000, 1_000_000), GEOMETRIES, (1e-4, 0.0)
    ):
        encoded = zipf_corpus(words, max(2_000_000, 4 * words))
        options = TrainingOptions(
            geometry=geometry, subsample=subsample, epochs=2, device=CUDA, dimension=100
        )
        torch.cuda.reset_peak_memory_stats()
        try:
            run = trained(encoded, options)
            outcome = " ".join(f"{loss:.3f}" for loss in run.losses)
            rate = f"{run.words_per_second / 1e6:.0f}"
        except DivergenceError as error:
            outcome, rate = error.message, ""
        peak = torch.cuda.max_memory_allocated() / 2**30
        figures.append(
            {
                "words": words,
                "geometry": geometry,
                "subsample": subsample,
                "outcome": outcome,
                "million_words_per_second": rate,
                "peak_gib": peak,
            }
        )
        rows.append([f"{words:,}", geometry, f"{subsample:g}", rate, f"{peak:.1f}", outcome])
    print_markdown(
        ["words", "geometry", "subsample", "M words/s", "peak GiB", "loss of each epoch"], rows
    )
    return figures


def determinism(encoded: EncodedCorpus, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """Check that deterministic runs give the same bytes, and measure the cost."""
    figures, rows = [], []
    for dimension in arguments.dimensions:
        options = TrainingOptions(**PAPER, dimension=dimension, device=CUDA)
        free = trained(encoded, options)
        runs = [trained(encoded, replace(options, deterministic=True)) for _ in range(2)]
        first, second = (run.vectors.coordinates.tobytes() for run in runs)
        ratio = runs[1].seconds / free.seconds
        similarity, analogy = scores(runs[0].vectors, arguments.data)
        figures.append(
            {
                "dimension": dimension,
                "same": first == second,
                "ratio": ratio,
                "similarity": similarity,
                "analogy": analogy,
            }
        )
        rows.append(
            [
                *(str(dimension), str(first == second), f"{ratio:.2f}"),
                *(f"{similarity:.3f}", f"{analogy:.3f}"),
            ]
        )
    print_markdown(["dimension", "same bytes", "x free time", "similarity", "analogy"], rows)
    return figures


def copy_bandwidth() -> float:
    """Bytes/s, read and written, of a copy in the memory of the GPU."""
    a = torch.ones(1 << 30, dtype=torch.uint8, device="cuda")
    b = torch.empty_like(a)
    seconds = []
    for _ in range(10):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        b.copy_(a)
        end.record()
        torch.cuda.synchronize()
        seconds.append(float(start.elapsed_time(end)) / 1e3)
    return 2.0 * (1 << 30) / statistics.median(seconds)


def roofline(encoded: EncodedCorpus, arguments: argparse.Namespace) -> list[dict[str, Any]]:
    """The bandwidth of each kernel as a share of the bandwidth of a plain copy.

    The bytes are those that each program of a kernel requests, with each row once. If vectors and
    gradients fit into the cache, the share may exceed 100%.
    """
    bandwidth = copy_bandwidth()
    figures, rows = [], []
    corpora = {"corpus": encoded, "million words": zipf_corpus(1_000_000, 16_000_000)}
    for (name, text), dimension in itertools.product(corpora.items(), arguments.dimensions):
        options = TrainingOptions(**PAPER | {"epochs": 1}, dimension=dimension, device=CUDA)
        train_encoded(text, options)  # compiles
        activity = torch.profiler.ProfilerActivity.CUDA
        with torch.profiler.profile(activities=[activity]) as profile:
            train_encoded(text, options)
        events = {event.key: event for event in profile.key_averages()}
        for kernel, size in kernel_bytes(text, plan_training(options, text, CUDA)).items():
            seconds = float(events[kernel].device_time_total) / 1e6
            share = size / seconds / bandwidth
            calls = events[kernel].count
            figures.append(
                {
                    "text": name,
                    "dimension": dimension,
                    "kernel": kernel,
                    "seconds": seconds,
                    "calls": calls,
                    "bytes": size,
                    "share": share,
                }
            )
            rows.append(
                [
                    *(name, str(dimension), kernel, str(calls), f"{1e6 * seconds / calls:.1f}"),
                    *(f"{1e3 * seconds:.1f}", f"{size / 1e9:.2f}", f"{share:.0%}"),
                ]
            )
    header = ["text", "dimension", "kernel", "calls", "us per call", "ms", "GB", "share of a copy"]
    print_markdown(header, rows)
    return figures


def kernel_bytes(encoded: EncodedCorpus, plan: TrainingPlan) -> dict[str, float]:
    """The expected number of bytes that the kernels of an epoch read and write."""
    counts = encoded.vocabulary.counts
    blocks = list(cut_into_blocks(encoded.sentence_starts, block_size(plan)))
    longest = max(block.end - block.begin for block in blocks)
    settings = gpu_settings(plan, counts, longest)
    tokens = len(encoded.tokens)
    survivors = sampling.expected_survivors(counts, plan.subsample)
    kept = float(survivors.sum() / counts.sum()) * tokens
    tiles = kept / TILE
    span, drawn = TILE + 2 * settings.window, settings.shared_negatives
    row, sums = 4 * settings.factors * settings.columns, 4 * settings.factors * settings.used
    gathered = (span + drawn + settings.parts * TILE) * row
    added = (span + drawn + settings.parts * TILE) * 2 * sums  # read and written
    # A word in several tiles of a round is moved only once.
    shares = counts**plan.power / (counts**plan.power).sum()
    draws = settings.tiles * drawn
    distinct = float(-np.expm1(draws * np.log1p(-shares)).sum())
    rows_moved = tiles / settings.tiles * distinct + tiles * TILE
    return {
        "survive": tokens * 12.0,
        "arrange": tokens * 12.0 + kept * 16,
        "count_contexts": kept * (16 + 8.0 * settings.window),
        "draw": tiles * drawn * 20.0,
        "pull": tiles * (gathered + added),
        "move": rows_moved * (row + sums + sums + 4 * (settings.dimension + 1)),
    }


def evaluation(encoded: EncodedCorpus, arguments: argparse.Namespace) -> dict[str, Any]:
    """Compare answers and time of Google's analogies on the CPU and on the GPU."""
    options = TrainingOptions(**PAPER, dimension=100, device=CUDA)
    vectors = trained(encoded, options).vectors
    questions = datasets.analogy_questions("google", arguments.data)
    figures: dict[str, Any] = {}
    for device in (CPU, CUDA):
        answering = vectors.on(device)
        evaluate_analogies(answering, questions, "Z")  # copies the vectors to the device
        began = time.perf_counter()
        correct = evaluate_analogies(answering, questions, "Z").total.correct
        figures[device] = {"seconds": time.perf_counter() - began, "correct": correct}
    print_markdown(
        ["device", "seconds", "correct"],
        [[name, f"{f['seconds']:.3f}", str(f["correct"])] for name, f in figures.items()],
    )
    return figures


Part = Callable[[EncodedCorpus, argparse.Namespace], Any]
PARTS: dict[str, Part] = {
    "precision": precision,
    "speed": speed,
    "determinism": determinism,
    "stability": stability,
    "roofline": roofline,
    "evaluation": evaluation,
    "grid": grid,
}

if __name__ == "__main__":
    main()
