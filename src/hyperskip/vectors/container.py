"""Reads and writes what model files and map files share: safetensors with JSON metadata."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

_KEY = "hyperskip"
_LENGTH_BYTES = 8
# The types of arrays, in the order that safetensors writes them.
_DTYPES = tuple(map(np.dtype, ("<i8", "<f8", "<f4", "<f2", "u1")))
_NAMES = ("I64", "F64", "F32", "F16", "U8")
_LARGEST_HEADER = 100_000_000  # what safetensors allows


class Header(NamedTuple):
    """The header of a file."""

    about: dict[str, Any] | None  # our metadata; None in a file of another program
    arrays: dict[str, Any]  # dtype, shape and offsets of each array, by name
    length: int  # in bytes; the arrays begin there


def write_packed(
    file: IO[bytes], tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]
) -> None:
    """Write a file as safetensors does, which would copy all arrays twice.

    Args:
        file: The file.
        tensors: Contiguous arrays.
        about: Our metadata. It is a single entry: safetensors writes several in random order, and
            the same vectors must give the same bytes.
    """
    order = sorted(tensors, key=lambda name: (_DTYPES.index(tensors[name].dtype), name))
    entries: dict[str, Any] = {"__metadata__": {_KEY: json.dumps(about, sort_keys=True)}}
    begin = 0
    for name in order:
        array = tensors[name]
        end = begin + array.nbytes
        dtype = _NAMES[_DTYPES.index(array.dtype)]
        entries[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [begin, end]}
        begin = end
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _LENGTH_BYTES)
    file.write(len(header).to_bytes(_LENGTH_BYTES, "little") + header)
    for name in order:
        file.write(tensors[name].reshape(-1).view(np.uint8).data)


def has_header(path: Path) -> bool:
    """Whether a file starts like safetensors: the length of a header in 8 bytes, then JSON.

    The length is far below 2^48, so its last two bytes are 0, which never occurs in text.
    """
    if not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(_LENGTH_BYTES + 1)
    return start[6:8] == b"\0\0" and start[8:] in (b"{", b"")


def read_header(path: Path) -> Header:
    """Read the header of a file of any version. Arrays and metadata are not checked.

    Raises:
        OSError: The file cannot be read.
        ValueError: There is no such header. Damaged ones also raise AttributeError, TypeError or
            RecursionError.
    """
    if path.exists() and not path.is_file():
        raise ValueError("it is not a regular file")
    with path.open("rb") as file:
        length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
        if length > _LARGEST_HEADER:
            raise ValueError("its header is far too large")
        arrays = json.loads(file.read(length))
    metadata = arrays.pop("__metadata__", None) or {}
    if _KEY not in metadata:
        return Header(None, arrays, _LENGTH_BYTES + length)
    about = json.loads(metadata[_KEY])
    if not isinstance(about, dict):
        raise ValueError("its metadata is not a JSON object")
    return Header(about, arrays, _LENGTH_BYTES + length)
