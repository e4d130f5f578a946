"""Documents as lists of words: read in batches, and turned into their centroids.

The means of all documents are sparse matrix products, a batch of words at a time, so that memory
does not grow with the text. `Space.centroid` is the slow twin.
"""

from collections.abc import Iterator, Mapping
from itertools import compress, repeat, zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, shown
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors import argument_checks
from hyperskip.vectors.found_words import FoundWords
from hyperskip.vectors.stretches import stretches

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

    def only(self, kept: npt.NDArray[np.bool_]) -> "Batch":
        """Return the documents with these words only (words,)."""
        words = list(compress(self.words, kept.tolist()))
        starts = np.concatenate(([0], np.cumsum(kept)))[self.starts]
        return Batch(
            self.first, words, starts, None if self.weights is None else self.weights[kept]
        )


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


def centroids(words: FoundWords, starts: Rows, weights: Floats | None = None) -> Floats:
    """Return the centroid (documents, n) of each document.

    A document without words, or whose weights are all 0, is at the base point.

    Args:
        words: The words of all documents, in order; none of them is unknown.
        starts: (documents + 1,): document i is words[starts[i]:starts[i + 1]].
        weights: (tokens,): a weight of 0 or more for each word of each document; by default 1.
    """
    if weights is None:
        weights = np.ones(len(words))
    space = words.space
    means = _means(words, starts, weights)
    if not space.is_curved:
        return space.centroid_of_mean(means)
    with np.errstate(invalid="ignore", divide="ignore"):  # far out; these are computed again
        found = space.centroid_of_mean(means)
        far = ~(space.radius(found) <= _FAR)
    for document in np.flatnonzero(far):
        within = slice(starts[document], starts[document + 1])
        found[document] = space.centroid(words[within].points, weights[within])
    return found


def _means(words: FoundWords, starts: Rows, weights: Floats) -> Floats:
    """Return the weighted mean (documents, n) of the points of each document, as flat vectors."""
    from scipy.sparse import csr_array

    space, rows = words.space, words.rows
    base = space.points(np.zeros(words.vocabulary.shape[1]))
    means = np.zeros((len(starts) - 1, len(base)))
    totals = np.zeros(len(means))  # of the weights
    column_of_row = np.empty(words.row_count, dtype=np.int32)
    for begin, end, documents in stretches(starts, max(1, _NUMBERS_AT_ONCE // len(base))):
        within = np.clip(starts[documents.start : documents.stop + 1], begin, end) - begin
        distinct = _distinct(rows[begin:end], words.row_count)
        column_of_row[distinct] = np.arange(len(distinct))
        by_document = csr_array(
            (weights[begin:end], column_of_row[rows[begin:end]], within.astype(np.int32)),
            shape=(len(within) - 1, len(distinct)),
        )
        numbers = words.coordinates_of(distinct).astype(np.float64)
        sums = (np.asarray(by_document @ each) for each in (numbers, space.times(numbers)))
        means[documents] += space.with_times(*sums)
        totals[documents] += np.asarray(by_document.sum(axis=1))
    empty = totals == 0
    means[empty], totals[empty] = base, 1.0
    means /= totals[:, None]
    return means


def _distinct(rows: Rows, count: int) -> Rows:
    """Return each row once, in order; faster than sorting them."""
    occurs = np.zeros(count, dtype=np.bool_)
    occurs[rows] = True
    return np.flatnonzero(occurs)
