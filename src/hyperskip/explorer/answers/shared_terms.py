"""Broader terms that the frequent words of a region share, and those of other regions do not."""

import numpy as np

from hyperskip.explorer.answers.regions import Regions
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors.word_vectors import WordVectors

_FREQUENT = 4000  # words whose broader terms count
_LEAST_WORDS = 3  # of a region that share a term
_LEAST_PROBABILITY = 0.5


def broader_terms(vectors: WordVectors, rows: Rows) -> Rows:
    """Return the broader term of each of the most frequent words, by indices on the map.

    Args:
        vectors: The model.
        rows: The words of the map, the most frequent first.

    Returns:
        One index for each of the first words; -1 if the term is not likely, or not on the map.
        Nothing if the model has no hierarchy.
    """
    hierarchy = vectors.hierarchy
    if hierarchy is None:
        return np.empty(0, dtype=np.int64)
    asked = rows[:_FREQUENT]
    tree = vectors.tree([vectors.words[row] for row in asked.tolist()])
    parents = np.full(len(vectors), -1, dtype=np.int64)  # by row
    of_tree = vectors.rows_of(tree.words)
    parents[of_tree] = np.append(of_tree, -1)[tree.parent_positions]
    of_asked = parents[asked]
    scores = hierarchy.scores(asked, np.maximum(of_asked, 0))
    is_likely = (of_asked >= 0) & (hierarchy.probabilities(scores) >= _LEAST_PROBABILITY)
    index = np.full(len(vectors), -1, dtype=np.int64)
    index[rows] = np.arange(len(rows))
    return np.where(is_likely, index[of_asked], -1)


def term_weights(terms: Rows, regions: Regions, level: int) -> list[tuple[Rows, Floats]]:
    """Return the terms of each region of a level by index, and their weights up to 1.

    The weight is p log(p / q), relative to the greatest in the region, with the share p of the
    frequent words of the region that have the term, and the share q of all frequent words. A term
    is only one of the region that contains it, or else of the one where its weight is greatest.
    """
    count = len(regions.places[level])
    of_words = regions.at(level)
    frequent = of_words[: len(terms)]
    known, columns = np.unique(terms, return_inverse=True)
    counts = np.zeros((count, len(known)))
    np.add.at(counts, (frequent, columns), 1.0)
    shares = counts / np.maximum(1, np.bincount(frequent, minlength=count))[:, None]
    everywhere = counts.sum(axis=0) / max(1, len(terms))
    with np.errstate(divide="ignore", invalid="ignore"):
        weights = np.where(counts >= _LEAST_WORDS, shares * np.log(shares / everywhere), 0.0)
    weights[:, known < 0] = 0.0
    if weights.size:
        each = np.arange(len(known))
        home = of_words[known]
        home = np.where(weights[home, each] > 0, home, weights.argmax(axis=0))
        weights = np.where(np.arange(count)[:, None] == home, weights, 0.0)
    found = []
    for of_region in weights:
        columns = np.flatnonzero(of_region > 0)
        greatest = of_region.max(initial=0.0) or 1.0
        found.append((known[columns], of_region[columns] / greatest))
    return found
