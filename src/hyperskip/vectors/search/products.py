"""Words by their products with queries: the greatest, found by NumPy or by PyTorch on a device.

Both multiply a few queries at a time, so that the matrix (queries, words) stays small, and both
choose from it where it was made: what leaves a device is rows of words.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.devices import gpu_memory_errors
from hyperskip.geometry.measures import Floats, Matrix

if TYPE_CHECKING:
    import torch

Rows = npt.NDArray[np.int64]

# Multiply-adds (questions × words × dimension) for which a GPU is worth starting: two cores take
# 5 s for so many, and PyTorch with the driver seconds to start.
WORTH_A_GPU = 10**11

# Numbers (words × dimension) for which a kernel is worth loading: NumPy takes 2 ms for so many.
WORTH_COMPACTING = 5_000_000

_CELLS_AT_ONCE = 1 << 25  # of the matrix (queries, words): 128 MiB in float32


class ProductSearch(Protocol):
    """Questions to the keys of all words; queries are (queries, dimension of the keys)."""

    def products(self, queries: Floats) -> Matrix:
        """(queries, words): all of them, in the keys' precision."""

    def greatest(self, queries: Floats, excluded: Rows) -> Rows:
        """(queries,): the row with the greatest product; the first, where several are equal.

        Rows in excluded (queries, any number) are left out.
        """

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        """For each query, the rows that may have the `count` greatest products, in their order.

        They are more than `count` where rounding may have changed places, and fewer where there
        are not so many words. Rows in excluded (queries, any number) are left out.
        """


class NumpySearch:
    """On the processor.

    Args:
        keys: One row a word.
        cells_at_once: Of the matrix (queries, words).
    """

    def __init__(self, keys: Matrix, *, cells_at_once: int = _CELLS_AT_ONCE) -> None:
        self._keys = keys
        self._cells_at_once = cells_at_once
        self._longest_key = _longest(keys)

    def products(self, queries: Floats) -> Matrix:
        converted: Any = queries.astype(self._keys.dtype)
        products: Matrix = converted @ self._keys.T
        return products

    def greatest(self, queries: Floats, excluded: Rows) -> Rows:
        rows = np.empty(len(queries), dtype=np.int64)
        for part in parts(len(queries), len(self._keys), self._cells_at_once):
            rows[part] = self._of_others(queries[part], excluded[part]).argmax(axis=1)
        return rows

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        count = min(count, len(self._keys))
        rounding = _rounding(queries, self._longest_key, self._keys.dtype)
        for part in parts(len(queries), len(self._keys), self._cells_at_once):
            products = self._of_others(queries[part], excluded[part])
            for row, margin in zip(products, rounding[part], strict=True):
                least = np.partition(row, -count)[-count]
                yield np.flatnonzero((row >= least - margin) & (row > -np.inf))

    def _of_others(self, queries: Floats, excluded: Rows) -> Matrix:
        """Products in which those of excluded rows are out of the race."""
        products = self.products(queries)
        products[np.arange(len(queries))[:, None], excluded] = -np.inf
        return products


class TorchSearch:
    """On a device of PyTorch's, to which the keys are copied once.

    Args:
        keys: One row a word.
        device: Where the products are made.
        cells_at_once: Of the matrix (queries, words).
    """

    def __init__(
        self, keys: Matrix, device: "torch.device", *, cells_at_once: int = _CELLS_AT_ONCE
    ) -> None:
        import torch

        if not _multiplies_in_full(device):
            keys = keys.astype(np.float64)
        self._cells_at_once = cells_at_once
        self._dtype = keys.dtype
        self._longest_key = _longest(keys)
        with gpu_memory_errors():
            self._keys = torch.as_tensor(keys, device=device)  # (words, dimension)

    def products(self, queries: Floats) -> Matrix:
        products: Matrix = np.empty((len(queries), len(self._keys)), dtype=self._dtype)
        for part in parts(len(queries), len(self._keys), self._cells_at_once):
            with gpu_memory_errors():
                products[part] = self._products(queries[part]).cpu().numpy()
        return products

    def greatest(self, queries: Floats, excluded: Rows) -> Rows:
        rows = np.empty(len(queries), dtype=np.int64)
        for part in parts(len(queries), len(self._keys), self._cells_at_once):
            with gpu_memory_errors():
                products = self._of_others(queries[part], excluded[part])
                rows[part] = products.argmax(dim=1).cpu().numpy()
        return rows

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        count = min(count, len(self._keys))
        rounding = _rounding(queries, self._longest_key, self._dtype)
        for part in parts(len(queries), len(self._keys), self._cells_at_once):
            with gpu_memory_errors():
                products = self._of_others(queries[part], excluded[part])
                least = products.topk(count, dim=1, sorted=False).values.amin(dim=1)
                bounds = (least - self._tensor(rounding[part]))[:, None]
                near = (products >= bounds) & (products > -np.inf)
                of_query, rows = near.nonzero().cpu().numpy().T
            yield from np.split(rows, np.searchsorted(of_query, np.arange(1, len(products))))

    def _products(self, queries: Floats) -> "torch.Tensor":
        return self._tensor(queries.astype(self._dtype)) @ self._keys.T

    def _of_others(self, queries: Floats, excluded: Rows) -> "torch.Tensor":
        """Products in which those of excluded rows are out of the race."""
        return self._products(queries).scatter_(1, self._tensor(excluded), -np.inf)

    def _tensor(self, array: npt.NDArray[Any]) -> "torch.Tensor":
        import torch

        return torch.tensor(array, device=self._keys.device)


def parts(queries: int, words: int, cells_at_once: int) -> Iterator[slice]:
    """The queries in parts whose products are made at once."""
    at_once = max(1, cells_at_once // max(1, words))
    return (slice(begin, begin + at_once) for begin in range(0, queries, at_once))


def _longest(keys: Matrix) -> float:
    return float(np.linalg.norm(keys, axis=1).max(initial=0.0))


def _rounding(queries: Floats, longest_key: float, dtype: npt.DTypeLike) -> Matrix:
    """(queries,): by how much rounding may set two products of a query apart."""
    lengths = np.linalg.norm(queries, axis=1)
    rounding: Matrix = (8 * np.finfo(dtype).eps * lengths * longest_key).astype(dtype)
    return rounding


def _multiplies_in_full(device: "torch.device") -> bool:
    """Whether float32 products are made of all their digits.

    PyTorch can be told to drop some, for all of a program (TF32). That is not ours to change, and
    neighbors would be lost: the keys are float64 then.
    """
    import torch

    sample = torch.full((64, 64), 1 + 2.0**-20, device=device)
    return bool(torch.equal(sample @ torch.eye(64, device=device), sample))
