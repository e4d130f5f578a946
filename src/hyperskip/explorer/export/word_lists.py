"""The lists that an exported explorer has for each word: neighbors, kinds, parents and children."""

import numpy as np
import numpy.typing as npt

from hyperskip.explorer.answers.graph_table import GraphTable
from hyperskip.explorer.export.stored_data import Array
from hyperskip.explorer.export.stored_lists import StoredLists
from hyperskip.geometry.arrays import Rows
from hyperskip.geometry.names import ANGLE
from hyperskip.projection.map_events import MapProgress, Report
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.listed_words import Kind
from hyperskip.vectors.word_vectors import WordVectors

_AT_ONCE = 512  # words whose neighbors are searched
_LEAST = 0.5  # probability of the kinds that the page lists
_MARGIN = 0.01  # for the rounding of scores


def neighbor_lists(vectors: WordVectors, rows: Rows, count: int, report: Report) -> StoredLists:
    """Return the nearest words of each word, with distances, or cosines if angles are measured.

    Args:
        vectors: All words.
        rows: The rows of all words, in the order of the map.
        count: Number of neighbors.
        report: Called with the progress.
    """
    index = np.argsort(rows)
    lists, numbers = [], [np.empty(0)]
    for begin in range(0, len(rows), _AT_ONCE):
        some = rows[begin : begin + _AT_ONCE]
        for found in vectors.nearest(vectors.points_of_rows(some), count, some[:, None]):
            lists.append(index[found.rows].tolist())
            numbers.append(found.similarities if vectors.measure == ANGLE else found.distances)
        report(MapProgress("lists of neighbors", min(1.0, (begin + _AT_ONCE) / len(rows))))
    return StoredLists(lists, np.nan_to_num(np.concatenate(numbers)))


def kind_lists(
    vectors: WordVectors, rows: Rows, hypernyms: int, hyponyms: int, report: Report
) -> dict[str, StoredLists]:
    """Return the likely hypernyms and hyponyms of each word, with their probabilities.

    Args:
        vectors: All words, with a hierarchy.
        rows: The rows of all words, in the order of the map.
        hypernyms: Number of hypernyms of each word.
        hyponyms: Number of hyponyms of each word.
        report: Called with the progress.
    """
    assert vectors.hierarchy is not None
    index = {vectors.words[row]: i for i, row in enumerate(rows.tolist())}
    is_broad = _have_likely_hyponyms(vectors.hierarchy)
    found: dict[str, list[list[Kind]]] = {"hypernyms": [], "hyponyms": []}
    for i, (word, row) in enumerate(zip(index, rows.tolist(), strict=True)):
        found["hypernyms"].append(_likely(vectors.hypernyms(word, hypernyms)))
        found["hyponyms"].append(_likely(vectors.hyponyms(word, hyponyms)) if is_broad[row] else [])
        if i % _AT_ONCE == 0:
            report(MapProgress("lists of kinds", i / len(rows)))
    report(MapProgress("lists of kinds", 1.0))
    return {
        name: StoredLists(
            [[index[kind.word] for kind in one] for one in lists],
            np.array([kind.score for one in lists for kind in one], dtype=np.float64),
        )
        for name, lists in found.items()
    }


def _likely(kinds: list[Kind]) -> list[Kind]:
    return [kind for kind in kinds if kind.score >= _LEAST]


def _have_likely_hyponyms(points: HierarchyPoints) -> npt.NDArray[np.bool_]:
    """Return which words may have likely hyponyms (words,): few do, and finding them is slow."""
    words = np.arange(len(points))
    have = np.zeros(len(words), dtype=np.bool_)
    for begin in range(0, len(words), _AT_ONCE):
        some = words[begin : begin + _AT_ONCE]
        scores = points.score_matrix(some, words)
        scores[np.arange(len(some)), some] = -np.inf  # a word is not its own hyponym
        have |= points.probabilities(scores.max(axis=0)) >= _LEAST - _MARGIN
    return have


def relative_lists(
    table: GraphTable, rows: Rows
) -> tuple[dict[str, StoredLists], dict[str, Array]]:
    """Return the parents and children of each word; its main parent, and the words below it.

    Args:
        table: The edges between the words.
        rows: The rows of all words, in the order of the map.
    """
    index = np.argsort(rows)
    relatives = [table.relatives(row) for row in rows.tolist()]
    lists = {
        "parents": StoredLists([index[one.parents].tolist() for one in relatives]),
        "children": StoredLists([index[one.children].tolist() for one in relatives]),
    }
    main = [index[one.path[-1]] if one.path else -1 for one in relatives]
    arrays: dict[str, Array] = {
        "main_parents": np.array(main, dtype=np.int32),
        "below": np.array([one.below for one in relatives], dtype=np.uint32),
    }
    return lists, arrays
