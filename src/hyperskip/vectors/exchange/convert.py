"""Vectors to and from the files of other programs, which the name of the file tells apart."""

import contextlib
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hyperskip.errors import (
    HyperskipError,
    OptionError,
    OutputError,
    VectorFileError,
    VectorFileWarning,
)
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.failures import reason_of
from hyperskip.files.locks import only_writer
from hyperskip.files.targets import check_writable, check_writable_folder, is_folder
from hyperskip.files.writing import replacing, replacing_files
from hyperskip.geometry.spaces import Floats
from hyperskip.vectors.arguments import checked_path
from hyperskip.vectors.exchange import binary_formats, text_formats
from hyperskip.vectors.exchange.coordinates import (
    AUTO,
    BALL,
    POINTS,
    READ_COORDINATES,
    WRITTEN_COORDINATES,
    RowCollector,
    column_count,
    shown,
    written_rows,
)
from hyperskip.vectors.word_vectors import WordVectors

FORMATS = {
    "word2vec": "text with a header, as word2vec and gensim write it (.txt)",
    "word2vec-binary": "float32 numbers after each word, as word2vec and gensim write it (.bin)",
    "fasttext": "text with a header and five digits, as fastText writes it (.vec)",
    "glove": "text without a header (.txt)",
    "minkowski": "text without a header, all digits, time last: the paper's own (.csv)",
    "npz": "NumPy arrays that say what they are; keeps counts (.npz)",
    "projector": "vectors.tsv and metadata.tsv for TensorFlow's projector (a folder; export only)",
}

PROJECTOR_FILES = ("vectors.tsv", "metadata.tsv")

_SUFFIXES = {
    ".bin": "word2vec-binary",
    ".vec": "fasttext",
    ".csv": "minkowski",
    ".npz": "npz",
    ".txt": "word2vec",
}
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_EITHER = "word2vec or glove"  # told apart by the first line
_NEAR_RIM = 0.999


def export_vectors(
    vectors: WordVectors,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    coordinates: str = POINTS,
) -> list[Path]:
    """Write the vectors for another program, whole or not at all.

    Args:
        vectors: What to write.
        path: A file, or for the projector a folder, which is created if it is not there.
        format: One of FORMATS; None takes it from the ending of the path.
        coordinates: On the hyperboloid `points` (time last), `points-time-first` (as geoopt),
            `spatial` (without time) or `ball` (Poincaré). Euclidean vectors have only `points`.

    Returns:
        The files that were written.

    Raises:
        OptionError: There is no such format, or no such coordinates.
        GeometryError: Euclidean vectors do not have these coordinates.
        OutputError: The place cannot be written to, or the format cannot hold a word or a point.
    """
    path = checked_path(path)
    if path.suffix.lower() in _COMPRESSED:
        raise OptionError(
            f"{path} asks for a compressed file, and export writes plain ones",
            hint=f"export to {path.with_suffix('')}, and compress that",
        )
    name = _export_format(path) if format is None else _checked_format(format)
    _check_coordinates(coordinates, WRITTEN_COORDINATES)
    column_count(vectors, coordinates)  # refuses what the geometry does not have
    if vectors.coordinates.size == 0:
        raise OutputError("there are no vectors to export", hint="train on more text")
    if name != "projector":
        check_writable(path)
    elif not is_folder(path):
        check_writable_folder(path)
    _check_words(vectors, name)
    if coordinates == BALL:
        _check_rim(vectors, name)
    if name == "projector":
        return _export_projector(vectors, path, coordinates)
    with replacing(path) as temporary, temporary.open("wb") as file:
        if name == "npz":
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
    """Read vectors of another program; all but npz may be compressed.

    A word that comes again is left out, with a warning. Counts are zeros where the file has none.

    Args:
        path: The file.
        format: One of FORMATS, but for the projector; None takes it from the ending of the path,
            and for .txt from the first line: two whole numbers are the header of word2vec.
        coordinates: What the numbers are: `points` (time last), `points-time-first`, `spatial`,
            `ball` or `euclidean`. For `auto` they are points if time² = 1 + |x|² holds in every
            row, with the last number as time or else the first, and Euclidean otherwise. Time is
            not taken from the file, but computed from the other numbers.

    Raises:
        OptionError: There is no such format, or no such coordinates.
        VectorFileError: The file is missing, damaged, not of its format, or not of its coordinates.
    """
    path = checked_path(path)
    _check_coordinates(coordinates, READ_COORDINATES)
    try:
        name = _import_format(path) if format is None else _checked_format(format)
        if name == "projector":
            raise OptionError(
                "the projector's files can only be exported", hint="import the vectors' own file"
            )
        rows = _collected(path, name, coordinates)
    except HyperskipError:
        raise
    except FileNotFoundError:
        raise VectorFileError(f"there is no file {path}", hint="check the path") from None
    except READING_ERRORS as error:
        raise VectorFileError(
            f"cannot read {path}: {reason_of(error)}",
            hint="fetch it again" if isinstance(error, EOFError) else "check the file",
        ) from error
    vectors = rows.vectors()
    if rows.repaired:
        warnings.warn(
            f"{path}: {rows.repaired} words are not UTF-8, and hold \ufffd for what is not",
            VectorFileWarning,
            stacklevel=2,
        )
    if rows.repeated:
        warnings.warn(
            f"{path}: {rows.repeated} rows are of words that were there before, and left out",
            VectorFileWarning,
            stacklevel=2,
        )
    return vectors


def _collected(path: Path, name: str, coordinates: str) -> RowCollector:
    if name == "npz":
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
            hint="choose a place where a folder can be created",
        ) from error
    try:
        with (
            only_writer(files[0]),  # two files, that must be of one writer
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


# -- what a format is told by


def _export_format(path: Path) -> str:
    if is_folder(path):
        return "projector"
    return _format_of_suffix(path.suffix.lower(), path)


def _import_format(path: Path) -> str:
    if path.is_dir():
        raise VectorFileError(f"cannot read {path}: it is a folder", hint="name a file inside it")
    suffix = path.suffix.lower()
    if suffix in _COMPRESSED:
        suffix = Path(path.stem).suffix.lower()
    name = _format_of_suffix(suffix, path)
    return _EITHER if suffix == ".txt" else name


def _format_of_suffix(suffix: str, path: Path) -> str:
    if suffix == ".safetensors":
        raise OptionError(
            f"{path} is a name for hyperskip's own files", hint="save and load them as they are"
        )
    if suffix not in _SUFFIXES:
        raise OptionError(
            f"the ending of {path} does not tell the format",
            hint=f"end it in {', '.join(_SUFFIXES)}, or name a format: {', '.join(FORMATS)}",
        )
    return _SUFFIXES[suffix]


def _checked_format(name: str) -> str:
    if name not in FORMATS:
        raise OptionError(f"format is {name!r}", hint=f"format takes {', '.join(FORMATS)}")
    return name


def _check_coordinates(coordinates: str, allowed: tuple[str, ...]) -> None:
    if coordinates not in allowed:
        raise OptionError(
            f"coordinates is {coordinates!r}", hint=f"coordinates takes {', '.join(allowed)}"
        )


# -- what a format cannot hold


def _check_words(vectors: WordVectors, name: str) -> None:
    if name == "npz":
        binary_formats.check_npz_words(vectors.words)
        return
    separators = {"word2vec-binary": " \n", "projector": "\t\n"}.get(name, "\n")
    for word in vectors.words:
        reason = None
        if not word:
            reason = "which is empty"
        elif any(separator in word for separator in separators):
            reason = f"which holds one of {separators!r}"
        else:
            try:
                word.encode()
            except UnicodeEncodeError:
                reason = "which is not valid Unicode"
        if reason is not None:
            raise OutputError(
                f"{name} cannot hold the word {shown(word)}, {reason}",
                hint="export as npz, or keep the vectors in a .safetensors file",
            )
    if name in text_formats.LAYOUTS and not text_formats.LAYOUTS[name].header:
        text_formats.check_headerless(vectors.words)


def _check_rim(vectors: WordVectors, name: str) -> None:
    """Refuse points so far out that the format's digits put them on the rim of the ball."""
    as_read = _as_read(name)
    lost: list[str] = []
    for words, values in written_rows(vectors, BALL):
        near = np.flatnonzero(np.linalg.norm(values, axis=1) > _NEAR_RIM)
        on_rim = ~(np.linalg.norm(as_read(values[near]), axis=1) < 1)
        lost.extend(words[row] for row in near[on_rim])
    if lost:
        raise OutputError(
            f"{len(lost)} of {len(vectors)} points, as that of {shown(lost[0])}, are so far out "
            f"that {name} would round them to the rim of the ball",
            hint=f"export them as {POINTS!r}",
        )


def _as_read(name: str) -> Callable[[Floats], Floats]:
    """What a reader of the format gets for numbers."""
    if name == "npz":
        return lambda values: values
    if name == "word2vec-binary":
        return binary_formats.as_float32
    layout = text_formats.LAYOUTS.get(name, text_formats.LAYOUTS["word2vec"])
    return lambda values: text_formats.as_printed(values, layout)
