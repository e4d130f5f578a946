"""The options of reading a graph, and of holding out some of its edges."""

from dataclasses import dataclass
from typing import Any

from hyperskip.errors import OptionError
from hyperskip.options import Declaration, Options, Range, declarations, option, option_of
from hyperskip.text.options import TextOptions

CHILD_PARENT = "child-parent"
PARENT_CHILD = "parent-child"

TABLE = "table"
JSON_LINES = "jsonl"
TREE = "tree"
MATRIX_MARKET = "mtx"


SEED = Declaration(
    kind=int,
    help="seed of the random choice of held-out edges",
    default=1,
    limits=Range(at_least=0, at_most=2**63 - 1),
)


@dataclass(frozen=True, kw_only=True)
class GraphOptions(Options):
    """The options of reading a graph.

    Values are checked when the object is created. `hyperskip.embed_graph` describes each field.
    """

    columns: str | None = option(
        None,
        str,
        "two or three columns, separated by commas: the two nodes of each edge, and its weight; "
        "names in the header, keys of records, or numbers from 1",
        optional=True,
        rule="1,2 in tables",
        noun="two or three different columns in one string, such as 'child,parent'",
    )
    delimiter: str | None = option_of(
        declarations(TextOptions)["delimiter"],
        help="the character between the cells of a table, such as ; or tab",
    )
    format: str | None = option(
        None,
        str,
        "table: CSV, TSV, or columns separated by blanks; jsonl: JSON Lines, of pairs or records; "
        "tree: one node on each line, indented below its parent; mtx: Matrix Market",
        choices=(TABLE, JSON_LINES, TREE, MATRIX_MARKET),
        optional=True,
        rule="from the name of the file and its first lines",
    )
    order: str = option(
        CHILD_PARENT,
        str,
        "the order of the two nodes of an edge: child-parent (dog, mammal) or parent-child "
        "(mammal, dog)",
        choices=(CHILD_PARENT, PARENT_CHILD),
    )
    directed: bool | None = option(
        None,
        bool,
        "whether the direction of edges has a meaning",
        optional=True,
        rule="True, except for undirected graphs of NetworkX",
    )
    weighted: bool | None = option(
        None,
        bool,
        "whether edges have weights",
        optional=True,
        rule="True if a third column is chosen, or if a graph or matrix in memory has weights",
    )
    closure: bool = option(
        False,
        bool,
        "add an edge from each node to each of its ancestors: the transitive closure",
    )
    encoding_errors: str = option_of(declarations(TextOptions)["encoding_errors"])

    def __post_init__(self) -> None:
        super().__post_init__()
        TextOptions(delimiter=self.delimiter)  # raises an error for a quotation mark
        names = self.column_names
        if self.columns is not None and not 2 <= len(set(names)) == len(names) <= 3:
            raise _columns().refusal("columns", self.columns)
        if self.weighted and len(self.column_names) == 2:
            raise OptionError(
                f"`weighted=True`, but `columns` is {self.columns!r}, without a weight",
                hint="add the column with the weight: `columns='child,parent,weight'`",
            )
        if self.closure and self.directed is False:
            raise OptionError(
                "`closure=True` requires a directed graph", hint="leave out `directed=False`"
            )
        if self.closure and self.weighted:
            raise OptionError(
                "`closure=True` requires edges without weights, because the edges that it adds "
                "have none",
                hint="leave out `weighted=True`",
            )

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns, one by one; empty if none were chosen."""
        if self.columns is None:
            return ()
        return tuple(name.strip() for name in self.columns.split(","))

    @property
    def reads_weights(self) -> bool:
        """Whether a table has a column with weights."""
        if self.weighted is None:
            return len(self.column_names) == 3 and not self.closure
        return self.weighted


def _columns() -> Declaration:
    return declarations(GraphOptions)["columns"]


@dataclass(frozen=True, kw_only=True)
class HoldoutOptions(Options):
    """The options of holding out edges for link prediction."""

    holdout: float | None = option(
        None,
        float,
        "share of the edges that are held out for link prediction, such as 0.05; every node keeps "
        "at least one edge",
        above=0.0,
        at_most=0.9,
        optional=True,
    )
    holdout_inner: bool = option(
        False,
        bool,
        "hold out only edges between inner nodes: neither from leaves, which are hard to predict, "
        "nor to roots, which are easy",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.holdout_inner and self.holdout is None:
            raise OptionError(
                "`holdout_inner` requires `holdout`", hint="pass a share, such as `holdout=0.05`"
            )

    def as_dict(self) -> dict[str, Any]:
        """Return what is stored with the vectors: nothing if no edges are held out."""
        return {name: value for name, value in super().as_dict().items() if value}
