"""Questions about broader and narrower words, for models of taxonomies."""

from __future__ import annotations  # help() shows WordOrPoint and Rows, not what they expand to

from collections.abc import Iterable

import numpy as np

from hyperskip.errors import GeometryError, InputError, OptionError
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.options import named_arguments
from hyperskip.vectors import argument_checks
from hyperskip.vectors.embedding import WORDS_AT_ONCE
from hyperskip.vectors.listed_words import COUNT, Relative
from hyperskip.vectors.neighbors import Neighbors
from hyperskip.vectors.positions import WordOrPoint, pairs_of_words
from hyperskip.vectors.search.broader import BroaderWords, is_a_scores, narrowest_of_near
from hyperskip.vectors.tree import Tree

_SEVERAL = "ask for each word on its own"


class Hierarchy(Neighbors):
    """Words ordered from broad to narrow by their radius; see `WordVectors`.

    The answers are meant for models of is-a edges, in which broader words lie nearer to the base
    point, and every word lies near its ancestors.
    """

    @property
    def has_hierarchy(self) -> bool:
        """Whether the model has a hierarchy that was learned from relations."""
        return False

    @property
    def hierarchy_radii(self) -> Floats:
        """Radius of each word in the hierarchy (words,): the smaller, the broader the word."""
        raise GeometryError("the model has no hierarchy", hint="train with relations")

    # -- scores

    def is_a(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """Return a score from -1 to 1 of "a is a kind of b"; greater means more likely.

        It is positive if b lies nearer to the base point than a. The nearer b lies to a, and to the
        geodesic from a to the base point, the farther the score is from 0. `is_a(b, a)` is
        `-is_a(a, b)`, and `is_a(a, a)` is 0. The score is not a probability: compare it with that
        of other pairs.

        Raises:
            GeometryError: The vectors are Euclidean.
        """
        self._check_curved()
        several = pairs_of_words("is_a")
        points = self._point(a, several), self._point(b, several)
        radii = self.space.radius(np.stack(points))
        return float(is_a_scores(radii[0], radii[1], self.space.distance(*points)))

    def is_a_of_rows(self, first: Rows, second: Rows) -> Floats:
        """Return the scores of `is_a` for many pairs of words (pairs,), given by their rows.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
            GeometryError: The vectors are Euclidean.
        """
        self._check_curved()
        first, second = argument_checks.checked_rows_together(len(self), first, second)
        distances = self.distance_of_rows(first, second)
        return is_a_scores(self.radii[first], self.radii[second], distances)

    # -- ancestors and descendants

    @named_arguments
    def ancestors(self, word: WordOrPoint, count: int = 10) -> list[Relative]:
        """Return the broader words that a word or point is a kind of, by `is_a`, best first.

        Raises:
            GeometryError: The vectors are Euclidean.
        """
        return self._relatives(word, count, broader=True)

    @named_arguments
    def descendants(self, word: WordOrPoint, count: int = 10) -> list[Relative]:
        """Return the narrower words that are a kind of a word or point, by `is_a`, best first.

        Raises:
            GeometryError: The vectors are Euclidean.
        """
        return self._relatives(word, count, broader=False)

    @named_arguments
    def lowest_common_ancestor(self, words: Iterable[WordOrPoint]) -> str:
        """Return the narrowest word that all of some words are a kind of.

        It may be one of the words: that of "dog" and "mammal" is "mammal". Among the words that are
        at least as broad as all of them, it is the narrowest of those that are near to all.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
            InputError: No words are given, or the vocabulary is empty.
            GeometryError: The vectors are Euclidean.
        """
        self._check_curved()
        if isinstance(words, str):
            raise InputError(
                f"`words` must be a list of words, got {words!r}",
                hint=f"pass several words: [{words!r}, ...]",
            )
        listed = argument_checks.listed_items("words", words)
        points = [self._point(item, "pass words and points in one flat list") for item in listed]
        if not points or not len(self):
            raise InputError(
                "`words` is empty" if len(self) else "the vocabulary is empty",
                hint="give at least one word or point",
            )
        distances = np.max([self._distances_to(point) for point in points], axis=0)
        greatest = min(
            self.radii[self.index_of(item)] if isinstance(item, str) else self.space.radius(point)
            for item, point in zip(listed, points, strict=True)
        )
        broader = np.flatnonzero(self.radii <= max(greatest, self.radii.min()))
        (chosen,) = narrowest_of_near(distances[None, broader], self.ranks[None, broader])
        return self._words[int(broader[chosen])]

    @named_arguments
    def tree(self, words: Iterable[str] | None = None, *, count: int | None = None) -> Tree:
        """Return the tree of all words, or of some words and their ancestors.

        The parent of a word is the narrowest of the broader words that are near to it. The root is
        the broadest word of the vocabulary. For a tree of some words without their ancestors:
        `vectors.subset(words).tree()`.

        Args:
            words: Words to draw together with their parents, the parents of these, and so on; by
                default, all words.
            count: The number of words, the broadest of all; by default, all words.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
            OptionError: Both `words` and `count` are given.
            InputError: There are no words.
            GeometryError: The vectors are Euclidean.
        """
        self._check_curved()
        if words is not None and count is not None:
            raise OptionError(
                "`words` and `count` cannot be given together",
                hint="`words` adds the ancestors of each word; `count` takes the broadest words",
            )
        if count is not None:
            count = COUNT.checked("count", count)
        rows = np.argsort(self.ranks)[:count] if words is None else np.unique(self.rows_of(words))
        if not len(rows):
            raise InputError("there are no words to make a tree of", hint="give at least one word")
        search = BroaderWords(self.space, self.coordinates, self.ranks)
        parents = np.full(len(self), -1, dtype=np.int64)
        is_in_tree = np.zeros(len(self), dtype=np.bool_)
        while len(rows):
            is_in_tree[rows] = True
            parents[rows] = search.parents(rows)
            rows = np.unique(parents[rows[parents[rows] >= 0]])
            rows = rows[~is_in_tree[rows]]
        found = np.flatnonzero(is_in_tree)
        found = found[np.argsort(self.ranks[found])]
        positions = np.full(len(self) + 1, -1, dtype=np.int64)  # the last is for the root
        positions[found] = np.arange(len(found))
        return Tree(tuple(self._words[row] for row in found.tolist()), positions[parents[found]])

    # -- details

    def _relatives(self, word: WordOrPoint, count: int, *, broader: bool) -> list[Relative]:
        self._check_curved()
        count = COUNT.checked("count", count)
        point = self._point(word, _SEVERAL)
        distances = self._distances_to(point)
        scores = is_a_scores(self.space.radius(point), self.radii, distances)
        if not broader:
            scores = -scores
        if isinstance(word, str):
            scores[self.index_of(word)] = 0.0  # up to rounding, it is
        # For a word at the base point, the scores of all other words are equal up to rounding.
        rows = np.lexsort((distances, -scores.round(9)))[:count]
        rows = rows[scores[rows] > 0]
        columns = (values[rows].tolist() for values in (scores, distances, self.radii))
        words = [self._words[row] for row in rows.tolist()]
        return [Relative(*values) for values in zip(words, *columns, strict=True)]

    def _distances_to(self, point: Floats) -> Floats:
        """Return the distance of every word from a point (words,)."""
        distances = np.empty(len(self))
        for begin in range(0, len(self), WORDS_AT_ONCE):
            block = slice(begin, begin + WORDS_AT_ONCE)
            points = self.space.points(self._coordinates[block])
            distances[block] = self.space.distance(point, points)
        return distances

    def _check_curved(self) -> None:
        if not self.space.is_curved:
            raise GeometryError(
                f"{self.geometry} vectors do not order words from broad to narrow",
                hint="train in the geometry hyperboloid",
            )
