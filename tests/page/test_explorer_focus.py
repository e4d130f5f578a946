"""The explorer in a real browser: the keyboard focus stays at a sensible place."""

from typing import Any

import pytest
from visits import Open, Visit

FOCUSED = (
    "() => document.activeElement.closest('.near-word, .card-word, button')?.textContent ?? ''"
)
POSITION = (
    "() => [...document.querySelectorAll('#explore .near-word')].indexOf(document.activeElement)"
)


def until_selected(opened: Visit, word: str) -> None:
    opened.until(f"() => document.querySelector('.card-word')?.innerText === '{word}'", word)


@pytest.mark.parametrize("position", [0, 4, 11])
def test_a_neighbor_keeps_the_position_in_the_list(visit: Open, position: int) -> None:
    opened = visit("#word=dog")
    near = opened.page.locator("#explore .near-word")
    for is_by_key in (True, False):
        near.nth(position).focus()
        word = near.nth(position).locator(".word").inner_text()
        if is_by_key:
            opened.page.keyboard.press("Enter")
        else:
            near.nth(position).click()
        until_selected(opened, word)
        assert opened.js(POSITION) == position


def test_a_shorter_list_keeps_the_last_position(visit: Open) -> None:
    opened = visit("#word=dog")

    def shortened(route: Any) -> None:
        answer = route.fetch().json()
        route.fulfill(json=answer | {"neighbors": answer["neighbors"][:3]})

    opened.page.route("**/api/neighbors*", shortened)
    last = opened.page.locator("#explore .near-word").nth(11)
    word = last.locator(".word").inner_text()
    last.focus()
    opened.page.keyboard.press("Enter")
    until_selected(opened, word)
    assert opened.js(POSITION) == 2


def test_an_example_moves_the_focus_to_the_heading(visit: Open) -> None:
    opened = visit()
    chip = opened.page.locator("#explore .chip").first
    word = chip.inner_text()
    chip.focus()
    opened.page.keyboard.press("Enter")
    until_selected(opened, word)
    assert opened.js(FOCUSED) == word
    opened.page.keyboard.press("Tab")
    assert opened.js("() => document.querySelector('#explore').contains(document.activeElement)")


def test_the_answer_of_an_analogy_moves_the_focus_to_the_heading(visit: Open) -> None:
    opened = visit("#mode=analogy&word=man&word=woman&word=king")
    answer = opened.page.locator("#analogy .near-word").first
    word = answer.locator(".word").inner_text()
    answer.focus()
    opened.page.keyboard.press("Enter")
    until_selected(opened, word)
    opened.until(f"() => document.activeElement.innerText === '{word}'", "the focus")


def test_a_suggestion_for_an_unknown_word_moves_the_focus_to_the_heading(visit: Open) -> None:
    opened = visit(expected=("404",))
    opened.page.locator("#search .field").fill("francce")
    opened.page.keyboard.press("Enter")
    opened.page.locator("#notice").get_by_role("button", name="france").focus()
    opened.page.keyboard.press("Enter")
    until_selected(opened, "france")
    assert opened.js(FOCUSED) == "france"


def test_a_suggestion_in_a_path_moves_the_focus_to_the_button(visit: Open) -> None:
    opened = visit("#mode=path&word=francce&word=dog", expected=("404",))
    opened.page.locator("#notice").get_by_role("button", name="france").focus()
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".step")
    assert opened.js(FOCUSED) == "Show path"


def test_a_link_and_the_search_do_not_move_the_focus(visit: Open) -> None:
    opened = visit("#word=dog")
    assert opened.js("() => document.activeElement === document.body")
    opened.page.locator("#search .field").fill("cat")
    opened.page.keyboard.press("Enter")
    until_selected(opened, "cat")
    assert opened.js("() => document.activeElement.className") == "field"
