"""Tables on standard output: aligned in a terminal, tab-separated elsewhere."""

import sys
from collections.abc import Sequence
from typing import Literal

from hyperskip.progress.messages import printable


def print_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = True
) -> None:
    """Print rows; the first column is left-aligned, and the others are if they are no numbers."""
    if not sys.stdout.isatty():
        for row in [header, *rows]:
            print("\t".join(map(printable, row)))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    cells = [list(header), *map(list, rows)]
    width = sum(max(map(len, column)) + 2 for column in zip(*cells, strict=True))
    if width > console.width and len(cells) < len(header):  # then it is narrower on its side
        header, *rows = [list(column) for column in zip(*cells, strict=True)]
    table = Table(box=None, pad_edge=False)
    justify: Literal["left", "right"] = "right" if numbers else "left"
    for i, name in enumerate(header):
        table.add_column(Text(printable(name)), justify=justify if i else "left", overflow="fold")
    for row in rows:
        # `Text` shows words like [bold] as they are, without interpreting them as markup.
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(table)
