"""Files of integers: on this machine, memory-mapped or read in stretches, or in remote storage.

If a mapped file is truncated, accessing the missing part kills the process (SIGBUS). Reading a
stretch gives all of it, or an error.
"""

import os
import weakref
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import CHECK_ACCESS, Location, RemotePath

Number = TypeVar("Number", np.uint8, np.int32, np.int64)


class Integers(ABC, Generic[Number]):
    """A file of one or more integers. Any number of threads may read it at the same time.

    Args:
        path: The file to name in messages.
        kind: The type of the integers.
        length: The number of integers.
    """

    def __init__(self, path: Location, kind: np.dtype[Any], length: int) -> None:
        self.path = path
        self._kind = kind
        self._item_size = kind.itemsize
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self.path)!r})"

    def __getitem__(self, index: int) -> int:
        return int(self.stretch(index, index + 1)[0])

    def stretch(self, begin: int, end: int) -> npt.NDArray[Number]:
        """Read the integers of a half-open range, which is cut at the end of the file.

        Raises:
            CorpusError: They cannot be read, or the file was truncated.
        """
        count = max(min(end, len(self)) - begin, 0)
        data = self._read(begin * self._item_size, count * self._item_size)
        return np.frombuffer(data, dtype=self._kind)

    @abstractmethod
    def _read(self, offset: int, size: int) -> bytes:
        """Read this number of bytes from the offset."""

    def _truncated(self, size: int) -> CorpusError:
        return CorpusError(
            f"{self.path} was truncated while it was read, from "
            f"{len(self) * self._item_size:,} to {size:,} bytes",
            hint="encode the text again, and do not change the folder during training",
        )


class IntegerFile(Integers[Number]):
    """An open file on this machine; replacing or deleting the file at its path does not affect it.

    Forked processes may read it, too.

    Args:
        path: The file.
        kind: The type of the integers.
        origin: The file to name in messages, if it is a copy.
    """

    def __init__(self, path: Path, kind: type[Number], origin: Location | None = None) -> None:
        self._file = path.open("rb", buffering=0)
        weakref.finalize(self, self._file.close)
        self.mapped: npt.NDArray[Number] = np.memmap(self._file, dtype=kind, mode="r")
        super().__init__(origin or path, self.mapped.dtype, len(self.mapped))

    def _read(self, offset: int, size: int) -> bytes:
        if not hasattr(os, "pread"):  # Windows, on which a mapped file cannot be truncated
            return self.mapped.view(np.uint8)[offset : offset + size].tobytes()
        data = b""
        try:
            while len(data) < size:  # one read returns at most 2 GB
                more = os.pread(self._file.fileno(), size - len(data), offset + len(data))
                if not more:
                    raise self._truncated(os.fstat(self._file.fileno()).st_size)
                data = data + more if data else more
        except OSError as error:
            raise CorpusError(
                f"cannot read {self.path}: {reason_of(error)}", hint="encode the text again"
            ) from error
        return data


class RemoteIntegers(Integers[Number]):
    """A file in remote storage, of which only the requested ranges are read.

    Args:
        path: The file.
        kind: The type of the integers.
        length: The number of integers that it must have.

    Raises:
        CorpusError: It cannot be read, or has another size.
    """

    def __init__(self, path: RemotePath, kind: type[Number], length: int) -> None:
        super().__init__(path, np.dtype(kind), length)
        self._remote = path
        self._check_size()

    def _read(self, offset: int, size: int) -> bytes:
        try:
            data = self._remote.read_range(offset, offset + size)
        except FileNotFoundError as error:
            raise self._unreadable(error) from error
        except OSError as error:  # also for a range beyond the end
            self._check_size()
            raise self._unreadable(error) from error
        if len(data) != size:
            self._check_size()
            raise self._unreadable(OSError(f"{len(data)} bytes were read instead of {size}"))
        return data

    def _check_size(self) -> None:
        try:
            self._remote.refresh()
            size, _ = self._remote.status() or (0, 0)
        except OSError as error:
            raise self._unreadable(error) from error
        if size != len(self) * self._item_size:
            raise self._truncated(size)

    def _unreadable(self, error: OSError) -> CorpusError:
        return CorpusError(f"cannot read {self.path}: {reason_of(error)}", hint=CHECK_ACCESS)
