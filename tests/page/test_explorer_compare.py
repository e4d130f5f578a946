"""The explorer in a real browser: two models side by side."""

import json
from typing import Any

import pytest
from page_models import HOSTILE
from visits import Open, Visit

PHONE = {"width": 390, "height": 844}
OTHER = "hyperskip.modes.compare.map.disc"


@pytest.fixture
def compared(visit: Open, served_compared: str) -> Any:
    def opened(fragment: str = "#mode=compare", **options: Any) -> Visit:
        return visit(served_compared + fragment, **options)

    return opened


def chosen(visit: Visit, word: str) -> None:
    visit.until(
        f"() => document.querySelector('#compare .card-word .word')?.title === {json.dumps(word)}",
        word,
    )


def test_both_lists_and_both_maps(compared: Any) -> None:
    opened = compared("#mode=compare&word=dog")
    chosen(opened, "dog")
    lists = opened.page.locator(".side-by-side .near")
    assert lists.count() == 2
    first, second = (set(lists.nth(i).locator(".word").all_inner_texts()) for i in (0, 1))
    for i in (0, 1):
        marked = lists.nth(i).locator(".shared .word").all_inner_texts()
        assert set(marked) == first & second
    assert opened.page.locator("#other-disc").is_visible()
    boxes = [opened.page.locator(one).bounding_box() for one in ("#disc", "#other-disc")]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1
    assert opened.js(f"() => {OTHER}.scene.marks[0].word") == "dog"
    assert opened.js("() => hyperskip.disc.scene.marks[0].word") == "dog"
    assert opened.page.locator(".map-name").all_inner_texts() == ["early", "<i>late</i>"]


def test_hovering_shows_the_word_on_both_maps(compared: Any) -> None:
    opened = compared()
    where = opened.client_of_word("the")
    opened.page.mouse.move(*where)
    opened.until("() => hyperskip.disc.hovered >= 0", "a word under the pointer")
    word = opened.js("() => hyperskip.disc.words.names[hyperskip.disc.hovered]")
    assert opened.js(f"() => {OTHER}.words.names[{OTHER}.hovered]") == word
    opened.page.mouse.move(opened.page.locator(".head").bounding_box()["x"] + 5, 5)
    opened.until(f"() => {OTHER}.hovered === -1", "no word under the pointer")


def test_a_press_on_the_other_map_chooses_the_word(compared: Any) -> None:
    opened = compared()
    place = f"""() => {{
        const index = {OTHER}.words.indexOf("newer");
        return {OTHER}.clientOf({OTHER}.words.placeOf(index));
    }}"""
    opened.page.mouse.click(*opened.js(place))
    opened.page.wait_for_selector("#compare .card-word")
    assert opened.js("() => hyperskip.mode") == "compare"
    assert opened.js(f"() => {OTHER}.scene.marks.length") > 1


def test_a_word_of_one_model_is_named_as_such(compared: Any) -> None:
    opened = compared("#mode=compare&word=newer")
    chosen(opened, "newer")
    assert opened.page.get_by_text("This model does not have the word.").count() == 1
    assert opened.page.locator(".side-by-side .near").count() == 1


def test_by_keyboard_alone(compared: Any) -> None:
    opened = compared("")
    opened.page.locator("input[name=mode]:checked").focus()
    for _ in range(3):
        opened.page.keyboard.press("ArrowRight")
    opened.page.wait_for_selector("#compare .chips .chip")
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("dogs")
    opened.page.keyboard.press("Enter")
    chosen(opened, "dogs")
    neighbor = opened.page.locator(".side-by-side .near-word").first
    word = neighbor.locator(".word").get_attribute("title")
    neighbor.focus()
    opened.page.keyboard.press("Enter")
    chosen(opened, word)
    assert opened.js("() => document.querySelector('#compare').contains(document.activeElement)")
    opened.page.locator("#other-disc").focus()
    before = opened.js(f"() => {OTHER}.view.center")
    opened.page.keyboard.press("ArrowLeft")
    assert opened.js(f"() => {OTHER}.view.center") != before


def test_moved_words_are_buttons(compared: Any) -> None:
    opened = compared()
    chip = opened.page.locator("#compare .chips .chip").first
    chip.wait_for()
    word = chip.locator(".word").get_attribute("title")
    chip.click()
    chosen(opened, word)


def test_the_word_of_another_mode_is_taken_over(compared: Any) -> None:
    opened = compared("#word=king")
    opened.page.get_by_text("Compare", exact=True).click()
    chosen(opened, "king")
    opened.page.get_by_text("Explore", exact=True).click()
    assert opened.page.locator("#other-disc").is_hidden()
    assert opened.page.locator("#explore .card-word").inner_text() == "king"
    wide = opened.page.locator("#disc").bounding_box()["width"]
    assert wide == opened.page.locator(".stage").bounding_box()["width"]


def test_going_back_to_no_word(compared: Any) -> None:
    opened = compared()
    opened.js("() => hyperskip.goTo('king')")
    chosen(opened, "king")
    opened.until("() => location.hash.includes('king')", "the link")
    opened.js("() => history.back()")
    opened.until("() => hyperskip.modes.compare.word === ''", "no word")


def test_tools_for_one_map_are_not_offered(compared: Any) -> None:
    opened = compared()
    opened.page.locator("#disc").focus()
    for key, tool in (("a", "#select-area"), ("s", "#save-view")):
        assert opened.page.locator(tool).is_hidden()
        opened.page.keyboard.press(key)
    assert opened.page.locator(".lasso, dialog[open]").count() == 0


def test_buttons_and_themes_act_on_both_maps(compared: Any) -> None:
    opened = compared()
    before = opened.js(f"() => [hyperskip.disc.view.scale, {OTHER}.view.scale]")
    opened.page.locator("#zoom-in").click()
    after = opened.js(f"() => [hyperskip.disc.view.scale, {OTHER}.view.scale]")
    assert after[0] > before[0]
    assert after[1] > before[1]
    theme = opened.js(f"() => {OTHER}.regions.theme")
    opened.page.locator("#theme").click()
    opened.until(f"() => {OTHER}.regions.theme !== '{theme}'", "another theme")


def test_links(compared: Any) -> None:
    opened = compared("#mode=compare&word=cat")
    chosen(opened, "cat")
    written = opened.js("() => { hyperskip.link.write(); return location.hash; }")
    assert "mode=compare" in written
    assert "word=cat" in written


def test_on_a_phone_a_switch_chooses_the_map(compared: Any) -> None:
    opened = compared("#mode=compare&word=dog", viewport=PHONE, has_touch=True)
    chosen(opened, "dog")
    assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")
    assert opened.page.locator("#disc").is_visible()
    assert not opened.page.locator("#other-disc").is_visible()
    opened.page.locator(".map-choice input").nth(1).tap()
    assert opened.page.locator("#other-disc").is_visible()
    assert not opened.page.locator("#disc").is_visible()


def test_words_are_never_markup(compared: Any) -> None:
    opened = compared()
    for word in HOSTILE:
        opened.js("word => { hyperskip.goTo(word); }", word)
        chosen(opened, word)
        assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")
    assert opened.page.locator("img, i").count() == 0
    assert opened.page.locator("script").count() == 2


def test_an_unknown_word(compared: Any) -> None:
    opened = compared(expected=("404",))
    opened.page.locator("#search .field").fill("frnace")
    opened.page.keyboard.press("Enter")
    opened.page.locator("#notice").get_by_role("button", name="france").click()
    chosen(opened, "france")


def test_the_mode_needs_another_model(visit: Open) -> None:
    opened = visit("#mode=compare&word=dog")
    assert opened.page.get_by_text("Compare", exact=True).is_hidden()
    assert opened.js("() => hyperskip.mode") == "explore"
