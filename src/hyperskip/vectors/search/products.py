"""The greatest products of keys and queries, computed by NumPy, or by PyTorch on a device.

Both multiply a few queries at a time, so that the matrix (queries, words) stays small. PyTorch
selects rows on the device: only these are copied back.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.devices import gpu_memory_errors
from hyperskip.geometry.arrays import Floats, Matrix, Rows

if TYPE_CHECKING:
    import torch


# Multiply-adds (questions × words × dimension) from which on a GPU is faster: two cores take 5 s
# for them, and PyTorch and the driver take seconds to start.
WORTH_A_GPU = 10**11

# Numbers (words × dimension) from which on a compact index is faster: NumPy takes 2 ms for them.
WORTH_COMPACTING = 5_000_000

_CELLS_AT_ONCE = 1 << 25  # cells of the matrix (queries, words): 128 MiB in float32


class ProductSearch(Protocol):
    """An index of the keys of all words (words, n); queries are (queries, n)."""

    def products(self, queries: Floats) -> Matrix:
        """Return all products (queries, words), in the precision of the keys."""

    def greatest(self, queries: Floats, excluded: Rows) -> Rows:
        """Return the row with the greatest product (queries,); of equal ones, the first.

        The rows in `excluded` (queries, rows) are left out. If these are all rows, the result is 0.
        """

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        """Yield, for each query, the rows that may have the `count` greatest products, ascending.

        There are more than `count` if rounding may have changed their order, and fewer if there
        are fewer words. The rows in `excluded` (queries, rows) are left out.
        """


class NumpySearch:
    """Products on the processor.

    Args:
        keys: (words, n).
        cells_at_once: The largest size of the matrix (queries, words).
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
        for block in query_blocks(len(queries), len(self._keys), self._cells_at_once):
            rows[block] = self._products_without(queries[block], excluded[block]).argmax(axis=1)
        return rows

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        count = min(count, len(self._keys))
        rounding = _rounding(queries, self._longest_key, self._keys.dtype)
        for block in query_blocks(len(queries), len(self._keys), self._cells_at_once):
            products = self._products_without(queries[block], excluded[block])
            for row, margin in zip(products, rounding[block], strict=True):
                least = np.partition(row, -count)[-count]
                yield np.flatnonzero((row >= least - margin) & (row > -np.inf))

    def _products_without(self, queries: Floats, excluded: Rows) -> Matrix:
        """Return the products, with -inf for excluded rows."""
        products = self.products(queries)
        products[np.arange(len(queries))[:, None], excluded] = -np.inf
        return products


class TorchSearch:
    """Products on a device of PyTorch. The keys are copied there once.

    Args:
        keys: (words, n).
        device: The device.
        cells_at_once: The largest size of the matrix (queries, words).
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
        for block in query_blocks(len(queries), len(self._keys), self._cells_at_once):
            with gpu_memory_errors():
                products[block] = self._products(queries[block]).cpu().numpy()
        return products

    def greatest(self, queries: Floats, excluded: Rows) -> Rows:
        rows = np.empty(len(queries), dtype=np.int64)
        for block in query_blocks(len(queries), len(self._keys), self._cells_at_once):
            with gpu_memory_errors():
                products = self._products_without(queries[block], excluded[block])
                rows[block] = products.argmax(dim=1).cpu().numpy()
        return rows

    def shortlists(self, queries: Floats, count: int, excluded: Rows) -> Iterator[Rows]:
        count = min(count, len(self._keys))
        rounding = _rounding(queries, self._longest_key, self._dtype)
        for block in query_blocks(len(queries), len(self._keys), self._cells_at_once):
            with gpu_memory_errors():
                products = self._products_without(queries[block], excluded[block])
                least = products.topk(count, dim=1, sorted=False).values.amin(dim=1)
                bounds = (least - self._tensor(rounding[block]))[:, None]
                near = (products >= bounds) & (products > -np.inf)
                of_query, rows = near.nonzero().cpu().numpy().T
            yield from np.split(rows, np.searchsorted(of_query, np.arange(1, len(products))))

    def _products(self, queries: Floats) -> "torch.Tensor":
        return self._tensor(queries.astype(self._dtype)) @ self._keys.T

    def _products_without(self, queries: Floats, excluded: Rows) -> "torch.Tensor":
        """Return the products, with -inf for excluded rows."""
        return self._products(queries).scatter_(1, self._tensor(excluded), -np.inf)

    def _tensor(self, array: npt.NDArray[Any]) -> "torch.Tensor":
        import torch

        return torch.tensor(array, device=self._keys.device)


def query_blocks(queries: int, words: int, cells_at_once: int) -> Iterator[slice]:
    """Cut queries into blocks whose products are computed together."""
    at_once = max(1, cells_at_once // max(1, words))
    return (slice(begin, begin + at_once) for begin in range(0, queries, at_once))


def _longest(keys: Matrix) -> float:
    return float(np.linalg.norm(keys, axis=1).max(initial=0.0))


def _rounding(queries: Floats, longest_key: float, dtype: npt.DTypeLike) -> Matrix:
    """Return how much two equal products of each query may differ by rounding (queries,)."""
    lengths = np.linalg.norm(queries, axis=1)
    rounding: Matrix = (8 * np.finfo(dtype).eps * lengths * longest_key).astype(dtype)
    return rounding


def _multiplies_in_full(device: "torch.device") -> bool:
    """Whether float32 products use all digits of their factors.

    A program can tell PyTorch to drop some of them (TF32), and then neighbors would be missed. The
    setting belongs to the program, so it stays, and the keys are float64 instead.
    """
    import torch

    sample = torch.full((64, 64), 1 + 2.0**-20, device=device)
    return bool(torch.equal(sample @ torch.eye(64, device=device), sample))
