"""Edges on their way from a reader to the graph: checked rows, in batches."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hyperskip.errors import GraphError, shown
from hyperskip.graphs.options import PARENT_CHILD, GraphOptions
from hyperskip.text.reading.columns import column_required, no_such_column

EDGES_AT_ONCE = 1 << 10
_PAIRS = "an edge is a pair of two nodes, such as ('dog', 'mammal'), or has a weight as third"


class Batch(NamedTuple):
    """Edges, each from a narrower node (child) to a broader one (parent)."""

    sources: Sequence[object]
    targets: Sequence[object]
    weights: Sequence[object] | None
    noun: str  # what an edge is called in messages, such as "row"
    numbers: Sequence[int]  # of the edges, in messages
    name: str  # of the input, in messages

    def place(self, index: int) -> str:
        """The name of an edge in messages."""
        return f"{self.noun} {self.numbers[index]} of {self.name}"


def batch_of(
    cells: Sequence[Sequence[object]],
    options: GraphOptions,
    noun: str,
    numbers: Sequence[int],
    name: str,
) -> Batch:
    """Make a batch of two or three columns, in the order that the options describe."""
    first, second, *weights = cells
    if options.order == PARENT_CHILD:
        first, second = second, first
    return Batch(first, second, weights[0] if weights else None, noun, numbers, name)


def row_cells(row: Any, options: GraphOptions, place: str) -> Sequence[object]:
    """The nodes of an edge, and its weight if weights are read.

    Raises:
        GraphError: It is not a pair, or has no weight.
    """
    if isinstance(row, str | bytes) or not isinstance(row, Sequence) or len(row) not in (2, 3):
        raise GraphError(f"{place} is {shown(row)}, not an edge", hint=_PAIRS)
    if not options.reads_weights:
        return row[:2]
    if len(row) == 2:
        raise GraphError(f"{place}, {shown(row)}, has no weight", hint="use `weighted=False`")
    return row


def record_cells(
    record: Mapping[str, object], options: GraphOptions, place: str
) -> Sequence[object]:
    """The chosen keys of a record.

    Raises:
        CorpusError: No keys are chosen, or the record does not have them.
    """
    columns = options.column_names
    if not columns:
        raise column_required(record, f"{place} is a record that", "key")
    for column in columns:
        if column not in record:
            raise no_such_column(column, record, place, "key")
    return [record[column] for column in columns]
