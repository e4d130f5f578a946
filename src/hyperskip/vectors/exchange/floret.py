"""A table of floret: the vectors of all buckets of n-grams as text, without words.

The first line has the settings that spaCy and floret need to divide words into n-grams.
"""

from typing import IO, Any

import numpy as np

from hyperskip.errors import OutputError, shown
from hyperskip.subwords.hashes import MURMUR_SEED
from hyperskip.subwords.ngrams import BEGIN, END
from hyperskip.vectors.exchange.bucket_rows import bucket_rows
from hyperskip.vectors.exchange.coordinates import block_rows
from hyperskip.vectors.subword_table import SubwordTable
from hyperskip.vectors.word_vectors import WordVectors

_NUMBER = "%.9g"  # keeps every float32
_TOLERANCE = 1e-3  # of the coordinates of a word, relative to their length or to that of most words


def floret_settings(table: SubwordTable) -> dict[str, Any]:
    """The settings of a table, by the names that spaCy and floret give them."""
    return {
        "minn": table.scheme.shortest,
        "maxn": table.scheme.longest,
        "hash_count": table.scheme.hashes,
        "hash_seed": MURMUR_SEED,
        "bow": BEGIN,
        "eow": END,
    }


def write_floret(file: IO[bytes], table: SubwordTable) -> None:
    """Write one line for each bucket."""
    dimension = table.coordinates.shape[1]
    header = [table.scheme.buckets, dimension, *floret_settings(table).values()]
    file.write((" ".join(map(str, header)) + "\n").encode())
    numbers = " ".join([_NUMBER] * dimension)
    bucket = 0
    for rows in bucket_rows(table):
        for row in rows.tolist():
            file.write(f"{bucket} {numbers % tuple(row)}\n".encode())
            bucket += 1


def floret_size(table: SubwordTable) -> int:
    """About the number of bytes that `write_floret` writes."""
    dimension, buckets = int(table.coordinates.shape[1]), table.scheme.buckets
    zeros = buckets * (len(f"{buckets} ") + dimension * len("0 "))
    return zeros + len(table) * dimension * len(".123456789")  # of rows that are not 0


def check_words_are_means(vectors: WordVectors, table: SubwordTable) -> None:
    """Check that the table alone gives the coordinates of all words.

    Raises:
        OutputError: The coordinates of a word are not the mean of its n-grams.
    """
    step = block_rows(vectors.dimension)
    for begin in range(0, len(vectors), step):
        words = vectors.words[begin : begin + step]
        coordinates = vectors.coordinates[begin : begin + step].astype(np.float64)
        off = np.linalg.norm(table.compose(words).coordinates - coordinates, axis=1)
        lengths = np.linalg.norm(coordinates, axis=1)
        bad = ~(off <= _TOLERANCE * np.maximum(lengths, lengths.mean()))
        if bad.any():
            raise OutputError(
                f"floret would give {shown(words[int(bad.argmax())])} other coordinates: they are "
                "not the mean of its n-grams",
                hint="export the words without n-grams, for example with `format='word2vec'`",
            )
