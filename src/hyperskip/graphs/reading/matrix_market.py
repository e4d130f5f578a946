"""Matrix Market: the entries of a sparse matrix as edges between its rows and columns."""

from collections.abc import Iterator

from hyperskip.errors import GraphError, shown
from hyperskip.graphs.options import GraphOptions

_START = "%%MatrixMarket"
_SYMMETRIES = ("general", "symmetric")


def is_matrix_market(start: bytes) -> bool:
    """Whether a file is a matrix of Matrix Market, from its first bytes."""
    return start.startswith(_START.encode())


def matrix_entries(
    lines: Iterator[str], name: str, options: GraphOptions
) -> Iterator[tuple[int, str, str, object]]:
    """Read the entries of a matrix as edges from the row to the column.

    The nodes are called by their numbers in the file, from 1. Rows without entries are not read:
    the size in the header may be any number.

    Args:
        lines: The lines of the file.
        name: The name of the file in messages.
        options: How to read weights.

    Yields:
        The number of the line, the row, the column and the weight of an entry.

    Raises:
        GraphError: It is not a sparse matrix of numbers.
    """
    header = next(lines).lower().split()
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
    is_mirrored = kinds[3] == "symmetric" and options.directed is not False
    has_values = kinds[2] != "pattern"
    sizes: list[str] = []
    count = 0
    for number, line in enumerate(lines, start=2):
        cells = line.split()
        if not cells or cells[0].startswith("%"):
            continue
        if len(cells) != (2 + has_values if sizes else 3) or not all(map(str.isdecimal, cells[:2])):
            raise GraphError(
                f"line {number} of {name} is {shown(line.strip())}, not an entry",
                hint="an entry has a row and a column, as numbers from 1, and a value unless the "
                "matrix is a pattern",
            )
        if not sizes:
            sizes = cells
            continue
        row, column = (cell.lstrip("0") for cell in cells[:2])
        weight = cells[2] if has_values else 1.0
        count += 1
        yield number, row, column, weight
        if is_mirrored and row != column:
            yield number, column, row, weight
    if not sizes or sizes[2] != str(count):
        raise GraphError(
            f"{name} has {count:,} entries, but {sizes[2] if sizes else 'no number'} in its header",
            hint="check that the file is complete",
        )
