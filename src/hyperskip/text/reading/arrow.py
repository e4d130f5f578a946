"""Arrow arrays as Python values: strings and lists of tokens, a few rows at a time."""

from collections.abc import Iterator
from typing import Any

from hyperskip.errors import CorpusError

ROWS_AT_ONCE = 1 << 10


def check_type(kind: Any, what: str) -> None:
    """Check that a column of this Arrow type may contain documents.

    Single numbers pass, so that the error for them names the row.

    Args:
        kind: The type.
        what: The column, in messages.

    Raises:
        CorpusError: It cannot.
    """
    if not _is_simple(kind):
        raise CorpusError(
            f"{what} is of type {str(kind)[:100]}",
            hint="a document is a string, or a list of strings or integers (its tokens)",
        )


def values_of(array: Any) -> Iterator[object]:
    """Convert an Array or ChunkedArray; a row with text that is not UTF-8 becomes these bytes."""
    for chunk in getattr(array, "chunks", [array]):
        for begin in range(0, len(chunk), ROWS_AT_ONCE):
            part = chunk.slice(begin, ROWS_AT_ONCE)
            try:
                yield from part.to_pylist()
            except UnicodeDecodeError:
                yield from map(_decoded, part)


def _decoded(scalar: Any) -> object:
    try:
        return scalar.as_py()
    except UnicodeDecodeError as error:
        return error.object


def _is_simple(kind: Any) -> bool:
    import pyarrow as pa
    from pyarrow import types

    if isinstance(kind, pa.BaseExtensionType):
        return _is_simple(kind.storage_type)
    if (
        types.is_dictionary(kind)
        or types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
    ):
        return _is_simple(kind.value_type)
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
        or types.is_fixed_size_binary(kind)
        or types.is_integer(kind)
        or types.is_floating(kind)
        or types.is_boolean(kind)
        or types.is_null(kind)
    )
