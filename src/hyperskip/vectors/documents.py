"""Documents as lists of words: read in batches, and turned into their centroids.

The means of all documents are sparse matrix products, a batch of words at a time, so that memory
does not grow with the text. `Space.centroid` is the slow twin.
"""

from collections.abc import Iterator, Mapping
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
_MISSING = object()  # a document without weights, or weights without a document
_FAR = 7.0  # radius beyond which the centroid of a mean has too few correct digits


class Batch(NamedTuple):
    """Some documents."""

    first: int  # the number of the first document, from 0
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
    if isinstance(documents, Mapping) or hasattr(type(documents), "columns"):
        raise InputError(
            f"`documents` must be a list of documents, got {type(documents).__name__}",
            hint="pass a column with lists of words: frame['words'], or "
            "frame['text'].str.split() for texts",
        )
    first = 0
    words: list[str] = []
    numbers: list[Floats] = []
    starts = [0]
    for document, (text, weights_of_text) in enumerate(_with_weights(documents, weights)):
        found = _words_of(document, text)
        words += found
        starts.append(len(words))
        if weights is not None:
            numbers.append(_weights_of(document, weights_of_text, len(found)))
        if len(words) >= _WORDS_AT_ONCE:
            yield _batch(first, words, starts, numbers)
            words, numbers, starts = [], [], [0]
            first = document + 1
    yield _batch(first, words, starts, numbers)


def _with_weights(documents: object, weights: object) -> Iterator[tuple[object, object]]:
    """Yield each document and its list of weights, or None if there are no weights."""
    texts = argument_checks.checked_iterable("documents", documents)
    if weights is None:
        yield from zip(texts, repeat(None))
        return
    lists = argument_checks.checked_iterable("weights", weights)
    for text, weights_of_text in zip_longest(texts, lists, fillvalue=_MISSING):
        if text is _MISSING or weights_of_text is _MISSING:
            raise InputError(
                f"`weights` has {'more' if text is _MISSING else 'fewer'} lists than there are "
                "documents",
                hint="pass a list of weights for each document, or a dict from words to weights",
            )
        yield text, weights_of_text


def _batch(first: int, words: list[str], starts: list[int], weights: list[Floats]) -> Batch:
    return Batch(first, words, np.array(starts), np.concatenate(weights) if weights else None)


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
    if weights is None:
        weights = np.ones(len(rows))
    means = _means(coordinates, space, rows, starts, weights)
    if not space.is_curved:
        return space.centroid_of_mean(means)
    with np.errstate(invalid="ignore", divide="ignore"):  # far out; these are computed again
        found = space.centroid_of_mean(means)
        far = ~(space.radius(found) <= _FAR)
    for document in np.flatnonzero(far):
        within = slice(starts[document], starts[document + 1])
        points = space.points(coordinates[rows[within]])
        found[document] = space.centroid(points, weights[within])
    return found


def _means(
    coordinates: npt.NDArray[np.float32], space: Space, rows: Rows, starts: Rows, weights: Floats
) -> Floats:
    """Return the weighted mean (documents, n) of the points of each document, as flat vectors."""
    from scipy.sparse import csr_array

    base = space.points(np.zeros(coordinates.shape[1]))
    means = np.zeros((len(starts) - 1, len(base)))
    totals = np.zeros(len(means))  # of the weights
    column_of_row = np.empty(len(coordinates), dtype=np.int32)
    for begin, end, documents in _stretches(starts, max(1, _NUMBERS_AT_ONCE // len(base))):
        within = np.clip(starts[documents.start : documents.stop + 1], begin, end) - begin
        distinct = _distinct(rows[begin:end], len(coordinates))
        column_of_row[distinct] = np.arange(len(distinct))
        by_document = csr_array(
            (weights[begin:end], column_of_row[rows[begin:end]], within.astype(np.int32)),
            shape=(len(within) - 1, len(distinct)),
        )
        words = coordinates[distinct].astype(np.float64)
        sums = (np.asarray(by_document @ numbers) for numbers in (words, space.times(words)))
        means[documents] += space.with_times(*sums)
        totals[documents] += np.asarray(by_document.sum(axis=1))
    empty = totals == 0
    means[empty], totals[empty] = base, 1.0
    means /= totals[:, None]
    return means


def _stretches(starts: Rows, size: int) -> Iterator[tuple[int, int, slice]]:
    """Yield the begin and end of each stretch of tokens, and the documents that it has parts of."""
    for begin in range(0, int(starts[-1]), size):
        end = min(begin + size, int(starts[-1]))
        first = np.searchsorted(starts, begin, side="right") - 1
        yield begin, end, slice(int(first), int(np.searchsorted(starts, end)))


def _distinct(rows: Rows, words: int) -> Rows:
    """Return each row once, in order; faster than sorting them."""
    occurs = np.zeros(words, dtype=np.bool_)
    occurs[rows] = True
    return np.flatnonzero(occurs)
