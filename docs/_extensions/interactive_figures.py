"""Figures that readers can move, made of modules in `docs/_geometry`; it does not need Sphinx."""

import html
import re
from pathlib import Path

from hyperskip.page.assets import import_map_for

MODULES = Path(__file__).parents[1] / "_geometry"
_FIGURE = re.compile(r"^```\{interactive\} (\S+)\n(.*?)\n```$", flags=re.MULTILINE | re.DOTALL)
_MARK = "data-figure="


def with_figures(text: str) -> str:
    """Replace each block `{interactive}` of a page by a figure; the text in it is the caption."""
    return _FIGURE.sub(
        lambda match: f"```{{raw}} html\n{figure_html(match[1], match[2])}\n```", text
    )


def has_figures(body: str) -> bool:
    """Return whether the HTML of a page contains such figures."""
    return _MARK in body


def figure_html(name: str, caption: str) -> str:
    """Return a figure that the modules fill; without JavaScript, it is its caption."""
    return (
        f'<figure class="interactive" {_MARK}"{html.escape(name)}">'
        "<noscript><p>This figure needs JavaScript.</p></noscript>"
        f"<figcaption>{html.escape(' '.join(caption.split()))}</figcaption></figure>"
    )


def head_html() -> str:
    """Return what the head of a page with figures needs: the style and all modules.

    The modules are data URLs, because browsers load no module files from disk.
    """
    sources = {
        f"geometry/{path.stem}": path.read_text(encoding="utf-8")
        for path in sorted(MODULES.glob("*.js"))
    }
    style = (MODULES / "figures.css").read_text(encoding="utf-8")
    return (
        f"<style>{style}</style>\n"
        f'<script type="importmap">{import_map_for(sources)}</script>\n'
        '<script type="module">import "geometry/page";</script>\n'
    )
