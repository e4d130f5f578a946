"""Binary formats: word2vec's binary file, and NumPy's npz."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import HyperskipError, OptionError, OutputError, VectorFileError, shown
from hyperskip.files.compression import check_ratio
from hyperskip.geometry.arrays import Floats
from hyperskip.vectors.exchange.byte_reader import ByteReader
from hyperskip.vectors.exchange.coordinates import (
    GEOMETRY_OF,
    RowCollector,
    block_rows,
    column_count,
    written_rows,
)
from hyperskip.vectors.exchange.fasttext.layout import is_fasttext_model
from hyperskip.vectors.exchange.names import (
    AUTO,
    FASTTEXT_BINARY,
    PLAIN,
    READ_COORDINATES,
    SPATIAL,
)
from hyperskip.vectors.exchange.text_formats import parsed_header
from hyperskip.vectors.word_vectors import WordVectors

# The relative error of float32 points that other programs sum in float32.
TOLERANCE = 1e-5

_LONGEST_WORD_BYTES = 1 << 20
_LONGEST_HEADER_BYTES = 100
_LARGEST_WORD_TABLE_BYTES = 2 << 30
_LAST_CODE_POINT = 0x10FFFF

# -- word2vec


def write_word2vec_binary(file: IO[bytes], vectors: WordVectors, coordinates: str) -> None:
    """Write a header; then for each word: the word, a space, its float32 numbers, a newline."""
    file.write(f"{len(vectors)} {column_count(vectors, coordinates)}\n".encode())
    for words, values in written_rows(vectors, coordinates):
        for word, row in zip(words, values.astype("<f4"), strict=True):
            file.write(b"%b %b\n" % (word.encode(), row.tobytes()))


def as_float32(values: Floats) -> Floats:
    """Return the numbers as a reader of the file gets them."""
    return values.astype(np.float32).astype(np.float64)


def read_word2vec_binary(reader: ByteReader, path: Path, rows: RowCollector) -> None:
    """Read a file of the C tool, with a newline after each row, or of gensim, without.

    Raises:
        VectorFileError: The file is empty, cut off or damaged.
    """
    words_promised, columns = parsed_header(
        _header_line(reader, path), path, "check that its format is word2vec-binary"
    )
    step = block_rows(columns)
    for begin in range(0, words_promised, step):
        words, numbers = [], []
        for row in range(begin + 1, min(begin + step, words_promised) + 1):
            word = reader.until(b" ", _LONGEST_WORD_BYTES)
            values = reader.exactly(4 * columns) if word is not None else None
            if word is None or values is None:
                raise _cut(reader, path, row, words_promised)
            words.append(rows.decoded(word.lstrip(b"\n")))
            numbers.append(values)
        matrix = np.frombuffer(b"".join(numbers), dtype="<f4").reshape(len(words), columns)
        rows.add(words, range(begin + 1, begin + 1 + len(words)), _as_float64(matrix))
    if reader.rest().strip():
        raise VectorFileError(
            f"{path}: found more data after the {words_promised} words of its header",
            hint="the file is damaged, or its format is not word2vec-binary",
        )


def _header_line(reader: ByteReader, path: Path) -> bytes:
    start = reader.start(_LONGEST_HEADER_BYTES)
    if not start:
        raise VectorFileError(f"{path} is empty", hint="check that it is the right file")
    if is_fasttext_model(start):
        raise VectorFileError(
            f"{path} is a fastText model, expected a word2vec-binary file",
            hint=f"use `format={FASTTEXT_BINARY!r}`, or leave out `format`",
        )
    line = reader.until(b"\n", _LONGEST_HEADER_BYTES)
    return start if line is None else line


def _cut(reader: ByteReader, path: Path, row: int, words_promised: int) -> VectorFileError:
    if reader.ended:
        return VectorFileError(
            f"{path} ends in row {row}, but its header says {words_promised} rows",
            hint="the file is cut off: download it again",
        )
    return VectorFileError(
        f"{path}, row {row}: expected a word and a space, found a word longer than "
        f"{_LONGEST_WORD_BYTES >> 20} MiB",
        hint="the file is damaged, or its format is not word2vec-binary",
    )


# -- npz


def write_npz(file: IO[bytes], vectors: WordVectors, coordinates: str) -> None:
    """Write the arrays words, counts, vectors, geometry, coordinates and factors."""
    values = [block for _, block in written_rows(vectors, coordinates)]
    np.savez(
        file,
        words=np.array(vectors.words, dtype=np.str_),  # (words,)
        counts=vectors.counts,  # (words,)
        vectors=np.concatenate(values),  # (words, columns)
        geometry=np.array(vectors.geometry),
        coordinates=np.array(coordinates if vectors.space.is_curved else PLAIN),
        factors=np.array(vectors.factors),
    )


def check_table_of_words(words: tuple[str, ...], holder: str, *, hint: str) -> None:
    """Check that an array of strings can hold the words.

    Args:
        words: The words.
        holder: What would hold the array, named in the error.
        hint: What to do about a word that it cannot hold.

    Raises:
        OutputError: A word ends with NUL, which NumPy drops, or is so long that the array would be
            huge.
    """
    for word in words:
        if word.endswith("\0"):
            raise OutputError(
                f"{holder} cannot hold the word {shown(word)}: it ends with NUL", hint=hint
            )
    longest = max(words, key=len)
    table_bytes = 4 * len(longest) * len(words)  # NumPy stores all words with the same length
    if table_bytes > _LARGEST_WORD_TABLE_BYTES:
        raise OutputError(
            f"{holder} would take {table_bytes >> 30} GiB for the words, because {shown(longest)} "
            f"has {len(longest)} characters",
            hint=hint,
        )


def read_npz(path: Path, coordinates: str) -> RowCollector:
    """Read the arrays that `write_npz` writes, with the kind of their coordinates.

    Raises:
        OptionError: The coordinates are not those that the file names.
        VectorFileError: The file is not an npz file, or arrays are missing or inconsistent.
    """
    try:
        if path.exists() and not path.is_file():  # a pipe, or a device without an end
            raise VectorFileError(
                f"{path} is not a regular file, but npz is read from its end",
                hint="write it to a file first",
            )
        with path.open("rb") as file:
            if not zipfile.is_zipfile(file):
                raise ValueError("it is not a zip file")
            _check_unpacked_size(file, path.stat().st_size)
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                return _collected(path, arrays, coordinates)
    except (HyperskipError, OSError):
        raise
    except Exception as error:  # NumPy and zipfile raise many kinds of errors for damaged files
        raise VectorFileError(
            f"{path} is damaged, or its format is not npz: {error}",
            hint="it must contain the arrays words, counts, vectors, geometry and coordinates",
        ) from error


def _check_unpacked_size(file: IO[bytes], packed: int) -> None:
    with zipfile.ZipFile(file) as archive:
        check_ratio(sum(member.file_size for member in archive.infolist()), packed)


def _collected(path: Path, arrays: Any, coordinates: str) -> RowCollector:
    named = str(_array(arrays, "coordinates", "U", 0))
    geometry = str(_array(arrays, "geometry", "U", 0))
    if named not in READ_COORDINATES or named == AUTO:
        raise ValueError(f"its coordinates are {named!r}")
    if geometry != GEOMETRY_OF[named]:
        raise ValueError(f"its geometry is {geometry!r} and its coordinates are {named!r}")
    if coordinates not in (AUTO, named):
        raise OptionError(
            f"`coordinates={coordinates!r}`, but {path} contains {named!r}",
            hint=f"use `coordinates={AUTO!r}`",
        )
    rows = RowCollector(path, named, TOLERANCE, row_name="row")
    if "factors" in arrays:  # older files do not have it
        rows.factors = int(_array(arrays, "factors", "i", 0))
        if rows.factors > 1 and named != SPATIAL:
            raise ValueError(f"its factors are {rows.factors} and its coordinates are {named!r}")
    words, counts, vectors = (
        _array(arrays, name, kind, axes)
        for name, kind, axes in (("words", "U", 1), ("counts", "i", 1), ("vectors", "f", 2))
    )
    if not len(words) == len(counts) == len(vectors) or vectors.shape[1] == 0:
        raise ValueError(
            f"there are {len(words)} words, {len(counts)} counts and vectors of {vectors.shape}"
        )
    for begin, end in _blocks(vectors):
        rows.add(
            words[begin:end].tolist(),
            range(begin + 1, end + 1),
            _as_float64(vectors[begin:end]),
            counts[begin:end].tolist(),
        )
    return rows


def _array(arrays: Any, name: str, kind: str, axes: int) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = arrays[name]
    if array.dtype.kind != kind or array.ndim != axes:
        raise ValueError(f"{name} is an array of {array.dtype} of shape {array.shape}")
    if kind == "U":
        _check_letters(name, array)
    return array


def _check_letters(name: str, strings: npt.NDArray[Any]) -> None:
    """Check that all numbers are code points: NumPy does not, and Python relies on it."""
    if strings.dtype.itemsize == 0:
        return
    code_points = np.dtype(np.uint32).newbyteorder(strings.dtype.byteorder)
    bad = strings.reshape(-1).view(code_points) > _LAST_CODE_POINT
    if bad.any():
        row = 4 * int(bad.argmax()) // strings.dtype.itemsize + 1
        raise ValueError(f"{name} has an invalid character in row {row}")


def _as_float64(values: npt.NDArray[Any]) -> Floats:
    with np.errstate(invalid="ignore", over="ignore"):  # RowCollector refuses what is not finite
        return values.astype(np.float64)


def _blocks(vectors: npt.NDArray[Any]) -> Iterator[tuple[int, int]]:
    rows, columns = vectors.shape
    step = block_rows(columns)
    return ((begin, min(begin + step, rows)) for begin in range(0, rows, step))
