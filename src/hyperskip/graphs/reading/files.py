"""Edges in files: tables, JSON Lines, indented trees and Matrix Market, with any compression."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile
from typing import IO

from hyperskip.errors import GraphError, shown
from hyperskip.files.compression import read_start
from hyperskip.files.remote import Location
from hyperskip.graphs.options import (
    JSON_LINES,
    MATRIX_MARKET,
    TABLE,
    TREE,
    GraphOptions,
)
from hyperskip.graphs.reading.batches import (
    Batch,
    batch_of,
    cells_of_record,
    cells_of_row,
    is_header,
    numbered,
    parts,
)
from hyperskip.graphs.reading.matrix_market import is_matrix_market, matrix_entries
from hyperskip.graphs.reading.trees import is_indented, is_named_tree, tree_nodes
from hyperskip.text.pieces import DEFAULT_SIZES
from hyperskip.text.reading.columns import check_no_column
from hyperskip.text.reading.json_lines import JsonLines, is_json_lines
from hyperskip.text.reading.parquet import is_parquet
from hyperskip.text.reading.sources import open_source, source_file, utf8_pieces
from hyperskip.text.reading.tables import (
    check_no_delimiter,
    delimiter_by_name,
    find_columns,
    lines_of,
    table_rows,
)

_START_BYTES = 1 << 14  # enough to recognize the kind of a file
_LONGEST_LINE = 1 << 18
_BLANK = " "  # as a delimiter, any number of blanks and tabs
_COMMENT = re.compile(r"[#%](\s|$)")
_ATTRIBUTES = re.compile(r"\S+ \S+ \{.*\}\s*$")  # two nodes and a dict, as NetworkX writes them


def file_batches(files: Sequence[Location | None], options: GraphOptions) -> Iterator[Batch]:
    """Read the edges of files, one after another; None is standard input.

    Raises:
        CorpusError: A file cannot be read, or has changed while it was read.
        GraphError: An edge is malformed.
    """
    sources = [source_file(file) for file in files]
    for file, source in zip(files, sources, strict=True):
        name = "standard input" if file is None else str(file)
        with open_source(file, name, source, in_memory=True) as (packed, _):
            start, stream = read_start(packed, _START_BYTES)
            yield from _edges(stream, start, file, name, options)


def _edges(
    stream: IO[bytes], start: bytes, file: Location | None, name: str, options: GraphOptions
) -> Iterator[Batch]:
    if is_parquet(file, start):
        raise GraphError(
            f"{name} is Parquet, which is read as text only, not as a graph",
            hint="convert it to CSV, or pass the data frame: pandas.read_parquet(path)",
        )
    kind = options.format or _likely_format(file, start, options)
    if kind != TABLE:
        check_no_delimiter(options.delimiter, name)
    if kind == JSON_LINES:
        return _json_edges(stream, name, options)
    chunks = map(bytes.decode, utf8_pieces(stream, name, options.encoding_errors, DEFAULT_SIZES))
    lines = lines_of(chunks, name, _LONGEST_LINE)
    if kind == TABLE:
        return _table_edges(lines, name, delimiter_by_name(file), options)
    check_no_column(options.columns, name, option="columns")
    if kind == TREE:
        return _tree_edges(lines, name)
    return _matrix_edges(lines, name, options)


def _likely_format(file: Location | None, start: bytes, options: GraphOptions) -> str:
    if is_named_tree(file):
        return TREE
    if delimiter_by_name(file) is not None:
        return TABLE
    if is_json_lines(file, start):
        return JSON_LINES
    if is_matrix_market(start):
        return MATRIX_MARKET
    has_columns = options.columns is not None or options.delimiter is not None
    return TREE if is_indented(start) and not has_columns else TABLE


def _table_edges(
    lines: Iterator[str], name: str, by_name: str | None, options: GraphOptions
) -> Iterator[Batch]:
    columns = options.column_names or ("1", "2", "3")
    columns = columns[: 3 if options.reads_weights else 2]
    rows = _rows(dropwhile(_COMMENT.match, lines), name, columns, by_name, options)
    if not options.columns:
        rows = _after_header(rows, name, options)
    table = find_columns(rows, name, columns, option="columns")
    for first, some in parts(table.rows):
        numbers: Sequence[int] = range(first + 1, first + 1 + len(some))
        if [] in some:  # blank lines
            numbers = [number for number, row in zip(numbers, some, strict=True) if row]
            some = [row for row in some if row]
        if min(map(len, some), default=len(columns)) <= max(table.indices):
            for number, row in zip(numbers, some, strict=True):
                table.cells(number, row)  # raises an error for the row that is too short
        cells = [[row[index].strip() for row in some] for index in table.indices]
        yield batch_of(cells, options, numbered("row", numbers, name))


def _rows(
    lines: Iterator[str],
    name: str,
    columns: Sequence[str],
    by_name: str | None,
    options: GraphOptions,
) -> Iterator[list[str]]:
    first = next(lines, "")
    lines = chain([first], lines)
    delimiter = options.delimiter
    if delimiter is None and by_name is None:
        if _ATTRIBUTES.match(first):
            return (line.split(maxsplit=2) for line in lines)
        if not re.search("[\t,;]", first):
            delimiter = _BLANK
    if delimiter == _BLANK:
        rows = map(str.split, lines)
        return rows if options.columns else _of_equal_length(rows, name)
    return table_rows(lines, name, columns, by_name, delimiter, longest_row=_LONGEST_LINE)


def _of_equal_length(rows: Iterator[list[str]], name: str) -> Iterator[list[str]]:
    """Check that rows have the same number of cells: names may contain blanks, or it is prose.

    Raises:
        GraphError: A row has another number of cells than the first one.
    """
    length = 0  # of the first row that is not blank
    for number, row in enumerate(rows, start=1):
        if len(row) != length and row:
            if length:
                raise GraphError(
                    f"row {number} of {name} has {len(row)} columns, but the first has {length}: "
                    f"{shown(' '.join(row))}",
                    hint="if names contain blanks, separate the columns by tabs; if only the first "
                    "two columns matter, use `columns='1,2'`; for a tree, use `format='tree'`",
                )
            length = len(row)
        yield row


def _after_header(
    rows: Iterator[list[str]], name: str, options: GraphOptions
) -> Iterator[list[str]]:
    """Skip a header that is known.

    Raises:
        GraphError: It tells another order than `order`.
    """
    first = next(rows, [])
    return rows if is_header(first, name, options) else chain([first], rows)


def _json_edges(stream: IO[bytes], name: str, options: GraphOptions) -> Iterator[Batch]:
    values = JsonLines(stream, name, options.encoding_errors, longest_line=_LONGEST_LINE)

    def edges() -> Iterator[tuple[int, list[object]]]:
        for value in values:
            if isinstance(value, dict):
                cells = cells_of_record(value, options, values.place())
            else:
                cells = cells_of_row(value, values.place(), weighted=options.reads_weights)
            yield values.number, [values.complete(cell) for cell in cells]

    for _, some in parts(edges()):
        numbers, rows = zip(*some, strict=True)
        columns = list(zip(*rows, strict=True))
        yield batch_of(columns, options, numbered("line", numbers, name))


def _tree_edges(lines: Iterator[str], name: str) -> Iterator[Batch]:
    for _, some in parts(tree_nodes(lines, name)):
        numbers, nodes, above = zip(*some, strict=True)
        yield Batch(nodes, above, None, numbered("line", numbers, name))


def _matrix_edges(lines: Iterator[str], name: str, options: GraphOptions) -> Iterator[Batch]:
    is_mirrored = options.directed is not False
    for _, some in parts(matrix_entries(lines, name, mirrored=is_mirrored)):
        numbers, *columns = zip(*some, strict=True)
        columns = columns[: 3 if options.weighted else 2]
        yield batch_of(columns, options, numbered("line", numbers, name))
