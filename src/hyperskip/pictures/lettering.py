"""Words as a font, XML and a browser can take them."""

import textwrap
import unicodedata

# Looked for where DejaVu Sans, which comes with matplotlib, lacks a letter.
_FALLBACKS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Source Han Sans SC",
    "WenQuanYi Micro Hei", "Hiragino Sans", "PingFang SC", "Apple SD Gothic Neo", "Yu Gothic",
    "Microsoft YaHei", "Malgun Gothic", "Noto Sans Devanagari", "Noto Sans Bengali",
    "Noto Sans Tamil", "Noto Sans Thai", "Nirmala UI", "Arial Unicode MS", "FreeSans",
)  # fmt: skip
_REPLACEMENT = "\ufffd"
# Marks that turn the direction of all text behind them, also of what is not the word's.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def for_font(text: str) -> str:
    """The text without what neither a font nor XML has a sign for."""
    return "".join(letter if letter.isprintable() else _REPLACEMENT for letter in text)


def for_browser(text: str) -> str:
    """The text without control characters and halves of letters, which UTF-8 does not have."""
    return "".join(_REPLACEMENT if _is_unfit(letter) else letter for letter in text)


def _is_unfit(letter: str) -> bool:
    return letter in _TURNING or unicodedata.category(letter) in ("Cc", "Cs")


def shortened(text: str, length: int) -> str:
    """The text, with dots for what is beyond so many letters."""
    return text if len(text) <= length else text[: length - 1] + "…"


def wrapped(text: str, width: int, lines: int) -> str:
    """The text in a few lines of limited width, with dots where that is too little."""
    return "\n".join(
        textwrap.wrap(for_font(text), width, max_lines=lines, placeholder=" …") if text else ()
    )


def font_families() -> list[str]:
    """The fonts to take letters from, the first that has one; only such as are installed."""
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in _FALLBACKS if name in installed)]
