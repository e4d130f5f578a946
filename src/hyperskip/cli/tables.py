"""Tables on stdout: aligned for a person, tab-separated for a pipe."""

import sys
from collections.abc import Sequence


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text; the first column is left-aligned, the others right."""
    if not sys.stdout.isatty():
        for row in [header, *rows]:
            print("\t".join(map(_on_one_line, row)))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for i, name in enumerate(header):
        table.add_column(Text(name), justify="right" if i else "left", overflow="fold")
    for row in rows:
        # A word like [bold], or one that would colour the terminal, is shown and not obeyed.
        table.add_row(*(Text(_on_one_line(cell)) for cell in row))
    Console().print(table)


def _on_one_line(cell: str) -> str:
    """A cell of printable signs: no tab of its own, and nothing that a terminal obeys."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in cell
    )


def number(value: float | None, digits: int = 4) -> str:
    """A number for a table; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"
