"""Rows of float32 numbers, written block by block after a header."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from hyperskip.vectors.exchange.coordinates import written_rows
from hyperskip.vectors.exchange.names import POINTS, SPATIAL
from hyperskip.vectors.word_vectors import WordVectors

_ALIGNMENT = 8  # of the arrays in a safetensors file


def cosine_rows(vectors: WordVectors) -> Iterator[npt.NDArray[np.float32]]:
    """Yield blocks of rows (words, dimension) whose cosine is a measure of the space.

    On the hyperboloid these are the spatial coordinates, and the measure is `angle`.
    """
    coordinates = SPATIAL if vectors.space.is_curved else POINTS
    for _, values in written_rows(vectors, coordinates):
        yield values.astype("<f4")


def write_rows(file: IO[bytes], blocks: Iterator[npt.NDArray[np.float32]]) -> None:
    """Write the numbers of all blocks."""
    for block in blocks:
        file.write(np.ascontiguousarray(block, dtype="<f4").data)


def write_safetensors_header(file: IO[bytes], name: str, shape: tuple[int, int]) -> None:
    """Write the header of a safetensors file with one float32 array, which must follow."""
    entry = {"dtype": "F32", "shape": shape, "data_offsets": [0, 4 * shape[0] * shape[1]]}
    header = json.dumps({name: entry}).encode()
    header += b" " * (-len(header) % _ALIGNMENT)
    file.write(len(header).to_bytes(8, "little") + header)


def write_words(path: Path, vectors: WordVectors) -> None:
    """Write all words, in the order of the rows, as a JSON list."""
    path.write_text(json.dumps(vectors.words), encoding="ascii")
