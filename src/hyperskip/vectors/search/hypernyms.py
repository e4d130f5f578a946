"""Searches a learned hierarchy: broader and narrower words, common ancestors and parents.

Only a word with a smaller radius can be a hypernym, and only one that the text states a relation
about: the points of all others are inferred from similar words.
"""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.search.products import query_blocks

_CELLS_AT_ONCE = 1 << 22  # cells of the matrix (words, broader words): 32 MiB in float64


def may_be_hypernyms(points: HierarchyPoints) -> npt.NDArray[np.bool_]:
    """Return which words have relations in the text (words,); all, if no word has."""
    has_relations = points.evidence > 0
    return has_relations if has_relations.any() else ~has_relations


def hypernym_rows(points: HierarchyPoints, row: int, count: int) -> tuple[Rows, Floats]:
    """Return rows and scores of the broader words that a word is a kind of, best first."""
    scores = points.scores(row, slice(None))
    is_broader = (points.radii < points.radii[row]) & may_be_hypernyms(points)
    return _best(np.where(is_broader, scores, 0.0), count)


def hyponym_rows(points: HierarchyPoints, row: int, count: int) -> tuple[Rows, Floats]:
    """Return rows and scores of the narrower words that are a kind of a word, best first."""
    scores = points.scores(slice(None), row)
    return _best(np.where(points.radii > points.radii[row], scores, 0.0), count)


def common_ancestor(points: HierarchyPoints, rows: Rows) -> int:
    """Return the row of the word that all words are a kind of: that with the best worst score.

    It is one of the words if all others are a kind of it.
    """
    allowed = points.ranks <= points.ranks[rows].min()
    allowed &= may_be_hypernyms(points)
    allowed[rows[np.argmin(points.ranks[rows])]] = True
    candidates = np.flatnonzero(allowed)
    scores = points.score_matrix(rows, candidates)
    scores[rows[:, None] == candidates] = np.inf  # each word is itself
    worst = scores.min(axis=0)
    return int(candidates[np.lexsort((-points.ranks[candidates], -worst))[0]])


def parent_rows(points: HierarchyPoints, rows: Rows) -> Rows:
    """Return the row of the best hypernym of each word (rows,); -1 if no word is broader."""
    order = np.argsort(points.ranks)
    candidates = order[may_be_hypernyms(points)[order]]  # broadest first
    broader = np.searchsorted(points.ranks[candidates], points.ranks[rows])  # number for each word
    parents = np.full(len(rows), -1, dtype=np.int64)
    asked = np.flatnonzero(broader > 0)
    asked = asked[np.argsort(broader[asked], kind="stable")]
    for block in query_blocks(len(asked), len(candidates), _CELLS_AT_ONCE):
        places = asked[block]
        width = int(broader[places[-1]])
        scores = points.score_matrix(rows[places], candidates[:width])
        scores[np.arange(width) >= broader[places, None]] = -np.inf
        parents[places] = candidates[scores.argmax(axis=1)]
    return parents


def _best(scores: Floats, count: int) -> tuple[Rows, Floats]:
    """Return rows and scores of the greatest scores above 0, greatest first."""
    rows = np.flatnonzero(scores > 0)
    if len(rows) > count:
        rows = rows[np.argpartition(-scores[rows], count - 1)[:count]]
    rows = rows[np.lexsort((rows, -scores[rows]))]
    return rows, scores[rows]
