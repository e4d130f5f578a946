"""Text that fonts can draw: replaced, shortened, wrapped and outlined."""

import textwrap
from typing import Any

from matplotlib import rcParams
from matplotlib.backend_bases import RendererBase
from matplotlib.font_manager import fontManager
from matplotlib.patheffects import Stroke, withStroke
from matplotlib.text import Text

# The font of matplotlib, and one with letters as wide: programs that open an SVG image use it, if
# they do not have the first.
SIMILAR_FONTS = ["DejaVu Sans", "Verdana"]
# Used for letters that DejaVu Sans does not have.
_FALLBACKS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Source Han Sans SC",
    "WenQuanYi Micro Hei", "Hiragino Sans", "PingFang SC", "Apple SD Gothic Neo", "Yu Gothic",
    "Microsoft YaHei", "Malgun Gothic", "Noto Sans Devanagari", "Noto Sans Bengali",
    "Noto Sans Tamil", "Noto Sans Thai", "Nirmala UI", "Arial Unicode MS", "FreeSans",
)  # fmt: skip
_REPLACEMENT = "\ufffd"


def for_font(text: str) -> str:
    """Return the text without characters that fonts and XML cannot represent."""
    return "".join(letter if letter.isprintable() else _REPLACEMENT for letter in text)


def shortened(text: str, length: int) -> str:
    """Return the text, cut to a number of letters if it is longer."""
    return text if len(text) <= length else text[: length - 1] + "…"


def wrapped(text: str, width: int, lines: int) -> str:
    """Return the text in a few lines of limited width, cut if it is longer."""
    return "\n".join(
        textwrap.wrap(for_font(text), width, max_lines=lines, placeholder=" …") if text else ()
    )


def font_families() -> list[str]:
    """Return the installed fonts, in the order in which letters are looked up."""
    installed = {font.name for font in fontManager.ttflist}
    fallbacks = (name for name in _FALLBACKS if name in installed)
    return ["DejaVu Sans", *fallbacks, "sans-serif"]


class OutlinedText(Text):
    """Text with an outline that keeps it readable on lines.

    matplotlib draws such text as curves. If SVG images keep text, only the outline is curves.

    Args:
        x: Place.
        y: Place.
        text: The text.
        outline: Color of the outline.
        looks: Other arguments of a `Text`.
    """

    def __init__(self, x: float, y: float, text: str, *, outline: str, **looks: Any) -> None:
        super().__init__(x, y, text, **looks)
        self._line: dict[str, Any] = {"linewidth": 2.2, "foreground": outline, "alpha": 0.85}
        self.set_path_effects([withStroke(**self._line)])

    def draw(self, renderer: RendererBase) -> None:
        """Draw the outline, and the text on it."""
        if rcParams["svg.fonttype"] != "none":
            super().draw(renderer)
            return
        both = self.get_path_effects()
        self.set_path_effects([Stroke(**self._line)])
        super().draw(renderer)
        self.set_path_effects([])
        super().draw(renderer)
        self.set_path_effects(both)
