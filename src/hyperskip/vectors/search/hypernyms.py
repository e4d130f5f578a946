"""Searches a learned hierarchy: broader and narrower words, common ancestors and parents."""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.search.products import query_blocks

_CELLS_AT_ONCE = 1 << 22  # cells of the matrix (words, broader words): 16 MiB in float32
_AT_THE_EDGE = 0.01  # height in units of the greatest
_FEW_RELATIONS = 3.0  # a hyponym without relations counts a third


def hypernym_rows(points: HierarchyPoints, row: int, count: int) -> tuple[Rows, Floats]:
    """Return rows and scores of the broader words that a word is a kind of, best first."""
    scores = points.scores(row, slice(None))
    is_broader = (points.radii < points.radii[row]) & may_be_hypernyms(points)
    rows = _best(np.where(is_broader, scores, 0.0), count)
    return rows, scores[rows]


def hyponym_rows(points: HierarchyPoints, row: int, count: int) -> tuple[Rows, Floats]:
    """Return rows and scores of the narrower words that are a kind of a word, best first.

    A broad word has many hyponyms with similar scores, so those that the text states few relations
    about count less.
    """
    scores = points.scores(slice(None), row)
    trust = (points.evidence + 1) / (points.evidence + _FEW_RELATIONS)
    counted = points.probabilities(scores) * trust
    is_listed = (points.radii > points.radii[row]) & (scores > 0)
    rows = _best(np.where(is_listed, counted, 0.0), count)
    return rows, scores[rows]


def may_be_hypernyms(points: HierarchyPoints) -> npt.NDArray[np.bool_]:
    """Return which words may have narrower ones (words,).

    The text states a relation about them, unless it does so about no word: the points of all others
    are inferred from similar words. And they do not lie at the edge, where scores are 0.
    """
    has_relations = points.evidence > 0
    inside: npt.NDArray[np.bool_] = points.heights > _AT_THE_EDGE * points.heights.max(initial=0.0)
    return inside & has_relations if has_relations.any() else inside


def parent_scores(points: HierarchyPoints, rows: Rows, others: Rows) -> npt.NDArray[np.float32]:
    """Return how well other words are the parent of each word (rows, others), from -1 to 1.

    It is the score divided by the height of the other word: among words in the same direction, a
    score prefers the broadest, and a parent is the nearest that is clearly broader.
    """
    heights = points.heights[others]
    inverse = np.divide(1.0, heights, out=np.zeros_like(heights), where=heights > 0)
    return points.score_matrix(rows, others) * inverse.astype(np.float32)


def common_ancestor(points: HierarchyPoints, rows: Rows) -> int:
    """Return the row of the word that is the best parent of all words, by its worst score.

    It is one of the words if all others are a kind of it.
    """
    allowed = may_be_hypernyms(points) & (points.ranks <= points.ranks[rows].min())
    broadest = rows[np.argmin(points.ranks[rows])]
    allowed[broadest] = True
    candidates = np.flatnonzero(allowed)
    scores = parent_scores(points, rows, candidates)
    scores[rows[:, None] == candidates] = 1.0  # each word is itself
    worst = scores.min(axis=0)
    return int(candidates[np.lexsort((-points.ranks[candidates], -worst))[0]])


def parent_rows(points: HierarchyPoints, rows: Rows) -> Rows:
    """Return the row of the parent of each word (rows,); -1 if no word is broader."""
    order = np.argsort(points.ranks)
    candidates = order[may_be_hypernyms(points)[order]]  # broadest first
    broader = np.searchsorted(points.ranks[candidates], points.ranks[rows])  # number for each word
    parents = np.full(len(rows), -1, dtype=np.int64)
    asked = np.flatnonzero(broader > 0)
    asked = asked[np.argsort(broader[asked], kind="stable")]
    for block in query_blocks(len(asked), len(candidates), _CELLS_AT_ONCE):
        places = asked[block]
        width = int(broader[places[-1]])
        scores = parent_scores(points, rows[places], candidates[:width])
        scores[np.arange(width) >= broader[places, None]] = -np.inf
        parents[places] = candidates[scores.argmax(axis=1)]
    return parents


def _best(scores: Floats, count: int) -> Rows:
    """Return the rows of the greatest scores above 0, greatest first."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > count:
        rows = rows[np.argpartition(-scores[rows], count - 1)[:count]]
    return rows[np.lexsort((rows, -scores[rows]))]
