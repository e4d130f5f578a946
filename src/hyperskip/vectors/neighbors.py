"""Questions about similar words: similarities, nearest words and analogies."""

from __future__ import annotations  # help() shows WordOrPoint and Rows, not what they expand to

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import compress
from typing import cast

import numpy as np

from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.geometry.spaces import check_route
from hyperskip.options import named_arguments
from hyperskip.vectors import argument_checks
from hyperskip.vectors.listed_words import COUNT, Neighbor
from hyperskip.vectors.positions import Positions, WordOrPoint, pairs_of_words
from hyperskip.vectors.search.searcher import Nearest, Searcher
from hyperskip.vectors.word_points import RowsOrWords

_NEIGHBORS_OF_SEVERAL = (
    "for the neighbors of each of several words: vectors.neighbors_of(words); of all together: "
    "vectors.most_similar(words)"
)


class Neighbors(Positions):
    """Positions of words that are searched by similarity; see `WordVectors`."""

    @property
    def device(self) -> str:
        """The device that searches: "cpu", or "cuda" for a GPU."""
        return self._searcher.device

    @property
    def measure(self) -> str:
        """The measure of similarity: "product", unless `measured_by` chose another."""
        return self._searcher.measure_name

    # -- similarities

    def similarity(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """Return the similarity of two words or points by `measure`."""
        several = pairs_of_words("similarity")
        points = self._point(a, several), self._point(b, several)
        return float(self._searcher.measure.similarity(*points))

    def similarity_of_rows(self, first: RowsOrWords, second: RowsOrWords) -> Floats:
        """Return the similarities of many pairs of words (pairs,), given by rows or by `find`.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
        """
        return self._of_pairs(self._searcher.measure.similarity, first, second)

    # -- neighbors and analogies

    @named_arguments
    def neighbors(self, word: WordOrPoint, count: int = 10) -> list[Neighbor]:
        """Return the nearest words to a word (without the word itself) or to a point."""
        point = self._point(word, _NEIGHBORS_OF_SEVERAL)
        return self._nearest_to(point, [word], count)

    @named_arguments
    def neighbors_of(self, words: Iterable[str], count: int = 10) -> dict[str, list[Neighbor]]:
        """Return the nearest words to each of many words, in a few matrix products."""
        words = argument_checks.checked_words(words)
        found = self.find(words)
        nearest: dict[str, list[Neighbor]] = {word: [] for word in words}
        for group, excluded in (
            (found.in_vocabulary, found.rows[found.in_vocabulary, None]),
            (found.is_composed, None),
        ):
            if group.any():
                listed = self.nearest_words(found[group].points, count, excluded)
                nearest |= zip(compress(words, group.tolist()), listed, strict=True)
        return nearest

    @named_arguments
    def analogy(
        self, a: WordOrPoint, b: WordOrPoint, c: WordOrPoint, *, route: str = "Z", count: int = 10
    ) -> list[Neighbor]:
        """Return the words d that best complete a : b = c : d, without a, b and c.

        Args:
            a: A word or point.
            b: A word or point.
            c: A word or point.
            route: "Z" transports the relation of a and b to c: log_a(b), along the geodesic from a
                to c. "Z'" transports the relation of a and c to b. For Euclidean vectors both give
                b - a + c.
            count: The largest number of words.
        """
        _check_route(route)
        several = "for many analogies: vectors.analogy_points"
        points = [self._point(item, several) for item in (a, b, c)]
        answer = self.space.analogy(points[0], points[1], points[2], route)
        return self._nearest_to(answer, (a, b, c), count)

    @named_arguments
    def most_similar(
        self,
        positive: WordOrPoint | Sequence[WordOrPoint] = (),
        negative: WordOrPoint | Sequence[WordOrPoint] = (),
        count: int = 10,
    ) -> list[Neighbor]:
        """Return the words nearest to a sum of positive and negative words, without these words.

        `most_similar(["paris", "italy"], ["france"])` is `analogy("france", "paris", "italy")`, and
        without negative words, the answers are the neighbors of the centroid. For Euclidean vectors
        the sum is that of gensim: unit vectors, the negative ones subtracted.

        On the hyperboloid, the first negative word and the first positive word make a relation,
        as in an analogy; so do the second ones, and so on. The sum starts at the centroid of the
        remaining positive words, or at the base point if none remain. There it takes the step that
        is the sum of all relations, transported along the geodesics from the negative words.

        Args:
            positive: A word or point, or a list of them.
            negative: At most as many as positive ones.
            count: The largest number of words.

        Raises:
            InputError: There are more negative words than positive ones, or no words.
        """
        added, subtracted = _listed("positive", positive), _listed("negative", negative)
        if not added or len(subtracted) > len(added):
            raise InputError(
                f"got {len(added)} positive and {len(subtracted)} negative words",
                hint="pass at least one positive word, and at most as many negative words",
            )
        several = "pass words and points in one flat list"
        points = np.array([self._point(item, several) for item in (*added, *subtracted)])
        answer = self.space.combined(points[: len(added)], points[len(added) :])
        return self._nearest_to(answer, (*added, *subtracted), count)

    def analogy_points(self, a: RowsOrWords, b: RowsOrWords, c: RowsOrWords, route: str) -> Floats:
        """Return the points d (analogies, n) of many analogies a : b = c : d.

        Args:
            a: (analogies,): rows of words, or words that `find` returned.
            b: (analogies,).
            c: (analogies,).
            route: See `analogy`.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
        """
        _check_route(route)
        first, second, third = (words.points for words in self._found_together(a, b, c))
        return self.space.analogy(first, second, third, route)

    def nearest(
        self, points: Floats, count: int = 10, excluded: Rows | None = None
    ) -> list[Nearest]:
        """Return the rows of the nearest words to each of many points.

        Args:
            points: (points, n).
            count: The largest number of words for each point.
            excluded: (points, rows): rows that are left out for each point; by default, none.

        Returns:
            For each point: rows, distances and similarities, nearest first.

        Raises:
            InputError: A point is not finite, or there is no such row.
        """
        points = argument_checks.checked_points(points, self.space, self.dimension)
        if not np.isfinite(points).all():
            raise InputError(
                "a point is not finite, so it has no neighbors",
                hint="words so far apart may exceed the range of float64: choose nearer ones",
            )
        count = COUNT.checked("count", count)
        return self._searcher.nearest(points, count, self._excluded(excluded, len(points)))

    def nearest_words(
        self, points: Floats, count: int = 10, excluded: Rows | None = None
    ) -> list[list[Neighbor]]:
        """Return the nearest words to each of many points; see `nearest`."""
        return [
            [
                Neighbor(self._words[row], distance, similarity)
                for row, distance, similarity in zip(
                    *(column.tolist() for column in nearest), strict=True
                )
            ]
            for nearest in self.nearest(points, count, excluded)
        ]

    def nearest_rows(self, points: Floats, excluded: Rows | None = None) -> Rows:
        """Return the row of the most similar word to each of many points (points,).

        This is faster than `nearest`. If two words are equally similar up to rounding, either may
        be returned.

        Args:
            points: (points, n).
            excluded: (points, rows): rows that are left out for each point; by default, none.
        """
        points = argument_checks.checked_points(points, self.space, self.dimension)
        return self._searcher.most_similar(points, self._excluded(excluded, len(points)))

    def similarities(self, points: Floats) -> Matrix:
        """Return the similarity of each point with every word (points, words)."""
        points = argument_checks.checked_points(points, self.space, self.dimension)
        return self._searcher.similarities(points)

    # -- details

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.words, self.coordinates, self.space)

    def _nearest_to(
        self, point: Floats, asked: Iterable[WordOrPoint], count: int
    ) -> list[Neighbor]:
        """Return the nearest words to a point, without the words that were asked about."""
        found = (self._lookup.row(item) for item in asked if isinstance(item, str))
        excluded = [row for row in found if row is not None]
        return self.nearest_words(point[None], count, _rows([excluded]))[0]

    def _excluded(self, rows: Rows | None, points: int) -> Rows:
        if rows is None:
            return np.empty((points, 0), dtype=np.int64)
        return argument_checks.checked_rows(rows, len(self), points=points)


def _check_route(route: str) -> None:
    argument_checks.check_string("route", route, "how to compute the answer of an analogy")
    check_route(route)


def _rows(rows: Sequence[int] | Sequence[Sequence[int]]) -> Rows:
    return np.array(rows, dtype=np.int64)


def _listed(name: str, items: WordOrPoint | Sequence[WordOrPoint]) -> list[WordOrPoint]:
    """Return one word or point, or several, as a list."""
    is_point = isinstance(items, np.ndarray) and items.ndim == 1 and items.dtype.kind == "f"
    if isinstance(items, str | bytes) or is_point:  # bytes are refused as a word
        return [cast(WordOrPoint, items)]
    return argument_checks.listed_items(name, items)
