"""Edges in files: tables, JSON Lines, indented trees and Matrix Market, with any compression."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile, islice
from typing import IO

from hyperskip.files.compression import read_start
from hyperskip.files.remote import Location
from hyperskip.graphs.options import JSON_LINES, MATRIX_MARKET, TABLE, TREE, GraphOptions
from hyperskip.graphs.reading.batches import EDGES_AT_ONCE, Batch, batch_of, record_cells, row_cells
from hyperskip.graphs.reading.matrix_market import is_matrix_market, matrix_entries
from hyperskip.graphs.reading.trees import is_tree, tree_nodes
from hyperskip.text.pieces import DEFAULT_SIZES
from hyperskip.text.reading.columns import check_no_column
from hyperskip.text.reading.json_lines import JsonLines, is_json_lines
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
_BLANK = " "
_COMMENT = re.compile(r"[#%](\s|$)")


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
    kind = options.format or _likely_format(file, start)
    if kind != TABLE:
        check_no_delimiter(options.delimiter, name)
    if kind == JSON_LINES:
        return _json_edges(stream, name, options)
    chunks = map(bytes.decode, utf8_pieces(stream, name, options.encoding_errors, DEFAULT_SIZES))
    lines = lines_of(chunks, name, _LONGEST_LINE)
    if kind == TABLE:
        return _table_edges(lines, name, delimiter_by_name(file), options)
    check_no_column(options.columns, name)
    if kind == TREE:
        return _line_batches(tree_nodes(lines, name), name)
    return _line_batches(matrix_entries(lines, name, options), name)


def _likely_format(file: Location | None, start: bytes) -> str:
    if delimiter_by_name(file) is not None:
        return TABLE
    if is_json_lines(file, start):
        return JSON_LINES
    if is_matrix_market(start):
        return MATRIX_MARKET
    return TREE if is_tree(file, start) else TABLE


def _table_edges(
    lines: Iterator[str], name: str, by_name: str | None, options: GraphOptions
) -> Iterator[Batch]:
    columns = options.column_names or ("1", "2", "3")[: 3 if options.reads_weights else 2]
    lines = dropwhile(_COMMENT.match, lines)
    first = next(lines, "")
    lines = chain([first], lines)
    is_separated = options.delimiter not in (None, _BLANK) or by_name is not None
    if is_separated or (options.delimiter is None and re.search("[\t,;]", first)):
        rows = table_rows(
            lines, name, columns, by_name, options.delimiter, longest_row=_LONGEST_LINE
        )
    else:
        rows = map(str.split, lines)
    table = find_columns(rows, name, columns, option="columns")
    first_number = 1
    while some := list(islice(table.rows, EDGES_AT_ONCE)):
        numbers: Sequence[int] = range(first_number, first_number + len(some))
        first_number += len(some)
        if [] in some:  # blank lines
            numbers = [number for number, row in zip(numbers, some, strict=True) if row]
            some = [row for row in some if row]
        if min(map(len, some), default=len(columns)) <= max(table.indices):
            for number, row in zip(numbers, some, strict=True):
                table.cells(number, row)  # raises an error for the row that is too short
        cells = [[row[index].strip() for row in some] for index in table.indices]
        yield batch_of(cells, options, "row", numbers, name)


def _json_edges(stream: IO[bytes], name: str, options: GraphOptions) -> Iterator[Batch]:
    values = JsonLines(stream, name, options.encoding_errors, longest_line=_LONGEST_LINE)

    def numbered() -> Iterator[tuple[int, Sequence[object]]]:
        for value in values:
            if isinstance(value, dict):
                cells = record_cells(value, options, values.place())
            else:
                cells = row_cells(value, options, values.place())
            yield values.number, [values.complete(cell) for cell in cells]

    edges = numbered()
    while some := list(islice(edges, EDGES_AT_ONCE)):
        numbers, rows = zip(*some, strict=True)
        yield batch_of(list(zip(*rows, strict=True)), options, "line", numbers, name)


def _line_batches(edges: Iterator[tuple[int, str, str, object]], name: str) -> Iterator[Batch]:
    """Join edges, each with the number of its line, into batches."""
    while some := list(islice(edges, EDGES_AT_ONCE)):
        numbers, sources, targets, weights = zip(*some, strict=True)
        yield Batch(sources, targets, weights, "line", numbers, name)
