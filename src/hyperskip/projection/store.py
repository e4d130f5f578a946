"""A map, kept in a file beside the model that it was made of."""

from pathlib import Path

import numpy as np

from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.projecting import make_map
from hyperskip.vectors.word_vectors import WordVectors

MAPPED = 50_000  # words that the disc shows, the most frequent


def map_beside(
    model: Path, vectors: WordVectors, *, words: int = MAPPED, method: str = "auto"
) -> DiscMap:
    """The map of a model's most frequent words: the one beside the model, or a new one."""
    return make_map(vectors, np.arange(min(words, len(vectors))), method=method)
