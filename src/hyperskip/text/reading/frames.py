"""Data in memory that has columns, and single columns: pandas, polars, Arrow, Hugging Face, dicts.

A library is recognized only if it is already imported; none is imported to look for its types.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from hyperskip.errors import CorpusError, MissingPackageError, shown
from hyperskip.text.reading.arrow import ROWS_AT_ONCE, check_type, values_of
from hyperskip.text.reading.columns import (
    check_no_column,
    column_required,
    index_of,
    no_such_column,
)
from hyperskip.text.reading.documents import IF_MISSING, Cells
from hyperskip.text.reading.refusals import what_instead

_PANDAS_MISSING = "drop missing texts with dropna(), or fill them with fillna('')"
_POLARS_MISSING = "drop missing texts with drop_nulls(), or fill them with fill_null('')"
_ARROW_MISSING = "drop missing texts with drop_null(), or fill them with fill_null('')"


def cells_of(corpus: Any, column: str | None) -> Cells | None:
    """Read a data frame, or a column of one.

    Args:
        corpus: What the user passed.
        column: The option `column`.

    Returns:
        The values of the column; None if the corpus is something else.

    Raises:
        CorpusError: There is no such column, or none was chosen.
    """
    if isinstance(corpus, Mapping):
        return _dict_cells(corpus, column)
    if _is_a(corpus, "pandas", "DataFrame"):
        index = index_of(column, list(corpus.columns), "the data frame")
        return _pandas_cells(corpus.iloc[:, index], f" of column {column!r}")
    if _is_a(corpus, "pandas", "Series"):
        check_no_column(column, "a Series")
        return _pandas_cells(corpus, "")
    if _is_a(corpus, "polars", "LazyFrame"):
        index_of(column, corpus.collect_schema().names(), "the lazy frame")
        corpus = corpus.select(column).collect()
    if _is_a(corpus, "polars", "DataFrame"):
        index_of(column, corpus.columns, "the data frame")
        return _polars_cells(corpus.get_column(column), f" of column {column!r}")
    if _is_a(corpus, "polars", "Series"):
        check_no_column(column, "a Series")
        return _polars_cells(corpus, "")
    if _is_a(corpus, "datasets", "Dataset"):
        return _dataset_cells(corpus, column)
    return _arrow_cells(corpus, column)


def columns_of(frame: Any, choose: Callable[[Sequence[str]], Sequence[str]]) -> list[Cells] | None:
    """Read several columns of a data frame.

    Args:
        frame: What the user passed.
        choose: Returns the chosen columns, given the names of all.

    Returns:
        The values of each column; None if it is not a data frame.

    Raises:
        CorpusError: There is no such column.
    """
    names: Sequence[object]
    if _is_a(frame, "polars", "LazyFrame"):
        frame = frame.collect()
    if _is_a(frame, "pandas", "DataFrame") or _is_a(frame, "polars", "DataFrame"):
        names = list(frame.columns)
    elif _is_a(frame, "datasets", "Dataset"):
        names = frame.column_names
    else:
        if hasattr(frame, "__arrow_c_stream__"):
            frame = _from_stream(frame)
        if _is_a(frame, "pyarrow", "RecordBatchReader"):
            frame = frame.read_all()
        if not _is_a(frame, "pyarrow", "Table", "RecordBatch"):
            return None
        names = frame.schema.names
    columns = choose(list(map(str, names)))
    return [cells for column in columns if (cells := cells_of(frame, column)) is not None]


def _is_a(corpus: object, package: str, *names: str) -> bool:
    module = sys.modules.get(package)
    kinds = (getattr(module, name, None) for name in names)
    return isinstance(corpus, tuple(kind for kind in kinds if isinstance(kind, type)))


def _row(of_column: str) -> Callable[[int], str]:
    return lambda index: f"row {index}{of_column} (counted from 0)"


def _dict_cells(corpus: Mapping[Any, Any], column: str | None) -> Cells:
    if _is_a(corpus, "datasets", "DatasetDict", "IterableDatasetDict"):
        splits = ", ".join(map(repr, corpus))
        raise CorpusError(
            f"the corpus is a {type(corpus).__name__} with the splits {splits}",
            hint=f"pass one of them: dataset[{next(iter(corpus), 'train')!r}]",
        )
    if column is None:
        raise column_required(corpus, f"the corpus is a {type(corpus).__name__} that", "key")
    if column not in corpus:
        raise no_such_column(column, corpus, "the dict", "key")
    if isinstance(corpus[column], str) or not isinstance(corpus[column], Iterable):
        raise CorpusError(
            f"{column!r} of the dict is {shown(corpus[column])} "
            f"({type(corpus[column]).__name__}), not a column of documents",
            hint="the values of a dict are columns; records go into a list: train([record, ...])",
        )
    inner = cells_of(corpus[column], None)
    hint = None if inner else what_instead(corpus[column])
    if hint is not None:
        kind = type(corpus[column]).__name__
        raise CorpusError(f"{column!r} of the dict is a {kind}, not a list of documents", hint=hint)
    values = corpus[column] if inner is None else inner.values
    return Cells(values, _row(f" of {column!r}"), IF_MISSING)


def _pandas_cells(series: Any, of_column: str) -> Cells:
    def place(index: int) -> str:
        (label,) = series.index[[index]].tolist()  # a plain number, not np.int64(20)
        return f"row {index}{of_column} (counted from 0; its index label is {shown(label)})"

    def values() -> Iterator[object]:
        if _is_a(series.dtype, "pandas", "ArrowDtype"):
            yield from values_of(series.array.__arrow_array__())
            return
        for begin in range(0, len(series), ROWS_AT_ONCE):
            yield from series.iloc[begin : begin + ROWS_AT_ONCE].tolist()

    return Cells(values(), place, _PANDAS_MISSING)


def _polars_cells(series: Any, of_column: str) -> Cells:
    def values() -> Iterator[object]:
        for begin in range(0, len(series), ROWS_AT_ONCE):
            yield from series.slice(begin, ROWS_AT_ONCE).to_list()

    return Cells(values(), _row(of_column), _POLARS_MISSING)


def _dataset_cells(dataset: Any, column: str | None) -> Cells:
    index_of(column, dataset.column_names, "the dataset")

    def values() -> Iterator[object]:
        selected = dataset.select_columns([column]).with_format("arrow")
        for table in selected.iter(batch_size=ROWS_AT_ONCE):
            yield from values_of(table.column(0))

    hint = f"drop missing texts with filter(lambda row: row[{column!r}] is not None)"
    return Cells(values(), _row(f" of column {column!r}"), hint)


def _arrow_cells(corpus: Any, column: str | None) -> Cells | None:
    if hasattr(corpus, "__arrow_c_stream__"):
        corpus = _from_stream(corpus)
    if _is_a(corpus, "pyarrow", "Array", "ChunkedArray"):
        check_no_column(column, f"an Arrow {type(corpus).__name__}")
        check_type(corpus.type, "the Arrow array")
        return Cells(values_of(corpus), _row(""), _ARROW_MISSING)
    if _is_a(corpus, "pyarrow", "Table", "RecordBatch"):
        batches: Iterable[Any] = [corpus]
    elif _is_a(corpus, "pyarrow", "RecordBatchReader"):
        batches = corpus
    else:
        return None
    index = index_of(column, corpus.schema.names, "the Arrow table")
    check_type(corpus.schema.types[index], f"column {column!r} of the Arrow table")
    values = (value for batch in batches for value in values_of(batch.column(index)))
    return Cells(values, _row(f" of column {column!r}"), _ARROW_MISSING)


def _from_stream(corpus: Any) -> Any:
    """Read any object with Arrow's stream protocol, such as a relation of DuckDB."""
    try:
        import pyarrow as pa
    except ImportError as error:
        kind = type(corpus).__name__
        raise MissingPackageError("pyarrow", "parquet", f"reading a {kind}") from error
    if isinstance(corpus, pa.Table | pa.ChunkedArray | pa.RecordBatchReader):
        return corpus
    try:
        return pa.RecordBatchReader.from_stream(corpus)
    except pa.ArrowInvalid:  # one array, without columns
        return pa.chunked_array(corpus)
