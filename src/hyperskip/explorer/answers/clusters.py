"""Words of a kind: k-means in the words' own space, for the colors of the map.

As the paper's similarity is a product, so is the likeness of a word and a cluster, and the middle
of a cluster is the Lorentzian centroid; that of Euclidean vectors is the mean of their directions.
"""

from dataclasses import dataclass

import numpy as np

from hyperskip.geometry.measures import PRODUCT
from hyperskip.geometry.spaces import Floats, Space
from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import WordVectors

CLUSTERS = 12

_LEARNED_FROM = 10_000  # words, the most frequent; the others only get a cluster
_ROUNDS = 25
_NAMED_BY = 3
_NAMED_FROM = 200  # the most frequent words of a cluster; the nearest to its middle name it
_WORDS_AT_ONCE = 1 << 14


@dataclass(frozen=True)
class Clusters:
    """The cluster of every word, and what the clusters are called."""

    of_rows: Rows  # (words,)
    names: tuple[str, ...]


def make_clusters(
    vectors: WordVectors, rows: Rows, *, count: int = CLUSTERS, seed: int = 1
) -> Clusters:
    """Clusters of the words in these rows, most frequent first; the other words join them.

    The same vectors and the same seed give the same clusters. There are fewer than `count` where
    there are not so many different points.
    """
    space = vectors.space
    points = _points(space, vectors, rows[:_LEARNED_FROM])
    middles = _middles(space, points, count, np.random.default_rng(seed))
    # Of the other words alone none is made.
    middles = middles[np.unique(_nearest_of_rows(space, vectors, rows, middles))]
    of_rows = _nearest_of_rows(space, vectors, np.arange(len(vectors)), middles)
    names = tuple(
        _name(space, vectors, rows[of_rows[rows] == cluster], middle)
        for cluster, middle in enumerate(middles)
    )
    return Clusters(of_rows, names)


def _points(space: Space, vectors: WordVectors, rows: Rows) -> Floats:
    return space.normalized(space.points(vectors.coordinates[rows]))


def _middles(space: Space, points: Floats, count: int, generator: np.random.Generator) -> Floats:
    middles = _first_middles(space, points, count, generator)
    belongs = _nearest(space, points, middles)
    for _ in range(_ROUNDS):
        middles = np.stack(
            [
                space.centroid(points[belongs == cluster]) if np.any(belongs == cluster) else middle
                for cluster, middle in enumerate(middles)
            ]
        )
        before, belongs = belongs, _nearest(space, points, middles)
        if np.array_equal(before, belongs):
            break
    return middles


def _first_middles(
    space: Space, points: Floats, count: int, generator: np.random.Generator
) -> Floats:
    """Points that are far from each other, drawn as k-means++ does it."""
    apartness = space.measures[PRODUCT].apartness
    chosen = [int(generator.integers(len(points)))]
    far = apartness(points[chosen[0]], points)
    while len(chosen) < count and far.sum() > 0:
        chosen.append(int(generator.choice(len(points), p=far / far.sum())))
        far = np.minimum(far, apartness(points[chosen[-1]], points))
    return points[chosen]


def _nearest(space: Space, points: Floats, middles: Floats) -> Rows:
    """(points,): the cluster whose middle has the greatest product with each."""
    return np.asarray((points @ space.measures[PRODUCT].queries(middles).T).argmax(axis=1))


def _nearest_of_rows(space: Space, vectors: WordVectors, rows: Rows, middles: Floats) -> Rows:
    parts = np.array_split(rows, 1 + len(rows) // _WORDS_AT_ONCE)
    return np.concatenate(
        [_nearest(space, _points(space, vectors, part), middles) for part in parts]
    )


def _name(space: Space, vectors: WordVectors, rows: Rows, middle: Floats) -> str:
    frequent = rows[:_NAMED_FROM]
    apart = space.measures[PRODUCT].apartness(middle, _points(space, vectors, frequent))
    typical = frequent[np.argsort(apart, kind="stable")[:_NAMED_BY]]
    return ", ".join(vectors.words[row] for row in typical)
