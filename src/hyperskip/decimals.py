"""Numbers as text in tables and summaries, with a fixed number of decimals."""


def decimals(value: float | None, digits: int = 4) -> str:
    """Format a number; None is a dash."""
    return "-" if value is None else f"{value:.{digits}f}"
