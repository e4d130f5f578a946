"""Tables on stdout: aligned for a person, tab-separated for a pipe."""

import sys
from collections.abc import Sequence

from hyperskip.cli.messages import printable


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of text; the first column is left-aligned, the others right."""
    if not sys.stdout.isatty():
        for row in [header, *rows]:
            print("\t".join(map(printable, row)))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for i, name in enumerate(header):
        table.add_column(Text(printable(name)), justify="right" if i else "left", overflow="fold")
    for row in rows:
        # A word like [bold], or one that would color the terminal, is shown and not obeyed.
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console().print(table)


def number(value: float | None, digits: int = 4) -> str:
    """A number for a table; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}f}"
