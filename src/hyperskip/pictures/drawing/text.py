"""Text that fonts can draw: replaced, shortened and wrapped."""

import textwrap

from matplotlib.font_manager import fontManager

# Used for letters that DejaVu Sans, the font of matplotlib, does not have.
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
    return ["DejaVu Sans", *(name for name in _FALLBACKS if name in installed)]
