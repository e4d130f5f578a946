"""CSV and TSV files: the rows after the header, or one column as text, each cell a document."""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from hyperskip.errors import CorpusError
from hyperskip.files.remote import Location
from hyperskip.text.reading.columns import index_of, no_such_column

_LONGEST_ROW_CHARACTERS = 1 << 24


class Table(NamedTuple):
    """The rows of a table, without its header; blank lines are empty rows."""

    rows: Iterator[list[str]]
    indices: tuple[int, ...]  # of the chosen columns
    name: str  # of the table in messages

    def cells(self, number: int, row: list[str]) -> list[str]:
        """The cells of the chosen columns of a row, which is not blank.

        Raises:
            CorpusError: It has fewer columns; the error names it by its number.
        """
        missing = max(self.indices)
        if missing >= len(row):
            raise CorpusError(
                f"{self.name}: row {number} has {len(row)} columns, so there is no column "
                f"{missing + 1}",
                hint=f"the row is: {_shown(row)}; if its cells are separated by another character, "
                "pass it as `delimiter`",
            )
        return [row[index] for index in self.indices]


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
    lines = lines_of(chunks, name, longest_row)
    rows = table_rows(lines, name, [column], by_name, delimiter, longest_row=longest_row)
    table = find_columns(rows, name, [column], option="column")
    for number, row in enumerate(table.rows, start=1):
        if row:
            (cell,) = table.cells(number, row)
            yield cell.replace("\n", " ") + "\n"


def find_columns(
    rows: Iterator[list[str]], name: str, columns: Sequence[str], *, option: str
) -> Table:
    """Find columns by their names in the header; there is no header if all are numbers.

    Args:
        rows: The rows of a table.
        name: The name of the table in messages.
        columns: Names, or numbers from 1.
        option: The option that chooses the columns.

    Raises:
        CorpusError: There is no such column, or there are several.
    """
    if all(map(_is_number, columns)):
        if not all(map(int, columns)):
            raise CorpusError("there is no column 0", hint="columns are numbered from 1")
        return Table(rows, tuple(int(column) - 1 for column in columns), name)
    header = next((row for row in rows if row), [])
    if not header:
        raise CorpusError(f"{name} is empty", hint="a table requires a header or rows")
    for column in columns:
        if column not in header:
            error = no_such_column(column, header, name)
            error.hint = (
                f"{error.hint}; if they are separated by another character, pass it as "
                f"`delimiter`; if there is no header, pass numbers as `{option}`"
            )
            raise error
    return Table(rows, tuple(index_of(column, header, name) for column in columns), name)


def column_missing(
    chunks: Iterator[str], name: str, by_name: str | None, delimiter: str | None = None
) -> CorpusError:
    """The error for a table without a chosen column."""
    rows = table_rows(lines_of(chunks, name), name, [], by_name, delimiter)
    return CorpusError(
        f"{name} is a table, which requires `column`",
        hint="pass the name or number of the column as `column`; the first row is: "
        + _shown(next(rows, [])),
    )


def table_rows(
    lines: Iterator[str],
    name: str,
    columns: Sequence[str],
    by_name: str | None,
    delimiter: str | None = None,
    *,
    longest_row: int = _LONGEST_ROW_CHARACTERS,
) -> Iterator[list[str]]:
    """Split lines into rows of cells; the other arguments and errors are those of `column_text`."""
    first = next(lines, "")
    lines = chain([first], lines)
    delimiter = delimiter or _likely_delimiter(first, columns, by_name)
    length = 0  # of the current row, which may span many lines

    def measured() -> Iterator[str]:
        nonlocal length
        for line in lines:
            length += len(line)
            if length > longest_row:
                raise _endless(name, "row", longest_row)
            yield line

    previous_limit = csv.field_size_limit(longest_row)
    try:
        # In TSV, a row is a line and quotation marks have no meaning; CSV cells may be quoted.
        is_tsv = delimiter == "\t"
        for row in csv.reader(
            lines if is_tsv else measured(),
            delimiter=delimiter,
            quoting=csv.QUOTE_NONE if is_tsv else csv.QUOTE_MINIMAL,
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


def _likely_delimiter(first: str, columns: Sequence[str], by_name: str | None) -> str:
    if by_name == "\t" or (by_name is None and "\t" in first):
        return "\t"
    by_semicolon, by_comma = (_cells(first, delimiter) for delimiter in ";,")
    if _has(columns, by_comma):
        return ","
    is_longer = len(by_semicolon) > len(by_comma)
    return ";" if is_longer or _has(columns, by_semicolon) else ","


def _has(columns: Sequence[str], cells: list[str]) -> bool:
    if columns and all(map(_is_number, columns)):
        return max(map(int, columns)) <= len(cells)
    return bool(columns) and set(columns) <= set(cells)


def _is_number(column: str) -> bool:
    return column.isdecimal() and len(column) < 10


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def lines_of(
    chunks: Iterator[str], name: str, longest: int = _LONGEST_ROW_CHARACTERS
) -> Iterator[str]:
    """Join chunks and split them into lines; other carriage returns become blanks."""
    parts: list[str] = []
    length = 0
    for chunk in chunks:
        *ended, rest = chunk.split("\n")
        for line in ended:
            parts.append(line)
            if length + len(line) > longest:
                raise _endless(name, "line", longest)
            yield "".join(parts).removesuffix("\r").replace("\r", " ") + "\n"
            parts, length = [], 0
        parts.append(rest)
        length += len(rest)
        if length > longest:
            raise _endless(name, "line", longest)


def _endless(name: str, part: str, longest: int) -> CorpusError:
    return CorpusError(
        f"{name} is not a table: a {part} is longer than {longest:,} characters",
        hint="is a quotation mark unclosed? Or is it plain text?",
    )


def _shown(row: list[str]) -> str:
    return ", ".join(repr(cell[:30]) for cell in row[:20])
