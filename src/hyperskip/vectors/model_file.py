"""hyperskip's own file: one .safetensors with vectors, words, counts, options and versions.

The file holds a JSON header and raw little-endian arrays, nothing that could run. It is read into
memory, not mapped: a process is killed (SIGBUS) when it touches a mapped file that was truncated,
and answers wrongly when one was overwritten.
"""

import os
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from hyperskip.errors import HyperskipError, NewerFileError, VectorFileError
from hyperskip.files.failures import reason_of
from hyperskip.files.format_version import check_version
from hyperskip.files.writing import replacing
from hyperskip.vectors.arguments import checked_path
from hyperskip.vectors.container import Header, packed, read_header
from hyperskip.vectors.word_vectors import WordVectors
from hyperskip.version import VERSION

FORMAT_VERSION = 2  # 1 had no factors; a file without them is still written as 1

# What parts that are missing, of another kind, or do not go together lead to.
_DAMAGE = (
    *(SafetensorError, HyperskipError, RecursionError),
    *(KeyError, ValueError, TypeError, AttributeError, OverflowError),
)
_DTYPES = {"F32": np.float32, "I64": np.int64, "U8": np.uint8}


def save(vectors: WordVectors, path: str | os.PathLike[str]) -> None:
    """Write the vectors to one file, whole or not at all.

    Raises:
        OutputError: The file cannot be written.
    """
    tensors, about = parts(vectors)
    write(path, tensors, about)


def parts(vectors: WordVectors) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """The vectors as a file holds them: arrays, and what is to be known about them."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in vectors.words]
    tensors: dict[str, npt.NDArray[Any]] = {
        "coordinates": np.ascontiguousarray(vectors.coordinates),  # (words, dimension)
        "counts": np.ascontiguousarray(vectors.counts),  # (words,)
        "words": np.frombuffer(b"".join(encoded), dtype=np.uint8),  # UTF-8, one after another
        "word_ends": np.cumsum([len(word) for word in encoded], dtype=np.int64),  # (words,)
    }
    about: dict[str, Any] = {
        "format_version": 1 if vectors.factors == 1 else FORMAT_VERSION,
        "hyperskip_version": VERSION,
        "geometry": vectors.geometry,
        "options": dict(vectors.options),
        "history": [dict(epoch) for epoch in vectors.history],
    }
    if vectors.factors > 1:
        about["factors"] = vectors.factors
    return tensors, about


def write(
    path: str | os.PathLike[str],
    tensors: dict[str, npt.NDArray[Any]],
    about: Mapping[str, Any],
    *,
    mark: str = "",
) -> None:
    """Write the parts of vectors, and perhaps more, to one file; see `replacing` for the mark.

    Raises:
        OutputError: The file cannot be written.
    """
    with replacing(checked_path(path), mark=mark) as temporary:
        # By ourselves: safetensors would write to another temporary file of its own beside it, and
        # leave that behind where it is killed.
        temporary.write_bytes(packed(tensors, about))


def load(path: str | os.PathLike[str]) -> WordVectors:
    """Read a model file into memory.

    The file may be overwritten, truncated or removed afterwards: the vectors stay the same.

    Raises:
        VectorFileError: The file is missing, damaged, not a hyperskip model, or was changed while
            it was read.
        NewerFileError: A later version of hyperskip has written it.
    """
    return read(path)[0]


def read(
    path: str | os.PathLike[str],
) -> tuple[WordVectors, dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Read a model file: its vectors, and all the parts that it was written from.

    Raises:
        VectorFileError, NewerFileError: See `load`.
    """
    path = checked_path(path)
    try:
        if path.is_dir():
            raise VectorFileError(f"{path} is a folder", hint="name the model file in it")
        before = path.stat()
        header = read_header(path)
        about = header.about
        if about is None:
            raise VectorFileError(
                f"{path} is a safetensors file, but not a hyperskip model",
                hint="vectors of other programs come in by: hyperskip import FILE MODEL",
            )
        check_version(path, about["format_version"], FORMAT_VERSION)
        with safe_open(path, framework="numpy"):
            pass  # which has checked lengths and offsets
        for epoch in about["history"]:
            for name in ("epoch", "loss"):
                _check_number(name, epoch[name])
        tensors = _arrays(path, header, unchanged_since=before)
        vectors = WordVectors(
            _words(tensors["words"], tensors["word_ends"]),
            tensors["coordinates"],
            counts=tensors["counts"],
            geometry=about["geometry"],
            factors=about.get("factors", 1),
            options=about["options"],
            history=about["history"],
        )
        return vectors, tensors, about
    except (VectorFileError, NewerFileError):
        raise
    except FileNotFoundError:
        raise VectorFileError(f"there is no file {path}", hint="check the path") from None
    except OSError as error:
        raise VectorFileError(
            f"cannot read {path}: {reason_of(error)}", hint="check the file"
        ) from error
    except _DAMAGE as error:
        reason = error.message if isinstance(error, HyperskipError) else error
        raise VectorFileError(
            f"{path} is damaged, or not a hyperskip model: {reason}",
            hint="train it again, or bring other formats in by: hyperskip import FILE MODEL",
        ) from error


def _check_number(name: str, value: object) -> None:
    """Whoever shows a number trusts it to be one, and one that is not beyond floats."""
    if not isinstance(value, int | float):
        raise ValueError(f"{name} of an epoch is {value!r}"[:100])
    float(value)


def _arrays(
    path: Path, header: Header, *, unchanged_since: os.stat_result
) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file whose header is known to be sound."""
    arrays, is_whole = {}, True
    with path.open("rb") as file:
        for name, entry in header.arrays.items():
            file.seek(header.length + entry["data_offsets"][0])
            array = np.empty(entry["shape"], dtype=_DTYPES[entry["dtype"]])
            is_whole &= file.readinto(array.reshape(-1).view(np.uint8).data) == array.nbytes
            arrays[name] = array
        after = os.fstat(file.fileno())
    if not is_whole or _version_of(after) != _version_of(unchanged_since):
        raise VectorFileError(
            f"{path} was changed while it was read", hint="wait until nothing writes to it"
        )
    return arrays


def _version_of(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _words(letters: npt.NDArray[np.uint8], ends: npt.NDArray[np.int64]) -> list[str]:
    data = letters.tobytes()
    limits = [0, *ends.tolist()]
    if limits != sorted(limits) or limits[-1] != len(data):
        raise ValueError("the table of words is inconsistent")
    return [data[begin:end].decode("utf-8", "surrogatepass") for begin, end in pairwise(limits)]
