"""How many of the nearest words a search finds, measured on words and on points between them."""

import numpy as np

from hyperskip.geometry.spaces import ROUTES
from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import WordVectors

NEAREST = 10

_WORDS, _ANALOGIES = 24, 8  # by each route
_SEED = 20180901


def recall_of(vectors: WordVectors) -> float:
    """The share of the ten nearest words that search finds, beside the products with all words.

    Asked about words and about the answers' points of made-up analogies, of words drawn once and
    for all. Where rounding makes two words equally near, either will do.
    """
    random = np.random.default_rng(_SEED)
    rows: Rows = random.integers(len(vectors), size=_WORDS)
    a, b, c = random.integers(len(vectors), size=(3, _ANALOGIES))
    points = np.concatenate(
        [
            vectors.subset(rows).points,
            *(vectors.analogy_points(a, b, c, route) for route in ROUTES),
        ]
    )
    points = points[np.isfinite(points).all(axis=1)]
    count = min(NEAREST, len(vectors))
    found = vectors.nearest_words(points, count, np.empty((len(points), 0), dtype=np.int64))
    similarities = vectors.similarities(points)
    least = np.partition(similarities, -count, axis=1)[:, -count]
    slack = 1e-5 * np.abs(least)  # the products are float32
    right = [
        similarities[i, vectors.index_of(near.word)] >= least[i] - slack[i]
        for i, nearest in enumerate(found)
        for near in nearest
    ]
    return float(np.sum(right) / (count * len(points)))
