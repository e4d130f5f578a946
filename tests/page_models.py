"""Small models for tests of pages, some with words that look like markup."""

import numpy as np

from hyperskip import WordVectors
from hyperskip.graphs.graph_reading import read_graph
from hyperskip.graphs.word_graph import WordGraph

NAMED = "the of dog cat dogs city king man woman france paris italy japan tokyo germany music war"
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "abc\u202edef",
    "x" * 500,
    "it's & that",
)


def vectors_of(words: list[str], seed: int = 5) -> WordVectors:
    """Words in the hyperbolic plane, where the map is exact."""
    rng = np.random.default_rng(seed)
    radii = rng.uniform(0.3, 3.2, len(words))
    angles = rng.uniform(0, 2 * np.pi, len(words))
    points = np.sinh(radii)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    counts = np.arange(len(words), 0, -1) ** 2
    return WordVectors(words, points.astype(np.float32), counts=counts)


def graph_of(vectors: WordVectors, *, directed: bool = True) -> WordGraph:
    """All other words are below "dog", and that is below "the" and "of"."""
    pairs = [("dog", "the"), ("dog", "of"), ("of", "the")]
    pairs += [(word, "dog") for word in vectors.words if word not in ("the", "of", "dog")]
    graph = read_graph(pairs, directed=directed)
    return WordGraph(graph, vectors.known_rows(graph.names), vectors.words)
