"""Expands blocks `{generated}` and `{interactive}` of pages; prepares docstrings for autodoc."""

import re
from pathlib import Path
from typing import Any

from interactive_figures import MODULES, has_figures, head_html, with_figures
from reference_text import expanded
from sphinx.application import Sphinx


def _expand(app: Sphinx, _page: str, source: list[str]) -> None:
    text = expanded(source[0])
    source[0] = with_figures(text)
    if source[0] != text:
        for module in MODULES.iterdir():
            app.env.note_dependency(module)


def _generated(_app: Sphinx, env: Any, *_changes: Any) -> list[str]:
    """The pages that are read again in every build, since the code may have changed."""
    texts = {name: Path(env.doc2path(name)).read_text(encoding="utf-8") for name in env.found_docs}
    return [name for name, text in texts.items() if "```{generated}" in text]


def _add_modules(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any
) -> None:
    if has_figures(context.get("body", "")):
        context["metatags"] = context.get("metatags", "") + head_html()


def _escape(
    _app: Sphinx, _what: str, _name: str, _value: Any, _options: Any, lines: list[str]
) -> None:
    """Keep | and * in formulas, which have a meaning in reStructuredText."""
    for i, line in enumerate(lines):
        parts = re.split(r"(`[^`]*`)", line)
        parts[::2] = [re.sub(r"([|*])", r"\\\1", part) for part in parts[::2]]
        lines[i] = "".join(parts)


def _skip(
    _app: Sphinx, _what: str, name: str, _value: Any, _skipped: bool, _options: Any
) -> bool | None:
    """Leave out the methods that scikit-learn adds to route metadata."""
    return True if re.fullmatch(r"(set|get)_\w*(request|routing)", name) else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("env-get-outdated", _generated)
    app.connect("source-read", _expand)
    app.connect("html-page-context", _add_modules)
    app.connect("autodoc-process-docstring", _escape, priority=400)  # before napoleon
    app.connect("autodoc-skip-member", _skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
