"""Texts for benchmarks: random with Zipf's word frequencies, or the first words of a file."""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hyperskip.files.compression import open_decompressed
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.objective.sampling import keep_thresholds

_RANDOM_LINE = 50  # words, about a paragraph of an encyclopedia
_LONGEST_LINE = 1000  # words; fastText cuts lines at 1,024 words, and gensim at 10,000


@dataclass(frozen=True)
class Text:
    """A plain file of words separated by spaces."""

    path: str
    words: int
    lines: int


def zipf_counts(words: int) -> npt.NDArray[np.int64]:  # (words,)
    """Counts of words in a large text by rank (Zipf's law), but at least 15."""
    return np.maximum(10_000_000 // np.arange(1, words + 1), 15).astype(np.int64)


def zipf_lines(words: int, seed: int = 1) -> Iterator[str]:
    """Endless lines of random words, drawn from a vocabulary of this size."""
    generator = np.random.default_rng(seed)
    bounds = np.cumsum(zipf_counts(words))
    names = [f"w{rank}" for rank in range(words)]
    while True:
        drawn = np.searchsorted(bounds, generator.integers(bounds[-1], size=_RANDOM_LINE), "right")
        yield " ".join([names[rank] for rank in drawn])


def corpus_of_ids(
    ids: npt.NDArray[np.int64], sentence_starts: npt.NDArray[np.int64], prefix: str
) -> EncodedCorpus:
    """A corpus of the words with these numbers; the names of words are a prefix and the number.

    Args:
        ids: The words of the text; numbers that do not occur are no words.
        sentence_starts: Where sentences start, and the end.
        prefix: The beginning of every name.
    """
    counts = np.bincount(ids)
    order = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    rank = np.zeros(len(counts), dtype=np.int32)
    rank[order] = np.arange(len(order))
    return EncodedCorpus(
        options=TextOptions(min_count=1),
        vocabulary=Vocabulary.of([f"{prefix}{i}" for i in order], counts[order].astype(np.int64)),
        tokens=rank[ids],
        sentence_starts=sentence_starts.astype(np.int64),
    )


def file_lines(path: Path) -> Iterator[str]:
    """The lines of a file, which may be compressed."""
    with open_decompressed(path) as (stream, _), io.TextIOWrapper(stream, "utf-8") as text:
        yield from text


def write_text(lines: Iterable[str], path: Path, *, words: int | None = None) -> Text:
    """Write the first words of some lines, or all words, and cut long lines."""
    word_count, line_count = 0, 0
    with path.open("w", encoding="utf-8") as file:
        for line in _short_lines(lines):
            chosen = line if words is None else line[: words - word_count]
            if not chosen:
                break
            file.write(" ".join(chosen) + "\n")
            word_count += len(chosen)
            line_count += 1
    return Text(str(path), word_count, line_count)


def _short_lines(lines: Iterable[str]) -> Iterator[list[str]]:
    for line in lines:
        words = iter(line.split())
        while part := list(islice(words, _LONGEST_LINE)):
            yield part


def expected_pairs(
    encoded: EncodedCorpus, *, window: int, shrink_window: bool, subsample: float
) -> float:
    """The average number of pairs of center and context per word of the corpus in an epoch.

    This is an estimate from one random subsampling. If windows are drawn from 1 to window, a
    context at distance d counts with the probability that the window reaches it.
    """
    keep = keep_thresholds(encoded.vocabulary.counts, subsample) / 2**32
    drawn = np.random.default_rng(1).random(len(encoded.tokens), dtype=np.float32)
    kept = drawn < keep[encoded.tokens]
    lengths = np.add.reduceat(kept, encoded.sentence_starts[:-1], dtype=np.int64)
    pairs = 0.0
    for distance in range(1, window + 1):
        reached = (window - distance + 1) / window if shrink_window else 1.0
        pairs += reached * 2 * np.maximum(lengths - distance, 0).sum()
    return pairs / len(encoded.tokens)
