"""Formats measurements: medians with their range, and tables."""

import statistics
from collections.abc import Sequence


def spread(values: Sequence[float], form: str) -> str:
    """The median with minimum and maximum: `2.46 (2.24-3.07)`."""
    median = f"{statistics.median(values):{form}}"
    if len(values) == 1:
        return median
    return f"{median} ({min(values):{form}}-{max(values):{form}})"


def print_markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print an aligned table in Markdown."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    for row in [header, ["-" * width for width in widths], *rows]:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print(f"| {' | '.join(cells)} |", flush=True)
