"""Where text comes from: files of any compression, folders, globs, tables, standard input.

Every source becomes one stream of text chunks with two rules: a newline ends a document, and a
chunk is cut only at white space. So a corpus on a single line is read in bounded memory, too.
"""

import csv
import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from hyperskip.errors import CorpusError
from hyperskip.files import READING_ERRORS, opened
from hyperskip.text.options import TextOptions

STANDARD_INPUT = "-"

_CHUNK_BYTES = 1 << 20
_LONGEST_WORD_BYTES = 1 << 22  # without any blank for so long, it is cut: no word is longer
_LONGEST_CELL_CHARACTERS = 1 << 28

Advance = Callable[[int], None]  # told of the bytes taken from disk since the last call


def expand(arguments: Iterable[str | os.PathLike[str]]) -> list[Path | None]:
    """The files that paths, folders and globs stand for; None stands for standard input.

    A folder stands for all files under it, sorted by name, hidden ones left out.
    """
    files: list[Path | None] = []
    for argument in arguments:
        name = os.fspath(argument)
        path = Path(name)
        if name == STANDARD_INPUT:
            files.append(None)
        elif path.is_dir():
            files.extend(_files_below(path))
        elif path.exists():
            files.append(path)
        else:
            files.extend(_matches(name))
    return files


def _files_below(folder: Path) -> list[Path]:
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    if not files:
        raise CorpusError(f"there are no files in the folder {folder}")
    return files


def _matches(pattern: str) -> list[Path]:
    matches = [Path(match) for match in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 - Path.glob takes no absolute pattern
    files = [path for path in matches if path.is_file()]
    if not files:
        what = "no file matches" if glob.has_magic(pattern) else "there is no file"
        raise CorpusError(f"{what} {pattern}", hint="check the path, or pass - for standard input")
    return files


def total_bytes(files: Sequence[Path | None]) -> int | None:
    """How many bytes the files take on disk, or None where that cannot be known."""
    if any(file is None or not file.is_file() for file in files):
        return None
    return sum(file.stat().st_size for file in files if file is not None)


def read_files(
    files: Sequence[Path | None], options: TextOptions, advance: Advance
) -> Iterator[str]:
    """The text of the files, one after another, in chunks."""
    for file in files:
        name = "standard input" if file is None else str(file)
        try:
            with opened(file) as (stream, raw):
                chunks = _decoded(stream, name, options.encoding_errors)
                if options.column is not None:
                    chunks = _column(chunks, name, options.column)
                elif file is not None and _is_table(file):
                    raise _column_missing(name, chunks)
                position = 0
                for chunk in chunks:
                    yield chunk
                    if raw.seekable():
                        advance(raw.tell() - position)
                        position = raw.tell()
        except READING_ERRORS as error:
            raise CorpusError(f"cannot read {name}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    if isinstance(error, EOFError):
        return "the compressed data is cut off"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _decoded(stream: IO[bytes], name: str, encoding_errors: str) -> Iterator[str]:
    """Decode UTF-8 in chunks cut at white space, and end the last document."""
    offset = 0
    carried = b""
    while block := stream.read(_CHUNK_BYTES):
        carried += block
        cut = _last_blank(carried)
        if cut:
            yield _text(carried[:cut], offset, name, encoding_errors)
            carried = carried[cut:]
            offset += cut
    yield _text(carried, offset, name, encoding_errors) + "\n"


def _last_blank(piece: bytes) -> int:
    """Where to cut: after the last newline or blank, or 0 where more must be read first."""
    cut = max(piece.rfind(b"\n"), piece.rfind(b" ")) + 1
    if cut == 0 and len(piece) >= _LONGEST_WORD_BYTES:
        cut = len(piece) - 1
        while cut > 1 and piece[cut] & 0xC0 == 0x80:  # not inside a UTF-8 sequence
            cut -= 1
    return cut


def _text(piece: bytes, offset: int, name: str, encoding_errors: str) -> str:
    try:
        text = piece.decode("utf-8", encoding_errors)
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{name} is not UTF-8: byte {piece[error.start]:#04x} at offset {offset + error.start}",
            hint="convert the file (iconv -f latin1 -t utf-8), or pass --encoding-errors replace",
        ) from None
    if "\0" in text and encoding_errors == "strict":
        raise CorpusError(
            f"{name} is not text: there is a NUL byte at offset {offset + piece.find(0)}",
            hint="is it a binary file, or UTF-16? Convert it (iconv -f utf-16 -t utf-8)",
        )
    return text.removeprefix("\ufeff") if offset == 0 else text  # a byte order mark


def _is_table(file: Path) -> bool:
    return any(suffix in (".csv", ".tsv") for suffix in file.suffixes[-2:])


def _column_missing(name: str, chunks: Iterator[str]) -> CorpusError:
    first_row = next(_rows(chunks, name), [])
    cells = ", ".join(repr(cell[:30]) for cell in first_row[:10])
    return CorpusError(
        f"{name} is a table, and no column was chosen",
        hint=f"pass --column NAME or --column NUMBER; its first row is: {cells}",
    )


def _column(chunks: Iterator[str], name: str, column: str) -> Iterator[str]:
    """The cells of one column, each a document."""
    rows = _rows(chunks, name)
    if column.isdecimal():
        index = int(column) - 1
        if index < 0:
            raise CorpusError("there is no column 0", hint="columns are numbered from 1")
    else:
        header = next(rows, [])
        if column not in header:
            names = ", ".join(repr(cell[:30]) for cell in header[:20])
            raise CorpusError(
                f"{name} has no column {column!r}",
                hint=f"its header is: {names}; a table without header takes --column NUMBER",
            )
        index = header.index(column)
    for number, row in enumerate(rows, start=1):
        if not row:
            continue  # a blank line
        if index >= len(row):
            raise CorpusError(
                f"{name}: row {number} has {len(row)} columns, and column {column} was asked for"
            )
        yield row[index].replace("\n", " ") + "\n"


def _rows(chunks: Iterator[str], name: str) -> Iterator[list[str]]:
    lines = _lines(chunks)
    first = next(lines, "")
    # In TSV a row is a line and a quotation mark is just a character; CSV cells may be quoted.
    tabs = "\t" in first
    previous_limit = csv.field_size_limit(_LONGEST_CELL_CHARACTERS)
    try:
        yield from csv.reader(
            _prepended(first, lines),
            delimiter="\t" if tabs else ",",
            quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL,
        )
    except csv.Error as error:
        raise CorpusError(f"{name} is not a table that can be read: {error}") from error
    finally:
        csv.field_size_limit(previous_limit)


def _prepended(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _lines(chunks: Iterator[str]) -> Iterator[str]:
    parts: list[str] = []
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for line in ended:
            parts.append(line)
            yield "".join(parts) + "\n"
            parts = []
        parts.append(rest)
    if any(parts):
        yield "".join(parts)
