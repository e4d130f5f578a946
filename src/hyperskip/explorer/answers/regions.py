"""A tree of regions of the map: every region of every level is one connected patch of the disc.

The finest regions are cells of a hyperbolic k-means of the places on the disc, so they are convex.
The others join neighboring cells whose words have similar vectors, by Ward's method.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats, Rows

_LEVELS = ((12, 25), (60, 12), (300, 6))  # number of regions, and words that each has on average
_FITTED_WORDS = 10_000
_ITERATIONS = 12
_FARTHEST = 12.0  # from the center of the disc; farther out, words count as if they were here
_STEP = 2.0  # the longest step of a center, where the logarithm is exact enough
_BATCH = 1 << 13  # words


@dataclass(frozen=True)
class Regions:
    """The regions of all levels, from the largest to the smallest."""

    of_words: Rows  # (words,): the finest region of each word
    levels: tuple[Rows, ...]  # each (finest regions,): the region that contains it
    places: tuple[Floats, ...]  # each (regions, 2): where the name of a region is written
    neighbors: Rows  # (pairs, 2): finest regions that touch each other

    def at(self, level: int) -> Rows:
        """Return the region of each word (words,) at a level."""
        return np.asarray(self.levels[level][self.of_words])


def make_regions(places: Floats, directions: Floats, *, seed: int = 1) -> Regions:
    """Divide a map into regions. The same arguments give the same regions.

    Args:
        places: Places of the words (words, 2) on the disc, the most frequent first.
        directions: What makes words similar (words, dimension), as unit vectors.
        seed: For the choice of the first centers.
    """
    counts = sorted({min(most, max(1, len(places) // words)) for most, words in _LEVELS})
    points = charts.from_ball(_not_too_far(places))
    centers = _centers(points[:_FITTED_WORDS], counts[-1], np.random.default_rng(seed))
    nearest = _two_nearest(points, centers)
    kept, of_words = np.unique(nearest[:, 0], return_inverse=True)
    neighbors = _touching(nearest, kept)
    levels = _joined(of_words, directions, neighbors, counts)
    centers = centers[kept]
    return Regions(
        of_words=of_words,
        levels=levels,
        places=tuple(_places(points, of_words, level, centers) for level in levels),
        neighbors=neighbors,
    )


def _not_too_far(places: Floats) -> Floats:
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    return np.asarray(places * np.minimum(1.0, np.tanh(_FARTHEST / 2) / np.maximum(lengths, 1e-9)))


def _centers(points: Floats, count: int, generator: np.random.Generator) -> Floats:
    """Return the centers (regions, 3) of k-means, starting from randomly drawn words."""
    distinct = points[np.sort(np.unique(points, axis=0, return_index=True)[1])]
    chosen = generator.permutation(len(distinct))[:count]
    centers = distinct[np.sort(chosen)]
    for _ in range(_ITERATIONS):
        of_points = _two_nearest(points, centers)[:, 0]
        sizes = np.bincount(of_points, minlength=len(centers))
        # One step to the mean in the tangent space, which far words do not dominate as they do
        # in a sum of points.
        tangents = hyperboloid.logarithm(centers[of_points], points)
        steps = _sums(tangents, of_points, len(centers)) / np.maximum(sizes, 1)[:, None]
        steps = hyperboloid.project_to_tangent(centers, steps)
        lengths = np.maximum(hyperboloid.norm(steps, centers), 1e-12)[:, None]
        centers = hyperboloid.exponential(centers, steps * np.minimum(1.0, _STEP / lengths))
    return centers


def _sums(values: Floats, groups: Rows, count: int) -> Floats:
    """Return the sums (count, columns) of the rows of each group."""
    columns = [np.bincount(groups, weights=column, minlength=count) for column in values.T]
    return np.stack(columns, axis=1)


def _two_nearest(points: Floats, centers: Floats) -> Rows:
    """Return the nearest and the second nearest center (points, 2) by distance."""
    if len(centers) == 1:
        return np.zeros((len(points), 2), dtype=np.int64)
    mirrored = (centers * np.array([1.0, 1.0, -1.0])).T
    found = []
    for batch in np.array_split(points, 1 + len(points) // _BATCH):
        products = batch @ mirrored  # the larger, the nearer
        first = products.argmax(axis=1)
        products[np.arange(len(batch)), first] = -np.inf
        found.append(np.stack([first, products.argmax(axis=1)], axis=1))
    return np.concatenate(found)


def _touching(nearest: Rows, kept: Rows) -> Rows:
    """Return pairs (pairs, 2) of regions with a word between them, by their new numbers."""
    pairs = np.unique(np.sort(nearest, axis=1), axis=0)
    pairs = pairs[(pairs[:, 0] != pairs[:, 1]) & np.isin(pairs, kept).all(axis=1)]
    return np.asarray(np.searchsorted(kept, pairs))


def _joined(
    of_words: Rows, directions: Floats, neighbors: Rows, counts: Sequence[int]
) -> tuple[Rows, ...]:
    """Join the finest regions until there are as many as each count, the largest count first."""
    total = int(of_words.max()) + 1
    sizes = np.bincount(of_words, minlength=total).astype(np.float64)
    means = _sums(directions, of_words, total) / sizes[:, None]
    touch = np.zeros((total, total), dtype=bool)
    touch[neighbors[:, 0], neighbors[:, 1]] = touch[neighbors[:, 1], neighbors[:, 0]] = True
    groups = np.arange(total)
    levels = []
    for count in sorted(counts, reverse=True):
        while len(np.unique(groups)) > count:
            first, second = _most_similar(sizes, means, touch)
            share = sizes[second] / (sizes[first] + sizes[second])
            means[first] += share * (means[second] - means[first])
            sizes[first] += sizes[second]
            sizes[second] = 0.0
            touch[first] |= touch[second]
            touch[:, first] |= touch[:, second]
            touch[second] = touch[:, second] = touch[first, first] = False
            groups[groups == second] = first
        levels.append(np.unique(groups, return_inverse=True)[1])
    return tuple(reversed(levels))


def _most_similar(sizes: Floats, means: Floats, touch: npt.NDArray[np.bool_]) -> tuple[int, int]:
    """Return the two touching regions whose union increases the variance the least."""
    left = sizes > 0
    allowed = touch if touch.any() else np.outer(left, left) & ~np.eye(len(sizes), dtype=bool)
    firsts, seconds = np.nonzero(np.triu(allowed, 1))
    apart = np.sum((means[firsts] - means[seconds]) ** 2, axis=1)
    increase = apart * sizes[firsts] * sizes[seconds] / (sizes[firsts] + sizes[seconds])
    best = int(increase.argmin())
    return int(firsts[best]), int(seconds[best])


def _places(points: Floats, of_words: Rows, level: Rows, centers: Floats) -> Floats:
    """Return, for each region (regions, 2), the center of its finest region in the middle."""
    of_points = level[of_words]
    places = np.empty((int(level.max()) + 1, 2))
    for region in range(len(places)):
        middle = hyperboloid.centroid(points[of_points == region])
        inside = centers[level == region]
        places[region] = charts.to_ball(inside[hyperboloid.distance(inside, middle).argmin()])
    return places
