"""Import of vectors in the formats of other programs."""

import os
from pathlib import Path

from hyperskip.errors import (
    HyperskipError,
    OptionError,
    VectorFileError,
    VectorFileWarning,
    warn,
)
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import check_local
from hyperskip.options import checked_path, named_arguments
from hyperskip.vectors.exchange import binary_formats, text_formats
from hyperskip.vectors.exchange.byte_reader import ByteReader
from hyperskip.vectors.exchange.coordinates import RowCollector
from hyperskip.vectors.exchange.fasttext.layout import SIGNATURE, is_fasttext_model
from hyperskip.vectors.exchange.fasttext.reading import read_fasttext_model
from hyperskip.vectors.exchange.names import (
    AUTO,
    FASTTEXT_BINARY,
    FLORET,
    GLOVE,
    NPZ,
    READ_COORDINATES,
    READ_FORMATS,
    WORD2VEC_BINARY,
)
from hyperskip.vectors.exchange.suffixes import (
    COMPRESSED,
    MODEL_SUFFIX,
    check_choice,
    format_of_suffix,
)
from hyperskip.vectors.word_vectors import WordVectors

_EITHER = "word2vec or glove"  # the first line decides
_EITHER_BINARY = "word2vec-binary or fasttext-binary"  # the first bytes decide
_QUANTIZED_SUFFIX = ".ftz"  # of fastText


@named_arguments
def import_vectors(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    coordinates: str = AUTO,
) -> WordVectors:
    """Read vectors that another program has written. All formats except npz may be compressed.

    If a word is repeated, the first row counts, and a warning is given. Counts are zeros if the
    file has none. A model of fastText keeps its n-grams, with all their rows: it takes 4 bytes of
    memory for each number of its words and buckets.

    Args:
        path: The file.
        format: "word2vec", "word2vec-binary", "fasttext", "fasttext-binary", "glove",
            "minkowski" or "npz"; by default, the suffix of the path decides. A .txt file is
            word2vec if its first line has two whole numbers, and glove otherwise. A .bin file is a
            model of fastText if it starts like one, and word2vec-binary otherwise.
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
    check_choice("coordinates", coordinates, READ_COORDINATES)
    try:
        if format is not None:
            check_choice("format", format, READ_FORMATS)
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
        if name in (WORD2VEC_BINARY, FASTTEXT_BINARY, _EITHER_BINARY):
            return _collected_binary(ByteReader(stream), path, name, coordinates)
        layout = None if name == _EITHER else text_formats.LAYOUTS[name]
        tolerance = (layout or text_formats.LAYOUTS[GLOVE]).tolerance
        rows = RowCollector(path, coordinates, tolerance)
        text_formats.read_text(stream, path, layout, rows)
        return rows


def _collected_binary(reader: ByteReader, path: Path, name: str, coordinates: str) -> RowCollector:
    tolerance = binary_formats.TOLERANCE
    is_fasttext = is_fasttext_model(reader.start(SIGNATURE.size))
    if name == FASTTEXT_BINARY or (name == _EITHER_BINARY and is_fasttext):
        return read_fasttext_model(reader, path, coordinates, tolerance)
    rows = RowCollector(path, coordinates, tolerance, row_name="row")
    binary_formats.read_word2vec_binary(reader, path, rows)
    return rows


def _import_format(path: Path) -> str:
    if path.is_dir():
        raise VectorFileError(f"cannot read {path}: it is a folder", hint="name a file inside it")
    suffix = path.suffix.lower()
    if suffix == MODEL_SUFFIX:
        raise OptionError(
            f"{path} is a model file already",
            hint="use it directly; in Python, read it with hyperskip.load(path)",
        )
    if suffix in COMPRESSED:
        suffix = Path(path.stem).suffix.lower()
    if suffix == _QUANTIZED_SUFFIX:
        return FASTTEXT_BINARY
    name = format_of_suffix(suffix, path)
    if name == FLORET:
        raise OptionError(
            f"cannot import {path}: a table of floret has n-grams, but no words",
            hint="import the .vec file of the same vectors, which has the words",
        )
    return {".txt": _EITHER, ".bin": _EITHER_BINARY}.get(suffix, name)
