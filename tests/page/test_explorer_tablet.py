"""The explorer in a real browser: a tablet in portrait."""

import pytest
from visits import Open

PORTRAIT = {"width": 768, "height": 1024}


def test_the_map_has_room_and_the_answer_is_visible(visit: Open) -> None:
    opened = visit("#word=dog", viewport=PORTRAIT, has_touch=True)
    assert 2 * opened.js("() => hyperskip.disc.painter.frame") > 0.7 * PORTRAIT["width"]
    panel = opened.page.locator(".panel").bounding_box()
    assert panel["width"] == PORTRAIT["width"]
    for part in (".card-word", "#explore .near-word >> nth=4"):
        box = opened.page.locator(part).bounding_box()
        assert panel["y"] < box["y"] < box["y"] + box["height"] <= PORTRAIT["height"]
    assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")
    legend = opened.page.locator("#legend").bounding_box()
    disc = opened.page.locator("#disc").bounding_box()
    rim = disc["y"] + disc["height"] / 2 - opened.js("() => hyperskip.disc.painter.frame")
    assert legend["y"] + legend["height"] <= rim
    assert opened.page.locator("#legend .crumb").first.is_visible()


@pytest.mark.parametrize("mode", ["explore", "analogy"])
def test_suggestions_can_be_tapped(visit: Open, mode: str) -> None:
    opened = visit(f"#mode={mode}", viewport=PORTRAIT, has_touch=True)
    part = "#search" if mode == "explore" else "#analogy"
    opened.page.locator(f"{part} .field").first.tap()
    opened.page.keyboard.type("do")
    option = opened.page.locator(f"{part} [role=option]:visible").first
    option.tap()
    if mode == "explore":
        opened.page.wait_for_selector(".card-word")
    else:
        assert opened.js("() => hyperskip.modes.analogy.fields.words[0]") == "dog"


def test_the_panel_can_be_closed(visit: Open) -> None:
    opened = visit("#word=dog", viewport=PORTRAIT)
    before = opened.js("() => hyperskip.disc.painter.frame")
    opened.page.locator("#sheet").click()
    opened.until(f"() => hyperskip.disc.painter.frame > {before}", "more room")
    assert opened.page.locator("#search .field").is_visible()


def test_in_landscape_the_panel_is_at_the_side(visit: Open) -> None:
    opened = visit("#word=dog", viewport={"width": 1024, "height": 768})
    assert opened.page.locator(".panel").bounding_box()["height"] == 768
    assert opened.page.locator("#sheet").is_hidden()
