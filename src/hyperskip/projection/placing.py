"""Places on a map for points of the space that are not on it."""

import numpy as np

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.projection.disc_map import DiscMap, inside, scaled
from hyperskip.projection.methods import EXACT
from hyperskip.projection.projecting import radii_on_map
from hyperskip.vectors.word_vectors import WordVectors

_NEIGHBORS = 6
_ROUNDS = 8  # steps of the search for a median; the error is then below 0.01
_CLOSEST = 1e-3  # distances on the disc below it count as this much
_SAME, _STEEPNESS = 1e-9, 4.0  # neighbors count by the inverse of their distance, to this power


class Placer:
    """Finds places for points on a map.

    Args:
        disc_map: Places of words.
        vectors: All words, including those on the map.
    """

    def __init__(self, disc_map: DiscMap, vectors: WordVectors) -> None:
        everything = len(disc_map.rows) == len(vectors)
        self._mapped = vectors if everything else vectors.subset(disc_map.rows)
        self._on_disc = charts.from_ball(disc_map.places)  # (mapped words, 3)
        order = np.argsort(disc_map.rows) if everything else np.arange(len(disc_map.rows))
        self._on_disc = self._on_disc[order]
        self._vectors, self._map = vectors, disc_map
        self._exact, self._scale = disc_map.method == EXACT, disc_map.scale
        if self._exact:
            center = disc_map.center
            self._center = hyperboloid.centroid(self._mapped.points) if center is None else center

    def place(self, points: Floats) -> Floats:
        """(points, 2): places of points on the disc.

        If the disc is the space itself, the place is exact. Otherwise it is the median of the
        places of the nearest words in space; a single neighbor that the map has placed far away
        hardly moves a median.
        """
        if self._exact:
            base = hyperboloid.base_point(points.shape[-1] - 1)
            moved = hyperboloid.translate(points, self._center, base)
            places = np.pad(charts.to_ball(moved), ((0, 0), (0, 3 - points.shape[-1])))
            return scaled(inside(places), self._scale)
        return self._between_neighbors(points)

    def place_words(self, rows: Rows) -> Floats:
        """(rows, 2): places of words that are not on the map.

        On a map that is ordered by a hierarchy, a word is as far from the center as words that are
        as general.
        """
        places = self.place(self._vectors.points_of_rows(rows))
        if not self._map.by_hierarchy:
            return places
        radii = radii_on_map(self._vectors)
        order = np.argsort(radii[self._map.rows])
        on_map = np.linalg.norm(self._map.places, axis=1)[order]
        wanted = np.interp(radii[rows], radii[self._map.rows][order], on_map)
        lengths = np.maximum(np.linalg.norm(places, axis=1), np.finfo(np.float64).tiny)
        return np.asarray(places * (wanted / lengths)[:, None])

    def _between_neighbors(self, points: Floats) -> Floats:
        count = min(_NEIGHBORS, len(self._mapped))
        found = self._mapped.nearest(points, count)
        distances = np.stack([nearest.distances for nearest in found])
        rows = np.stack([nearest.rows for nearest in found])
        # A point that is a word gets the place of the word.
        closeness = (distances[:, :1] + _SAME) / (distances + _SAME)
        return charts.to_ball(_median(self._on_disc[rows], closeness**_STEEPNESS))


def _median(points: Floats, weights: Floats) -> Floats:
    """Geometric median of each group of points (..., count, 3): the least sum of distances.

    By the algorithm of Weiszfeld (1937), for all groups at the same time.
    """
    median = hyperboloid.centroid(points, weights)
    for _ in range(_ROUNDS):
        pull = weights / np.maximum(hyperboloid.distance(median[..., None, :], points), _CLOSEST)
        median = hyperboloid.centroid(points, pull)
    return median
