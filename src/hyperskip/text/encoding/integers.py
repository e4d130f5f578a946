"""A file of integers: memory-mapped, or read in stretches.

If a mapped file is truncated, accessing the missing part kills the process (SIGBUS). Reading a
stretch gives all of it, or an error.
"""

import os
import weakref
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError
from hyperskip.files.failures import reason_of

Number = TypeVar("Number", np.uint8, np.int32, np.int64)


class IntegerFile(Generic[Number]):
    """An open file of one or more integers; replacing the file at this path does not affect it.

    Any number of threads and forked processes may read it at the same time.
    """

    def __init__(self, path: Path, kind: type[Number]) -> None:
        self.path = path
        self._item_size = np.dtype(kind).itemsize
        self._kind: type[Number] = kind
        self._file = path.open("rb", buffering=0)
        weakref.finalize(self, self._file.close)
        self.mapped: npt.NDArray[Number] = np.memmap(self._file, dtype=kind, mode="r")

    def __len__(self) -> int:
        return len(self.mapped)

    def __repr__(self) -> str:
        return f"IntegerFile({str(self.path)!r})"

    def __getitem__(self, index: int) -> int:
        return int(self.stretch(index, index + 1)[0])

    def stretch(self, begin: int, end: int) -> npt.NDArray[Number]:
        """Read the integers of a half-open range, which is cut at the end of the file.

        Raises:
            CorpusError: They cannot be read, or the file was truncated.
        """
        return np.frombuffer(self._read(begin, min(end, len(self))), dtype=self._kind)

    def _read(self, begin: int, end: int) -> bytes:
        if not hasattr(os, "pread"):  # Windows, on which a mapped file cannot be truncated
            return self.mapped[begin:end].tobytes()
        wanted = max(end - begin, 0) * self._item_size
        data = b""
        try:
            while len(data) < wanted:  # one read returns at most 2 GB
                offset = begin * self._item_size + len(data)
                more = os.pread(self._file.fileno(), wanted - len(data), offset)
                if not more:
                    raise self._truncated()
                data = data + more if data else more
        except OSError as error:
            raise CorpusError(
                f"cannot read {self.path}: {reason_of(error)}", hint="encode the text again"
            ) from error
        return data

    def _truncated(self) -> CorpusError:
        size = os.fstat(self._file.fileno()).st_size
        return CorpusError(
            f"{self.path} was truncated while it was read, from {self.mapped.nbytes:,} to "
            f"{size:,} bytes",
            hint="encode the text again, and do not change the folder during training",
        )
