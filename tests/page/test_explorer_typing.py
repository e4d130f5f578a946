"""The explorer in a real browser: the search, and late answers."""

from typing import Any

import pytest
from visits import Open, Visit


def test_the_search_suggests_words_and_has_keys(visit: Open) -> None:
    opened = visit()
    opened.page.keyboard.press("/")
    field = opened.page.locator("#search .field")
    assert field.evaluate("field => field === document.activeElement")
    opened.page.keyboard.type("do")
    opened.page.wait_for_selector("#search [role=option]")
    options = opened.page.locator("#search [role=option] .word").all_inner_texts()
    assert options == ["dog", "dogs"]
    assert field.get_attribute("aria-expanded") == "true"
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("ArrowDown")
    active = field.get_attribute("aria-activedescendant")
    assert opened.page.locator(f"#{active} .word").inner_text() == "dogs"
    opened.page.keyboard.press("Escape")
    assert field.get_attribute("aria-expanded") == "false"
    assert field.input_value() == "do"
    opened.page.keyboard.type("g")
    opened.page.wait_for_selector("#search [role=option]")
    opened.page.keyboard.press("ArrowUp")
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "dogs"


@pytest.mark.slow
@pytest.mark.parametrize("has_touch", [True, False])
def test_touching_a_suggestion_removes_the_focus(visit: Open, has_touch: bool) -> None:
    opened = visit(has_touch=has_touch)
    field = opened.page.locator("#search .field")
    field.click()
    field.press_sequentially("dogs")
    option = opened.page.locator("#search [role=option]").first
    option.wait_for()
    if has_touch:
        option.tap()
    else:
        option.click()
    opened.page.wait_for_selector(".card-word")
    assert field.evaluate("field => field === document.activeElement") != has_touch


def test_late_suggestions_are_dropped(visit: Open) -> None:
    late: list[Any] = []
    opened = visit()
    opened.page.route("**/api/search?text=d&*", lambda route: late.append(route))
    field = opened.page.locator("#search .field")
    field.press_sequentially("d")
    while not late:
        opened.page.wait_for_timeout(30)
    field.fill("pari")
    opened.page.wait_for_selector("#search [role=option]")
    try:
        late[0].fulfill(body='{"words": [{"word": "late", "count": 1}]}')
    except Exception as error:  # the browser has canceled the request
        assert "handled" in str(error) or "Invalid" in str(error)  # noqa: PT017
    opened.page.wait_for_timeout(150)
    assert opened.page.locator("#search [role=option] .word").all_inner_texts() == ["paris"]


class Held:
    """Delays answers of an endpoint until they are released."""

    def __init__(self, opened: Visit, name: str) -> None:
        self._page, self._pattern, self._routes = opened.page, f"**/api/{name}*", list[Any]()
        self._page.route(self._pattern, lambda route: self._routes.append(route))

    def wait(self) -> None:
        while not self._routes:
            self._page.wait_for_timeout(30)

    def release(self) -> None:
        for route in self._routes:
            route.continue_()  # has no effect if the page has canceled the request
        self._page.unroute(self._pattern)
        self._page.wait_for_timeout(200)


def drawn(opened: Visit) -> int:
    return len(opened.js("() => hyperskip.disc.scene.marks"))


@pytest.mark.slow
def test_late_neighbors_are_not_drawn_in_another_mode(visit: Open) -> None:
    opened = visit()
    held = Held(opened, "neighbors")
    opened.page.locator("#search .field").fill("dog")
    opened.page.keyboard.press("Enter")
    held.wait()
    opened.page.get_by_text("Analogy", exact=True).click()
    held.release()
    assert drawn(opened) == 0
    opened.js("() => hyperskip.modes.explore.select('dog')")  # by a script
    assert drawn(opened) == 0
    opened.page.get_by_text("Explore", exact=True).click()
    assert drawn(opened) == 13


@pytest.mark.parametrize(
    ("mode", "words", "answered"),
    [("analogy", ["man", "woman", "king"], ".route"), ("path", ["dog", "city"], ".step")],
)
def test_a_request_canceled_by_another_mode_is_repeated(
    visit: Open, mode: str, words: list[str], answered: str
) -> None:
    opened = visit(f"#mode={mode}")
    held = Held(opened, mode)
    opened.js(f"words => {{ hyperskip.modes.{mode}.fields.words = words; }}", words)
    opened.js(f"() => {{ hyperskip.modes.{mode}.solve(); }}")
    held.wait()
    opened.page.get_by_text("Explore", exact=True).click()
    held.release()
    assert (drawn(opened), opened.page.locator(answered).count()) == (0, 0)
    opened.page.get_by_text(mode.capitalize(), exact=True).click()
    opened.page.wait_for_selector(answered)
    assert drawn(opened) > 0


def test_an_answer_does_not_clear_what_is_being_typed(visit: Open) -> None:
    opened = visit()
    held = Held(opened, "neighbors")
    field = opened.page.locator("#search .field")
    field.fill("dog")
    opened.page.keyboard.press("Enter")
    held.wait()
    field.fill("pari")
    held.release()
    opened.page.wait_for_selector(".card-word")
    assert (opened.selected, field.input_value()) == ("dog", "pari")
    field.fill("cat")
    opened.page.keyboard.press("Enter")
    opened.until("() => document.querySelector('.card-word').innerText === 'cat'", "the next word")
    assert field.input_value() == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "words"),
    [("analogy", "&word=man&word=woman&word=king"), ("path", "&word=dog&word=city")],
)
def test_a_link_with_empty_fields_clears_the_last_answer(
    visit: Open, mode: str, words: str
) -> None:
    opened = visit(f"#mode={mode}{words}")
    assert drawn(opened) > 0
    opened.js("hash => { location.hash = hash; }", f"#mode={mode}")
    opened.until("() => hyperskip.disc.scene.marks.length === 0", "an empty disc")
    assert opened.page.locator(".route, .step").count() == 0
    assert opened.page.get_by_role("button", name="Play").count() == 0


def test_suggestions_for_an_unknown_word_are_buttons(visit: Open) -> None:
    opened = visit(expected=("404",))
    opened.page.locator("#search .field").fill("francce")
    opened.page.keyboard.press("Enter")
    notice = opened.page.locator("#notice")
    notice.get_by_role("button", name="france").click()
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "france"
    assert notice.is_hidden()
    opened.page.locator("#search .field").fill("francce")
    opened.page.keyboard.press("Enter")
    notice.wait_for()
    opened.page.locator("#search .field").press_sequentially("x")
    assert notice.is_hidden()


def test_escape_leaves_the_field_and_then_deselects_the_word(visit: Open) -> None:
    opened = visit("#word=dog")
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("ci")
    opened.page.wait_for_selector("#search [role=option]")
    focused = "() => document.activeElement.className"
    opened.page.keyboard.press("Escape")
    assert opened.js(focused) == "field"
    opened.page.keyboard.press("Escape")
    assert opened.js(focused) != "field"
    opened.page.locator("#disc").focus()
    opened.page.keyboard.press("Escape")
    assert opened.page.locator(".card-word").count() == 0
    assert drawn(opened) == 0


def suggested(opened: Visit, text: str) -> list[str]:
    opened.page.locator("#search .field").fill(text)
    opened.page.wait_for_selector("#search [role=option]:visible")
    return list(opened.page.locator("#search [role=option] .word").all_inner_texts())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PARIS", ["paris"]), ("ari", ["paris"]), ("rm", ["germany"]), ("an", ["man", "woman",
        "france", "japan", "germany"]),
        ("ma", ["man", "woman", "germany"]), ("/^.{2}$/", ["of"]), ("/^W.*N$/", ["woman"]),
    ],
)  # fmt: skip
def test_the_search_finds_letters_anywhere_and_patterns(
    visit: Open, text: str, expected: list[str]
) -> None:
    assert suggested(visit(), text) == expected


def test_enter_takes_the_first_word_that_matches_a_pattern(visit: Open) -> None:
    opened = visit()
    assert suggested(opened, "/^dogs?$/") == ["dog", "dogs"]
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "dog"


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("/(/", "The regular expression has a `(` without a `)`"),
        (r"/(a)\1/", "The regular expression uses"),
        ("zzzz", "No words found."),
    ],
)
def test_a_note_says_why_there_are_no_suggestions(visit: Open, text: str, note: str) -> None:
    opened = visit(expected=("400",))
    field = opened.page.locator("#search .field")
    field.fill(text)
    shown = opened.page.locator("#search .search-note")
    shown.get_by_text(note).wait_for()
    if text != "zzzz":
        opened.page.keyboard.press("Enter")
        assert shown.is_visible()
    field.fill("do")
    opened.page.wait_for_selector("#search [role=option]:visible")
    assert shown.is_hidden()


def test_a_note_says_what_was_not_searched(visit: Open) -> None:
    opened = visit()
    opened.page.route(
        "**/api/search*",
        lambda route: route.fulfill(json=route.fetch().json() | {"searched": 16}),
    )
    assert suggested(opened, "/dog/") == ["dog", "dogs"]
    note = opened.page.locator("#search .search-note").inner_text()
    assert note.endswith("Only the 16 most frequent words were searched.")
