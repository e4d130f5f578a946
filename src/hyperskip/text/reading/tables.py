"""CSV and TSV files: one column as text, each cell a document."""

import csv
from collections.abc import Iterator
from itertools import chain

from hyperskip.errors import CorpusError
from hyperskip.files.remote import Location
from hyperskip.text.reading.columns import index_of, no_such_column

_LONGEST_ROW_CHARACTERS = 1 << 24
_OTHERWISE = (
    "if they are separated by another character, pass it as `delimiter`; if there is no header, "
    "pass the number of the column as `column`"
)


def delimiter_by_name(file: Location | None) -> str | None:
    """The delimiter of a table, from the name of its file; None for other files."""
    suffixes = [] if file is None else [suffix.lower() for suffix in file.suffixes[-2:]]
    return "," if ".csv" in suffixes else "\t" if ".tsv" in suffixes else None


def check_no_delimiter(delimiter: str | None, what: str) -> None:
    """Check that no delimiter is chosen for an input that is neither CSV nor TSV.

    Raises:
        CorpusError: `delimiter` was passed.
    """
    if delimiter is not None:
        raise CorpusError(
            f"`delimiter` is {delimiter!r}, but {what} is not CSV or TSV",
            hint="leave out `delimiter`",
        )


def column_text(
    chunks: Iterator[str],
    name: str,
    column: str,
    by_name: str | None,
    delimiter: str | None = None,
    *,
    longest_row: int = _LONGEST_ROW_CHARACTERS,
) -> Iterator[str]:
    """Read the cells of one column of a table.

    Args:
        chunks: The text of the table, in chunks of any size.
        name: The name of the table in messages.
        column: A name in the header, or, in a table without a header, a number from 1.
        by_name: The delimiter that the name of the file suggests. With None, it is a tab if the
            first line has one, or else a comma, or a semicolon if the first line has the column
            only then.
        delimiter: The delimiter that the user chose, if any.
        longest_row: Maximum number of characters of a row.

    Raises:
        CorpusError: There is no such column, there are several, or the file is not a table.
    """
    rows = _rows(chunks, name, column, by_name, delimiter, longest_row)
    if _is_number(column):
        index = int(column) - 1
        if index < 0:
            raise CorpusError("there is no column 0", hint="columns are numbered from 1")
    else:
        header = next((row for row in rows if row), [])
        if not header:
            raise CorpusError(f"{name} is empty", hint="a table requires a header or rows")
        if column not in header:
            error = no_such_column(column, header, name)
            error.hint = f"{error.hint}; {_OTHERWISE}"
            raise error
        index = index_of(column, header, name)
    for number, row in enumerate(rows, start=1):
        if not row:
            continue  # a blank line
        if index >= len(row):
            raise CorpusError(
                f"{name}: row {number} has {len(row)} columns, so there is no column {column}",
                hint=f"the row is: {_shown(row)}; if its cells are separated by another character, "
                "pass it as `delimiter`",
            )
        yield row[index].replace("\n", " ") + "\n"


def column_missing(
    chunks: Iterator[str], name: str, by_name: str | None, delimiter: str | None = None
) -> CorpusError:
    """The error for a table without a chosen column."""
    rows = _rows(chunks, name, None, by_name, delimiter, _LONGEST_ROW_CHARACTERS)
    return CorpusError(
        f"{name} is a table, which requires `column`",
        hint="pass the name or number of the column as `column`; the first row is: "
        + _shown(next(rows, [])),
    )


def _rows(
    chunks: Iterator[str],
    name: str,
    column: str | None,
    by_name: str | None,
    delimiter: str | None,
    longest: int,
) -> Iterator[list[str]]:
    length = 0  # of the current row, which may span many lines

    def measured(lines: Iterator[str]) -> Iterator[str]:
        nonlocal length
        for line in lines:
            length += len(line)
            if length > longest:
                raise _endless(name, "row", longest)
            yield line

    lines = _lines(chunks, name, longest)
    first = next(lines, "")
    delimiter = delimiter or _likely_delimiter(first, column, by_name)
    previous_limit = csv.field_size_limit(longest)
    try:
        # In TSV, a row is a line and quotation marks have no meaning; CSV cells may be quoted.
        for row in csv.reader(
            measured(chain([first], lines)),
            delimiter=delimiter,
            quoting=csv.QUOTE_NONE if delimiter == "\t" else csv.QUOTE_MINIMAL,
            strict=True,  # otherwise an unclosed quotation mark silently consumes the rest
        ):
            length = 0
            yield row
    except csv.Error as error:
        raise CorpusError(
            f"{name} cannot be read as a table: {error}",
            hint="is a quotation mark unclosed? If it is plain text, rename it to .txt",
        ) from error
    finally:
        csv.field_size_limit(previous_limit)


def _likely_delimiter(first: str, column: str | None, by_name: str | None) -> str:
    if by_name == "\t" or (by_name is None and "\t" in first):
        return "\t"
    by_semicolon, by_comma = (_cells(first, delimiter) for delimiter in ";,")
    if _has(column, by_comma):
        return ","
    is_longer = len(by_semicolon) > len(by_comma)
    return ";" if is_longer or _has(column, by_semicolon) else ","


def _has(column: str | None, cells: list[str]) -> bool:
    if column is not None and _is_number(column):
        return int(column) <= len(cells)
    return column in cells


def _is_number(column: str) -> bool:
    return column.isdecimal() and len(column) < 10


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _lines(chunks: Iterator[str], name: str, longest: int) -> Iterator[str]:
    """Join chunks and split them into lines; other carriage returns become blanks."""
    parts: list[str] = []
    length = 0
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for line in ended:
            parts.append(line)
            yield "".join(parts).removesuffix("\r").replace("\r", " ") + "\n"
            parts, length = [], 0
        parts.append(rest)
        length += len(rest)
        if length > longest:
            raise _endless(name, "line", longest)


def _endless(name: str, part: str, longest: int) -> CorpusError:
    return CorpusError(
        f"{name} is not a table: a {part} is longer than {longest:,} characters",
        hint="is a quotation mark unclosed? For plain text, leave out `column`",
    )


def _shown(row: list[str]) -> str:
    return ", ".join(repr(cell[:30]) for cell in row[:20])
