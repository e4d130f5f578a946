"""Time of the centroids of many documents, compared with NumPy means of the same words.

    python benchmarks/centroids.py [--documents 4000] [--length 100] [--words 70000] [--rounds 5]

Documents are random words with Zipf frequencies, one in twenty unknown. The NumPy loop looks up the
words of each document in a dict and takes the mean of their float32 rows: a flat mean, which needs
no time coordinate. `centroids` returns points of the hyperboloid in float64. Rounds alternate
between the methods. Prints the median processor time and the number of words per second.
"""

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from reporting import print_markdown, spread

from hyperskip import WordVectors

DIMENSIONS = (5, 20, 100)
UNKNOWN = 0.05  # share of the words of a document


def random_documents(documents: int, length: int, words: int, seed: int = 1) -> list[list[str]]:
    """Return documents of random words: w0 is the most frequent; x0 and so on are unknown."""
    generator = np.random.default_rng(seed)
    shares = 1.0 / np.arange(1, words + 1)
    rows = generator.choice(words, (documents, length), p=shares / shares.sum())
    unknown = generator.random(rows.shape) < UNKNOWN
    return [
        [f"{'x' if missing else 'w'}{row}" for row, missing in zip(*document, strict=True)]
        for document in zip(rows.tolist(), unknown.tolist(), strict=True)
    ]


def numpy_means(vectors: WordVectors, documents: list[list[str]]) -> npt.NDArray[np.float32]:
    """Return the flat mean of the known words of each document."""
    row_of = {word: row for row, word in enumerate(vectors.words)}
    coordinates = np.asarray(vectors.coordinates)
    return np.stack(
        [
            coordinates[[row_of[word] for word in document if word in row_of]].mean(axis=0)
            for document in documents
        ]
    )


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of a function."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Measure each dimension and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=4000)
    parser.add_argument("--length", type=int, default=100, help="words of a document")
    parser.add_argument("--words", type=int, default=70_000, help="words of the vocabulary")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    documents = random_documents(arguments.documents, arguments.length, arguments.words)
    rows = []
    for dimension in DIMENSIONS:
        coordinates = np.random.default_rng(2).normal(0, 0.1, (arguments.words, dimension))
        vectors = WordVectors([f"w{i}" for i in range(arguments.words)], coordinates)
        ours, theirs = [], []
        for _ in range(arguments.rounds + 1):
            ours.append(seconds(lambda: vectors.centroids(documents, skip_unknown=True)))  # noqa: B023
            theirs.append(seconds(lambda: numpy_means(vectors, documents)))  # noqa: B023
        del ours[0], theirs[0]  # the first round imports SciPy
        words_a_second = arguments.documents * arguments.length / statistics.median(ours)
        ratio = statistics.median(theirs) / statistics.median(ours)
        rows.append(
            (
                str(dimension),
                spread(ours, ".3f"),
                spread(theirs, ".3f"),
                f"{ratio:.1f}",
                f"{words_a_second / 1e6:.1f}",
            )
        )
    print_markdown(("d", "centroids, s", "NumPy means, s", "times as fast", "M words/s"), rows)


if __name__ == "__main__":
    main()
