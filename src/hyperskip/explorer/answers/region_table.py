"""The named regions of a map, as the API describes them, and the region of every word."""

from typing import Any

import numpy as np

from hyperskip.explorer.answers.region_names import name_regions, unit
from hyperskip.explorer.answers.regions import make_regions
from hyperskip.explorer.answers.shared_terms import broader_terms
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors.word_vectors import WordVectors

_BATCH = 1 << 14  # words


class RegionTable:
    """The tree of regions of a map.

    Args:
        vectors: The model.
        rows: The words of the map, the most frequent first.
        places: Their places on the disc (words, 2).
    """

    def __init__(self, vectors: WordVectors, rows: Rows, places: Floats) -> None:
        directions = _directions(vectors, rows)
        self._regions = make_regions(places, directions)
        words = [vectors.words[row] for row in rows.tolist()]
        terms = broader_terms(vectors, rows)
        self._names = name_regions(words, vectors.counts[rows], directions, self._regions, terms)
        self.of_rows: Rows = self._largest(vectors, rows, directions)  # by row, in the first level

    @property
    def finest(self) -> Rows:
        """The region of the last level that contains each word of the map."""
        return self._regions.of_words

    def describe(self) -> list[list[dict[str, Any]]]:
        """Return the regions of each level, from the largest to the smallest."""
        levels = self._regions.levels
        above = [np.zeros_like(levels[0]), *levels]
        return [self._described(level, above[level]) for level in range(len(levels))]

    def clusters(self) -> list[dict[str, Any]]:
        """Return the names and sizes of the regions of the first level."""
        largest = self.describe()[0]
        return [{"name": ", ".join(one["words"]), "size": one["size"]} for one in largest]

    def _described(self, level: int, above: Rows) -> list[dict[str, Any]]:
        of_finest = self._regions.levels[level]
        first = np.unique(of_finest, return_index=True)[1]
        columns = (
            self._names[level],
            np.bincount(self._regions.at(level)).tolist(),
            self._regions.places[level].tolist(),
            above[first].tolist(),
        )
        return [
            {
                "words": list(words),
                "size": size,
                "x": x,
                "y": y,
                "parent": parent if level else None,
            }
            for words, size, (x, y), parent in zip(*columns, strict=True)
        ]

    def _largest(self, vectors: WordVectors, rows: Rows, directions: Floats) -> Rows:
        """Return the region of the first level of each row; of the most similar if not mapped."""
        largest, finest = self._regions.levels[0], self._regions.of_words
        of_rows = np.zeros(len(vectors), dtype=np.int64)
        of_rows[rows] = largest[finest]
        unmapped = np.setdiff1d(np.arange(len(vectors)), rows)
        if len(unmapped):
            centers = unit(
                np.stack([directions[finest == one].mean(axis=0) for one in range(len(largest))])
            )
            for part in np.array_split(unmapped, 1 + len(unmapped) // _BATCH):
                similar = _directions(vectors, part) @ centers.T
                of_rows[part] = largest[similar.argmax(axis=1)]
        return of_rows


def _directions(vectors: WordVectors, rows: Rows) -> Floats:
    return unit(np.asarray(vectors.coordinates[rows], dtype=np.float64))
