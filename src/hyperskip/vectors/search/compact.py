"""The greatest products among many words, exactly, from keys that are rounded to a byte a number.

How far rounding moved each key is known, and so is how far a product may be off. Whatever may be
among the greatest is on the shortlist, some dozens of words, and is told apart by its own
coordinates: the answers are those of plain search.
"""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.measures import Floats, Matrix
from hyperskip.kernel_cache import compile_kernels
from hyperskip.vectors.search import kernel
from hyperskip.vectors.search.products import NumpySearch, Rows

Float32s = npt.NDArray[np.float32]

_LARGEST = 127  # of a rounded number
_WIDTH = 64  # a row is padded to a multiple of it: the compiled loop takes so many at once
_WIDE = 3.0  # times the usual size of columns: to round with one such would cost the others
_WORDS_AT_ONCE = 1 << 14
_QUERIES_AT_ONCE = 8


class CompactSearch:
    """On the processor, for many words. Any number of threads may ask at once.

    Args:
        keys: One row a word, in float32.
        keys_of: Makes the keys of some words again, as they are not kept.
    """

    def __init__(self, keys: Matrix, keys_of: Callable[[Rows], Matrix]) -> None:
        self._keys_of = keys_of
        self._words = len(keys)
        sizes = np.sqrt(np.einsum("wd,wd->d", keys, keys, dtype=np.float64) / max(1, len(keys)))
        self._is_wide = sizes > _WIDE * np.median(sizes)
        narrow = int(np.count_nonzero(~self._is_wide))
        self._rounded = np.zeros((len(keys), -(-narrow // _WIDTH) * _WIDTH), dtype=np.int8)
        self._scales = np.empty(len(keys), dtype=np.float32)
        self._errors = np.empty(len(keys), dtype=np.float32)
        self._wide = np.ascontiguousarray(keys[:, self._is_wide])
        self._longest = 0.0
        for begin in range(0, len(keys), _WORDS_AT_ONCE):
            self._round(slice(begin, begin + _WORDS_AT_ONCE), keys)
        compile_kernels(lambda: self._bounds(np.zeros((1, keys.shape[1]))), kernel.bounds)

    def _round(self, part: slice, keys: Matrix) -> None:
        exact = keys[part].astype(np.float64)
        narrow = exact[:, ~self._is_wide]
        scales = (np.abs(narrow).max(axis=1, initial=0.0) / _LARGEST).astype(np.float32)
        scales[scales < np.finfo(np.float32).tiny] = 1.0
        self._scales[part] = scales
        # The scale is rounded itself, so that a quotient may be a little above the largest number.
        rounded = np.clip(np.rint(narrow / scales[:, None]), -_LARGEST, _LARGEST)
        self._rounded[part, : narrow.shape[1]] = rounded
        errors = np.linalg.norm(narrow - rounded * scales[:, None], axis=1)
        self._errors[part] = np.nextafter(errors.astype(np.float32), np.float32(np.inf))
        self._longest = max(self._longest, float(np.linalg.norm(exact, axis=1).max(initial=0.0)))

    def products(self, queries: Floats) -> Matrix:
        """See `ProductSearch`: these are made of the keys themselves."""
        return NumpySearch(self._keys_of(np.arange(self._words))).products(queries)

    def greatest(self, queries: Floats, excluded: Rows) -> Rows:
        """See `ProductSearch`."""
        rows = np.empty(len(queries), dtype=np.int64)
        for i, shortlist in enumerate(self.shortlists(queries, 1, excluded)):
            keys = self._keys_of(shortlist)
            rows[i] = shortlist[(keys @ queries[i].astype(keys.dtype)).argmax()]
        return rows

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        """See `ProductSearch`."""
        for begin in range(0, len(queries), _QUERIES_AT_ONCE):
            part = slice(begin, begin + _QUERIES_AT_ONCE)
            margins, most_of_all, best_of_all = self._bounds(queries[part])
            for margin, most, best, left_out in zip(
                margins, most_of_all, best_of_all, excluded[part], strict=True
            ):
                least = _least(margin, most, best, count + len(left_out))
                shortlist = np.flatnonzero(most >= least)
                yield shortlist[~np.isin(shortlist, left_out)]

    def _bounds(self, queries: Floats) -> tuple[Floats, Float32s, Float32s]:
        """The greatest margin of each query, and what the kernel says of all products."""
        narrow = np.zeros((len(queries), self._rounded.shape[1]), dtype=np.float32)
        narrow[:, : np.count_nonzero(~self._is_wide)] = queries[:, ~self._is_wide]
        lengths = np.linalg.norm(narrow.astype(np.float64), axis=1)
        # A float32 sum is off by no more roundings than it has terms, however they are grouped.
        slack = queries.shape[1] * np.finfo(np.float32).eps * self._longest
        slacks = slack * np.linalg.norm(queries, axis=1)
        margins = float(self._errors.max(initial=0.0)) * lengths + slacks
        most = np.empty((len(queries), self._words), dtype=np.float32)
        best = np.empty((len(queries), -(-self._words // kernel.BLOCK)), dtype=np.float32)
        kernel.bounds(
            self._rounded,
            self._scales,
            self._errors,
            self._wide,
            narrow,
            queries[:, self._is_wide].astype(np.float32),
            lengths.astype(np.float32),
            slacks.astype(np.float32),
            most,
            best,
        )
        return margins, most, best


def _least(margin: float, most: Float32s, best: Float32s, count: int) -> float:
    """A bound that the `count` greatest products reach.

    So many blocks have a product each that is at least the count-th best of theirs. Where there are
    too few blocks, so many words have a product that is within two margins of the most it may be.
    """
    if count <= len(best) // 2:
        return float(np.partition(best, -count)[-count])
    count = min(count, len(most))
    return float(np.partition(most, -count)[-count]) - 2.0 * margin
