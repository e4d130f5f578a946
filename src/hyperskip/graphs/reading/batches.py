"""Edges on their way from a reader to the graph: in batches, each edge with its place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from hyperskip.errors import GraphError, shown
from hyperskip.graphs.options import CHILD_PARENT, PARENT_CHILD, GraphOptions
from hyperskip.text.reading.columns import column_required, no_such_column

Item = TypeVar("Item")
Place = Callable[[int], str]  # the name of an edge in messages, by its index

_EDGES_AT_ONCE = 1 << 10
_EDGE = "an edge is a pair of two nodes, such as ('dog', 'mammal'), or has its weight as third"
# Headers that are recognized without `columns`, with the order of the nodes if they tell it.
_HEADERS = {
    ("child", "parent"): CHILD_PARENT,
    ("hyponym", "hypernym"): CHILD_PARENT,
    ("narrower", "broader"): CHILD_PARENT,
    ("parent", "child"): PARENT_CHILD,
    ("hypernym", "hyponym"): PARENT_CHILD,
    ("broader", "narrower"): PARENT_CHILD,
    ("source", "target"): None,
    ("from", "to"): None,
    ("src", "dst"): None,
    ("id1", "id2"): None,
    ("node1", "node2"): None,
}


class Batch(NamedTuple):
    """Edges, each from a narrower node (child) to a broader one (parent)."""

    sources: Sequence[object]
    targets: Sequence[object]
    weights: Sequence[object] | None  # None: all are 1
    place: Place


def batch_of(columns: Sequence[Sequence[object]], options: GraphOptions, place: Place) -> Batch:
    """Make a batch of two or three columns, in the order that the options describe."""
    first, second, *weights = columns
    if options.order == PARENT_CHILD:
        first, second = second, first
    return Batch(first, second, weights[0] if weights else None, place)


def is_header(cells: Sequence[str], name: str, options: GraphOptions) -> bool:
    """Whether cells start with a known header, in the order that the options describe.

    Raises:
        GraphError: The header tells another order than `order`.
    """
    pair = tuple(cell.strip().lower() for cell in cells[:2])
    if pair not in _HEADERS:
        return False
    order = _HEADERS[pair]
    if order not in (None, options.order):
        raise GraphError(
            f"the header of {name} is {', '.join(map(repr, cells[:2]))}, but `order` is "
            f"{options.order!r}",
            hint=f"pass `order={order!r}`, or choose the two columns by `columns`",
        )
    return True


def numbered(noun: str, numbers: Sequence[int], name: str) -> Place:
    """Name edges by their numbers, such as "line 3 of edges.jsonl"."""
    return lambda index: f"{noun} {numbers[index]} of {name}"


def parts(items: Iterator[Item]) -> Iterator[tuple[int, list[Item]]]:
    """Split items into lists of the size of a batch, each with the index of its first item."""
    first = 0
    while some := list(islice(items, _EDGES_AT_ONCE)):
        yield first, some
        first += len(some)


def cells_of_row(row: Any, place: str, *, weighted: bool) -> Sequence[object]:
    """The two nodes of an edge, and its weight if weights are read.

    Raises:
        GraphError: It is not a pair, or has no weight.
    """
    if isinstance(row, str | bytes) or not isinstance(row, Sequence) or len(row) not in (2, 3):
        files = "; to read files, pass pathlib.Path objects" if isinstance(row, str) else ""
        raise GraphError(f"{place} is {shown(row)}, which is not an edge", hint=_EDGE + files)
    if weighted and len(row) == 2:
        raise GraphError(
            f"{place}, {shown(row)}, has no weight", hint="add it, or use `weighted=False`"
        )
    return row if weighted and len(row) == 3 else row[:2]


def cells_of_record(record: Any, options: GraphOptions, place: str) -> Sequence[object]:
    """The values of the chosen keys of a record.

    Raises:
        GraphError: It is not a record.
        CorpusError: No keys are chosen, or the record does not have them.
    """
    if not isinstance(record, Mapping):
        raise GraphError(
            f"{place} is {shown(record)}, but the first edge is a record",
            hint="pass records only, or pairs only",
        )
    columns = options.column_names
    if not columns:
        choice = "the keys of the two nodes, separated by a comma,"
        raise column_required(
            record, f"{place} is a record that", "key", option="columns", choice=choice
        )
    for column in columns:
        if column not in record:
            raise no_such_column(column, record, place, "key")
    return [record[column] for column in columns[: 3 if options.reads_weights else 2]]
