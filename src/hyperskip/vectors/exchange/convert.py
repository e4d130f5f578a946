"""Import and export of vectors in the formats of other programs, chosen by the file's suffix."""

import contextlib
import os
from collections.abc import Callable, Collection
from pathlib import Path

import numpy as np

from hyperskip.errors import (
    HyperskipError,
    OptionError,
    OutputError,
    VectorFileError,
    VectorFileWarning,
    alternatives,
    shown,
    warn,
)
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.failures import reason_of
from hyperskip.files.locks import only_writer
from hyperskip.files.remote import check_local
from hyperskip.files.targets import check_writable, check_writable_folder, is_folder
from hyperskip.files.writing import replacing, replacing_files
from hyperskip.geometry.arrays import Floats
from hyperskip.options import checked_path
from hyperskip.vectors.exchange import binary_formats, text_formats
from hyperskip.vectors.exchange.coordinates import (
    RowCollector,
    column_count,
    written_rows,
)
from hyperskip.vectors.exchange.names import (
    AUTO,
    BALL,
    FORMATS,
    MINKOWSKI,
    NPZ,
    POINTS,
    PROJECTOR,
    READ_COORDINATES,
    READ_FORMATS,
    WRITTEN_COORDINATES,
)
from hyperskip.vectors.model_file import given_model
from hyperskip.vectors.word_vectors import WordVectors

PROJECTOR_FILES = ("vectors.tsv", "metadata.tsv")

_SUFFIXES = {
    ".bin": "word2vec-binary",
    ".vec": "fasttext",
    ".csv": MINKOWSKI,
    ".npz": NPZ,
    ".txt": "word2vec",
}
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_MODEL_SUFFIX = ".safetensors"
_EITHER = "word2vec or glove"  # the first line decides
_NEAR_BOUNDARY = 0.999


def export_vectors(
    vectors: WordVectors | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    coordinates: str = POINTS,
) -> list[Path]:
    """Write vectors in the format of another program. An error leaves existing files unchanged.

    Args:
        vectors: The vectors to write, or the path of a model.
        path: A file, or a folder for the projector, which is created if necessary.
        format: "word2vec", "word2vec-binary", "fasttext", "glove", "minkowski", "npz" or
            "projector"; by default, the suffix of the path decides.
        coordinates: On the hyperboloid "points" (time last), "points-time-first" (as in geoopt),
            "spatial" (without time) or "ball" (Poincaré). Euclidean vectors only have "points".

    Returns:
        The files that were written.

    Raises:
        OptionError: There is no such format, or there are no such coordinates.
        GeometryError: The space of the vectors does not have these coordinates.
        OutputError: The file cannot be written, or the format cannot hold a word or a point.
    """
    vectors, path = given_model("vectors", vectors), checked_path("path", path)
    if path.suffix.lower() in _COMPRESSED:
        raise OptionError(
            f"cannot export to {path}: compressed files are not supported",
            hint=f"export to {path.with_suffix('')} and compress it",
        )
    if format is not None:
        _check_choice("format", format, FORMATS)
    name = _export_format(path) if format is None else format
    _check_choice("coordinates", coordinates, WRITTEN_COORDINATES)
    column_count(vectors, coordinates)  # raises if the space does not have these coordinates
    if vectors.coordinates.size == 0:
        raise OutputError("there are no vectors to export", hint="train on more text")
    if name != PROJECTOR:
        check_writable(path)
    elif not is_folder(path):
        check_writable_folder(path)
    _check_words(vectors, name)
    if coordinates == BALL:
        _check_boundary(vectors, name)
    if name == PROJECTOR:
        return _export_projector(vectors, path, coordinates)
    with replacing(path) as temporary, temporary.open("wb") as file:
        if name == NPZ:
            binary_formats.write_npz(file, vectors, coordinates)
        elif name == "word2vec-binary":
            binary_formats.write_word2vec_binary(file, vectors, coordinates)
        else:
            text_formats.write_text(file, vectors, coordinates, text_formats.LAYOUTS[name])
    return [path]


def import_vectors(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    coordinates: str = AUTO,
) -> WordVectors:
    """Read vectors that another program has written. All formats except npz may be compressed.

    If a word is repeated, the first row counts, and a warning is given. Counts are zeros if the
    file has none.

    Args:
        path: The file.
        format: "word2vec", "word2vec-binary", "fasttext", "glove", "minkowski" or "npz"; by
            default, the suffix of the path decides. A .txt file is word2vec if its first line has
            two whole numbers, and glove otherwise.
        coordinates: What the numbers are: "points" (time last), "points-time-first", "spatial",
            "ball" or "euclidean". With "auto", they are points if time² = 1 + |x|² in every row,
            with the time last or first, and Euclidean otherwise. The time is computed again from
            the other numbers.

    Raises:
        OptionError: There is no such format, or there are no such coordinates.
        VectorFileError: The file is missing or damaged, or it has another format or other
            coordinates.
    """
    path = checked_path("path", path)
    check_local(path, VectorFileError)
    _check_choice("coordinates", coordinates, READ_COORDINATES)
    try:
        if format is not None:
            _check_choice("format", format, READ_FORMATS)
        name = _import_format(path) if format is None else format
        rows = _collected(path, name, coordinates)
    except HyperskipError:
        raise
    except FileNotFoundError:
        raise VectorFileError(f"there is no file {path}", hint="check the path") from None
    except READING_ERRORS as error:
        raise VectorFileError(
            f"cannot read {path}: {reason_of(error)}",
            hint="download it again" if isinstance(error, EOFError) else "check the file",
        ) from error
    vectors = rows.vectors()
    if rows.repaired:
        warn(
            f"{path}: words that are not valid UTF-8: {rows.repaired}; invalid bytes are read as "
            "\ufffd",
            VectorFileWarning,
        )
    if rows.repeated:
        warn(
            f"{path}: rows that repeat an earlier word and were skipped: {rows.repeated}",
            VectorFileWarning,
        )
    return vectors


def _collected(path: Path, name: str, coordinates: str) -> RowCollector:
    if name == NPZ:
        return binary_formats.read_npz(path, coordinates)
    with open_decompressed(path, in_memory=True) as (stream, _):
        if name == "word2vec-binary":
            rows = RowCollector(path, coordinates, binary_formats.TOLERANCE, row_name="row")
            binary_formats.read_word2vec_binary(stream, path, rows)
            return rows
        layout = None if name == _EITHER else text_formats.LAYOUTS[name]
        tolerance = (layout or text_formats.LAYOUTS["glove"]).tolerance
        rows = RowCollector(path, coordinates, tolerance)
        text_formats.read_text(stream, path, layout, rows)
        return rows


def _export_projector(vectors: WordVectors, folder: Path, coordinates: str) -> list[Path]:
    files = [folder / name for name in PROJECTOR_FILES]
    new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"cannot write to the folder {folder}: {reason_of(error)}",
            hint="choose a location where a folder can be created",
        ) from error
    try:
        with (
            only_writer(files[0]),  # both files must come from the same writer
            replacing_files(*files) as (first, second),
            first.open("wb") as vectors_file,
            second.open("wb") as metadata_file,
        ):
            text_formats.write_projector(vectors_file, metadata_file, vectors, coordinates)
    except BaseException:
        if new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise
    return files


# -- the format of a file


def _export_format(path: Path) -> str:
    if is_folder(path):
        return PROJECTOR
    return _format_of_suffix(path.suffix.lower(), path)


def _import_format(path: Path) -> str:
    if path.is_dir():
        raise VectorFileError(f"cannot read {path}: it is a folder", hint="name a file inside it")
    suffix = path.suffix.lower()
    if suffix == _MODEL_SUFFIX:
        raise OptionError(
            f"{path} is a model file already",
            hint="use it directly; in Python, read it with hyperskip.load(path)",
        )
    if suffix in _COMPRESSED:
        suffix = Path(path.stem).suffix.lower()
    name = _format_of_suffix(suffix, path)
    return _EITHER if suffix == ".txt" else name


def _format_of_suffix(suffix: str, path: Path) -> str:
    if suffix == _MODEL_SUFFIX:
        raise OptionError(
            f"cannot export to {path}: the suffix {_MODEL_SUFFIX} is for hyperskip's model files",
            hint=f"use the suffix {' or '.join(_SUFFIXES)}; to keep a model, copy its file",
        )
    if suffix not in _SUFFIXES:
        raise OptionError(
            f"the suffix of {path} does not belong to a format",
            hint=f"use the suffix {' or '.join(_SUFFIXES)}, or set `format` to one of "
            f"{', '.join(FORMATS)}",
        )
    return _SUFFIXES[suffix]


def _check_choice(name: str, value: object, allowed: Collection[str]) -> None:
    if not isinstance(value, str) or value not in allowed:
        raise OptionError(
            f"`{name}` must be {alternatives(map(repr, allowed))}, got {value!r}",
            hint=f"choose one of them, or leave out `{name}`",
        )


# -- checks of what a format can hold


def _check_words(vectors: WordVectors, name: str) -> None:
    if name == NPZ:
        binary_formats.check_npz_words(vectors.words)
        return
    separators = {"word2vec-binary": " \n", PROJECTOR: "\t\n"}.get(name, "\n")
    for word in vectors.words:
        reason = None
        if not word:
            reason = "it is empty"
        elif any(separator in word for separator in separators):
            reason = f"it contains one of {separators!r}"
        else:
            try:
                word.encode()
            except UnicodeEncodeError:
                reason = "it is not valid Unicode"
        if reason is not None:
            raise OutputError(
                f"the format {name} cannot hold the word {shown(word)}: {reason}",
                hint="use `format='npz'`, or save the vectors as a .safetensors file",
            )
    if name in text_formats.LAYOUTS and not text_formats.LAYOUTS[name].header:
        text_formats.check_headerless(vectors.words)


def _check_boundary(vectors: WordVectors, name: str) -> None:
    """Check that the format has enough digits to keep all points off the boundary of the ball."""
    as_read = _as_read(name)
    lost: list[str] = []
    for words, values in written_rows(vectors, BALL):
        near = np.flatnonzero(np.linalg.norm(values, axis=1) > _NEAR_BOUNDARY)
        on_boundary = ~(np.linalg.norm(as_read(values[near]), axis=1) < 1)
        lost.extend(words[row] for row in near[on_boundary])
    if lost:
        raise OutputError(
            f"{len(lost)} of {len(vectors)} points, for example {shown(lost[0])}, are so far out "
            f"that {name} would round them to the boundary of the ball",
            hint=f"use `coordinates={POINTS!r}`",
        )


def _as_read(name: str) -> Callable[[Floats], Floats]:
    """Return a function that rounds numbers as the format does."""
    if name == NPZ:
        return lambda values: values
    if name == "word2vec-binary":
        return binary_formats.as_float32
    layout = text_formats.LAYOUTS.get(name, text_formats.LAYOUTS["word2vec"])
    return lambda values: text_formats.as_printed(values, layout)
