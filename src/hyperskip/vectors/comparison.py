"""Words that moved between two models, of any dimensions and geometries, without an alignment."""

from typing import NamedTuple

import numpy as np

from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.measures import unit
from hyperskip.options import Declaration, Range
from hyperskip.vectors.listed_words import COUNT, Moved
from hyperskip.vectors.word_points import WordPoints

WORDS = Declaration(
    kind=int,
    help="number of words that are compared: the most frequent that both models have",
    default=3000,
    limits=Range(at_least=1),
)
NEIGHBORS = Declaration(
    kind=int,
    help="number of nearest words of each word that are compared",
    default=25,
    limits=Range(at_least=2, at_most=1000),
)
_FEWEST = 3  # words in common
_AT_ONCE = 256  # words


class Change(NamedTuple):
    """How some words moved."""

    change: Floats  # (words,)
    shared: Rows  # (words,): number of neighbors that both models have


def moved_words(
    first: WordPoints,
    second: WordPoints,
    count: int = COUNT.default,
    *,
    words: int = WORDS.default,
    neighbors: int = NEIGHBORS.default,
) -> list[Moved]:
    """Return the words that moved most from one model to the other; see `WordVectors.moved_words`.

    Raises:
        InputError: The models have fewer than three words in common.
        OptionError: A number is out of range.
    """
    COUNT.checked("count", count)
    WORDS.checked("words", words)
    NEIGHBORS.checked("neighbors", neighbors)
    rows = common_rows(first, second)
    if len(rows[0]) < _FEWEST:
        raise InputError(
            f"the models have {len(rows[0])} words in common",
            hint=f"compare models that have at least {_FEWEST} words in common",
        )
    directions = (
        unit(first.coordinates[rows[0]].astype(np.float64)),
        unit(second.coordinates[rows[1]].astype(np.float64)),
    )
    compared = np.arange(min(words, len(rows[0])))
    change = change_of_words(directions, compared, min(neighbors, len(rows[0]) - 1))
    order = np.argsort(-change.change, kind="stable")[:count]
    return [
        Moved(first.words[row], moved, shared)
        for row, moved, shared in zip(
            rows[0][order].tolist(),
            change.change[order].tolist(),
            change.shared[order].tolist(),
            strict=True,
        )
    ]


def common_rows(first: WordPoints, second: WordPoints) -> tuple[Rows, Rows]:
    """Return the rows of the words that both models have, those that are frequent in both first."""
    in_second = second.known_rows(first.words, any_case=False)
    in_first = np.flatnonzero(in_second >= 0)
    in_second = in_second[in_first]
    order = np.lexsort((in_first, np.maximum(in_first, in_second)))
    return in_first[order], in_second[order]


def change_of_words(directions: tuple[Floats, Floats], rows: Rows, neighbors: int) -> Change:
    """Return how much some words moved between two models with the same words.

    A word moved if its neighbors in one model are still near each other in the other model, but the
    word is not near them there. So the change is the mean cosine of these neighbors with each other
    minus their mean cosine with the word, averaged over both models. If this is above 0 in the
    model of the neighbors already, that is subtracted: a model does not differ from itself. Words
    whose neighbors are different after every training, such as function words, do not rank high:
    their neighbors are not near each other in the other model.

    Args:
        directions: For each model, unit vectors of all words (all words, its dimension).
        rows: (words,): the words.
        neighbors: Number of neighbors of each word, two or more.
    """
    first, second = (_nearest(one, rows, neighbors) for one in directions)
    both = (0, first), (1, second)  # each model, and the neighbors in it
    lost = [
        _lost(directions[1 - model], rows, near)
        - np.maximum(_lost(directions[model], rows, near), 0.0)
        for model, near in both
    ]
    shared = [len(np.intersect1d(one, other)) for one, other in zip(first, second, strict=True)]
    return Change(np.mean(lost, axis=0), np.array(shared, dtype=np.int64))


def _nearest(directions: Floats, rows: Rows, count: int) -> Rows:
    """Return the words with the greatest cosines (words, count), in any order."""
    nearest = []
    for begin in range(0, len(rows), _AT_ONCE):
        some = rows[begin : begin + _AT_ONCE]
        cosines = directions[some] @ directions.T
        cosines[np.arange(len(some)), some] = -np.inf  # a word is not its own neighbor
        nearest.append(np.argpartition(-cosines, count - 1, axis=1)[:, :count])
    return np.concatenate(nearest)


def _lost(directions: Floats, rows: Rows, neighbors: Rows) -> Floats:
    """Return the mean cosine of neighbors with each other minus that with their word (words,)."""
    count = neighbors.shape[1]
    sums = np.stack([directions[near].sum(axis=0) for near in neighbors])
    with_themselves = np.square(directions).sum(axis=1)[neighbors].sum(axis=1)
    together = (np.square(sums).sum(axis=1) - with_themselves) / (count * (count - 1))
    with_word = np.einsum("ij,ij->i", sums, directions[rows]) / count
    return np.asarray(together - with_word)
