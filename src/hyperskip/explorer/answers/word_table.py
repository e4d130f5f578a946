"""What is shown of every word: its place on the disc, and its place among the others."""

import json
import math
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hyperskip.errors import InputError
from hyperskip.explorer.answers.clusters import Clusters, make_clusters
from hyperskip.geometry.spaces import Floats
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.placing import Placer
from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import WordVectors

_REMEMBERED = 20_000  # places of words that are not on the map


class Atlas:
    """The words as the explorer shows them.

    Args:
        vectors: All words.
        disc_map: Where the most frequent are on the disc.
    """

    def __init__(self, vectors: WordVectors, disc_map: DiscMap) -> None:
        if not len(vectors) or not len(disc_map.rows):
            raise InputError("there is no word to show", hint="choose a model with words in it")
        self._vectors, self._placer = vectors, Placer(disc_map, vectors)
        order = np.argsort(disc_map.rows, kind="stable")  # most frequent first
        self._rows: Rows = disc_map.rows[order]
        self._places: Floats = disc_map.places[order]
        self._place_of_row: Rows = np.full(len(vectors), -1, dtype=np.int64)
        self._place_of_row[self._rows] = np.arange(len(self._rows))
        self.counts_known = bool(vectors.counts.any())
        self.clusters: Clusters = make_clusters(vectors, self._rows)
        self._remembered: dict[int, list[float]] = {}
        self._lock = threading.Lock()
        self._columns = self._as_text()

    @property
    def mapped(self) -> int:
        """How many words are on the map."""
        return len(self._rows)

    def cluster_sizes(self) -> list[int]:
        """Of the words on the map, how many are in each cluster."""
        counts = np.bincount(self.clusters.of_rows[self._rows], minlength=len(self.clusters.names))
        return [int(count) for count in counts]

    def words(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        """What is shown of the words in these rows."""
        others = self._places_of_others(
            [row for row in dict.fromkeys(rows) if self._place_of_row[row] < 0]
        )
        return [self._word(row, others.get(row)) for row in rows]

    def places(self, points: Floats) -> Floats:
        """(points, 2): where any points of the space go on the disc.

        Raises:
            InputError: A point lies so far out that it has no place.
        """
        if not np.isfinite(points).all():
            raise InputError(
                "the answer's point lies farther out than numbers reach",
                hint="choose words that are nearer to each other",
            )
        return self._placer.place(points)

    def in_view(self, x: float, y: float, radius: float, limit: int) -> bytes:
        """The most frequent words of a part of the disc, as JSON of columns."""
        squared = x * x + y * y
        if squared >= 1.0:
            raise InputError(
                f"the point ({x}, {y}) is not inside the disc", hint="x² + y² must be below 1"
            )
        # cosh(d) - 1 = 2|u - v|²/((1 - |u|²)(1 - |v|²)), compared without a logarithm.
        apart = np.sum((self._places - (x, y)) ** 2, axis=1)
        room = (1.0 - squared) * (1.0 - np.sum(self._places**2, axis=1))
        within = np.flatnonzero(2.0 * apart <= (math.cosh(radius) - 1.0) * room)
        shown = within[:limit].tolist()
        # The parts of the answer were made once: fifty thousand words would take long each time,
        # and nobody else could be answered meanwhile.
        columns = (
            f'"{name}":[{",".join([texts[i] for i in shown])}]'
            for name, texts in self._columns.items()
        )
        return f'{{{",".join(columns)},"in_view":{len(within)}}}'.encode()

    def _word(self, row: int, elsewhere: list[float] | None) -> dict[str, Any]:
        vectors = self._vectors
        x, y = elsewhere or self._places[self._place_of_row[row]].tolist()
        return {
            "word": vectors.words[row],
            "row": row,
            "count": int(vectors.counts[row]) if self.counts_known else None,
            "radius": float(vectors.radii[row]),
            "rank": int(vectors.ranks[row]),
            "x": x,
            "y": y,
            "mapped": elsewhere is None,
            "cluster": int(self.clusters.of_rows[row]),
        }

    def _places_of_others(self, rows: list[int]) -> dict[int, list[float]]:
        """By row, the places of words that are not on the map; the last ones are remembered."""
        with self._lock:
            known = {row: self._remembered[row] for row in rows if row in self._remembered}
        new = [row for row in rows if row not in known]
        if new:
            points = np.stack([self._vectors[self._vectors.words[row]] for row in new])
            found = dict(zip(new, self.places(points).tolist(), strict=True))
            known |= found
            with self._lock:
                self._remembered |= found
                while len(self._remembered) > _REMEMBERED:
                    del self._remembered[next(iter(self._remembered))]
        return known

    def _as_text(self) -> dict[str, list[str]]:
        """Each column of the map, its values as JSON."""
        rows, vectors = self._rows, self._vectors
        columns: dict[str, Iterable[Any]] = {
            "rows": rows.tolist(),
            "words": [vectors.words[row] for row in rows.tolist()],
            "x": self._places[:, 0].tolist(),
            "y": self._places[:, 1].tolist(),
            "counts": vectors.counts[rows].tolist() if self.counts_known else [None] * len(rows),
            "radii": vectors.radii[rows].tolist(),
            "clusters": self.clusters.of_rows[rows].tolist(),
        }
        return {name: [json.dumps(value) for value in values] for name, values in columns.items()}
