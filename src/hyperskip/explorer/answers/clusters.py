"""Clusters of similar words, for the colors of the map: k-means in the space of the model.

Similarity to a cluster is the product with its center, like the similarity of words in the paper.
The center is the Lorentzian centroid; for Euclidean vectors, the mean of the unit vectors.
"""

from dataclasses import dataclass

import numpy as np

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.names import PRODUCT
from hyperskip.geometry.spaces import Space
from hyperskip.vectors.word_vectors import WordVectors

CLUSTERS = 12

_FITTED_WORDS = 10_000  # the most frequent; all others are only assigned to a cluster
_ITERATIONS = 25
_WORDS_IN_NAME = 3
_NAME_CANDIDATES = 200  # the most frequent words of a cluster
_BATCH = 1 << 14  # words


@dataclass(frozen=True)
class Clusters:
    """The cluster of each word, and the names of the clusters."""

    of_rows: Rows  # (words,)
    names: tuple[str, ...]


def make_clusters(
    vectors: WordVectors, rows: Rows, *, count: int = CLUSTERS, seed: int = 1
) -> Clusters:
    """Cluster the words in these rows, and assign all other words to the clusters.

    The same vectors and seed give the same clusters.

    Args:
        vectors: The model.
        rows: Words to cluster, most frequent first.
        count: Number of clusters; fewer if there are fewer distinct points.
        seed: For the choice of the first centers.
    """
    space = vectors.space
    points = _points(space, vectors, rows[:_FITTED_WORDS])
    centers = _centers(space, points, count, np.random.default_rng(seed))
    # Drop clusters that contain none of these rows.
    centers = centers[np.unique(_nearest_of_rows(space, vectors, rows, centers))]
    of_rows = _nearest_of_rows(space, vectors, np.arange(len(vectors)), centers)
    names = tuple(
        _name(space, vectors, rows[of_rows[rows] == cluster], center)
        for cluster, center in enumerate(centers)
    )
    return Clusters(of_rows, names)


def _points(space: Space, vectors: WordVectors, rows: Rows) -> Floats:
    return space.normalized(space.points(vectors.coordinates[rows]))


def _centers(space: Space, points: Floats, count: int, generator: np.random.Generator) -> Floats:
    centers = _initial_centers(space, points, count, generator)
    labels = _nearest(space, points, centers)
    for _ in range(_ITERATIONS):
        centers = np.stack(
            [
                space.centroid(points[labels == cluster]) if np.any(labels == cluster) else center
                for cluster, center in enumerate(centers)
            ]
        )
        previous, labels = labels, _nearest(space, points, centers)
        if np.array_equal(previous, labels):
            break
    return centers


def _initial_centers(
    space: Space, points: Floats, count: int, generator: np.random.Generator
) -> Floats:
    """Draw points that are far from each other, as k-means++ does."""
    dissimilarity = space.measures[PRODUCT].dissimilarity
    chosen = [int(generator.integers(len(points)))]
    distances = dissimilarity(points[chosen[0]], points)
    while len(chosen) < count and distances.sum() > 0:
        chosen.append(int(generator.choice(len(points), p=distances / distances.sum())))
        distances = np.minimum(distances, dissimilarity(points[chosen[-1]], points))
    return points[chosen]


def _nearest(space: Space, points: Floats, centers: Floats) -> Rows:
    """Return, for each point (points,), the cluster whose center has the largest product."""
    return np.asarray((points @ space.measures[PRODUCT].queries(centers).T).argmax(axis=1))


def _nearest_of_rows(space: Space, vectors: WordVectors, rows: Rows, centers: Floats) -> Rows:
    parts = np.array_split(rows, 1 + len(rows) // _BATCH)
    return np.concatenate(
        [_nearest(space, _points(space, vectors, part), centers) for part in parts]
    )


def _name(space: Space, vectors: WordVectors, rows: Rows, center: Floats) -> str:
    frequent = rows[:_NAME_CANDIDATES]
    apart = space.measures[PRODUCT].dissimilarity(center, _points(space, vectors, frequent))
    typical = frequent[np.argsort(apart, kind="stable")[:_WORDS_IN_NAME]]
    return ", ".join(vectors.words[row] for row in typical)
