"""Checksums that identify words and numbers: of vectors, maps and checkpoints."""

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.vectors.word_vectors import WordVectors


def checksum(*parts: str | npt.NDArray[Any]) -> str:
    """SHA-256, in hexadecimal, of texts in UTF-8 and of the bytes of arrays, in order."""
    content = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            content.update(part.encode("utf-8", "surrogatepass"))
        else:
            content.update(np.ascontiguousarray(part).data)
    return content.hexdigest()


def vectors_checksum(vectors: WordVectors) -> str:
    """Checksum of coordinates and words; checkpoints store it, so it must not change."""
    return checksum(vectors.coordinates, "\n".join(vectors.words))
