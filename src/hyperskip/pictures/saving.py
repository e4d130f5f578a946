"""A figure as the bytes of a picture, and as a file."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from hyperskip.files.writing import replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS_PER_INCH = 140


def picture_bytes(figure: "Figure", kind: str) -> bytes:
    """The picture, without a date or random names: the same one has the same bytes.

    Args:
        figure: What to draw.
        kind: `svg` or `png`.
    """
    from matplotlib import rc_context

    metadata = {"Date": None} if kind == "svg" else {}
    memory = io.BytesIO()
    with rc_context({"svg.hashsalt": "hyperskip"}):
        figure.savefig(memory, format=kind, dpi=DOTS_PER_INCH, metadata=metadata)
    return memory.getvalue()


def save_picture(data: bytes, target: Path) -> None:
    """Write a picture, whole or not at all.

    Raises:
        OutputError: The file cannot be written.
    """
    with replacing(target) as temporary:
        temporary.write_bytes(data)
