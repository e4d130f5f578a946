"""Exact search among many words, with keys rounded to one byte for each number.

The distance of each key from its rounded one is stored, and bounds the error of each product. All
words that may have one of the greatest products are on the shortlist, some dozens of words. These
are then ordered by their exact coordinates, so the answers are those of a plain search.
"""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.kernel_cache import compile_kernels
from hyperskip.vectors.search import kernel
from hyperskip.vectors.search.products import NumpySearch

Float32s = npt.NDArray[np.float32]

_LARGEST = 127  # the largest rounded number
_WIDTH = 64  # rows are padded to a multiple of this, the step of the compiled loop
_WIDE = 3.0  # columns larger than this many times the median would make the others less accurate
_WORDS_AT_ONCE = 1 << 14
_QUERIES_AT_ONCE = 8


class CompactSearch:
    """Products on the processor, for many words. Threads may share it.

    Args:
        keys: (words, n) float32. They are not kept.
        keys_of: Returns the exact keys of some rows again.
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

    def _round(self, block: slice, keys: Matrix) -> None:
        exact = keys[block].astype(np.float64)
        narrow = exact[:, ~self._is_wide]
        scales = (np.abs(narrow).max(axis=1, initial=0.0) / _LARGEST).astype(np.float32)
        scales[scales < np.finfo(np.float32).tiny] = 1.0
        self._scales[block] = scales
        # The scale is rounded too, so a quotient may be slightly above the largest number.
        rounded = np.clip(np.rint(narrow / scales[:, None]), -_LARGEST, _LARGEST)
        self._rounded[block, : narrow.shape[1]] = rounded
        errors = np.linalg.norm(narrow - rounded * scales[:, None], axis=1)
        self._errors[block] = np.nextafter(errors.astype(np.float32), np.float32(np.inf))
        self._longest = max(self._longest, float(np.linalg.norm(exact, axis=1).max(initial=0.0)))

    def products(self, queries: Floats) -> Matrix:
        """See `ProductSearch`. Computed from the exact keys."""
        return NumpySearch(self._keys_of(np.arange(self._words))).products(queries)

    def greatest(self, queries: Floats, excluded: Rows) -> Rows:
        """See `ProductSearch`."""
        rows = np.zeros(len(queries), dtype=np.int64)
        for i, shortlist in enumerate(self.shortlists(queries, 1, excluded)):
            if len(shortlist):
                keys = self._keys_of(shortlist)
                rows[i] = shortlist[(keys @ queries[i].astype(keys.dtype)).argmax()]
        return rows

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        """See `ProductSearch`."""
        for begin in range(0, len(queries), _QUERIES_AT_ONCE):
            block = slice(begin, begin + _QUERIES_AT_ONCE)
            for margin, most, best, left_out in zip(
                *self._bounds(queries[block]), excluded[block], strict=True
            ):
                threshold = _threshold(margin, most, best, count + len(left_out))
                shortlist = np.flatnonzero(most >= threshold)
                yield shortlist[~np.isin(shortlist, left_out)]

    def _bounds(self, queries: Floats) -> tuple[Floats, Float32s, Float32s]:
        """Return the largest error of each query's products, and the bounds of the kernel."""
        narrow = np.zeros((len(queries), self._rounded.shape[1]), dtype=np.float32)
        narrow[:, : np.count_nonzero(~self._is_wide)] = queries[:, ~self._is_wide]
        lengths = np.linalg.norm(narrow.astype(np.float64), axis=1)
        # A float32 sum has at most as many rounding errors as terms, in any order of summation.
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


def _threshold(margin: float, most: Float32s, best: Float32s, count: int) -> float:
    """Return a number that the `count` greatest products reach.

    The `count` blocks with the greatest lower bounds have one such product each. If there are too
    few blocks, the `count` words with the greatest upper bounds have such products: each is within
    two margins of its upper bound.
    """
    if count <= len(best) // 2:
        return float(np.partition(best, -count)[-count])
    count = min(count, len(most))
    return float(np.partition(most, -count)[-count]) - 2.0 * margin
