r"""Vectors as lines of text: word2vec, fastText, GloVe, the authors' csv, and the projector's tsv.

Lines end at \n and fields at a blank or tab, and at nothing else that Unicode takes for white
space; numbers are counted from the right, so that a word may hold blanks of every kind.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from hyperskip.errors import OutputError, VectorFileError
from hyperskip.geometry.spaces import Floats
from hyperskip.vectors.exchange.coordinates import (
    RowCollector,
    block_rows,
    column_count,
    shown,
    written_rows,
)
from hyperskip.vectors.word_vectors import WordVectors

# Five digits put time² off by 1e-4 of it, and |x|² by as much.
_FIVE_DIGITS = 2.5e-4


class TextLayout(NamedTuple):
    """How a format writes its lines."""

    header: bool  # a first line with the number of words and of columns
    number: str  # how a number is printed
    line_end: str
    tolerance: float  # see RowCollector; other programs print word2vec and GloVe in few digits too


LAYOUTS = {
    "word2vec": TextLayout(True, "%.9g", "\n", _FIVE_DIGITS),  # nine digits tell every float32
    "fasttext": TextLayout(True, "%.5g", " \n", _FIVE_DIGITS),
    "glove": TextLayout(False, "%.9g", "\n", _FIVE_DIGITS),
    "minkowski": TextLayout(False, "%.17g", "\n", 1e-5),
}

_MOST_COLUMNS = 1_000_000
_CHUNK_BYTES = 1 << 20
_LONGEST_LINE_BYTES = 32 << 20
_SAMPLED_LINES = 100
_HEADER = re.compile(rb"[ \t]*([-+]?[0-9]+)[ \t]+([-+]?[0-9]+)[ \t\r]*")
_DIGITS_OF_A_COUNT = 18

_Lines = Iterator[tuple[int, bytes]]  # the number of a line, and what is on it


# -- out


def write_text(file: IO[bytes], vectors: WordVectors, coordinates: str, layout: TextLayout) -> None:
    """Write a line a word."""
    columns = column_count(vectors, coordinates)
    if layout.header:
        file.write(f"{len(vectors)} {columns}\n".encode())
    numbers = " ".join([layout.number] * columns) + layout.line_end
    for words, values in written_rows(vectors, coordinates):
        for word, row in zip(words, values.tolist(), strict=True):
            file.write(f"{word} {numbers % tuple(row)}".encode())


def as_printed(values: Floats, layout: TextLayout) -> Floats:
    """The numbers that a reader will find in place of these."""
    printed = [[float(layout.number % value) for value in row] for row in values.tolist()]
    return np.array(printed, dtype=np.float64).reshape(values.shape)


def write_projector(
    vectors_file: IO[bytes], metadata_file: IO[bytes], vectors: WordVectors, coordinates: str
) -> None:
    """Write the two files that TensorFlow's projector loads."""
    numbers = "\t".join(["%.9g"] * column_count(vectors, coordinates)) + "\n"
    for _, values in written_rows(vectors, coordinates):
        vectors_file.writelines((numbers % tuple(row)).encode() for row in values.tolist())
    radii = vectors.radii
    metadata_file.write(b"word\tcount\tradius\n")
    for word, count, radius in zip(vectors.words, vectors.counts, radii, strict=True):
        metadata_file.write(f"{word}\t{count}\t{radius:.9g}\n".encode())


def check_headerless(words: Sequence[str]) -> None:
    """Refuse words from which a reader could not tell how many numbers the lines have.

    Raises:
        OutputError: As many of the first words end in a number of their own as do not.
    """
    sample = [f"{word} 0".encode() for word in words[:_SAMPLED_LINES]]
    if _numbers_a_line(sample) > 1:
        raise OutputError(
            "most words end in a number, as in 'route 66': without a header it would be read as "
            "part of the vector",
            hint="export as word2vec, which has a header, or npz",
        )


# -- in


def read_text(stream: IO[bytes], path: Path, layout: TextLayout | None, rows: RowCollector) -> None:
    """Read lines of a layout, or for None of whichever the first line tells: word2vec or GloVe.

    Without a header, the lines have as many numbers as most of the first hundred lines end in.
    A line with more is one of a word with blanks, a line with fewer is damaged.

    Raises:
        VectorFileError: The file is empty, cut or damaged.
    """
    lines = _lines_with_text(stream, path, rows)
    first = next(lines, None)
    if first is None:
        raise VectorFileError(f"{path} is empty", hint="check that it is the right file, and whole")
    header = layout.header if layout is not None else _HEADER.fullmatch(first[1]) is not None
    if not header:
        sample = next(_in_blocks(chain([first], lines), _SAMPLED_LINES))
        columns = _numbers_a_line([line for _, line in sample])
        if columns == 0:
            raise VectorFileError(
                f"{path}, line {first[0]}: no numbers at its end, expected a word and its vector",
                hint="the fields of text formats are separated by single blanks",
            )
        if columns > _MOST_COLUMNS:
            raise VectorFileError(
                f"{path}: lines of more than {_MOST_COLUMNS} numbers, expected words and vectors",
                hint="check that it is the right file, and whole",
            )
        _read_rows(chain(sample, lines), path, columns, rows)
        return
    promised, columns = parsed_header(
        first[1], path, "a text file without header is of format glove"
    )
    found = _read_rows(lines, path, columns, rows)
    if found != promised:
        raise VectorFileError(
            f"{path}: found {found} words, expected {promised} by its header",
            hint="the file is cut: fetch it again" if found < promised else "correct the header",
        )


def parsed_header(line: bytes, path: Path, hint: str) -> tuple[int, int]:
    """The number of words and of columns in a first line.

    Raises:
        VectorFileError: It is not that, or not a number that there can be.
    """
    found = f"{path}, header: found {shown(line.decode('utf-8', 'replace'))}"
    match = _HEADER.fullmatch(line)
    if match is None:
        raise VectorFileError(
            f"{found}, expected two whole numbers, of words and of dimensions", hint=hint
        )
    words, columns = (
        int(digits) if len(digits) <= _DIGITS_OF_A_COUNT else -1 for digits in match.groups()
    )
    if words < 1 or not 1 <= columns <= _MOST_COLUMNS:
        raise VectorFileError(
            f"{found}, expected at least one word, and from 1 to {_MOST_COLUMNS} dimensions",
            hint="check that it is the right file, and whole",
        )
    return words, columns


def _read_rows(lines: _Lines, path: Path, columns: int, rows: RowCollector) -> int:
    """Read all lines to the end, and say how many they were."""
    count = 0
    for block in _in_blocks(lines, block_rows(columns)):
        words, values = [], []
        for number, line in block:
            word, row = _fields(line, columns, f"{path}, line {number}")
            words.append(rows.decoded(word))
            values.extend(row)
        matrix = np.array(values, dtype=np.float64).reshape(len(block), columns)
        rows.add(words, [number for number, _ in block], matrix)
        count += len(block)
    return count


def _in_blocks(lines: _Lines, most: int) -> Iterator[list[tuple[int, bytes]]]:
    """Up to so many lines at a time, and fewer where they are long."""
    block: list[tuple[int, bytes]] = []
    size = 0
    for number, line in lines:
        block.append((number, line))
        size += len(line)
        if len(block) == most or size >= _LONGEST_LINE_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def _fields(line: bytes, columns: int, place: str) -> tuple[bytes, list[float]]:
    word, *numbers = line.rsplit(b" ", columns)
    if len(numbers) == columns and word:
        try:
            return word, list(map(float, numbers))
        except ValueError:
            pass
    # Not as we would write it: perhaps with tabs, or several blanks in a row.
    fields = line.rsplit(None, columns)
    if len(fields) <= columns:
        found = max(0, len(fields) - 1)  # a line may be blank in ways that are not ours
        raise VectorFileError(
            f"{place}: found {found} numbers, expected a word and {columns} numbers",
            hint="the file is cut or damaged: fetch it again",
        )
    word, *numbers = fields
    try:
        return word, list(map(float, numbers))
    except ValueError:
        wrong = next(number for number in numbers if not _is_number(number))
        raise VectorFileError(
            f"{place} ({shown(word.decode('utf-8', 'replace'))}): found "
            f"{shown(wrong.decode('utf-8', 'replace'))}, expected {columns} numbers",
            hint="the file is damaged, or not of this format",
        ) from None


def _lines_with_text(stream: IO[bytes], path: Path, rows: RowCollector) -> _Lines:
    for number, (line, is_ended) in enumerate(_lines(stream, path), start=1):
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # a byte order mark
        line = line.rstrip(b" \t\r")  # a line ends in a number, so none of these is of a word
        if line:
            rows.unended_row = None if is_ended else number
            yield number, line


def _lines(stream: IO[bytes], path: Path) -> Iterator[tuple[bytes, bool]]:
    """The lines, and whether they are ended, as the last one may not be."""
    rest = b""
    while chunk := stream.read(_CHUNK_BYTES):
        *ended, rest = (rest + chunk).split(b"\n")
        yield from ((line, True) for line in ended)
        if len(rest) > _LONGEST_LINE_BYTES:
            raise VectorFileError(
                f"{path}: a line is longer than {_LONGEST_LINE_BYTES >> 20} MiB",
                hint="is it a text file? word2vec-binary files end in .bin",
            )
    yield rest, False


def _numbers_a_line(lines: Iterable[bytes]) -> int:
    """In how many numbers most lines end, and if as many end in more, in more."""
    tally = Counter(map(_trailing_numbers, lines))
    return max(tally, key=lambda numbers: (tally[numbers], numbers))


def _trailing_numbers(line: bytes) -> int:
    """In how many numbers a line ends, its first field being a word in any case.

    Of more numbers than a vector may have, not all are counted: they would fill the memory.
    """
    count = 0
    _, *fields = line.replace(b"\t", b" ").rsplit(b" ", _MOST_COLUMNS + 1)
    for field in filter(None, reversed(fields)):  # nothing stands between blanks in a row
        if not _is_number(field):
            break
        count += 1
    return count


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
