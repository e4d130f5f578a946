"""The explorer in a real browser: axe-core finds no barriers for people with disabilities."""

from typing import Any

import pytest
from axe import findings
from visits import Open

pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed")

SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True},
}
MODES = {
    "explore": "",
    "word": "#word=dog",
    "analogy": "#mode=analogy&word=man&word=woman&word=king",
    "path": "#mode=path&word=dog&word=city",
}


@pytest.fixture(
    params=[
        ("desktop", "light"),
        pytest.param(("desktop", "dark"), marks=pytest.mark.slow),
        pytest.param(("phone", "light"), marks=pytest.mark.slow),
        ("phone", "dark"),
    ],
    ids="-".join,
)
def look(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A screen and a theme."""
    screen, theme = request.param
    return {**SCREENS[screen], "color_scheme": theme}


@pytest.mark.parametrize("mode", [*MODES])
def test_modes(visit: Open, mode: str, look: dict[str, Any]) -> None:
    opened = visit(MODES[mode], **look)
    assert findings(opened) == []


def test_a_ladder_and_groups(visit: Open, served_graph: str, look: dict[str, Any]) -> None:
    opened = visit(served_graph + "#word=dog", **look)
    opened.page.locator(".rung[aria-current]").focus()
    assert findings(opened) == []


def test_kinds(visit: Open, served_ladder: str, look: dict[str, Any]) -> None:
    opened = visit(served_ladder + "#word=cat", **look)
    assert findings(opened) == []


def test_words_of_the_user(visit: Open, look: dict[str, Any]) -> None:
    opened = visit(**look)
    opened.page.locator(".own summary").click()
    opened.page.locator("#own-text").fill("word,kind\ndog,animal\nparis,city\nnonsuch,city")
    opened.page.get_by_role("button", name="Show words").click()
    opened.page.locator(".missing").wait_for()
    assert findings(opened) == []


def test_suggestions_and_messages(visit: Open, look: dict[str, Any]) -> None:
    opened = visit("#word=nonsuch", expected=("404",), **look)
    opened.page.locator("#notice").wait_for()
    assert findings(opened) == []
    opened.page.locator("#search input").fill("wor")
    opened.page.locator("#search [role=option]").first.wait_for()
    opened.page.keyboard.press("ArrowDown")
    assert findings(opened) == []
    opened.page.keyboard.press("Escape")
    opened.page.locator("#open-help").click()
    opened.page.locator("#help").wait_for()
    assert findings(opened) == []
