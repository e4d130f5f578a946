"""The taxonomy of some words: their parents among themselves and among words that connect them."""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Rows
from hyperskip.vectors.search.hypernyms import KindSearch

MOST_WORDS = 3000  # all pairs of them are scored at once

_LIKELY = 0.7  # the least probability of an edge: a wrong one is worse than a missing one
_CANDIDATES = 30  # hypernyms of each word that may connect it to others
_WORTH_ADDING = 0.1  # the least gain of a connecting word, in parent scores of all words


def taxonomy_rows(search: KindSearch, rows: Rows) -> tuple[Rows, Rows]:
    """Return the words of a taxonomy, broadest first, and the parent of each; -1 for roots.

    A connecting word is added as long as it is a better parent of two or more words that have no
    better one yet. When all words have theirs, the same is done for the roots, level by level.

    Args:
        search: Finds hypernyms and scores parents.
        rows: (words,): distinct rows of the words.

    Returns:
        Rows (nodes,): the given words and those that connect them.
        Rows (nodes,) of their parents, which are among the nodes.
    """
    nodes, roots = np.asarray(rows), np.asarray(rows)
    while True:
        added = _connecting(search, nodes, roots)
        if not len(added):
            break
        nodes = np.concatenate((nodes, added))
        parents = _parents(search, nodes)
        roots = nodes[parents < 0]
    parents = _parents(search, nodes)
    while True:  # a connecting word whose children have found better parents connects nothing
        children = np.array([(parents == node).sum() for node in nodes])
        is_kept = (children >= 2) | np.isin(nodes, rows)
        if is_kept.all():
            break
        nodes = nodes[is_kept]
        parents = _parents(search, nodes)
    order = np.argsort(search.points.ranks[nodes])
    return nodes[order], parents[order]


def _connecting(search: KindSearch, nodes: Rows, children: Rows) -> Rows:
    """Return words to add to the nodes as parents of these children, best first."""
    hypernyms = [search.hypernyms(row, _CANDIDATES)[0] for row in children.tolist()]
    candidates, counts = np.unique(np.concatenate(hypernyms), return_counts=True)
    candidates = np.setdiff1d(candidates[counts >= 2], nodes)
    scores = _edge_scores(search, children, candidates)
    best = _edge_scores(search, children, nodes).max(axis=1, initial=0.0)
    added: list[int] = []
    while len(candidates):
        gains = np.maximum(scores - best[:, None], 0.0)
        worth = np.where((gains > 0).sum(axis=0) >= 2, gains.sum(axis=0), 0.0)
        chosen = int(worth.argmax())
        if worth[chosen] < _WORTH_ADDING:
            break
        added.append(int(candidates[chosen]))
        best = np.maximum(best, scores[:, chosen])
    return np.array(added, dtype=np.int64)


def _parents(search: KindSearch, nodes: Rows) -> Rows:
    """Return the parent of each node among the nodes (nodes,); -1 if it has none."""
    scores = _edge_scores(search, nodes, nodes)
    return np.where(scores.max(axis=1) > 0, nodes[scores.argmax(axis=1)], -1)


def _edge_scores(search: KindSearch, rows: Rows, others: Rows) -> npt.NDArray[np.float32]:
    """Return parent scores (rows, others); 0 if an edge is not likely, or leads to no broader."""
    points = search.points
    likely = points.probabilities(points.score_matrix(rows, others)) >= _LIKELY
    allowed: npt.NDArray[np.bool_] = points.radii[others] < points.radii[rows, None]
    return np.where(allowed & likely, search.parent_scores(rows, others), 0.0)
