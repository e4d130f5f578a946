"""The explorer in a real browser: errors and unusual models."""

import json
import re
from typing import Any

import pytest
from sample_answers import ONE_WORD, answering, lens_of, model_of
from visits import Open


def test_words_are_never_markup(visit: Open, served_hostile: str) -> None:
    opened = visit(served_hostile)
    names = opened.js("() => hyperskip.disc.words.names")
    for word in names[:5]:
        opened.js("word => hyperskip.goTo(word)", word)
        opened.until(
            f"() => document.querySelector('.card-word .word')?.title === {json.dumps(word)}", word
        )
        assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")
        facts = opened.page.locator(".facts").inner_text()
        assert "x" * 60 not in facts
        assert "\u202e" not in facts
    text = opened.js("i => hyperskip.disc.words.text(i)", names.index("abc\u202edef"))
    assert text == "abc\ufffddef"
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("script").count() == 2
    assert opened.page.locator("#model-name").inner_text() == "<b>model</b>"
    opened.page.locator("#search .field").fill("<scr")
    opened.page.wait_for_selector("#search [role=option]")
    assert opened.page.locator("#search [role=option] .word").all_inner_texts() == [names[0]]
    opened.page.locator("#coloring").select_option("frequency")


def test_a_message_without_javascript(visit: Open) -> None:
    opened = visit(java_script_enabled=False, ready=False)
    assert opened.page.locator(".noscript").is_visible()
    assert opened.page.locator("#loading").is_hidden()


def test_a_request_to_a_stopped_server_can_be_retried(visit: Open) -> None:
    opened = visit(expected=("ERR_FAILED",))
    opened.page.route("**/api/neighbors*", lambda route: route.abort())
    opened.page.locator("#search .field").fill("dog")
    opened.page.keyboard.press("Enter")
    notice = opened.page.locator("#notice")
    notice.get_by_text("The server does not answer").wait_for()
    opened.page.unroute("**/api/neighbors*")
    notice.get_by_role("button", name="Retry").click()
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "dog"


def test_loading_can_be_retried(visit: Open) -> None:
    opened = visit(
        before=lambda page: page.route("**/api/points*", lambda route: route.abort()),
        expected=("ERR_FAILED",),
        ready=False,
    )
    retry = opened.page.get_by_role("button", name="Retry")
    retry.wait_for()
    assert opened.page.locator("#loading").is_hidden()
    opened.page.unroute("**/api/points*")
    retry.click()
    opened.wait_until_ready()
    assert opened.js("() => hyperskip.disc.words.names.length") == 297


def by_another_model(route: Any) -> None:
    answer = route.fetch()
    headers = {**answer.headers, "hyperskip-model": "another"}
    route.fulfill(response=answer, headers=headers)


@pytest.mark.parametrize("asked", ["neighbors", "search"])
def test_answers_of_another_model_are_refused(visit: Open, asked: str) -> None:
    opened = visit()
    opened.page.route(f"**/api/{asked}*", by_another_model)
    opened.page.locator("#search .field").fill("dog")
    if asked == "neighbors":
        opened.page.keyboard.press("Enter")
    notice = opened.page.locator("#notice")
    notice.get_by_text("The server now shows another model.").wait_for()
    assert opened.page.locator(".card-word, [role=option]").count() == 0
    opened.page.unroute(f"**/api/{asked}*")
    opened.js("() => { delete document.documentElement.dataset.ready; }")
    notice.get_by_role("button", name="Reload").click()
    opened.wait_until_ready()
    assert notice.is_hidden()


def without_distances(route: Any) -> None:
    """Replace all distances and radii in the answer by null."""
    answer = route.fetch().text()
    route.fulfill(body=re.sub(r'"(distance|radius)": ?[\d.e+-]+', r'"\1": null', answer))


@pytest.mark.slow
def test_distances_that_are_not_finite_are_dashes(visit: Open) -> None:
    def prepare(page: Any) -> None:
        for name in ("neighbors", "path"):
            page.route(f"**/api/{name}*", without_distances)

    opened = visit("#word=dog", before=prepare)
    assert set(opened.page.locator(".near .number").all_inner_texts()) == {"–"}
    assert re.search(r"Radius\s+–", opened.page.locator(".facts").inner_text())
    opened = visit("#mode=path&word=dog&word=city", before=prepare)
    assert set(opened.page.locator(".step .number").all_inner_texts()) == {"–"}


@pytest.mark.slow
def test_unknown_counts_are_not_shown(visit: Open) -> None:
    word = {
        "word": "first", "row": 0, "count": None, "radius": 0.0, "rank": 1, "x": 0.0, "y": 0.0,
        "mapped": True, "cluster": 0,
    }  # fmt: skip
    points = {
        "rows": [0, 1], "words": ["first", "second"], "x": [0.0, 0.5], "y": [0.0, 0.0],
        "counts": [None, None], "radii": [0.0, 1.0], "clusters": [0, 0],
        "regions": [0, 0], "in_view": 2,
    }  # fmt: skip
    near = {"word": word, "measure": "product", "neighbors": []}
    prepare = answering(
        model=model_of(2, counts_known=False), points=points, neighbors=near, lens=lens_of(word)
    )
    opened = visit("#word=first&color=frequency", before=prepare)
    assert not re.search("(?i)frequency|occurs", opened.page.locator(".panel").inner_text())
    assert opened.page.locator("#coloring").input_value() == "cluster"
    assert opened.page.locator("#coloring option").all_inner_texts() == ["Region", "Radius"]
    first, second = opened.js("() => [...hyperskip.disc.mapped.importance]")
    assert first == second


def test_a_model_with_one_word(visit: Open) -> None:
    word = {
        "word": "alone", "row": 0, "count": 5, "radius": 0.0, "rank": 1, "x": 0.0, "y": 0.0,
        "mapped": True, "cluster": 0,
    }  # fmt: skip
    near = {"word": word, "measure": "product", "neighbors": []}
    answers = {"points": ONE_WORD, "neighbors": near, "lens": lens_of(word)}
    opened = visit(before=answering(model=model_of(1), **answers))
    opened.page.mouse.click(*opened.client_of_word("alone"))
    opened.page.wait_for_selector(".card-word")
    assert "There are no other words." in opened.page.locator("#explore").inner_text()


def test_an_unknown_word_replaces_the_last_word(visit: Open) -> None:
    opened = visit("#word=dog", expected=("404",))
    opened.page.locator("#search .field").fill("francce")
    opened.page.keyboard.press("Enter")
    notice = opened.page.locator("#notice")
    notice.get_by_role("button", name="france").wait_for()
    assert "francce" in notice.inner_text()
    assert opened.page.locator(".card-word, .near-word").count() == 0
    assert opened.js("() => hyperskip.disc.scene.marks.length") == 0
    opened.until("() => !location.hash.includes('word=')", "a link without the last word")
    opened.page.locator("#search .field").fill("x")
    assert notice.is_hidden()
    assert opened.page.locator("#explore .chip").count() > 0
    opened.page.go_back()
    opened.until("() => document.querySelector('.card-word')?.innerText === 'dog'", "the word")


def test_an_unknown_word_replaces_the_last_path(visit: Open) -> None:
    opened = visit("#mode=path&word=dog&word=city", expected=("404",))
    field = opened.page.get_by_role("combobox", name="to", exact=True)
    field.fill("francce")
    field.press("Enter")
    opened.page.locator("#notice").get_by_role("button", name="france").wait_for()
    assert opened.page.locator(".step").count() == 0
    assert opened.page.get_by_role("button", name="Play").count() == 0
    assert opened.js("() => hyperskip.modes.path.fields.words") == ["dog", "francce"]


def test_a_stopped_server_leaves_the_last_word(visit: Open) -> None:
    opened = visit("#word=dog", expected=("ERR_FAILED",))
    opened.page.route("**/api/neighbors*", lambda route: route.abort())
    opened.page.locator("#search .field").fill("cat")
    opened.page.keyboard.press("Enter")
    opened.page.locator("#notice").get_by_text("The server does not answer").wait_for()
    assert opened.selected == "dog"
