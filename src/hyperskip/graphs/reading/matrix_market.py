"""Matrix Market: the entries of a sparse matrix as edges between its rows and columns."""

import re
from collections.abc import Iterator

from hyperskip.errors import GraphError, shown

_START = "%%MatrixMarket"
_SYMMETRIES = ("general", "symmetric")
_INDEX = re.compile(r"[1-9]\d*", re.ASCII)


def is_matrix_market(start: bytes) -> bool:
    """Whether a file is a matrix of Matrix Market, from its first bytes."""
    return start.startswith(_START.encode())


def matrix_entries(
    lines: Iterator[str], name: str, *, mirrored: bool
) -> Iterator[tuple[int, str, str, object]]:
    """Read the entries of a matrix as edges from the row to the column.

    The nodes are called by their numbers in the file, from 1. Rows and columns without entries are
    not read, so that the size of the matrix does not matter.

    Args:
        lines: The lines of the file.
        name: The name of the file in messages.
        mirrored: Whether to add the other half of a symmetric matrix.

    Yields:
        The number of the line, the row, the column and the value of an entry.

    Raises:
        GraphError: It is not a sparse matrix of numbers, or has another number of entries than its
            header.
    """
    header = next(lines, "").lower().split()
    kinds = header[1:5]
    if (
        len(kinds) < 4
        or kinds[:2] != ["matrix", "coordinate"]
        or kinds[2] == "complex"
        or kinds[3] not in _SYMMETRIES
    ):
        raise GraphError(
            f"{name} is a matrix of the kind {shown(' '.join(kinds))}",
            hint="it must be a coordinate matrix of real numbers, general or symmetric",
        )
    mirrored = mirrored and kinds[3] == "symmetric"
    has_values = kinds[2] != "pattern"
    numbered = ((number, line) for number, line in enumerate(lines, start=2) if line[:1] != "%")
    sizes = next((line.split() for _, line in numbered if line.strip()), [])
    count = 0
    for number, line in numbered:
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 2 + has_values or not all(map(_INDEX.fullmatch, cells[:2])):
            raise GraphError(
                f"line {number} of {name} is {shown(line.strip())}, which is not an entry",
                hint="an entry has a row and a column, as numbers from 1, and a value unless the "
                "matrix is a pattern",
            )
        row, column, *values = cells
        value = values[0] if has_values else 1.0
        count += 1
        yield number, row, column, value
        if mirrored and row != column:
            yield number, column, row, value
    if sizes[2:] != [str(count)]:
        raise GraphError(
            f"{name} has {count} entries, but its header is {shown(' '.join(sizes))}",
            hint="check that the file is complete; the header has the numbers of rows, columns and "
            "entries",
        )
