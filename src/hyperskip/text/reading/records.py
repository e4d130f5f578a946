"""Records (dicts) in memory: one key of each is a document."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from hyperskip.errors import CorpusError, shown
from hyperskip.text.reading.columns import column_required, no_such_column
from hyperskip.text.reading.documents import IF_MISSING, Cells, place_of_document


def record_cells(
    records: Iterator[object], first: Mapping[Any, object], column: str | None
) -> Cells:
    """Read one key of dict records.

    Args:
        records: The records after the first one.
        first: The first record.
        column: The option `column`.

    Raises:
        CorpusError: No key was chosen; or, when the cells are read, a record does not have it.
    """
    if column is None:
        raise column_required(first, "the first document is a record that", "key")

    def values() -> Iterator[object]:
        for index, record in enumerate(chain([first], records)):
            if not isinstance(record, Mapping):
                raise CorpusError(
                    f"{place_of_document(index)} is {shown(record)} ({type(record).__name__}), "
                    "but the first one is a record",
                    hint="pass records (dicts) only, or texts only",
                )
            if column not in record:
                raise no_such_column(column, record, place_of_document(index), "key")
            yield record[column]

    return Cells(values(), lambda index: f"{column!r} of {place_of_document(index)}", IF_MISSING)
