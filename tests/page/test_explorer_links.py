"""The explorer in a real browser: links and history."""

import pytest
from visits import Open


def test_a_link_restores_the_view(visit: Open) -> None:
    opened = visit(permissions=["clipboard-read", "clipboard-write"])
    x, y = opened.middle()
    opened.page.locator("#search .field").fill("music")
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x + 160, y + 90, steps=4)
    opened.page.mouse.move(x - 60, y + 120, steps=4)
    opened.page.mouse.up()
    opened.page.mouse.wheel(0, -200)
    opened.page.locator("#coloring").select_option("radius")
    opened.page.locator("#theme").click()
    opened.page.locator("#copy-link").click()
    opened.until("() => document.querySelector('#live').textContent.includes('copied')", "a copy")
    link = opened.js("() => navigator.clipboard.readText()")
    again = visit(link)
    assert again.selected == "music"
    assert again.center == pytest.approx(opened.center, abs=1e-9)
    assert again.scale == pytest.approx(opened.scale)
    turn = "() => hyperskip.disc.view.turn"
    assert again.js(turn) == pytest.approx(opened.js(turn), abs=1e-9)
    assert abs(again.js(turn)) > 1e-3
    assert again.page.locator("#coloring").input_value() == "radius"
    assert again.js("() => document.documentElement.dataset.theme") == "dark"


def test_a_pasted_link_opens_and_a_broken_one_does_no_harm(visit: Open) -> None:
    opened = visit("#at=2,nonsense&zoom=-1&turn=x&mode=none&color=pink&theme=loud")
    assert opened.center == (0, 0)
    opened.js("() => { location.hash = '#mode=path&word=dog&word=cat&at=0.1,0.2'; }")
    opened.page.wait_for_selector(".step")
    assert opened.center == pytest.approx((0.1, 0.2))
    opened.until("() => location.hash.includes('at=0.1%2C0.2&mode=path')", "the address")


def test_a_pasted_link_is_not_overwritten_before_it_opens(visit: Open) -> None:
    opened = visit()
    opened.js(
        "() => { location.hash = '#mode=path&word=dog&word=cat'; hyperskip.link.write(); }"
    )  # the timer of the address may fire before the event of the browser
    opened.page.wait_for_selector(".step")


@pytest.mark.parametrize("key", ["color", "colour"])
def test_a_link_chooses_the_coloring_with_either_spelling(visit: Open, key: str) -> None:
    assert visit(f"#{key}=radius").page.locator("#coloring").input_value() == "radius"


@pytest.mark.slow
def test_back_returns_to_queries_and_not_to_drags(visit: Open) -> None:
    opened = visit("#word=dog")
    settled = "() => hyperskip.link.waiting === 0"
    opened.until(settled, "the address")
    start = opened.js("() => history.length")
    opened.page.locator("#disc").focus()
    for _ in range(3):
        opened.page.keyboard.press("ArrowRight")
        opened.page.wait_for_timeout(300)
    opened.until(settled, "the address")
    seen = opened.center
    assert opened.js("() => history.length") == start
    opened.js("() => hyperskip.goTo('cat')")
    opened.until("() => location.hash.includes('word=cat')", "the address")
    opened.js("() => hyperskip.goTo('cat')")
    opened.page.get_by_text("Path", exact=True).click()
    opened.until("() => location.hash.includes('mode=path')", "the address")
    opened.js("() => { hyperskip.modes.path.fields.words = ['king', 'man']; }")
    opened.js("() => hyperskip.modes.path.solve()")
    opened.until("() => location.hash.includes('word=king')", "the address")
    assert opened.js("() => history.length") == start + 3
    opened.page.go_back()
    opened.until("() => hyperskip.disc.scene.marks.length === 0", "empty fields")
    opened.page.go_back()
    opened.until("() => hyperskip.mode === 'explore'", "the word")
    opened.page.go_back()
    opened.until("() => hyperskip.modes.explore.word === 'dog'", "the first word")
    assert opened.center == pytest.approx(seen)
    opened.page.wait_for_timeout(400)
    opened.page.go_forward()
    opened.until("() => hyperskip.modes.explore.word === 'cat'", "forward")
    assert opened.js("() => history.length") == start + 3
