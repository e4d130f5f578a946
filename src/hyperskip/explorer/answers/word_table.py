"""Facts that the API returns for each word: its position on the disc, rank, count and region."""

import json
import math
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError
from hyperskip.explorer.answers.region_table import RegionTable
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.placing import Placer
from hyperskip.vectors.word_vectors import WordVectors

POINT_COLUMNS = ("rows", "words", "x", "y", "counts", "radii", "clusters", "regions")

_CACHED_PLACES = 20_000  # of words that are not on the map


class WordTable:
    """The words of a model, as the API describes them.

    Args:
        vectors: All words.
        disc_map: Positions of the most frequent words on the disc.
        order: All rows, in the order in which words are returned. Default: the most frequent first.

    Raises:
        InputError: There are no words.
    """

    def __init__(self, vectors: WordVectors, disc_map: DiscMap, order: Rows | None = None) -> None:
        if not len(vectors) or not len(disc_map.rows):
            raise InputError("the model has no words", hint="choose another model")
        self._vectors, self._placer = vectors, Placer(disc_map, vectors)
        ranks = disc_map.rows if order is None else np.argsort(order)[disc_map.rows]
        by_rank = np.argsort(ranks, kind="stable")
        self._rows: Rows = disc_map.rows[by_rank]
        self._places: Floats = disc_map.places[by_rank]
        self._index_on_map: Rows = np.full(len(vectors), -1, dtype=np.int64)  # by row
        self._index_on_map[self._rows] = np.arange(len(self._rows))
        self._radii, self._ranks = _radii_and_ranks(vectors)
        self.counts_known = bool(vectors.counts.any())
        self.regions = RegionTable(vectors, self._rows, self._places)
        self._cache: dict[int, list[float]] = {}  # by row
        self._lock = threading.Lock()
        self._columns = self._encoded_columns()

    @property
    def rows(self) -> Rows:
        """The rows of the words on the map, in the order in which they are returned."""
        return self._rows

    @property
    def mapped(self) -> int:
        """Number of words on the map."""
        return len(self._rows)

    def describe(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        """Describe the words in these rows."""
        unmapped = self._unmapped_places(
            [row for row in dict.fromkeys(rows) if self._index_on_map[row] < 0]
        )
        return [self._word(row, unmapped.get(row)) for row in rows]

    def describe_composed(self, word: str, point: Floats, ngram_count: int) -> dict[str, Any]:
        """Describe a word outside the vocabulary, whose point is the mean of n-gram vectors.

        Raises:
            InputError: The point is not finite.
        """
        ((x, y),) = self.places(point[None]).tolist()
        has_hierarchy = self._vectors.hierarchy is not None
        return {
            "word": word,
            "row": None,
            "count": None,
            "radius": None if has_hierarchy else float(self._vectors.space.radius(point)),
            "rank": None,
            "x": x,
            "y": y,
            "mapped": False,
            "cluster": None,
            "ngrams": ngram_count,
        }

    def places(self, points: Floats) -> Floats:
        """Return the positions (points, 2) of points of the space on the disc.

        Raises:
            InputError: A point is not finite.
        """
        _check_finite(points)
        return self._placer.place(points)

    def in_view(self, x: float, y: float, radius: float, limit: int) -> bytes:
        """Return the most frequent words in a part of the disc, as columns in JSON."""
        squared = x * x + y * y
        if squared >= 1.0:
            raise InputError(
                f"the point ({x}, {y}) is not inside the disc", hint="x² + y² must be less than 1"
            )
        # cosh(d) - 1 = 2|u - v|²/((1 - |u|²)(1 - |v|²)), compared without a logarithm.
        apart = np.sum((self._places - (x, y)) ** 2, axis=1)
        room = (1.0 - squared) * (1.0 - np.sum(self._places**2, axis=1))
        within = np.flatnonzero(2.0 * apart <= (math.cosh(radius) - 1.0) * room)
        shown = within[:limit].tolist()
        # Values are encoded once: encoding 50,000 words for each request would hold the
        # interpreter's lock for too long.
        columns = (
            f'"{name}":[{",".join([texts[i] for i in shown])}]'
            for name, texts in self._columns.items()
        )
        return f'{{{",".join(columns)},"in_view":{len(within)}}}'.encode()

    def _word(self, row: int, unmapped_place: list[float] | None) -> dict[str, Any]:
        vectors = self._vectors
        x, y = unmapped_place or self._places[self._index_on_map[row]].tolist()
        return {
            "word": vectors.words[row],
            "row": row,
            "count": int(vectors.counts[row]) if self.counts_known else None,
            "radius": float(self._radii[row]),
            "rank": int(self._ranks[row]),
            "x": x,
            "y": y,
            "mapped": unmapped_place is None,
            "cluster": int(self.regions.of_rows[row]),
            "ngrams": None,
        }

    def _unmapped_places(self, rows: list[int]) -> dict[int, list[float]]:
        """Return the positions of words that are not on the map, by row; caches recent ones."""
        with self._lock:
            known = {row: self._cache[row] for row in rows if row in self._cache}
        new = [row for row in rows if row not in known]
        if new:
            _check_finite(self._vectors.coordinates[new])
            places = self._placer.place_words(np.array(new))
            found = dict(zip(new, places.tolist(), strict=True))
            known |= found
            with self._lock:
                self._cache |= found
                while len(self._cache) > _CACHED_PLACES:
                    del self._cache[next(iter(self._cache))]
        return known

    def _encoded_columns(self) -> dict[str, list[str]]:
        """Return each column of the map, with every value encoded as JSON."""
        rows, vectors = self._rows, self._vectors
        columns: dict[str, Iterable[Any]] = {
            "rows": rows.tolist(),
            "words": [vectors.words[row] for row in rows.tolist()],
            "x": self._places[:, 0].tolist(),
            "y": self._places[:, 1].tolist(),
            "counts": vectors.counts[rows].tolist() if self.counts_known else [None] * len(rows),
            "radii": self._radii[rows].tolist(),
            "clusters": self.regions.of_rows[rows].tolist(),
            "regions": self.regions.finest.tolist(),
        }
        return {name: [json.dumps(value) for value in values] for name, values in columns.items()}


def _check_finite(points: npt.NDArray[np.floating]) -> None:
    if not np.isfinite(points).all():
        raise InputError(
            "the point of the answer is too far out for floating-point numbers",
            hint="choose words that are closer to each other",
        )


def _radii_and_ranks(vectors: WordVectors) -> tuple[Floats, Rows]:
    """Return the radius of each word, and its rank by radius: in the hierarchy, if there is one."""
    if vectors.hierarchy is not None:
        return vectors.hierarchy.radii, vectors.hierarchy.ranks
    return vectors.radii, vectors.ranks
