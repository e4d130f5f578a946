"""Writes a fastText model: words, counts and vectors, and the vectors of n-grams, if any."""

from collections.abc import Iterator
from typing import IO

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OutputError, shown
from hyperskip.vectors.exchange.bucket_rows import bucket_rows
from hyperskip.vectors.exchange.coordinates import (
    block_rows,
    column_count,
    not_finite,
    written_rows,
)
from hyperskip.vectors.exchange.fasttext.layout import (
    DICTIONARY,
    ENTRY,
    FLAG,
    MAGIC,
    MOST_ROWS,
    SETTINGS,
    SHAPE,
    SIGNATURE,
    VERSION,
    WORD,
    Settings,
    Sizes,
)
from hyperskip.vectors.exchange.fasttext.ngram_sums import longest_word, ngram_sums
from hyperskip.vectors.word_vectors import WordVectors


def check_sizes(vectors: WordVectors) -> None:
    """Check that fastText can number all words and buckets, and that no word is too long.

    Raises:
        OutputError: It cannot, or a word could not be read again.
    """
    longest = longest_word(None if vectors.subwords is None else vectors.subwords.scheme)
    for word in vectors.words:
        size = len(word.encode("utf-8", "surrogatepass"))
        if size > longest:
            raise OutputError(
                f"the word {shown(word)} has {size} bytes, and could not be read again: this model "
                f"allows {longest} in the format of fastText",
                hint="leave it out, or choose another format",
            )
    buckets = 0 if vectors.subwords is None else vectors.subwords.scheme.buckets
    if len(vectors) + buckets > MOST_ROWS:
        raise OutputError(
            f"fastText cannot number {len(vectors)} words and {buckets} buckets of n-grams: it "
            f"allows {MOST_ROWS} together",
            hint="train with fewer buckets",
        )


def write_fasttext_model(file: IO[bytes], vectors: WordVectors, coordinates: str) -> None:
    """Write a model whose vectors of words are the given coordinates.

    fastText takes the mean of the word's own row and of its n-grams, so the own row of a word with
    n n-grams is (n + 1) times its coordinates minus the sum of its n-grams. N-grams that are not in
    the table get zeros. The output of the training is unknown, so it is zeros, as before training.
    """
    columns = column_count(vectors, coordinates)
    settings = Settings(columns)
    if vectors.subwords is not None:
        scheme = vectors.subwords.scheme
        settings = settings._replace(
            buckets=scheme.buckets, shortest=scheme.shortest, longest=scheme.longest
        )
    file.write(SIGNATURE.pack(MAGIC, VERSION) + SETTINGS.pack(*settings))
    _write_dictionary(file, vectors)
    file.write(FLAG.pack(0) + SHAPE.pack(len(vectors) + settings.buckets, columns))
    for rows in _own_rows(vectors, coordinates):
        file.write(rows.tobytes())
    if vectors.subwords is not None:
        for rows in bucket_rows(vectors.subwords):
            file.write(rows.tobytes())
    file.write(FLAG.pack(0) + SHAPE.pack(len(vectors), columns))
    step = block_rows(columns)
    for begin in range(0, len(vectors), step):
        file.write(bytes(4 * columns * min(step, len(vectors) - begin)))


def _write_dictionary(file: IO[bytes], vectors: WordVectors) -> None:
    counts = np.maximum(vectors.counts, 1)  # gensim drops words with the count 0
    words = len(vectors)
    file.write(DICTIONARY.pack(*Sizes(words, words, 0, int(counts.sum()))))
    for word, count in zip(vectors.words, counts.tolist(), strict=True):
        file.write(word.encode() + b"\0" + ENTRY.pack(count, WORD))


def _own_rows(vectors: WordVectors, coordinates: str) -> Iterator[npt.NDArray[np.float32]]:
    if vectors.subwords is None:
        for _, values in written_rows(vectors, coordinates):
            yield values.astype("<f4")
        return
    begin = 0
    for sums, counts in ngram_sums(vectors.subwords, [word.encode() for word in vectors.words]):
        end = begin + len(sums)
        own = (counts + 1)[:, None] * vectors.coordinates[begin:end].astype(np.float64) - sums
        bad = not_finite(own)
        if bad.any():
            raise OutputError(
                f"the vector of {shown(vectors.words[begin + int(bad.argmax())])} is not finite, "
                "or too large for fastText, which stores a multiple of it",
                hint="train again with a lower learning rate",
            )
        yield own.astype("<f4")
        begin = end
