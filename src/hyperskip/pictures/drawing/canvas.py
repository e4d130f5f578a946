"""Figures without a window, and their bytes as image files."""

import io
import math
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Affine2D, Transform

from hyperskip.pictures.drawing.text import SIMILAR_FONTS

DOTS_PER_INCH = 140


def new_figure(width: float, height: float, color: str = "white") -> Figure:
    """Return an empty figure; width and height are in inches."""
    figure = Figure(figsize=(width, height), dpi=DOTS_PER_INCH, facecolor=color)
    FigureCanvasAgg(figure)
    return figure


def refine(figure: Figure, least: float) -> None:
    """Raise the resolution of a small figure, so that the longer side has some number of pixels."""
    longer = max(figure.get_size_inches())
    figure.set_dpi(max(DOTS_PER_INCH, math.ceil(least / longer)))


def in_pixels(figure: Figure) -> Transform:
    """Return the transform of places in pixels at the usual resolution, from the lower left corner.

    An SVG image has another resolution, so places must not be in its own pixels.
    """
    return Affine2D().scale(1 / DOTS_PER_INCH) + figure.dpi_scale_trans


def image_bytes(figure: Figure, kind: str, *, editable: bool = False) -> bytes:
    """Return the image, without dates or random names: the same figure gives the same bytes.

    Args:
        figure: What to draw.
        kind: 'svg' or 'png'.
        editable: Whether text stays text in SVG. Otherwise its letters are outlines, which look
            the same without the fonts, and formulas need that.
    """
    metadata = {"Date": None} if kind == "svg" else {}
    memory = io.BytesIO()
    settings: dict[Any, Any] = {"svg.hashsalt": "hyperskip"}
    if editable and kind == "svg":
        settings |= {"svg.fonttype": "none", "font.sans-serif": SIMILAR_FONTS}
    with rc_context(settings):
        figure.savefig(memory, format=kind, dpi=figure.dpi, metadata=metadata)
    return memory.getvalue()
