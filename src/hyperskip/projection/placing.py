"""Where any point of the space goes on a map of its words."""

import numpy as np

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.spaces import Floats
from hyperskip.projection.disc_map import DiscMap, inside
from hyperskip.projection.methods import EXACT
from hyperskip.vectors.word_vectors import WordVectors

_NEIGHBORS = 6
_ROUNDS = 8  # of the search for a median: they come within 0.01 of it
_CLOSEST = 1e-3  # distance on the disc below which a neighbor attracts no more
_SAME, _STEEPNESS = 1e-9, 4.0  # neighbors attract by the inverse of their distance, to this power


class Placer:
    """Puts points on a map.

    Args:
        disc_map: Where words are.
        vectors: All words, with those of the map among them.
    """

    def __init__(self, disc_map: DiscMap, vectors: WordVectors) -> None:
        everything = len(disc_map.rows) == len(vectors)
        self._mapped = vectors if everything else vectors.subset(disc_map.rows)
        self._on_disc = charts.from_ball(disc_map.places)  # (mapped words, 3)
        order = np.argsort(disc_map.rows) if everything else np.arange(len(disc_map.rows))
        self._on_disc = self._on_disc[order]
        self._exact = disc_map.method == EXACT
        if self._exact:
            self._center = hyperboloid.centroid(self._mapped.points)

    def place(self, points: Floats) -> Floats:
        """(points, 2): the same point on the disc where the disc is the space itself.

        Else a point goes amid the words that it is nearest to in space: to the median of their
        places, which a neighbor that the map has torn away moves but little.
        """
        if self._exact:
            base = hyperboloid.base_point(points.shape[-1] - 1)
            moved = hyperboloid.translate(points, self._center, base)
            return inside(np.pad(charts.to_ball(moved), ((0, 0), (0, 3 - points.shape[-1]))))
        return self._amid_neighbors(points)

    def _amid_neighbors(self, points: Floats) -> Floats:
        count = min(_NEIGHBORS, len(self._mapped))
        found = self._mapped.nearest(points, count)
        distances = np.stack([nearest.distances for nearest in found])
        rows = np.stack([nearest.rows for nearest in found])
        # A point that is a word goes where the word is.
        closeness = (distances[:, :1] + _SAME) / (distances + _SAME)
        return charts.to_ball(_median(self._on_disc[rows], closeness**_STEEPNESS))


def _median(points: Floats, weights: Floats) -> Floats:
    """For each of many, the point whose weighted distances from others (..., others, 3) are least.

    By Weiszfeld (1937), for all at once.
    """
    median = hyperboloid.centroid(points, weights)
    for _ in range(_ROUNDS):
        pull = weights / np.maximum(hyperboloid.distance(median[..., None, :], points), _CLOSEST)
        median = hyperboloid.centroid(points, pull)
    return median
