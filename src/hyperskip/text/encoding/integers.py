"""A file of integers: mapped, or read in stretches.

Where a mapped file is cut by somebody, whoever touches what is gone is killed (SIGBUS). A stretch
that is read is whole, or an error.
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
    """An open file of integers, at least one; it stays the same if its name is given to another.

    Any number of threads, and processes that were forked, may read it at once.
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

    def __getitem__(self, place: int) -> int:
        return int(self.stretch(place, place + 1)[0])

    def stretch(self, begin: int, end: int) -> npt.NDArray[Number]:
        """The integers from one place to another, or to the end.

        Raises:
            CorpusError: They cannot be read, or are not there any more.
        """
        return np.frombuffer(self._read(begin, min(end, len(self))), dtype=self._kind)

    def _read(self, begin: int, end: int) -> bytes:
        if not hasattr(os, "pread"):  # Windows, where a mapped file cannot be cut
            return self.mapped[begin:end].tobytes()
        wanted = max(end - begin, 0) * self._item_size
        data = b""
        try:
            while len(data) < wanted:  # a read has an end after 2 GB
                offset = begin * self._item_size + len(data)
                more = os.pread(self._file.fileno(), wanted - len(data), offset)
                if not more:
                    raise self._cut()
                data = data + more if data else more
        except OSError as error:
            raise CorpusError(
                f"cannot read {self.path}: {reason_of(error)}", hint="encode the text again"
            ) from error
        return data

    def _cut(self) -> CorpusError:
        size = os.fstat(self._file.fileno()).st_size
        return CorpusError(
            f"{self.path} was cut while it was read: it had {self.mapped.nbytes:,} bytes, and has "
            f"{size:,} now",
            hint="encode the text again, and let nothing write to it while it is trained on",
        )
