"""Figures without a window, and their bytes as image files."""

import io

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

DOTS_PER_INCH = 140


def new_figure(width: float, height: float, color: str = "white") -> Figure:
    """Return an empty figure; width and height are in inches."""
    figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, facecolor=color)
    FigureCanvasAgg(figure)
    return figure


def image_bytes(figure: Figure, kind: str) -> bytes:
    """Return the image, without dates or random names: the same figure gives the same bytes.

    Args:
        figure: What to draw.
        kind: 'svg' or 'png'.
    """
    metadata = {"Date": None} if kind == "svg" else {}
    memory = io.BytesIO()
    with rc_context({"svg.hashsalt": "hyperskip"}):
        figure.savefig(memory, format=kind, dpi=DOTS_PER_INCH, metadata=metadata)
    return memory.getvalue()
