"""The words along a path: a different one for each step."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from hyperskip.geometry.arrays import Rows
from hyperskip.vectors.search.searcher import Nearest


def different_words(found: Sequence[Nearest], excluded: Rows) -> list[int | None]:
    """Return the row of a word for each step, so that the sum of their distances is smallest.

    No word is used twice. If there are too few words, some steps have none.

    Args:
        found: The words nearest to each step. A step needs as many as there are steps, besides
            those that are excluded: then no other word could make the sum smaller.
        excluded: Rows of words that no step has.
    """
    kept = [~np.isin(nearest.rows, excluded) for nearest in found]
    candidates = [nearest.rows[keep] for nearest, keep in zip(found, kept, strict=True)]
    rows = np.unique(np.concatenate(candidates)) if candidates else np.empty(0, dtype=np.int64)
    distances = np.full((len(found), len(rows)), np.inf)
    for step, (nearest, keep) in enumerate(zip(found, kept, strict=True)):
        distances[step, np.searchsorted(rows, nearest.rows[keep])] = nearest.distances[keep]
    possible = np.isfinite(distances)
    # An impossible pair costs more than any choice without one.
    costs = np.where(possible, distances, 1.0 + distances[possible].sum())
    words: list[int | None] = [None] * len(found)
    steps, columns = linear_sum_assignment(costs)
    for step, column in zip(steps.tolist(), columns.tolist(), strict=True):
        if possible[step, column]:
            words[step] = int(rows[column])
    return words
