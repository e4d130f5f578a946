"""Parquet files: one column as text or tokens, each cell a document; a few rows at a time."""

import contextlib
import os
from collections.abc import Iterator
from typing import IO, Any

from hyperskip.errors import CorpusError, MissingPackageError
from hyperskip.files.remote import Location
from hyperskip.text.reading.arrow import check_type, values_of
from hyperskip.text.reading.columns import index_of
from hyperskip.text.reading.documents import Cells, Document

_MAGIC = b"PAR1"
_BATCH_BYTES = 1 << 22
_MOST_ROWS = 1 << 7  # few, because repeated texts take far more memory than space in the file
_BUFFER_BYTES = 1 << 20
# What pyarrow raises for damaged files, beside its own exceptions.
_FAILURES = (OSError, ValueError, TypeError, LookupError, ArithmeticError, MemoryError)


def is_parquet(file: Location | None, start: bytes) -> bool:
    """Whether a file is Parquet, from its name or from its first bytes."""
    return start.startswith(_MAGIC) or (file is not None and file.name.lower().endswith(".parquet"))


def parquet_documents(
    raw: IO[bytes], name: str, column: str | None, encoding_errors: str = "strict"
) -> Iterator[Document]:
    """Read one column.

    Args:
        raw: The file, not decompressed; its position shows the progress.
        name: The name of the file in messages.
        column: The name of the column.
        encoding_errors: What to do about text that is not UTF-8.

    Raises:
        CorpusError: The file is damaged, or there is no such column, or a cell is no document.
        MissingPackageError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise MissingPackageError("pyarrow", "parquet", f"reading {name}") from error

    if not raw.seekable():
        raise CorpusError(
            f"{name} is Parquet, which cannot be read from a pipe", hint="pass a path or URL"
        )
    raw.seek(0)
    if raw.read(len(_MAGIC)) != _MAGIC:
        raise CorpusError(
            f"{name} is not a Parquet file, or it is compressed as a whole",
            hint="unpack it, or rename it if it is another kind of text",
        )

    with _arrow_errors(name):
        # Otherwise, a column of a row group would be read into memory as a whole.
        file = ParquetFile(raw, buffer_size=_BUFFER_BYTES, pre_buffer=False)
        schema = file.schema_arrow
    kind = schema.types[index_of(column, schema.names, name)]
    check_type(kind, f"column {column!r} of {name}")
    is_nested = isinstance(kind, pa.DataType) and kind.num_fields > 0
    errors = "strict" if is_nested else encoding_errors

    def place(row: int) -> str:
        return f"row {row + 1} (counted from 1) of column {column!r} of {name}"

    def values() -> Iterator[object]:
        row = 0
        with _arrow_errors(name):
            rows_at_once = _rows_at_once(file.metadata)
            for batch in file.iter_batches(rows_at_once, columns=[column], use_threads=False):
                for value in values_of(batch.column(column)):
                    yield _decoded(value, place(row), errors) if type(value) is bytes else value
                    row += 1
        raw.seek(0, os.SEEK_END)

    return Cells(
        values(),
        place,
        "fill in the missing texts, with '' for instance",
        "choose another column, or convert it to text",
    ).documents()


def _rows_at_once(metadata: Any) -> int:
    """The number of rows that take a few megabytes, with all columns."""
    longest = 1
    for number in range(metadata.num_row_groups):
        # Not the metadata of its columns: pyarrow ends the process if they contradict the schema.
        group = metadata.row_group(number)
        longest = max(longest, group.total_byte_size // max(1, group.num_rows))
    return max(1, min(_MOST_ROWS, _BATCH_BYTES // longest))


@contextlib.contextmanager
def _arrow_errors(name: str) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, *_FAILURES) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise CorpusError(
            f"cannot read {name}: {reason}",
            hint="check that the file is complete, or write it again",
        ) from error


def _decoded(text: bytes, place: str, encoding_errors: str) -> str:
    try:
        return text.decode("utf-8", encoding_errors)
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{place} is not UTF-8: byte {text[error.start]:#04x} at offset {error.start}",
            hint="convert it to UTF-8 first, or use `encoding_errors='replace'`",
        ) from None
