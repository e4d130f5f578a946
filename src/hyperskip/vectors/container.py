"""The container of models and maps: safetensors with one entry of metadata, in JSON."""

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
    """What a file says before its arrays."""

    about: dict[str, Any] | None  # None where another program has written it
    arrays: dict[str, Any]  # by name, what safetensors keeps of each
    length: int  # in bytes: arrays begin there


def packed(tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> bytes:
    """The bytes of a file."""
    # One entry only: safetensors writes several in random order, and the same vectors must give
    # the same bytes.
    return save(dict(tensors), {_KEY: json.dumps(about, sort_keys=True)})


def read_header(path: Path) -> Header:
    """The header of a file, of any version: neither arrays nor what is about them is checked.

    Raises:
        OSError: The file cannot be read.
        ValueError: It has no such header; also AttributeError, TypeError or RecursionError.
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
