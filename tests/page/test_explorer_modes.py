"""The explorer in a real browser: analogies and paths."""

from typing import Any
from urllib.parse import quote

import numpy as np
import pytest
from visits import Open, Visit


def test_an_analogy_is_drawn_with_both_routes(visit: Open) -> None:
    opened = visit()
    opened.page.get_by_text("Analogy", exact=True).click()
    for label, word in zip("abc", ["man", "woman", "king"], strict=True):
        opened.page.get_by_label(label, exact=True).and_(opened.page.locator("input")).fill(word)
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".route")
    assert opened.page.locator(".route").count() == 2
    assert opened.page.locator(".route-accent .near-word").count() == 8
    scene = opened.js("() => hyperskip.disc.scene")
    assert [line.get("arrow", False) for line in scene["lines"]] == [False, False, True, True]
    words = [mark["word"] for mark in scene["marks"]]
    assert words[:4] == ["man", "woman", "king", "Z"]
    assert "Z′" in words
    from_c, from_b = scene["lines"][2], scene["lines"][3]
    assert from_c["from"] == scene["marks"][2]["at"]
    assert from_b["from"] == scene["marks"][1]["at"]


def test_a_suggestion_replaces_the_unknown_word(visit: Open) -> None:
    unknown = {
        "error": 'the word "it\'z" is not known', "word": "it'z", "suggestions": ["woman"],
    }  # fmt: skip
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=404, json=unknown)
        else:
            route.continue_()

    opened = visit(
        "#mode=analogy&word=man&word=it%27z&word=king",
        before=lambda page: page.route("**/api/analogy*", answer),
        expected=("404",),
    )
    opened.page.locator("#notice").get_by_role("button", name="woman").click()
    opened.page.wait_for_selector(".route")
    assert opened.js("() => hyperskip.modes.analogy.fields.words") == ["man", "woman", "king"]


def test_examples_of_analogies_are_answered_right(visit: Open, served_right: str) -> None:
    opened = visit(served_right + "#mode=analogy")
    examples = opened.page.locator("#analogy .chip").all_inner_texts()
    assert examples == ["france : paris = italy : ?"]
    opened.page.locator("#analogy .chip").click()
    opened.page.wait_for_selector(".route")
    first = opened.page.locator(".route-accent .near-word .word").first
    assert first.inner_text() == "rome"


def test_a_model_without_right_answers_has_no_examples_of_analogies(visit: Open) -> None:
    opened = visit("#mode=analogy")
    assert opened.page.locator("#analogy .chip").count() == 0
    assert opened.js("() => hyperskip.disc.words.indexOf('paris')") >= 0


def test_examples_of_words_have_related_words_nearby(visit: Open, served_right: str) -> None:
    opened = visit(served_right)
    chips = opened.page.locator("#explore .chip")
    assert chips.first.inner_text() == "music"
    assert "river" not in chips.all_inner_texts()
    chips.first.click()
    opened.page.wait_for_selector(".card-word")
    assert "song" in opened.page.locator("#explore .near-word .word").all_inner_texts()[:5]


def test_a_word_on_the_map_fills_an_empty_field(visit: Open) -> None:
    opened = visit("#mode=path")
    for word in ("king", "city"):
        index = opened.js("word => hyperskip.disc.words.indexOf(word)", word)
        opened.js(
            "index => hyperskip.disc.dispatchEvent(new CustomEvent('choose', {detail: index}))",
            index,
        )
    opened.page.wait_for_selector(".step")
    assert opened.js("() => hyperskip.modes.path.fields.words") == ["king", "city"]


def test_a_path_is_listed_drawn_and_played(visit: Open) -> None:
    opened = visit("#mode=path&word=dog&word=city")
    steps = opened.page.locator(".step")
    assert steps.count() == 12
    assert len(opened.js("() => hyperskip.disc.scene.lines")) == 11
    steps.nth(5).focus()
    shapes = opened.js("() => hyperskip.disc.scene.marks.map(mark => mark.shape)")
    assert shapes.count("target") == 1
    opened.page.get_by_role("button", name="Play").click()
    opened.until("() => hyperskip.modes.path.current === 11", "the walk's end")
    assert opened.client_of_word("city") == pytest.approx(opened.middle(), abs=0.5)


def test_the_words_of_a_path_are_different(visit: Open, served_space: str) -> None:
    opened = visit(served_space + "#mode=path&word=dog&word=city")
    words = opened.page.locator(".step-word").all_inner_texts()
    assert len(set(words)) == 12
    assert (words[0], words[-1]) == ("dog", "city")
    marks = opened.js("() => hyperskip.disc.scene.marks.map(mark => mark.word).filter(Boolean)")
    assert sorted(marks) == sorted(words)


def test_a_path_is_straightened_by_keyboard_and_bent_again(visit: Open, served_space: str) -> None:
    opened = visit(served_space + "#mode=path&word=dog&word=city")
    button = opened.page.get_by_role("button", name="Straighten")
    button.focus()
    opened.page.keyboard.press("Enter")
    opened.until("() => hyperskip.lens.isOpen && !hyperskip.lens.motion.running", "the lens")
    assert button.get_attribute("aria-pressed") == "true"
    words = opened.page.locator(".step-word").all_inner_texts()
    shown, across, heights = opened.js(
        "() => ['names', 'x', 'y'].map(name => [...hyperskip.disc.words[name]])"
    )
    assert shown == words
    assert across == pytest.approx([0.0] * 12)
    steps = np.diff(2 * np.arctanh(heights))
    assert steps == pytest.approx([-0.4] * 11)  # at equal distances
    marks = opened.js("() => hyperskip.disc.scene.marks.filter(mark => mark.word)")
    assert {mark["word"]: mark["at"] for mark in marks} == {
        word: pytest.approx([x, y]) for word, x, y in zip(shown, across, heights, strict=True)
    }
    assert sorted(mark["index"] for mark in marks) == list(range(12))  # no second labels
    opened.page.keyboard.press("Enter")
    opened.until("() => !hyperskip.lens.isOpen", "the map")
    assert button.get_attribute("aria-pressed") == "false"
    assert len(opened.js("() => hyperskip.disc.scene.lines")) == 11
    button.click()
    opened.until("() => hyperskip.lens.isOpen", "the lens again")
    opened.page.get_by_text("Analogy", exact=True).click()
    assert not opened.js("() => hyperskip.lens.isOpen")


def test_hostile_words_are_text_on_a_path(visit: Open, served_hostile: str) -> None:
    markup = "<script>alert(1)</script>"
    opened = visit(f"{served_hostile}#mode=path&word={quote(markup)}&word={'x' * 500}")
    words = opened.page.locator(".step-word").all_inner_texts()
    assert words[0] == markup
    assert len(words[-1]) == 60
    for step in opened.page.locator(".step").all():
        box = step.bounding_box()
        assert box["x"] + box["width"] <= 960


def test_a_path_in_a_small_vocabulary_has_steps_without_words(visit: Open) -> None:
    def emptied(route: Any) -> None:
        answer = route.fetch().json()
        answer["steps"][5]["word"] = None
        route.fulfill(json=answer)

    opened = visit(
        "#mode=path&word=dog&word=city", before=lambda page: page.route("**/api/path*", emptied)
    )
    assert opened.page.locator(".step-word").nth(5).inner_text() == ""
    assert opened.page.locator(".step").count() == 12


MODES = [
    ("analogy", {"a": "man", "b": "woman", "c": "king"}, "Answer", ".route"),
    ("path", {"from": "dog", "to": "city"}, "Show path", ".step"),
]


def field_of(opened: Visit, mode: str, label: str) -> Any:
    return opened.page.locator(f"#{mode}").get_by_role("combobox", name=label, exact=True)


@pytest.mark.parametrize(("mode", "words", "button", "answered"), MODES)
def test_a_button_asks_after_typing(
    visit: Open, mode: str, words: dict[str, str], button: str, answered: str
) -> None:
    opened = visit(f"#mode={mode}")
    first, *others = words
    field_of(opened, mode, first).focus()
    opened.page.keyboard.type(words[first])
    opened.page.locator(f"#{mode}").get_by_role("option").first.wait_for()
    ask = opened.page.get_by_role("button", name=button)
    options = opened.page.locator(f"#{mode} .suggestions:visible").bounding_box()
    below = ask.bounding_box()
    assert options["y"] >= below["y"] + below["height"]  # suggestions do not cover the button
    ask.click()
    assert field_of(opened, mode, others[0]).evaluate("one => one === document.activeElement")
    for label in others:
        opened.page.keyboard.type(words[label])
        opened.page.keyboard.press("Tab")
    assert opened.js("() => document.activeElement.textContent") == button
    assert opened.page.locator(answered).count() == 0
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(answered)


@pytest.mark.parametrize("key", ["Tab", "Enter"])
@pytest.mark.parametrize(("mode", "words", "button", "answered"), MODES)
def test_the_last_suggestion_taken_by_key_asks(
    visit: Open, mode: str, words: dict[str, str], button: str, answered: str, key: str
) -> None:
    opened = visit(f"#mode={mode}")
    field_of(opened, mode, next(iter(words))).focus()
    for label, word in words.items():
        assert field_of(opened, mode, label).evaluate("one => one === document.activeElement")
        opened.page.keyboard.type(word[:-1])
        opened.page.wait_for_selector(f"#{mode} [role=option]:visible")
        opened.page.keyboard.press("ArrowDown")
        opened.page.keyboard.press(key)
    opened.page.wait_for_selector(answered)
    assert opened.js("mode => hyperskip.modes[mode].fields.words", mode) == list(words.values())
    if key == "Tab":
        assert opened.js("() => document.activeElement.textContent") == button


@pytest.mark.parametrize(("mode", "words", "button", "answered"), MODES)
def test_the_last_suggestion_tapped_asks(
    visit: Open, mode: str, words: dict[str, str], button: str, answered: str
) -> None:
    opened = visit(f"#mode={mode}", has_touch=True)
    assert opened.page.get_by_role("button", name=button).is_visible()
    for label, word in words.items():
        field_of(opened, mode, label).tap()
        opened.page.keyboard.type(word[:-1])
        opened.page.locator(f"#{mode} [role=option]:visible").first.tap()
    opened.page.wait_for_selector(answered)
    assert opened.js("mode => hyperskip.modes[mode].fields.words", mode) == list(words.values())


def test_shift_and_tab_takes_no_suggestion(visit: Open) -> None:
    opened = visit("#mode=path")
    field_of(opened, "path", "to").focus()
    opened.page.keyboard.type("cit")
    opened.page.wait_for_selector("#path [role=option]:visible")
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("Shift+Tab")
    assert opened.js("() => hyperskip.modes.path.fields.words") == ["", "cit"]
    assert field_of(opened, "path", "from").evaluate("one => one === document.activeElement")
