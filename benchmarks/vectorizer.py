"""Speed and memory of HyperskipVectorizer.transform, next to TfidfVectorizer of scikit-learn.

    python benchmarks/vectorizer.py MODEL... --texts FILE [--rounds 5] [--documents 1000000]

The file has a label and a text in each line, separated by a tab, in any compression. All
vectorizers transform the same documents in turns, on one core. Speed counts words of the paper's
tokenizer per second of CPU time, tokenization included; the median and the range of the rounds are
printed. Memory is the growth of the peak while a generator repeats the documents; the output, which
is part of it, is shown next to it.
"""

import argparse
import os
import resource
import time
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from reporting import print_markdown, spread
from sklearn.feature_extraction.text import TfidfVectorizer
from texts import file_lines

from hyperskip import load
from hyperskip.learn import HyperskipVectorizer
from hyperskip.text.words.tokens import paper_tokens


def main() -> None:
    """Measure the vectorizers on the command line's texts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL")
    parser.add_argument("--texts", required=True, type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--documents", type=int, default=0, help="length of the generator")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    texts = [line.rstrip("\n").split("\t", 1)[1] for line in file_lines(arguments.texts)]
    vectorizers = {"TfidfVectorizer": TfidfVectorizer().fit(texts)}
    for path in arguments.models:
        vectors = load(path)
        name = f"HyperskipVectorizer, d {vectors.dimension}"
        vectorizers[name] = HyperskipVectorizer(vectors).fit(texts)
    words = sum(len(paper_tokens(text)) for text in texts)
    print(f"{len(texts)} documents, {words} words; million words/s on one core\n")
    speeds = measured_speeds(vectorizers, texts, words, arguments.rounds)
    rows = [[name, spread(found, ".2f")] for name, found in speeds.items()]
    print_markdown(["", "median (range)"], rows)
    if arguments.documents:
        name, vectorizer = list(vectorizers.items())[-1]
        print(f"\n{name}, a generator of documents:\n")
        rows = [memory_row(vectorizer, texts, arguments.documents)]
        print_markdown(["documents", "output (MB)", "growth of the peak (MB)"], rows)


def measured_speeds(
    vectorizers: dict[str, TfidfVectorizer | HyperskipVectorizer],
    texts: Sequence[str],
    words: int,
    rounds: int,
) -> dict[str, list[float]]:
    """Million words per second of each vectorizer in each round."""
    speeds: dict[str, list[float]] = {name: [] for name in vectorizers}
    for round_number in range(rounds + 1):
        for name, vectorizer in vectorizers.items():
            start = time.process_time()
            vectorizer.transform(texts)
            seconds = time.process_time() - start
            if round_number > 0:  # the first fills caches
                speeds[name].append(words / seconds / 1e6)
    return speeds


def memory_row(vectorizer: HyperskipVectorizer, texts: Sequence[str], documents: int) -> list[str]:
    """Number of documents, size of the output and growth of the peak memory."""

    def repeated() -> Iterator[str]:
        return islice(cycle(texts), documents)

    before = peak_megabytes()
    output = vectorizer.transform(repeated())
    growth = peak_megabytes() - before
    return [f"{documents}", f"{output.nbytes / 1e6:.0f}", f"{growth:.0f}"]


def peak_megabytes() -> float:
    """The largest memory of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


if __name__ == "__main__":
    main()
