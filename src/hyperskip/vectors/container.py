"""Reads and writes what model files and map files share: safetensors with JSON metadata."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy.typing as npt
from safetensors.numpy import save

_KEY = "hyperskip"
_LENGTH_BYTES = 8
_LARGEST_HEADER = 100_000_000  # what safetensors allows


class Header(NamedTuple):
    """The header of a file."""

    about: dict[str, Any] | None  # our metadata; None in a file of another program
    arrays: dict[str, Any]  # dtype, shape and offsets of each array, by name
    length: int  # in bytes; the arrays begin there


def packed(tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> bytes:
    """Return the bytes of a file."""
    # A single entry: safetensors writes several in random order, and the same vectors must give
    # the same bytes.
    return save(dict(tensors), {_KEY: json.dumps(about, sort_keys=True)})


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
