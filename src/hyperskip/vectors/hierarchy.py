"""Questions about broader and narrower words.

They are answered by the hierarchy that was learned from relations, if the model has one. In a model
of a graph, the points themselves are a hierarchy.
"""

from __future__ import annotations  # help() shows WordOrPoint and Rows, not what they expand to

from collections.abc import Iterable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError, InputError, OptionError
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.options import named_arguments
from hyperskip.vectors import argument_checks
from hyperskip.vectors.embedding import WORDS_AT_ONCE
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.listed_words import COUNT, Generality, Kind, Relative
from hyperskip.vectors.neighbors import Neighbors
from hyperskip.vectors.positions import WordOrPoint, pairs_of_words
from hyperskip.vectors.search.broader import BroaderWords, is_a_scores, narrowest_of_near
from hyperskip.vectors.search.hypernyms import KindSearch
from hyperskip.vectors.search.taxonomy import MOST_WORDS, taxonomy_rows
from hyperskip.vectors.tree import Tree

_SEVERAL = "ask for each word on its own"
_FLAT_LIST = "pass words and points in one flat list"
_NO_HIERARCHY = "this model has no hierarchy, and the radius of its words does not mean generality"
HOW_TO_GET_ONE = (
    "add one with hyperskip.add_hierarchy(vectors, relations), or on the command line with "
    "hyperskip add-hierarchy"
)


class Hierarchy(Neighbors):
    """Words ordered from broad to narrow; see `WordVectors`.

    With a hierarchy, all answers are from its points, which only words have. Without one, they are
    from the points of the vectors: these are meant for models of is-a edges, in which broader words
    lie nearer to the base point, and every word lies near its ancestors.
    """

    @property
    def hierarchy_radii(self) -> Floats:
        """Radius of each word in the hierarchy (words,): the smaller, the broader the word.

        Raises:
            GeometryError: The model has no hierarchy.
        """
        if self.hierarchy is None:
            raise GeometryError(_NO_HIERARCHY, hint=HOW_TO_GET_ONE, page="hierarchy.html")
        return self.hierarchy.radii

    def generality(self, words: Iterable[str] | None = None) -> list[Generality]:
        """Return words ordered by their radius, smallest first.

        In a model with a hierarchy, this orders words from general to specific. In a model of a
        graph, it orders them by their depth. In any other model it does not: there, frequency says
        more about generality than the radius.

        Args:
            words: Some words; by default, the whole vocabulary.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
        """
        of_words = self if self.hierarchy is None else self.hierarchy
        radii, ranks = of_words.radii, of_words.ranks
        rows = np.arange(len(self)) if words is None else np.unique(self.rows_of(words))
        rows = rows[np.argsort(ranks[rows])]
        columns = rows.tolist(), radii[rows].tolist(), ranks[rows].tolist()
        return [
            Generality(self._words[row], radius, rank)
            for row, radius, rank in zip(*columns, strict=True)
        ]

    # -- scores

    def is_a(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """Return how likely a is a kind of b.

        In a model with a hierarchy, this is a probability from 0 to 1.

        In a model without one, it is a score from -1 to 1. It is positive if b lies nearer to the
        base point than a. The nearer b lies to a, and to the geodesic from a to the base point, the
        farther the score is from 0. `is_a(b, a)` is `-is_a(a, b)`, and `is_a(a, a)` is 0. The score
        is not a probability: compare it with that of other pairs.

        Raises:
            InputError: The model has a hierarchy, and a or b is a point.
            GeometryError: The model has no hierarchy, and the vectors are Euclidean.
        """
        several = pairs_of_words("is_a")
        if self.hierarchy is not None:
            rows = (self._row_in_hierarchy(item, several) for item in (a, b))
            return float(self.hierarchy.probabilities(self.hierarchy.scores(*rows)))
        self._check_curved()
        points = self._point(a, several), self._point(b, several)
        radii = self.space.radius(np.stack(points))
        return float(is_a_scores(radii[0], radii[1], self.space.distance(*points)))

    def is_a_of_rows(self, first: Rows, second: Rows) -> Floats:
        """Return the scores of `is_a` for many pairs of words (pairs,), given by their rows.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
            GeometryError: The model has no hierarchy, and the vectors are Euclidean.
        """
        first, second = argument_checks.checked_rows_together(len(self), first, second)
        if self.hierarchy is not None:
            return self.hierarchy.probabilities(self.hierarchy.scores(first, second))
        self._check_curved()
        distances = self.distance_of_rows(first, second)
        return is_a_scores(self.radii[first], self.radii[second], distances)

    # -- broader and narrower words

    @named_arguments
    def hypernyms(self, word: str, count: int = 10) -> list[Kind]:
        """Return the broader words that a word is a kind of, best first.

        Their scores are those of `is_a`. Words that occur in similar contexts come first: of "item"
        and "vehicle", which a bicycle is a kind of, the vehicle.

        Args:
            word: A word of a model with a hierarchy, or of a model of a graph.
            count: The largest number of words.

        Raises:
            UnknownWordError: The word is not in the vocabulary.
            GeometryError: The model has no hierarchy.
        """
        return self._kinds(word, count, broader=True)

    @named_arguments
    def hyponyms(self, word: str, count: int = 10) -> list[Kind]:
        """Return the narrower words that are a kind of a word, best first.

        Their scores are those of `is_a`. Words that occur in similar contexts come first, and words
        that the text states few relations about later.

        Args:
            word: A word of a model with a hierarchy, or of a model of a graph.
            count: The largest number of words.

        Raises:
            UnknownWordError: The word is not in the vocabulary.
            GeometryError: The model has no hierarchy.
        """
        return self._kinds(word, count, broader=False)

    @named_arguments
    def ancestors(self, word: WordOrPoint, count: int = 10) -> list[Relative]:
        """Return the broader words that a word or point is a kind of, by `is_a`, best first.

        In a model with a hierarchy, distances and radii are those in the hierarchy.

        Raises:
            InputError: The model has a hierarchy, and a point is given.
            GeometryError: The model has no hierarchy, and the vectors are Euclidean.
        """
        return self._relatives(word, count, broader=True)

    @named_arguments
    def descendants(self, word: WordOrPoint, count: int = 10) -> list[Relative]:
        """Return the narrower words that are a kind of a word or point, by `is_a`, best first.

        In a model with a hierarchy, distances and radii are those in the hierarchy.

        Raises:
            InputError: The model has a hierarchy, and a point is given.
            GeometryError: The model has no hierarchy, and the vectors are Euclidean.
        """
        return self._relatives(word, count, broader=False)

    @named_arguments
    def lowest_common_ancestor(self, words: Iterable[WordOrPoint]) -> str:
        """Return the narrowest word that all of some words are a kind of.

        It may be one of the words: that of "dog" and "mammal" is "mammal". Among the words that are
        at least as broad as all of them, it is the narrowest of those that are near to all. In a
        model with a hierarchy, it is the best parent of all of them; see `tree`.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
            InputError: No words are given, or the vocabulary is empty; or the model has a
                hierarchy, and a point is given.
            GeometryError: The model has no hierarchy, and the vectors are Euclidean.
        """
        if self.hierarchy is None:
            self._check_curved()
        if isinstance(words, str):
            raise InputError(
                f"`words` must be a list of words, got {words!r}",
                hint=f"pass several words: [{words!r}, ...]",
            )
        listed = argument_checks.listed_items("words", words)
        if not listed or not len(self):
            raise InputError(
                "`words` is empty" if len(self) else "the vocabulary is empty",
                hint="give at least one word or point",
            )
        if self.hierarchy is not None:
            rows = [self._row_in_hierarchy(item, _FLAT_LIST) for item in listed]
            return self._words[self._kind_search(self.hierarchy).common_ancestor(np.unique(rows))]
        points = [self._point(item, _FLAT_LIST) for item in listed]
        distances = np.max([self._distances_to(point) for point in points], axis=0)
        greatest = min(
            self.radii[self.index_of(item)] if item in self else self.space.radius(point)
            for item, point in zip(listed, points, strict=True)
        )
        broader = np.flatnonzero(self.radii <= max(greatest, self.radii.min()))
        (chosen,) = narrowest_of_near(distances[None, broader], self.ranks[None, broader])
        return self._words[int(broader[chosen])]

    @named_arguments
    def tree(self, words: Iterable[str] | None = None, *, count: int | None = None) -> Tree:
        """Return the tree of all words, or of some words and their ancestors.

        The parent of a word is the narrowest of the broader words that are near to it. In a model
        with a hierarchy, it is the nearest in direction of the clearly broader words. The root is
        the broadest word. For a tree of some words without their ancestors:
        `vectors.subset(words).tree()`.

        Args:
            words: Words to draw together with their parents, the parents of these, and so on; by
                default, all words.
            count: The number of words, the broadest of all; by default, all words.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
            OptionError: Both `words` and `count` are given.
            InputError: There are no words.
            GeometryError: The model has no hierarchy, and the vectors are Euclidean.
        """
        if self.hierarchy is None:
            self._check_curved()
        if words is not None and count is not None:
            raise OptionError(
                "`words` and `count` cannot be given together",
                hint="`words` adds the ancestors of each word; `count` takes the broadest words",
            )
        if count is not None:
            count = COUNT.checked("count", count)
        ranks = self.ranks if self.hierarchy is None else self.hierarchy.ranks
        rows = np.argsort(ranks)[:count] if words is None else np.unique(self.rows_of(words))
        if not len(rows):
            raise InputError("there are no words to make a tree of", hint="give at least one word")
        if self.hierarchy is None:
            find_parents = BroaderWords(self.space, self.coordinates, ranks).parents
        else:
            find_parents = self._kind_search(self.hierarchy).parents
        parents = np.full(len(self), -1, dtype=np.int64)
        is_in_tree = np.zeros(len(self), dtype=np.bool_)
        while len(rows):
            is_in_tree[rows] = True
            parents[rows] = find_parents(rows)
            rows = np.unique(parents[rows[parents[rows] >= 0]])
            rows = rows[~is_in_tree[rows]]
        found = np.flatnonzero(is_in_tree)
        found = found[np.argsort(ranks[found])]
        return self._tree_of(found, parents[found])

    @named_arguments
    def taxonomy(self, words: Iterable[str]) -> Tree:
        """Return a tree of some words and of the broader words that connect them.

        The parent of a word is another one of the words, or a word that two or more have in
        common. If there is no word that all have in common, the tree has several roots.

        Args:
            words: Words of a model with a hierarchy, or of a model of a graph.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
            InputError: There are no words, or too many.
            GeometryError: The model has no hierarchy.
        """
        rows = np.unique(self.rows_of(words))
        if not len(rows):
            raise InputError("there are no words to make a tree of", hint="give at least one word")
        if self.hierarchy is not None:
            if len(rows) > MOST_WORDS:
                raise InputError(
                    f"`words` must have at most {MOST_WORDS:,} words, got {len(rows):,}",
                    hint="pass fewer words; a tree of the whole vocabulary has no such limit",
                )
            return self._tree_of(*taxonomy_rows(self._kind_search(self.hierarchy), rows))
        self._check_of_graph()
        listed = [self._words[row] for row in rows.tolist()]
        return self.tree(listed).without_single_children(listed)

    # -- details

    def _tree_of(self, rows: Rows, parents: Rows) -> Tree:
        """Return a tree by rows of words, broadest first, and of their parents; -1 for roots."""
        positions = np.full(len(self) + 1, -1, dtype=np.int64)  # the last is for roots
        positions[rows] = np.arange(len(rows))
        return Tree(tuple(self._words[row] for row in rows.tolist()), positions[parents])

    def _kinds(self, word: str, count: int, *, broader: bool) -> list[Kind]:
        argument_checks.check_word(word)
        if self.hierarchy is not None:
            evidence = self.hierarchy.evidence
            rows, scores = self._ranked(self.hierarchy, word, count, broader=broader)
            columns = scores, self.hierarchy.radii[rows], evidence[rows]
            words = [self._words[row] for row in rows.tolist()]
            return [
                Kind(*values)
                for values in zip(words, *(column.tolist() for column in columns), strict=True)
            ]
        self._check_of_graph()
        found = self._relatives(word, count, broader=broader)
        return [Kind(each.word, each.score, each.radius, None) for each in found]

    def _ranked(
        self, hierarchy: HierarchyPoints, word: WordOrPoint, count: int, *, broader: bool
    ) -> tuple[Rows, Floats]:
        """Return rows and probabilities of hypernyms or hyponyms, best first."""
        count = COUNT.checked("count", count)
        row = self._row_in_hierarchy(word, _SEVERAL)
        search = self._kind_search(hierarchy)
        rows, scores = (search.hypernyms if broader else search.hyponyms)(row, count)
        return rows, hierarchy.probabilities(scores)

    def _kind_search(self, hierarchy: HierarchyPoints) -> KindSearch:
        return KindSearch(hierarchy, self._directions)

    @cached_property
    def _directions(self) -> npt.NDArray[np.float32]:
        """Unit vectors (words, dimension); zeros for a word at the base point."""
        lengths = np.linalg.norm(self._coordinates, axis=1, keepdims=True)
        return np.divide(self._coordinates, np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def _check_of_graph(self) -> None:
        """Check that a model without a hierarchy is that of a graph."""
        if not self.is_of_graph:
            raise GeometryError(_NO_HIERARCHY, hint=HOW_TO_GET_ONE, page="hierarchy.html")

    def _row_in_hierarchy(self, item: WordOrPoint, several: str) -> int:
        if isinstance(item, str):
            return self.index_of(item)
        argument_checks.checked_point(item, self.space, self.dimension, several=several)
        raise InputError(
            "this model has a hierarchy of words, in which a point has no place",
            hint="pass a word; the nearest one to a point is vectors.neighbors(point, 1)[0].word",
        )

    def _relatives(self, word: WordOrPoint, count: int, *, broader: bool) -> list[Relative]:
        if self.hierarchy is not None:
            rows, scores = self._ranked(self.hierarchy, word, count, broader=broader)
            distances = self.hierarchy.distance(self._row_in_hierarchy(word, _SEVERAL), rows)
            return self._listed(rows, scores, distances, self.hierarchy.radii[rows])
        self._check_curved()
        count = COUNT.checked("count", count)
        point = self._point(word, _SEVERAL)
        distances = self._distances_to(point)
        scores = is_a_scores(self.space.radius(point), self.radii, distances)
        if not broader:
            scores = -scores
        if isinstance(word, str) and word in self:
            scores[self.index_of(word)] = 0.0  # up to rounding, it is
        # For a word at the base point, the scores of all other words are equal up to rounding.
        rows = np.lexsort((distances, -scores.round(9)))[:count]
        rows = rows[scores[rows] > 0]
        return self._listed(rows, scores[rows], distances[rows], self.radii[rows])

    def _listed(self, rows: Rows, *columns: Floats) -> list[Relative]:
        words = [self._words[row] for row in rows.tolist()]
        values = (column.tolist() for column in columns)
        return [Relative(*each) for each in zip(words, *values, strict=True)]

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
                f"{self.geometry} vectors without a hierarchy do not order words from broad to "
                "narrow",
                hint=HOW_TO_GET_ONE,
            )
