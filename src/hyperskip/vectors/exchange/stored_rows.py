"""Rows that are read one block after the other, before their number is certain."""

from collections import deque

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Scalar

# An array of this size is returned to the operating system as soon as it is freed. Many small ones
# would stay in the process, which would then need the memory twice.
_CHUNK_NUMBERS = 1 << 24


class StoredRows:
    """Rows of float32 numbers, which are added at the end and taken from the start."""

    def __init__(self) -> None:
        self._chunks: deque[npt.NDArray[np.float32]] = deque()
        self._begin = 0  # of the rows in the first chunk
        self._end = 0  # of the rows in the last chunk

    def add(self, rows: npt.NDArray[Scalar]) -> None:
        """Add rows (rows, columns)."""
        columns = rows.shape[1]
        while len(rows):
            if not self._chunks or self._end == len(self._chunks[-1]):
                size = max(1, _CHUNK_NUMBERS // columns), columns
                self._chunks.append(np.empty(size, dtype=np.float32))
                self._end = 0
            part = rows[: len(self._chunks[-1]) - self._end]
            self._chunks[-1][self._end : self._end + len(part)] = part
            self._end += len(part)
            rows = rows[len(part) :]

    def __len__(self) -> int:
        if not self._chunks:
            return 0
        return sum(map(len, self._chunks)) - len(self._chunks[-1]) + self._end - self._begin

    @property
    def columns(self) -> int:
        """The number of columns; there must be a row."""
        return int(self._chunks[0].shape[1])

    def take(self, count: int, columns: slice = slice(None)) -> npt.NDArray[np.float32]:
        """Remove the first rows, and return some of their columns."""
        width = self._chunks[0][:0, columns].shape[1]
        taken = np.empty((count, width), dtype=np.float32)
        filled = 0
        while filled < count:
            chunk = self._chunks[0]
            part = chunk[self._begin : self._begin + count - filled, columns]
            taken[filled : filled + len(part)] = part
            filled += len(part)
            self._begin += len(part)
            if self._begin == len(chunk):
                self._chunks.popleft()
                self._begin = 0
        return taken
