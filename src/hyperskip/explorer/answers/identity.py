"""What tells one explored model from another: a page that is open must notice the next one."""

import hashlib

import numpy as np

from hyperskip.projection.disc_map import DiscMap
from hyperskip.vectors.word_vectors import WordVectors

HEADER = "Hyperskip-Model"  # of every response


def identity_of(vectors: WordVectors, disc_map: DiscMap) -> str:
    """A checksum of words, vectors and places."""
    content = hashlib.sha256("\0".join(vectors.words).encode("utf-8", "surrogatepass"))
    for numbers in (vectors.coordinates, vectors.counts, disc_map.rows, disc_map.places):
        content.update(np.ascontiguousarray(numbers).data)
    return content.hexdigest()[:16]
