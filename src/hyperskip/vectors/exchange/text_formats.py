r"""Text formats: word2vec, fastText, GloVe, the authors' csv, and the projector's tsv.

Lines end with \n, and fields with a space or tab, but not with other Unicode white space. Numbers
are counted from the right, so a word may contain any white space except \n.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from hyperskip.errors import OutputError, VectorFileError, shown
from hyperskip.geometry.arrays import Floats
from hyperskip.vectors.exchange.coordinates import (
    MOST_COLUMNS,
    RowCollector,
    block_rows,
    column_count,
    written_rows,
)
from hyperskip.vectors.word_vectors import WordVectors

# With five digits, time² and |x|² have a relative error of 1e-4 each.
_FIVE_DIGITS = 2.5e-4


class TextLayout(NamedTuple):
    """The lines of a format."""

    header: bool  # whether the first line has the numbers of words and of columns
    number: str  # the format of a number
    line_end: str
    tolerance: float  # see RowCollector; some programs write word2vec and GloVe with few digits


LAYOUTS = {
    "word2vec": TextLayout(True, "%.9g", "\n", _FIVE_DIGITS),  # nine digits keep every float32
    "fasttext": TextLayout(True, "%.5g", " \n", _FIVE_DIGITS),
    "glove": TextLayout(False, "%.9g", "\n", _FIVE_DIGITS),
    "minkowski": TextLayout(False, "%.17g", "\n", 1e-5),
}

# TensorBoard finds the other files by the last one.
PROJECTOR_FILES = ("vectors.tsv", "metadata.tsv", "projector_config.pbtxt")

_CHUNK_BYTES = 1 << 20
_LONGEST_LINE_BYTES = 32 << 20
_SAMPLED_LINES = 100
_HEADER = re.compile(rb"[ \t]*([-+]?[0-9]+)[ \t]+([-+]?[0-9]+)[ \t\r]*")
_DIGITS_OF_A_COUNT = 18

_Lines = Iterator[tuple[int, bytes]]  # the number and the text of each line


# -- writing


def write_text(file: IO[bytes], vectors: WordVectors, coordinates: str, layout: TextLayout) -> None:
    """Write one line for each word."""
    columns = column_count(vectors, coordinates)
    if layout.header:
        file.write(f"{len(vectors)} {columns}\n".encode())
    numbers = " ".join([layout.number] * columns) + layout.line_end
    for words, values in written_rows(vectors, coordinates):
        for word, row in zip(words, values.tolist(), strict=True):
            file.write(f"{word} {numbers % tuple(row)}".encode())


def as_printed(values: Floats, layout: TextLayout) -> Floats:
    """Return the numbers as a reader of the file gets them."""
    printed = [[float(layout.number % value) for value in row] for row in values.tolist()]
    return np.array(printed, dtype=np.float64).reshape(values.shape)


def write_projector(
    vectors_file: IO[bytes],
    metadata_file: IO[bytes],
    config_file: IO[bytes],
    vectors: WordVectors,
    coordinates: str,
) -> None:
    """Write PROJECTOR_FILES, which TensorFlow's projector and TensorBoard read."""
    vectors_name, metadata_name, _ = PROJECTOR_FILES
    config = f'tensor_path: "{vectors_name}" metadata_path: "{metadata_name}"'
    config_file.write(f"embeddings {{ {config} }}\n".encode())
    numbers = "\t".join(["%.9g"] * column_count(vectors, coordinates)) + "\n"
    for _, values in written_rows(vectors, coordinates):
        vectors_file.writelines((numbers % tuple(row)).encode() for row in values.tolist())
    radii = vectors.radii
    metadata_file.write(b"word\tcount\tradius\n")
    for word, count, radius in zip(vectors.words, vectors.counts, radii, strict=True):
        metadata_file.write(f"{word}\t{count}\t{radius:.9g}\n".encode())


def check_headerless(words: Sequence[str]) -> None:
    """Check that a reader can find the number of columns without a header.

    Raises:
        OutputError: At least half of the first words end with a number.
    """
    sample = [f"{word} 0".encode() for word in words[:_SAMPLED_LINES]]
    if _numbers_a_line(sample) > 1:
        raise OutputError(
            "most words end with a number, like 'route 66', which would be read as part of the "
            "vector, because the format has no header",
            hint="use `format='word2vec'`, which has a header, or `format='npz'`",
        )


# -- reading


def read_text(stream: IO[bytes], path: Path, layout: TextLayout | None, rows: RowCollector) -> None:
    """Read the lines of a file.

    Without a header, the number of columns is how many numbers most of the first hundred lines end
    with. A line with more numbers has a word with spaces; a line with fewer is damaged.

    Args:
        stream: The file.
        path: Its path, named in errors.
        layout: Its layout. If None, the first line decides: word2vec or GloVe.
        rows: Collects the rows.

    Raises:
        VectorFileError: The file is empty, cut off or damaged.
    """
    lines = _lines_with_text(stream, path, rows)
    first = next(lines, None)
    if first is None:
        raise VectorFileError(f"{path} is empty", hint="check that it is the right file")
    header = layout.header if layout is not None else _HEADER.fullmatch(first[1]) is not None
    if not header:
        sample = next(_in_blocks(chain([first], lines), _SAMPLED_LINES))
        columns = _numbers_a_line([line for _, line in sample])
        if columns == 0:
            raise VectorFileError(
                f"{path}, line {first[0]}: expected a word and its vector, found no numbers at the "
                "end of the line",
                hint="text formats have a word and numbers in each line, separated by spaces",
            )
        if columns > MOST_COLUMNS:
            raise VectorFileError(
                f"{path}: expected words and vectors, found lines of more than {MOST_COLUMNS} "
                "numbers",
                hint="check that it is the right file",
            )
        _read_rows(chain(sample, lines), path, columns, rows)
        return
    promised, columns = parsed_header(
        first[1],
        path,
        "if the file has no header, use `format='glove'`; if it is binary, "
        "`format='word2vec-binary'`",
    )
    found = _read_rows(lines, path, columns, rows)
    if found != promised:
        raise VectorFileError(
            f"{path}: found {found} words, but its header says {promised}",
            hint="the file is cut off: download it again"
            if found < promised
            else "correct the header",
        )


def parsed_header(line: bytes, path: Path, hint: str) -> tuple[int, int]:
    """Return the numbers of words and of columns in a first line.

    Raises:
        VectorFileError: It does not have two such numbers.
    """
    found = f"{path}, header: found {shown(line.decode('utf-8', 'replace'))}"
    match = _HEADER.fullmatch(line)
    if match is None:
        raise VectorFileError(
            f"{found}, expected the numbers of words and of dimensions", hint=hint
        )
    words, columns = (
        int(digits) if len(digits) <= _DIGITS_OF_A_COUNT else -1 for digits in match.groups()
    )
    if words < 1 or not 1 <= columns <= MOST_COLUMNS:
        raise VectorFileError(
            f"{found}, expected at least one word and 1 to {MOST_COLUMNS} dimensions",
            hint="check that it is the right file",
        )
    return words, columns


def _read_rows(lines: _Lines, path: Path, columns: int, rows: RowCollector) -> int:
    """Read the remaining lines, and return their number."""
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
    """Yield blocks of lines; fewer in a block if the lines are long."""
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
    # The separators may also be tabs, or several spaces.
    fields = line.rsplit(None, columns)
    if len(fields) <= columns:
        found = max(0, len(fields) - 1)  # a line may consist of other white space
        raise VectorFileError(
            f"{place}: expected a word and {_numbers(columns)}, found {_numbers(found)}",
            hint="the file is cut off or damaged: download it again; if it is binary, use "
            "`format='word2vec-binary'`",
        )
    word, *numbers = fields
    try:
        return word, list(map(float, numbers))
    except ValueError:
        wrong = next(number for number in numbers if not _is_number(number))
        raise VectorFileError(
            f"{place} ({shown(word.decode('utf-8', 'replace'))}): expected {_numbers(columns)}, "
            f"found {shown(wrong.decode('utf-8', 'replace'))}",
            hint="the file is damaged, or has another format; if it is binary, use "
            "`format='word2vec-binary'`",
        ) from None


def _lines_with_text(stream: IO[bytes], path: Path, rows: RowCollector) -> _Lines:
    for number, (line, is_ended) in enumerate(_lines(stream, path), start=1):
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")  # a byte order mark
        line = line.rstrip(b" \t\r")  # a line ends with a number, not with a word
        if line:
            rows.unended_row = None if is_ended else number
            yield number, line


def _lines(stream: IO[bytes], path: Path) -> Iterator[tuple[bytes, bool]]:
    """Yield each line, and whether it ends with a newline: the last one may not."""
    rest = b""
    while chunk := stream.read(_CHUNK_BYTES):
        *ended, rest = (rest + chunk).split(b"\n")
        yield from ((line, True) for line in ended)
        if len(rest) > _LONGEST_LINE_BYTES:
            raise VectorFileError(
                f"{path}: a line is longer than {_LONGEST_LINE_BYTES >> 20} MiB",
                hint="check that it is a text file; binary word2vec files have the suffix .bin",
            )
    yield rest, False


def _numbers_a_line(lines: Iterable[bytes]) -> int:
    """Return how many numbers most lines end with; of equally frequent ones, the greatest."""
    tally = Counter(map(_trailing_numbers, lines))
    return max(tally, key=lambda numbers: (tally[numbers], numbers))


def _trailing_numbers(line: bytes) -> int:
    """Count the numbers at the end of a line. The first field is always a word.

    The count stops after the largest number of columns, to save memory.
    """
    count = 0
    _, *fields = line.replace(b"\t", b" ").rsplit(b" ", MOST_COLUMNS + 1)
    for field in filter(None, reversed(fields)):  # fields between two spaces are empty
        if not _is_number(field):
            break
        count += 1
    return count


def _numbers(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
