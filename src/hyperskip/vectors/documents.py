"""Documents as lists of words: read in batches, and turned into their centroids.

The means of all documents are sparse matrix products, a batch of words at a time, so that memory
does not grow with the text. `Space.centroid` is the slow twin.
"""

from collections.abc import Iterable, Iterator
from itertools import repeat, zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, shown
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.spaces import Space
from hyperskip.vectors import argument_checks

_NUMBERS_AT_ONCE = 1 << 21  # float64 numbers of points that are in memory at the same time
_WORDS_AT_ONCE = 1 << 17  # words of documents that are in memory as strings
_FAR = 7.0  # radius beyond which the centroid of a mean has too few correct digits


class Batch(NamedTuple):
    """Some documents."""

    words: list[str]  # of all documents, in order
    starts: Rows  # (documents + 1,): document i is words[starts[i]:starts[i + 1]]
    weights: Floats | None  # (words,)


def batches(documents: object, weights: object = None) -> Iterator[Batch]:
    """Read documents, and a list of weights for each if there are any, a batch at a time.

    Raises:
        InputError: A document is not a list of words, or does not have as many weights.
    """
    if isinstance(documents, str):
        raise InputError(
            f"`documents` must be a list of documents, got {shown(documents)}",
            hint="a document is a list of words: [['small', 'dog'], ['red', 'car']]",
        )
    texts = argument_checks.checked_iterable("documents", documents)
    if weights is None:
        pairs: Iterable[tuple[object, object]] = zip(texts, repeat(None))
    else:
        pairs = zip_longest(texts, argument_checks.checked_iterable("weights", weights))
    words: list[str] = []
    numbers: list[Floats] = []
    starts = [0]
    for document, (text, weights_of_text) in enumerate(pairs):
        found = _words_of(document, text)
        words += found
        starts.append(len(words))
        if weights is not None:
            numbers.append(_weights_of(document, weights_of_text, len(found)))
        if len(words) >= _WORDS_AT_ONCE:
            yield _batch(words, starts, numbers)
            words, numbers, starts = [], [], [0]
    yield _batch(words, starts, numbers)


def _batch(words: list[str], starts: list[int], weights: list[Floats]) -> Batch:
    return Batch(words, np.array(starts), np.concatenate(weights) if weights else None)


def _words_of(document: int, text: object) -> list[str]:
    if isinstance(text, str):
        raise InputError(
            f"document {document} is a text, not a list of words: {shown(text)}",
            hint="split each text into words, for example text.split()",
        )
    try:
        return argument_checks.checked_words(text)
    except InputError as error:
        raise InputError(
            f"document {document} is not a list of words: {error.message}", hint=error.hint
        ) from error


def _weights_of(document: int, weights: object, count: int) -> Floats:
    try:
        return argument_checks.checked_weights(weights, count)
    except InputError as error:
        raise InputError(f"document {document}: {error.message}", hint=error.hint) from error


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
