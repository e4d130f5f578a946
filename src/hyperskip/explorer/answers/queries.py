"""Answers to all queries about one model, as plain values, without HTTP."""

import math
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hyperskip.errors import InputError
from hyperskip.explorer.answers.broader_chain import broader_chain
from hyperskip.explorer.answers.comparison import Comparison
from hyperskip.explorer.answers.examples import examples_of
from hyperskip.explorer.answers.graph_table import GraphTable
from hyperskip.explorer.answers.lens_view import lens_view
from hyperskip.explorer.answers.path_words import different_words
from hyperskip.explorer.answers.prefixes import PrefixIndex
from hyperskip.explorer.answers.word_search import WordSearch
from hyperskip.explorer.answers.word_table import POINT_COLUMNS, WordTable
from hyperskip.geometry.names import ANGLE, MEASURES, PRODUCT, ROUTES
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.projection.disc_map import DiscMap, Fidelity
from hyperskip.projection.lens import prepare
from hyperskip.vectors.found_words import FoundWords
from hyperskip.vectors.hierarchy import HOW_TO_GET_ONE
from hyperskip.vectors.search.searcher import Nearest
from hyperskip.vectors.word_vectors import WordVectors

_Described = dict[str, Any]

_WORDS_PER_STEP = 5  # nearest words listed for each step of a path


class Queries:
    """Answers queries about one model, from any number of threads at the same time.

    Args:
        vectors: The model.
        disc_map: Positions of its words on the disc.
        name: Name of the model.
        graph: Edges between its words.
        compared: Answers about another model, to compare both.
    """

    def __init__(
        self,
        vectors: WordVectors,
        disc_map: DiscMap,
        name: str,
        graph: WordGraph | None = None,
        compared: "Queries | None" = None,
    ) -> None:
        self._vectors, self._map, self._name = vectors, disc_map, name
        self._comparison = None if compared is None else Comparison(vectors, compared)
        order = None if graph is None else graph.by_importance
        self._table = WordTable(vectors, disc_map, order)
        self._graph = None if graph is None else GraphTable(graph, self._table.rows)
        self._prefixes = PrefixIndex(vectors.words)
        self._search = WordSearch(vectors.words, self._prefixes)
        self._by_measure = {vectors.measure: _with_search(vectors)}
        self._lock = threading.Lock()
        prepare()

    @property
    def vectors(self) -> WordVectors:
        """The model."""
        return self._vectors

    @property
    def disc_map(self) -> DiscMap:
        """Positions of its words on the disc."""
        return self._map

    def model(self) -> dict[str, Any]:
        """Describe the model and its map."""
        vectors, regions = self._vectors, self._table.regions
        return {
            "name": self._name,
            "words": len(vectors),
            "mapped": self._table.mapped,
            "dimension": vectors.dimension,
            "geometry": vectors.geometry,
            "is_curved": vectors.space.is_curved,
            "factors": vectors.factors,
            "measures": [name for name in MEASURES if name in vectors.space.measures],
            "counts_known": self._table.counts_known,
            "has_hierarchy": vectors.has_hierarchy,
            "has_subwords": vectors.subwords is not None,
            "map": {
                "method": self._map.method,
                "scale": self._map.scale,
                "by_hierarchy": self._map.by_hierarchy,
                "fidelity": _plain_fidelity(self._map.fidelity),
                "tried": {
                    method: _plain_fidelity(fidelity)
                    for method, fidelity in self._map.tried.items()
                },
            },
            "clusters": regions.clusters(),
            "regions": regions.describe(),
            "graph": None if self._graph is None else self._graph.describe(),
            "compared": None if self._comparison is None else self._comparison.describe(),
        }

    def examples(self) -> dict[str, Any]:
        """Return questions that the model answers right."""
        return examples_of(self._vectors, self._table.rows)._asdict()

    def points(self, x: float, y: float, radius: float, limit: int) -> bytes:
        """Return the most frequent words in a part of the disc, as JSON."""
        return self._table.in_view(x, y, radius, limit)

    def compared_points(self) -> dict[str, Any] | bytes:
        """Return the words on the map of the other model, as JSON; none if there is no other."""
        if self._comparison is None:
            return {**{column: [] for column in POINT_COLUMNS}, "in_view": 0}
        return self._comparison.points()

    def compare(self, word: str, count: int) -> dict[str, Any]:
        """Return the nearest words to a word in both models."""
        if self._comparison is None:
            raise InputError(
                "the explorer has no other model", hint="start it with a model to compare with"
            )
        return self._comparison.neighbors(self, word, count)

    def moved(self, limit: int) -> dict[str, Any]:
        """Return the words that moved most between both models; none if there is no other."""
        return {"words": []} if self._comparison is None else self._comparison.moved(limit)

    def words(self, prefix: str, limit: int) -> dict[str, Any]:
        """Return words that start with a prefix."""
        return {"words": self._table.describe(self._prefixes.rows(prefix, limit))}

    def search(self, text: str, limit: int) -> dict[str, Any]:
        """Return words that contain a text, or match a regular expression between slashes."""
        found = self._search.find(text, limit)
        return {"words": self._table.describe(found.rows), "searched": found.searched}

    def word(self, word: str) -> dict[str, Any]:
        """Describe a word."""
        return self._described([word], self._vectors.find([word]))[0][0]

    def neighbors(self, word: str, count: int, measure: str) -> dict[str, Any]:
        """Return the nearest words to a word."""
        asked = self._vectors.find([word])
        excluded = asked.rows[None, asked.in_vocabulary]
        found = self._measured_by(measure).nearest(asked.points, count, excluded)
        (described,), (neighbors,) = self._described([word], asked, found)
        return {"word": described, "measure": measure, "neighbors": neighbors}

    def lens(self, word: str, count: int, measure: str) -> dict[str, Any]:
        """Return the nearest words to a word, laid out around it."""
        asked = self._vectors.find([word])
        excluded = asked.rows[None, asked.in_vocabulary]
        found = self._measured_by(measure).nearest(asked.points, count, excluded)
        (described,), (neighbors,) = self._described([word], asked, found)
        near = self._vectors.points_of_rows(found[0].rows)
        points = np.concatenate((asked.points, near))
        view = lens_view(points, self._vectors.space, measure, [described, *neighbors])
        return {"word": described, "measure": measure, "neighbors": neighbors, **view}

    def edges(self) -> dict[str, Any] | bytes:
        """Return the edges between words of the map, by their indices in all points."""
        return {"sources": [], "targets": []} if self._graph is None else self._graph.columns()

    def relatives(self, word: str, count: int) -> dict[str, Any]:
        """Return the parents and children of a word, and its path from the root."""
        if self._graph is None:
            raise InputError(
                "the explorer has no edges", hint="start it with the edges of a graph or taxonomy"
            )
        row = self._vectors.index_of(word)
        found = self._graph.relatives(row)
        lists = (found.path, found.parents[:count], found.children[:count])
        described = iter(self._table.describe([row, *(one for rows in lists for one in rows)]))
        return {
            "word": next(described),
            "depth": found.depth,
            "below": found.below,
            "branch": found.branch,
            "parent_count": len(found.parents),
            "child_count": len(found.children),
            **{
                name: [next(described) for _ in rows]
                for name, rows in zip(("path", "parents", "children"), lists, strict=True)
            },
        }

    def hierarchy(self, word: str, count: int) -> dict[str, Any]:
        """Return what a word is a kind of, up to the broadest word, and its kinds."""
        vectors = self._vectors
        if vectors.hierarchy is None:
            raise InputError(
                "the model has no hierarchy",
                hint=HOW_TO_GET_ONE,
            )
        row = vectors.index_of(word)
        lists = {
            "chain": broader_chain(vectors, word),
            "hypernyms": vectors.hypernyms(word, count),
            "hyponyms": vectors.hyponyms(word, count),
        }
        found = [vectors.index_of(one.word) for words in lists.values() for one in words]
        described = iter(self._table.describe([row, *found]))
        return {
            "word": next(described),
            "evidence": int(vectors.hierarchy.evidence[row]),
            **{
                name: [next(described) | {"score": one.score} for one in words]
                for name, words in lists.items()
            },
        }

    def distance(self, a: str, b: str) -> dict[str, Any]:
        """Return the distance between two words, and their similarity by each measure."""
        described, _ = self._described((a, b), self._vectors.find((a, b)))
        return {
            "a": described[0],
            "b": described[1],
            "distance": _finite(self._vectors.distance(a, b)),
            "similarity": {
                measure: _finite(self._vectors.measured_by(measure).similarity(a, b))
                for measure in (PRODUCT, ANGLE)
            },
        }

    def analogy(self, a: str, b: str, c: str, count: int) -> dict[str, Any]:
        """Return the point where each route of an analogy ends, and the words nearest to it."""
        asked = self._vectors.find((a, b, c))
        each = asked[:1], asked[1:2], asked[2:]
        points = np.concatenate([self._vectors.analogy_points(*each, route) for route in ROUTES])
        places = self._table.places(points).tolist()
        excluded = np.tile(asked.rows[asked.in_vocabulary], (len(points), 1))
        found = self._vectors.nearest(points, count, excluded)
        described, nearest = self._described((a, b, c), asked, found)
        return {
            **dict(zip("abc", described, strict=True)),
            "routes": {
                route: {"x": x, "y": y, "answers": answers}
                for route, (x, y), answers in zip(ROUTES, places, nearest, strict=True)
            },
        }

    def path(self, a: str, b: str, steps: int) -> dict[str, Any]:
        """Return the geodesic from one word to another, and the words along it.

        Each step has the words nearest to it, and one word that no other step has.
        """
        asked = self._vectors.find((a, b))
        points = self._vectors.path(a, b, steps)
        places = self._table.places(points).tolist()
        found = self._vectors.nearest(points, max(_WORDS_PER_STEP, steps))
        listed = [one.first(_WORDS_PER_STEP) for one in found]
        ends, nearest = self._described((a, b), asked, listed)
        between = different_words(found[1:-1], asked.rows[asked.in_vocabulary])
        described = iter(self._table.describe([row for row in between if row is not None]))
        words = [ends[0], *(None if row is None else next(described) for row in between), ends[1]]
        return {
            "a": ends[0],
            "b": ends[1],
            "distance": _finite(self._vectors.distance(a, b)),
            "steps": [
                {"t": i / (steps - 1), "x": x, "y": y, "word": word, "nearest": near}
                for i, ((x, y), word, near) in enumerate(zip(places, words, nearest, strict=True))
            ],
        }

    def _measured_by(self, measure: str) -> WordVectors:
        if measure not in self._by_measure:
            with self._lock:  # only the first request for a measure takes this lock
                if measure not in self._by_measure:
                    self._by_measure[measure] = _with_search(self._vectors.measured_by(measure))
        return self._by_measure[measure]

    def _described(
        self, words: Sequence[str], asked: FoundWords, found: Sequence[Nearest] = ()
    ) -> tuple[list[_Described], list[list[_Described]]]:
        """Describe words and neighbors together: many positions take as long to find as one."""
        rows = asked.rows[asked.in_vocabulary].tolist()
        found_rows = [row for nearest in found for row in nearest.rows.tolist()]
        described = iter(self._table.describe([*rows, *found_rows]))
        of_words = [
            next(described) if count == 0 else self._table.describe_composed(word, point, count)
            for word, point, count in zip(
                words, asked.points, asked.ngram_counts.tolist(), strict=True
            )
        ]
        return of_words, [
            [
                next(described) | {"distance": _finite(distance), "similarity": _finite(similarity)}
                for distance, similarity in zip(
                    nearest.distances.tolist(), nearest.similarities.tolist(), strict=True
                )
            ]
            for nearest in found
        ]


def _with_search(vectors: WordVectors) -> WordVectors:
    """Return the vectors with their search index built, so that no request has to wait for it."""
    vectors.neighbors(vectors.words[0], 1)
    return vectors


def _plain_fidelity(fidelity: Fidelity) -> Mapping[str, float | None]:
    return {"neighbors": _finite(fidelity.neighbors), "radii": _finite(fidelity.radii)}


def _finite(value: float) -> float | None:
    """Return the number, or None if JSON cannot express it."""
    return float(value) if math.isfinite(value) else None
