"""The model file: one .safetensors file with vectors, words, counts, options and history.

It holds a JSON header and raw little-endian arrays, and nothing that can be executed. It is read
into memory, not mapped: if a mapped file is truncated, reading it kills the process (SIGBUS), and
if it is overwritten, the answers become wrong.
"""

import os
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors import SafetensorError, safe_open

from hyperskip.errors import (
    HyperskipError,
    InputError,
    NewerFileError,
    OptionError,
    VectorFileError,
    alternatives,
)
from hyperskip.files.failures import reason_of
from hyperskip.files.format_version import check_version
from hyperskip.files.known_folders import CHECKPOINTS_SUFFIX, is_encoded
from hyperskip.files.remote import check_local
from hyperskip.files.writing import replacing
from hyperskip.options import checked_path
from hyperskip.spelling import close_matches
from hyperskip.subwords.scheme import SubwordScheme
from hyperskip.vectors.container import Header, has_header, read_header, write_packed
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.model_registry import is_plain, named_models
from hyperskip.vectors.named_models import model_path
from hyperskip.vectors.search.searcher import check_finite
from hyperskip.vectors.subword_table import SubwordTable
from hyperskip.vectors.word_vectors import WordVectors
from hyperskip.version import VERSION

# What a model may have besides words, and the version that added it. Every file gets the lowest
# version that can hold its vectors.
_FACTORS_VERSION, _HIERARCHY_VERSION, _SUBWORDS_VERSION, _COMPACT_VERSION = 2, 3, 4, 5
FORMAT_VERSION = _COMPACT_VERSION

# What a file raises if parts of it are missing, have the wrong type or contradict each other.
_DAMAGE = (
    *(SafetensorError, HyperskipError, RecursionError),
    *(KeyError, ValueError, TypeError, AttributeError, OverflowError),
)
_OTHER_FILE = (
    "pass a file that hyperskip train wrote; convert vectors of other programs with hyperskip "
    "import (in Python: hyperskip.import_vectors)"
)
_LISTED = "hyperskip download lists the named models"
_DTYPES = {"F16": np.float16, "F32": np.float32, "I64": np.int64, "U8": np.uint8}


def save(vectors: WordVectors, path: str | os.PathLike[str], *, compact: bool = False) -> None:
    """Write the vectors to one file. An error leaves an existing file unchanged.

    Args:
        vectors: The vectors.
        path: The file.
        compact: Whether to write coordinates with 16 bits instead of 32.

    Raises:
        InputError: A coordinate is not finite or too large for 16 bits, or a word occurs twice.
        OutputError: The file cannot be written.
    """
    check_finite(vectors.coordinates, vectors.words)
    vectors.known_form("")  # raises if a word occurs twice
    tensors, about = parts(vectors)
    if compact:
        tensors, about = in_half_precision(tensors, about)
    write(path, tensors, about)


def parts(vectors: WordVectors) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return the arrays and the metadata that a file holds."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in vectors.words]
    tensors: dict[str, npt.NDArray[Any]] = {
        "coordinates": np.ascontiguousarray(vectors.coordinates),  # (words, dimension)
        "counts": np.ascontiguousarray(vectors.counts),  # (words,)
        "words": np.frombuffer(b"".join(encoded), dtype=np.uint8),  # UTF-8, joined
        "word_ends": np.cumsum([len(word) for word in encoded], dtype=np.int64),  # (words,)
    }
    about: dict[str, Any] = {
        "format_version": _version_for(vectors),
        "hyperskip_version": VERSION,
        "geometry": vectors.geometry,
        "options": dict(vectors.options),
        "history": [dict(epoch) for epoch in vectors.history],
    }
    if vectors.factors > 1:
        about["factors"] = vectors.factors
    if vectors.hierarchy is not None:
        points = vectors.hierarchy
        tensors["hierarchy"] = np.ascontiguousarray(points.coordinates)  # (words, its dimension)
        tensors["hierarchy_evidence"] = np.ascontiguousarray(points.evidence)  # (words,)
        about["hierarchy"] = {
            "slope": points.slope, "offset": points.offset, "edge": points.edge,
        }  # fmt: skip
    if vectors.subwords is not None:
        table = vectors.subwords
        tensors["subword_buckets"] = np.ascontiguousarray(table.buckets)  # (rows,)
        tensors["subwords"] = np.ascontiguousarray(table.coordinates)  # (rows, dimension)
        about["subwords"] = table.scheme.as_dict()
    return tensors, about


def in_half_precision(
    tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Return `parts` with coordinates in float16.

    The relative error is at most 2⁻¹¹. Below 2⁻¹⁴, the absolute error is at most 2⁻²⁵.

    Raises:
        InputError: A coordinate is too large for float16.
    """
    halves = dict(tensors)
    for name in ("coordinates", "hierarchy", "subwords"):
        if name in tensors:
            halves[name] = _halved(tensors[name])
    changed = {**about, "format_version": _COMPACT_VERSION}
    if "hierarchy" in halves:  # rounding may move a word across the edge
        lengths = np.linalg.norm(halves["hierarchy"].astype(np.float64), axis=1)
        outermost = float(np.arcsinh(lengths).max(initial=0.0))
        edge = max(about["hierarchy"]["edge"], outermost)
        changed["hierarchy"] = {**about["hierarchy"], "edge": edge}
    return halves, changed


def _halved(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float16]:
    greatest = float(np.abs(array).max(initial=0.0))
    if greatest > float(np.finfo(np.float16).max):
        raise InputError(
            f"a coordinate is {greatest:g}, which 16 bits cannot hold",
            hint="leave out `compact`",
        )
    return array.astype(np.float16)


def _version_for(vectors: WordVectors) -> int:
    if vectors.subwords is not None:
        return _SUBWORDS_VERSION
    if vectors.has_hierarchy:
        return _HIERARCHY_VERSION
    return _FACTORS_VERSION if vectors.factors > 1 else 1


def write(
    path: str | os.PathLike[str],
    tensors: dict[str, npt.NDArray[Any]],
    about: Mapping[str, Any],
    *,
    mark: str = "",
) -> None:
    """Write `parts`, with any additional ones, to one file; see `replacing` for `mark`.

    Raises:
        OutputError: The file cannot be written.
    """
    # The writer of safetensors would make a second temporary file, and leave it behind if the
    # process is killed.
    with (
        replacing(checked_path("path", path), mark=mark) as temporary,
        temporary.open("wb") as file,
    ):
        write_packed(file, tensors, about)


def given_model(name: str, model: object) -> WordVectors:
    """Return the vectors of an argument, which are loaded if it is the name of a file.

    Args:
        name: The name of the argument.
        model: Word vectors, or the path of a model.

    Raises:
        OptionError: It is neither.
        VectorFileError: The model cannot be read.
    """
    if isinstance(model, WordVectors):
        return model
    if not isinstance(model, str | os.PathLike):
        raise OptionError(
            f"`{name}` must be a model or the name of its file, got {model!r}",
            hint="pass hyperskip.WordVectors, or a path",
        )
    return load(model)


def load(path: str | os.PathLike[str]) -> WordVectors:
    """Read a model file into memory.

    The vectors stay the same if the file is overwritten, truncated or removed afterwards.

    Args:
        path: The file, or the name of a model: "small" comes with the package, and others are
            downloaded once. If there is a file of that name, it is read.

    Raises:
        VectorFileError: The file is missing, damaged, not a hyperskip model, or changed while it
            was read.
        NewerFileError: The file was written by a later version of hyperskip.
    """
    return read(model_path(checked_path("path", path)))[0]


def read(
    path: str | os.PathLike[str],
) -> tuple[WordVectors, dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Read a model file: the vectors, and all arrays and metadata in it.

    Raises:
        VectorFileError, NewerFileError: See `load`.
    """
    path = checked_path("path", path)
    check_local(path, VectorFileError)
    try:
        if path.is_dir():
            what = "an encoded corpus, not a model" if is_encoded(path) else "a folder"
            raise VectorFileError(f"{path} is {what}", hint="pass the path of a model file")
        before = path.stat()
        if path.is_file() and before.st_size == 0:
            raise VectorFileError(f"{path} is empty", hint=_OTHER_FILE)
        header = read_header(path)
        about = header.about
        if about is None or "format_version" not in about:
            raise VectorFileError(f"{path} is not a hyperskip model", hint=_OTHER_FILE)
        check_version(path, about["format_version"], FORMAT_VERSION)
        with safe_open(path, framework="numpy"):
            pass  # opening it checks lengths and offsets
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
            hierarchy=_hierarchy(tensors, about) if _has_hierarchy(about) else None,
            subwords=_subwords(tensors, about) if _has_subwords(about) else None,
        )
        return vectors, tensors, about
    except (VectorFileError, NewerFileError):
        raise
    except FileNotFoundError:
        raise _missing(path) from None
    except OSError as error:
        raise VectorFileError(
            f"cannot read {path}: {reason_of(error)}", hint="check the file"
        ) from error
    except _DAMAGE as error:
        if has_header(path):
            raise VectorFileError(
                f"{path} is incomplete or damaged", hint="copy it again, or train again"
            ) from error
        raise VectorFileError(f"{path} is not a hyperskip model", hint=_OTHER_FILE) from error


def _missing(path: Path) -> VectorFileError:
    """The error for a file that does not exist, or for a name that no model has."""
    message = f"there is no file {path}"
    checkpoints = path.with_name(path.name + CHECKPOINTS_SUFFIX)
    if _has_files(checkpoints):
        return VectorFileError(
            message,
            hint=f"its training has not ended: the files in {checkpoints} are models, too; to "
            "continue it, run the same command with --resume",
            page="formats.html#checkpoints",
        )
    if not is_plain(str(path)):
        return VectorFileError(message, hint=f"check the path; {_LISTED}", page="using.html")
    alike = close_matches(str(path), named_models())
    advice = f"did you mean {alternatives(map(repr, alike))}?" if alike else "check the path;"
    return VectorFileError(message, hint=f"{advice} {_LISTED}", page="pretrained.html")


def _has_files(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except (OSError, ValueError):  # there is no such folder, or its name is too long
        return False


def _has_hierarchy(about: Mapping[str, Any]) -> bool:
    return about["format_version"] == _HIERARCHY_VERSION or "hierarchy" in about


def _has_subwords(about: Mapping[str, Any]) -> bool:
    return about["format_version"] == _SUBWORDS_VERSION or "subwords" in about


def _hierarchy(
    tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]
) -> HierarchyPoints:
    calibration = about["hierarchy"]
    return HierarchyPoints(
        tensors["hierarchy"],
        slope=calibration["slope"],
        offset=calibration["offset"],
        evidence=tensors["hierarchy_evidence"],
        edge=calibration["edge"],
    )


def _subwords(tensors: Mapping[str, npt.NDArray[Any]], about: Mapping[str, Any]) -> SubwordTable:
    scheme = SubwordScheme(**about["subwords"])
    return SubwordTable(scheme, tensors["subword_buckets"], tensors["subwords"])


def _check_number(name: str, value: object) -> None:
    """Check that a number of the history is one, and that a float can hold it."""
    if not isinstance(value, int | float):
        raise ValueError(f"{name} of an epoch is {value!r}"[:100])
    float(value)


def _arrays(
    path: Path, header: Header, *, unchanged_since: os.stat_result
) -> dict[str, npt.NDArray[Any]]:
    """Read the arrays of a file whose header is valid."""
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
            f"{path} changed while it was read", hint="wait until no process writes to it"
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
