"""Searches a learned hierarchy: broader and narrower words, common ancestors and parents.

The probability of `is_a` prefers broad words: a bicycle is an item rather than a vehicle. So lists
and trees are ordered by a score that also asks for similar contexts. On held-out relations, it
ranks the stated broader word better.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.search.products import query_blocks

_CELLS_AT_ONCE = 1 << 22  # cells of the matrix (words, broader words): 16 MiB in float32
_AT_THE_EDGE = 0.01  # height in units of the greatest
_FEW_RELATIONS = 3.0  # a hyponym without relations counts a third
_ABOVE_ALL = 100.0  # more than any fit
_SIMILARITY = 0.8  # weight of the similarity of contexts, where the hierarchy weighs 1


@dataclass(frozen=True, eq=False)
class KindSearch:
    """Finds what words are kinds of, and what is a kind of them.

    Attributes:
        points: The hierarchy.
        directions: (words, dimension): unit vectors of the words, whose products say how similar
            their contexts are; zeros if that does not matter.
    """

    points: HierarchyPoints
    directions: npt.NDArray[np.float32]

    def parent_scores(self, rows: Rows, others: Rows) -> npt.NDArray[np.float32]:
        """Return how well other words are the parent of each word (rows, others), from -1 to 1.

        It is (cos θ + 0.8 s) / 1.8 · sigmoid(g₂ - g₁), with the angle θ and the heights g of the
        hierarchy, and the similarity s of contexts: clearly broader, and alike.
        """
        heights = self.points.heights.astype(np.float32)
        # Directions are finite, so products are valid. NumPy has been seen to doubt it.
        with np.errstate(invalid="ignore"):
            cosines = self.points.directions[rows] @ self.points.directions[others].T
            similarities = self.directions[rows] @ self.directions[others].T
        differences = heights[others] - heights[rows, None]
        is_broader = 0.5 + 0.5 * np.tanh(0.5 * differences)
        alike = (cosines + _SIMILARITY * similarities) / (1.0 + _SIMILARITY)
        return np.asarray(alike * is_broader, dtype=np.float32)

    def hypernyms(self, row: int, count: int) -> tuple[Rows, Floats]:
        """Return rows and scores of the broader words that a word is a kind of, best first."""
        points = self.points
        is_broader = (points.radii < points.radii[row]) & may_be_hypernyms(points)
        candidates = np.flatnonzero(is_broader)
        scores = points.scores(row, candidates)
        fit = self.parent_scores(np.array([row]), candidates)[0]
        key = self._likely_first(scores, fit * np.sqrt(points.heights[candidates]))
        best = _best(key, count)
        return candidates[best], scores[best]

    def hyponyms(self, row: int, count: int) -> tuple[Rows, Floats]:
        """Return rows and scores of the narrower words that are a kind of a word, best first.

        A broad word has many hyponyms with similar scores, so those that the text states few
        relations about count less.
        """
        points = self.points
        candidates = np.flatnonzero(points.radii > points.radii[row])
        fit = self.parent_scores(candidates, np.array([row]))[:, 0]
        trust = (points.evidence + 1) / (points.evidence + _FEW_RELATIONS)
        key = self._likely_first(points.scores(candidates, row), fit * trust[candidates])
        best = candidates[_best(key, 2 * count)]
        rows = self._without_plurals(best)[:count]
        return rows, points.scores(rows, row)

    def common_ancestor(self, rows: Rows) -> int:
        """Return the row of the word that is the best parent of all words, by its worst score.

        It is one of the words if all others are a kind of it.
        """
        points = self.points
        allowed = may_be_hypernyms(points) & (points.ranks <= points.ranks[rows].min())
        broadest = rows[np.argmin(points.ranks[rows])]
        allowed[broadest] = True
        candidates = np.flatnonzero(allowed)
        scores = self.parent_scores(rows, candidates)
        scores[rows[:, None] == candidates] = 1.0  # each word is itself
        worst = scores.min(axis=0)
        return int(candidates[np.lexsort((-points.ranks[candidates], -worst))[0]])

    def parents(self, rows: Rows) -> Rows:
        """Return the row of the parent of each word (rows,); -1 if no word is broader."""
        points = self.points
        order = np.argsort(points.ranks)
        candidates = order[may_be_hypernyms(points)[order]]  # broadest first
        broader = np.searchsorted(points.ranks[candidates], points.ranks[rows])  # for each word
        parents = np.full(len(rows), -1, dtype=np.int64)
        asked = np.flatnonzero(broader > 0)
        asked = asked[np.argsort(broader[asked], kind="stable")]
        for block in query_blocks(len(asked), len(candidates), _CELLS_AT_ONCE):
            places = asked[block]
            width = int(broader[places[-1]])
            scores = self.parent_scores(rows[places], candidates[:width])
            scores[np.arange(width) >= broader[places, None]] = -np.inf
            parents[places] = candidates[scores.argmax(axis=1)]
        return parents

    def _likely_first(self, scores: Floats, fit: Matrix) -> Matrix:
        """Return a key of the order: words that are rather a kind than not, then the others."""
        is_likely = self.points.probabilities(scores) >= 0.5
        return np.asarray(np.where(is_likely, fit + _ABOVE_ALL, fit))

    def _without_plurals(self, rows: Rows) -> Rows:
        """Leave out words without relations that have the same point as an earlier one with them.

        That is how a plural is placed if its singular is a word, too.
        """
        points = [self.points.coordinates[row].tobytes() for row in rows.tolist()]
        has_relations = self.points.evidence[rows] > 0
        singulars = {point for point, is_one in zip(points, has_relations, strict=True) if is_one}
        is_kept = [
            is_one or point not in singulars
            for point, is_one in zip(points, has_relations.tolist(), strict=True)
        ]
        return rows[np.array(is_kept, dtype=np.bool_)]


def may_be_hypernyms(points: HierarchyPoints) -> npt.NDArray[np.bool_]:
    """Return which words may have narrower ones (words,).

    The text states a relation about them, unless it does so about no word: the points of all others
    are inferred from similar words. And they do not lie at the edge, where scores are 0.
    """
    has_relations = points.evidence > 0
    inside: npt.NDArray[np.bool_] = points.heights > _AT_THE_EDGE * points.heights.max(initial=0.0)
    return inside & has_relations if has_relations.any() else inside


def _best(scores: Matrix, count: int) -> Rows:
    """Return the positions of the greatest scores above 0, greatest first."""
    positions = np.flatnonzero(scores > 0)
    if len(positions) > count:
        positions = positions[np.argpartition(-scores[positions], count - 1)[:count]]
    return positions[np.lexsort((positions, -scores[positions]))]
