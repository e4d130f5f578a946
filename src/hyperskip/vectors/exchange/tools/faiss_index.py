"""A flat index of faiss: all rows, searched by inner product or by Euclidean distance."""

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OutputWarning, warn
from hyperskip.geometry.names import DISTANCE
from hyperskip.vectors.exchange.coordinates import finite_rows
from hyperskip.vectors.exchange.tools.rows import cosine_rows, write_rows, write_words
from hyperskip.vectors.word_vectors import WordVectors

_INNER_PRODUCT, _EUCLIDEAN_DISTANCE = (b"IxFI", 0), (b"IxF2", 1)  # the type and the metric
_UNUSED = 1 << 20  # faiss writes this number twice, and ignores it
FILES = ("index.faiss", "words.json")


def write(folder: Path, vectors: WordVectors, measure: str) -> None:
    """Write FILES to a folder.

    The rows are the keys of the measure, so their products with its queries rank as the measure
    does. Euclidean distances are computed by faiss itself.
    """
    write_words(folder / "words.json", vectors)
    with (folder / "index.faiss").open("wb") as file:
        if not vectors.space.is_curved and measure == DISTANCE:
            (kind, metric), columns = _EUCLIDEAN_DISTANCE, vectors.dimension
            rows = cosine_rows(vectors)
        else:
            kind, metric = _INNER_PRODUCT
            columns = vectors.space.measures[measure].keys(vectors.coordinates[:1]).shape[1]
            rows = _keys(vectors, measure, columns)
        count = len(vectors)
        header = columns, count, _UNUSED, _UNUSED, True, metric, count * columns
        file.write(kind + struct.pack("<iqqq?iQ", *header))
        write_rows(file, rows)


def _keys(vectors: WordVectors, measure: str, columns: int) -> Iterator[npt.NDArray[np.float32]]:
    is_exact = True
    for _, keys in finite_rows(vectors, vectors.space.measures[measure].keys, columns):
        is_exact &= keys.dtype == np.float32
        yield keys.astype(np.float32)
    if not is_exact:
        warn(
            "some words are so far from the base point that faiss, which computes in float32, may "
            "order their neighbors differently",
            OutputWarning,
        )
