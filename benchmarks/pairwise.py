"""Training speed of the `pairwise` schedule beside gensim's skip-gram, on the same text.

    pip install '.[bench]'
    python benchmarks/pairwise.py CORPUS [--lines 100000] [--threads 2] [--repeats 3]

Both train one epoch with window 10 (never shrunk), 10 negatives (count^0.5), subsampling 1e-5 and
min-count 15, from the same file of white-space separated words. Reading and counting are left out
of the time. Runs are interleaved; printed are words a second and thread, and the ratio's spread.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from hyperskip.text.encoded import EncodedCorpus, encode
from hyperskip.text.options import TextOptions
from hyperskip.training.options import TrainingOptions
from hyperskip.training.trainer import train_encoded


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--dimensions", type=int, nargs="+", default=[20, 100])
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "text.txt"
        with arguments.corpus.open() as source, text.open("w") as target:
            target.writelines(islice(source, arguments.lines))
        encoded = encode(text, TextOptions(min_count=15, tokenizer="whitespace"), folder)
        print(f"{encoded.vocabulary.total:,} words, vocabulary {len(encoded.vocabulary):,}")
        for dimension in arguments.dimensions:
            runs: dict[str, Callable[[], float]] = {
                geometry: hyperskip_run(encoded, geometry, dimension, arguments)
                for geometry in ("hyperboloid", "euclidean")
            }
            runs["gensim"] = gensim_run(text, dimension, arguments)
            compare(dimension, runs, encoded.vocabulary.total / arguments.threads, arguments)


def hyperskip_run(
    encoded: EncodedCorpus,
    geometry: str,
    dimension: int,
    arguments: argparse.Namespace,
) -> Callable[[], float]:
    """Seconds of one epoch by us."""
    options = TrainingOptions(
        geometry=geometry,
        dimension=dimension,
        window=10,
        negatives=10,
        subsample=1e-5,
        epochs=1,
        threads=arguments.threads,
    )

    def run() -> float:
        seconds: list[float] = []
        train_encoded(
            encoded, options, lambda event: seconds.append(getattr(event, "seconds", 0.0))
        )
        return seconds[-1]

    return run


def gensim_run(text: Path, dimension: int, arguments: argparse.Namespace) -> Callable[[], float]:
    """Seconds of one epoch by gensim, through its fast path for files."""
    from gensim.models import Word2Vec

    def run() -> float:
        model = Word2Vec(
            vector_size=dimension,
            sg=1,
            window=10,
            shrink_windows=False,
            negative=10,
            ns_exponent=0.5,
            sample=1e-5,
            min_count=15,
            workers=arguments.threads,
        )
        model.build_vocab(corpus_file=str(text))
        began = time.perf_counter()
        model.train(
            corpus_file=str(text),
            total_words=model.corpus_total_words,
            total_examples=model.corpus_count,
            epochs=1,
        )
        return time.perf_counter() - began

    return run


def compare(
    dimension: int,
    runs: dict[str, Callable[[], float]],
    words_a_thread: float,
    arguments: argparse.Namespace,
) -> None:
    """Interleave the runs and print speeds and ratios."""
    speeds: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(arguments.repeats):
        for name, run in runs.items():
            speeds[name].append(words_a_thread / run())
    for name, measured in speeds.items():
        ratios = [ours / theirs for ours, theirs in zip(measured, speeds["gensim"], strict=True)]
        print(
            f"d {dimension:4}  {name:12} {statistics.median(measured):10,.0f} words/s a thread   "
            f"{statistics.median(ratios):.2f} of gensim ({min(ratios):.2f}-{max(ratios):.2f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
