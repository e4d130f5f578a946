"""Centroids of many documents: words by their rows in, points out.

The means of all documents are sparse matrix products, a batch of words at a time, so that memory
does not grow with the text. `Space.centroid` is the slow twin.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.spaces import Space

_NUMBERS_AT_ONCE = 1 << 21  # float64 numbers of points that are in memory at the same time
_FAR = 7.0  # radius beyond which the centroid of a mean has too few correct digits


def centroids(
    coordinates: npt.NDArray[np.float32],
    space: Space,
    rows: Rows,
    starts: Rows,
    weights: Floats | None = None,
) -> Floats:
    """Return the centroid (documents, n) of each document.

    A document without words, or whose weights are all 0, is at the base point.

    Args:
        coordinates: (words, dimension): all words of the vocabulary.
        space: The space of the coordinates.
        rows: (tokens,): the words of all documents, in order.
        starts: (documents + 1,): document i is rows[starts[i]:starts[i + 1]].
        weights: (tokens,): a weight of 0 or more for each word of each document; by default 1.
    """
    from scipy.sparse import csr_array

    if weights is None:
        weights = np.ones(len(rows))
    base = space.points(np.zeros(coordinates.shape[1]))
    means = np.zeros((len(starts) - 1, len(base)))
    totals = np.zeros(len(means))  # of the weights
    for begin, end, documents in _batches(starts, max(1, _NUMBERS_AT_ONCE // len(base))):
        within = np.clip(starts[documents.start : documents.stop + 1], begin, end) - begin
        distinct, columns = np.unique(rows[begin:end], return_inverse=True)
        by_document = csr_array(
            (weights[begin:end], columns, within), shape=(len(within) - 1, len(distinct))
        )
        means[documents] += np.asarray(by_document @ space.points(coordinates[distinct]))
        totals[documents] += np.asarray(by_document.sum(axis=1))
    empty = totals == 0
    means[empty], totals[empty] = base, 1.0
    means /= totals[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):  # far out; these are computed again
        found = space.centroid_of_mean(means)
        far = ~(space.radius(found) <= _FAR) if space.is_curved else np.zeros(len(found), bool)
    for document in np.flatnonzero(far):
        words = slice(starts[document], starts[document + 1])
        found[document] = space.centroid(space.points(coordinates[rows[words]]), weights[words])
    return found


def _batches(starts: Rows, size: int) -> Iterator[tuple[int, int, slice]]:
    """Yield the first token and the end of each batch, and the documents that it has a part of."""
    for begin in range(0, int(starts[-1]), size):
        end = min(begin + size, int(starts[-1]))
        first = np.searchsorted(starts, begin, side="right") - 1
        yield begin, end, slice(int(first), int(np.searchsorted(starts, end)))
