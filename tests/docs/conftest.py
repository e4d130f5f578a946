"""A page with all figures of docs/geometry.md, and visits that must not log errors."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from interactive_figures import head_html, with_figures
from visits import Open, Visit

GEOMETRY = Path(__file__).parents[2] / "docs" / "geometry.md"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a file with all figures of the page, and nothing else."""
    text = GEOMETRY.read_text(encoding="utf-8")
    figures = re.findall(r"^```\{raw\} html\n(.*?)\n```$", with_figures(text), re.MULTILINE)
    path = tmp_path_factory.mktemp("page") / "geometry.html"
    path.write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Geometry</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'{head_html()}</head><body data-theme="auto"><main><h1>Geometry</h1>'
        f"{''.join(figures)}</main></body></html>",
        encoding="utf-8",
    )
    return path.as_uri()


@pytest.fixture
def visit(browser: Any, page: str) -> Iterator[Open]:
    """Open the page; after the test, the browser must have logged no errors."""
    visits: list[Visit] = []

    def opened(**options: Any) -> Visit:
        visits.append(Visit.opened(browser, page, (), options))
        return visits[-1]

    yield opened
    for each in visits:
        each.close()
        each.check()


@pytest.fixture(scope="module")
def opened(browser: Any, page: str) -> Iterator[Visit]:
    visit = Visit.opened(browser, page, (), {})
    yield visit
    visit.close()
    visit.check()
