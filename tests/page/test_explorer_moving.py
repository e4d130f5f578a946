"""The explorer in a real browser: dragging, zooming, keys and animations."""

import numpy as np
import pytest
from visits import Open


def test_the_dragged_point_stays_under_the_pointer(visit: Open) -> None:
    opened = visit()
    x, y = opened.middle()
    grabbed = opened.place_at(x + 120, y - 60)
    opened.page.mouse.move(x + 120, y - 60)
    opened.page.mouse.down()
    for to in [(x + 100, y - 20), (x - 150, y + 40), (x - 40, y + 200), (x + 210, y + 10)]:
        opened.page.mouse.move(*to, steps=3)
        assert opened.client_of(grabbed) == pytest.approx(to, abs=0.01)
    opened.page.mouse.up()
    assert opened.page.locator(".card-word").count() == 0  # a drag is not a click


def test_dragging_beyond_the_rim_and_back(visit: Open) -> None:
    opened = visit()
    x, y = opened.middle()
    grabbed = opened.place_at(x + 50, y)
    opened.page.mouse.move(x + 50, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x + 500, y - 340, steps=4)
    opened.page.mouse.move(x - 30, y + 20, steps=4)
    opened.page.mouse.up()
    assert opened.client_of(grabbed) == pytest.approx((x - 30, y + 20), abs=0.05)


@pytest.mark.parametrize("turns", [-120, 240])
def test_the_wheel_zooms_around_the_pointer(visit: Open, turns: float) -> None:
    opened = visit()
    x, y = opened.middle()
    at = (x + 90, y - 70)
    place, before = opened.place_at(*at), opened.scale
    opened.page.mouse.move(*at)
    opened.page.mouse.wheel(0, turns)
    opened.until(f"() => hyperskip.disc.view.scale !== {before}", "zoom")
    assert (opened.scale > before) == (turns < 0)
    assert opened.client_of(place) == pytest.approx(at, abs=0.01)


def test_two_fingers_pinch_and_drag(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    x, y = opened.middle()
    fingers = opened.context.new_cdp_session(opened.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    place, before = opened.place_at(x, y), opened.scale
    touch("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 6):
        touch("touchMove", (x - 30 - 6 * step, y + 4 * step), (x + 30 + 6 * step, y + 4 * step))
    touch("touchEnd")
    assert opened.scale == pytest.approx(2 * before, rel=0.02)
    assert opened.client_of(place) == pytest.approx((x, y + 20), abs=1)


def test_keys_move_zoom_reset_and_select(visit: Open) -> None:
    opened = visit()
    home = opened.scale
    opened.page.locator("#disc").focus()
    opened.page.keyboard.press("ArrowRight")
    assert opened.center == pytest.approx((np.tanh(0.35 / 2), 0))
    opened.page.keyboard.press("ArrowUp")
    assert opened.center[1] > 0.1
    opened.page.keyboard.press("+")
    assert opened.scale == pytest.approx(1.25 * home)
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    assert opened.page.locator("#live").inner_text().startswith(f"{opened.selected}: nearest are ")
    opened.page.keyboard.press("0")
    assert (opened.scale, *opened.center) == (home, 0, 0)


def test_help_has_a_key_and_everything_is_in_tab_order(visit: Open) -> None:
    opened = visit()
    opened.page.keyboard.press("?")
    assert opened.page.locator("#help").is_visible()
    opened.page.keyboard.press("Escape")
    reached = set()
    for _ in range(40):
        opened.page.keyboard.press("Tab")
        reached.add(opened.js("() => document.activeElement.id || document.activeElement.value"))
    assert {"disc", "zoom-in", "reset", "copy-link", "theme", "open-help", "coloring"} <= reached
    assert "explore" in reached


@pytest.mark.slow
def test_an_animation_ends_at_the_word(visit: Open) -> None:
    opened = visit(reduced_motion="no-preference")
    opened.page.mouse.click(*opened.client_of_word("paris"))
    opened.page.wait_for_selector(".card-word")
    word = opened.selected  # the label of another word may be on top of the point
    middle = opened.middle()
    opened.until("() => !hyperskip.disc.motion.running", "arrival")
    assert opened.client_of_word(word) == pytest.approx(middle, abs=0.01)
    assert opened.js("() => hyperskip.disc.frameTimes.length") > 4
    opened.page.mouse.dblclick(middle[0] - 300, middle[1] - 300)
    opened.until("() => Math.hypot(...hyperskip.disc.view.center) === 0", "reset")
