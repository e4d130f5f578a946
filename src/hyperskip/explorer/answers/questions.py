"""The questions that the explorer answers, as plain values: no HTTP in here."""

import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hyperskip.errors import UnknownWordError
from hyperskip.explorer.answers.prefixes import Prefixes
from hyperskip.explorer.answers.recall import recall_of
from hyperskip.explorer.answers.spelling import Spelling
from hyperskip.explorer.answers.word_table import Atlas
from hyperskip.explorer.api import parameters
from hyperskip.geometry.measures import ANGLE, PRODUCT
from hyperskip.geometry.spaces import ROUTES
from hyperskip.projection.disc_map import DiscMap, Fidelity
from hyperskip.vectors.search.products import Rows
from hyperskip.vectors.word_vectors import Neighbor, WordVectors

_Shown = dict[str, Any]

_NEAR_A_STEP = 5  # words that are shown for a point of a path


class Questions:
    """Answers about one model. Any number of threads may ask at once.

    Args:
        vectors: Whose `neighbors`, `analogy` and `distance` the answers are.
        disc_map: Where words are on the disc.
        name: Of the model.
    """

    def __init__(self, vectors: WordVectors, disc_map: DiscMap, name: str) -> None:
        self._vectors, self._map, self._name = vectors, disc_map, name
        self._atlas = Atlas(vectors, disc_map)
        self._prefixes = Prefixes(vectors.words)
        self._spelling = Spelling(vectors, self._prefixes)
        self._views = {vectors.measure: vectors}
        self._making_a_view = threading.Lock()
        self._recall = recall_of(vectors)  # which makes what a search needs, for all

    def model(self) -> dict[str, Any]:
        """What there is to be asked about."""
        vectors, names = self._vectors, self._atlas.clusters.names
        return {
            "name": self._name,
            "words": len(vectors),
            "mapped": self._atlas.mapped,
            "dimension": vectors.dimension,
            "geometry": vectors.geometry,
            "factors": vectors.factors,
            "counts_known": self._atlas.counts_known,
            "map": {
                "method": self._map.method,
                "fidelity": _plain_fidelity(self._map.fidelity),
                "tried": {
                    method: _plain_fidelity(fidelity)
                    for method, fidelity in self._map.tried.items()
                },
            },
            "search": {"method": "exact", "recall": self._recall},
            "clusters": [
                {"name": name, "size": size}
                for name, size in zip(names, self._atlas.cluster_sizes(), strict=True)
            ],
            "limits": {
                "count": parameters.COUNT.greatest,
                "steps": parameters.STEPS.greatest,
                "suggestions": parameters.SUGGESTED.greatest,
                "points": parameters.POINTS.greatest,
                "radius": parameters.VIEW_RADIUS.greatest,
                "letters": parameters.LONGEST_WORD,
            },
        }

    def whole_map(self) -> bytes:
        """All words on the map, as JSON."""
        return self._atlas.in_view(0.0, 0.0, math.inf, self._atlas.mapped)

    def points(self, x: float, y: float, radius: float, limit: int) -> bytes:
        """The most frequent words of a part of the disc, as JSON."""
        return self._atlas.in_view(x, y, radius, limit)

    def words(self, prefix: str, limit: int) -> dict[str, Any]:
        """Words that begin so."""
        return {"words": self._atlas.words(self._prefixes.beginning_with(prefix, limit))}

    def word(self, word: str) -> dict[str, Any]:
        """What is shown of a word."""
        return self._atlas.words(self._rows(word).tolist())[0]

    def neighbors(self, word: str, count: int, measure: str) -> dict[str, Any]:
        """The nearest words to a word."""
        rows = self._rows(word).tolist()
        found = self._measured_by(measure).neighbors(word, count)
        (shown,), (near,) = self._shown(rows, [found])
        return {"word": shown, "measure": measure, "neighbors": near}

    def distance(self, a: str, b: str) -> dict[str, Any]:
        """How far apart two words are, and how similar by each measure."""
        rows = self._rows(a, b)
        shown = self._atlas.words(rows.tolist())
        return {
            "a": shown[0],
            "b": shown[1],
            "distance": _number(self._vectors.distance(a, b)),
            "similarity": {
                measure: _number(self._vectors.measured_by(measure).similarity(a, b))
                for measure in (PRODUCT, ANGLE)
            },
        }

    def analogy(self, a: str, b: str, c: str, count: int) -> dict[str, Any]:
        """Where the fourth word of an analogy should be, by each route, and the words there."""
        rows = self._rows(a, b, c)
        one, two, three = rows[:, None]
        points = np.concatenate(
            [self._vectors.analogy_points(one, two, three, route) for route in ROUTES]
        )
        places = self._atlas.places(points).tolist()
        found = self._vectors.nearest_words(points, count, np.tile(rows, (len(points), 1)))
        shown, near = self._shown(rows.tolist(), found)
        return {
            **dict(zip("abc", shown, strict=True)),
            "routes": {
                route: {"x": x, "y": y, "answers": answers}
                for route, (x, y), answers in zip(ROUTES, places, near, strict=True)
            },
        }

    def path(self, a: str, b: str, steps: int) -> dict[str, Any]:
        """The straight way from one word to another, and the words along it."""
        rows = self._rows(a, b).tolist()
        points = self._vectors.path(a, b, steps)
        places = self._atlas.places(points).tolist()
        nothing = np.empty((steps, 0), dtype=np.int64)
        found = self._vectors.nearest_words(points, _NEAR_A_STEP, nothing)
        shown, near = self._shown(rows, found)
        return {
            "a": shown[0],
            "b": shown[1],
            "distance": _number(self._vectors.distance(a, b)),
            "steps": [
                {"t": i / (steps - 1), "x": x, "y": y, "nearest": nearest}
                for i, ((x, y), nearest) in enumerate(zip(places, near, strict=True))
            ],
        }

    def _rows(self, *words: str) -> Rows:
        for word in words:
            if word not in self._vectors:  # asked for its row, it would compare with every word
                raise UnknownWordError(word, suggestions=self._spelling.suggestions(word))
        return self._vectors.known_rows(words)

    def _measured_by(self, measure: str) -> WordVectors:
        """The view is kept, with all that it needs for a search: the first question makes that."""
        if measure not in self._views:
            with self._making_a_view:  # once; who goes by a measure that is there does not wait
                if measure not in self._views:
                    view = self._vectors.measured_by(measure)
                    view.neighbors(view.words[0], 1)
                    self._views[measure] = view
        return self._views[measure]

    def _shown(
        self, rows: Sequence[int], found: Sequence[Sequence[Neighbor]]
    ) -> tuple[list[_Shown], list[list[_Shown]]]:
        """Words, and words near something: together, as many places are found as fast as one."""
        rows_near = [self._vectors.index_of(near.word) for nearest in found for near in nearest]
        shown = iter(self._atlas.words([*rows, *rows_near]))
        words = [next(shown) for _ in rows]
        return words, [
            [
                next(shown)
                | {"distance": _number(near.distance), "similarity": _number(near.similarity)}
                for near in nearest
            ]
            for nearest in found
        ]


def _plain_fidelity(fidelity: Fidelity) -> Mapping[str, float | None]:
    return {"neighbors": _number(fidelity.neighbors), "radii": _number(fidelity.radii)}


def _number(value: float) -> float | None:
    """JSON has no number that is not finite."""
    return float(value) if math.isfinite(value) else None
