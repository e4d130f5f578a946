"""A table of plain text; `rendering.py` turns it into Markdown and HTML."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """The text of a cell, and whether it is the best in its group."""

    text: str
    is_best: bool = False


@dataclass(frozen=True)
class Table:
    """A table; every row has as many cells as the header."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    names: int = 3  # number of columns with text; they come first
    grouped_by: int = 2  # number of first columns that a web page shows as headings of rows
