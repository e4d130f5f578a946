"""The explorer in a real browser: analogies and paths."""

from typing import Any

import pytest
from visits import Open


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


def test_examples_of_analogies_have_known_words(visit: Open) -> None:
    opened = visit("#mode=analogy")
    examples = opened.page.locator("#analogy .chip").all_inner_texts()
    assert examples[0] == "france : paris = italy : ?"
    assert not any("big" in example for example in examples)
    opened.page.locator("#analogy .chip").first.click()
    opened.page.wait_for_selector(".route")


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
