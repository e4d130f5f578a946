"""The graph of nearest words, and how strongly neighbors attract each other."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.kernel_cache import compile_kernels
from hyperskip.projection.map_events import MapProgress, Report
from hyperskip.vectors.word_vectors import WordVectors

NEIGHBORS = 10

_CELLS_AT_ONCE = 1 << 23  # of the matrix (words, all words): 32 MiB in float32
_HALVINGS = 48  # steps of the bisection that finds a word's scale


@dataclass(frozen=True)
class NeighborGraph:
    """The nearest words of every word."""

    rows: Rows  # (words, neighbors), nearest first
    distances: Floats  # (words, neighbors)


@dataclass(frozen=True)
class Pulls:
    """For each word, the words that attract it: its neighbors, and those it is a neighbor of."""

    starts: Rows  # (words + 1,): index of each word's first pull
    words: npt.NDArray[np.int32]  # (pulls,): the word that attracts
    strengths: Floats  # (pulls,), from 0 to 1


def nearest_words(
    vectors: WordVectors, report: Report, neighbors: int = NEIGHBORS
) -> NeighborGraph:
    """The nearest words of each word: 10, or another number, but not more than half of all."""
    words = len(vectors)
    count = max(1, min(neighbors, (words - 1) // 2))
    rows = np.empty((words, count), dtype=np.int64)
    at_once = max(1, _CELLS_AT_ONCE // words)
    for begin in range(0, words, at_once):
        some = slice(begin, begin + at_once)
        similarities = vectors.similarities(vectors.points[some])
        own = np.arange(len(similarities))
        similarities[own, begin + own] = -np.inf  # a word is not its own neighbor
        _choose(similarities, rows[some])
        report(MapProgress("neighbors", min(1.0, (begin + at_once) / words)))
    of_word = np.repeat(np.arange(words), count)
    distances = vectors.distance_of_rows(of_word, rows.ravel()).reshape(rows.shape)
    order = np.argsort(distances, axis=1, kind="stable")
    return NeighborGraph(
        np.take_along_axis(rows, order, axis=1), np.take_along_axis(distances, order, axis=1)
    )


def _choose(similarities: Matrix, rows: Rows) -> None:
    """Write the columns of each word's greatest similarities into its row."""
    from hyperskip.projection.kernels import greatest_of_each

    compile_kernels(lambda: greatest_of_each(similarities[:0], rows[:0]), greatest_of_each)
    greatest_of_each(similarities, rows)


def pulls_between(graph: NeighborGraph) -> Pulls:
    """How strongly words attract each other, as in UMAP (McInnes et al., 2018, section 3.1).

    A word's nearest neighbor attracts with strength 1, the others with
    exp(-(d - d_nearest) / scale). The scale makes the sum log2(neighbors). The strengths a and b of
    two words' attraction to each other both become a + b - ab.
    """
    from scipy.sparse import csr_array

    words, count = graph.rows.shape
    beyond = graph.distances - graph.distances[:, :1]
    strengths = np.exp(-beyond / _scales(beyond, np.log2(count))[:, None])
    directed = csr_array(
        (strengths.ravel(), graph.rows.ravel(), np.arange(0, words * count + 1, count)),
        shape=(words, words),
    )
    back = directed.T.tocsr()
    both = (directed + back - directed.multiply(back)).tocsr()
    both.sort_indices()
    return Pulls(both.indptr.astype(np.int64), both.indices.astype(np.int32), both.data)


def _scales(beyond: Floats, total: float) -> Floats:
    """(words,): the scale for which exp(-beyond / scale) adds up to the total, by bisection."""
    widest = np.maximum(beyond[:, -1], 1e-12)
    low, high = np.full(len(beyond), 1e-12), 1e3 * widest
    for _ in range(_HALVINGS):
        middle = np.sqrt(low * high)
        too_much = np.exp(-beyond / middle[:, None]).sum(axis=1) > total
        high = np.where(too_much, middle, high)
        low = np.where(too_much, low, middle)
    return np.maximum(np.sqrt(low * high), 1e-3 * widest)
