"""The explorer in a real browser: the measure and the number of neighbors."""

import re
from typing import Any

import pytest
from visits import Open, Visit

from hyperskip import WordVectors


def neighbors_of(opened: Visit) -> list[str]:
    return list(opened.page.locator("#explore .near-word .word").all_inner_texts())


def until_listed(opened: Visit, words: list[str]) -> None:
    listed = "[...document.querySelectorAll('#explore .near-word .word')]"
    opened.until(f"() => {listed}.map(one => one.innerText).join() === '{','.join(words)}'", "list")


def test_the_measure_and_count_are_chosen_linked_and_kept(
    visit: Open, served_space: str, space_model: WordVectors
) -> None:
    opened = visit(served_space + "#word=dog")
    assert "measure=" not in opened.page.url
    expected = {
        measure: [near.word for near in space_model.measured_by(measure).neighbors("dog", 25)]
        for measure in ("product", "distance", "angle")
    }
    assert expected["product"] != expected["angle"]
    assert neighbors_of(opened) == expected["product"][:12]
    opened.page.locator("#measure").select_option("angle")
    until_listed(opened, expected["angle"][:12])
    opened.page.locator("#count").focus()
    opened.page.locator("#count").select_option("25")
    until_listed(opened, expected["angle"])
    assert opened.js("() => document.activeElement.id") == "count"
    opened.until("() => /measure=angle&count=25/.test(location.hash)", "the link")
    opened.page.reload()
    opened.wait_until_ready()
    assert neighbors_of(opened) == expected["angle"]
    assert opened.page.locator("#measure").input_value() == "angle"
    assert opened.page.locator("#count").input_value() == "25"
    opened.js("() => { location.hash = '#word=dog&measure=distance&count=6'; }")
    until_listed(opened, expected["distance"][:6])


def test_the_number_next_to_a_neighbor_is_named(
    visit: Open, served_space: str, space_model: WordVectors
) -> None:
    for measure, name in (("angle", "cosine"), ("distance", "distance")):
        opened = visit(f"{served_space}#word=dog&measure={measure}")
        assert opened.page.locator(".choice .shown-number").inner_text() == name
        first = space_model.measured_by(measure).neighbors("dog", 1)[0]
        number = first.similarity if measure == "angle" else first.distance
        assert opened.page.locator(".near .number").first.inner_text() == f"{number:.3f}"


@pytest.mark.parametrize("link", ["&measure=none&count=7", "&measure=&count=1e9", "&count=-6"])
def test_other_values_in_a_link_are_ignored(visit: Open, served_space: str, link: str) -> None:
    opened = visit(f"{served_space}#word=dog{link}")
    assert len(neighbors_of(opened)) == 12
    assert opened.page.locator("#measure").input_value() == "product"
    opened.until("() => hyperskip.link.waiting === 0", "the link")
    assert not re.search("measure|count", opened.page.url)


def test_only_measures_of_the_model_are_offered(visit: Open) -> None:
    def without_distance(route: Any) -> None:
        route.fulfill(json=route.fetch().json() | {"measures": ["product", "angle"]})

    opened = visit(
        "#word=dog&measure=distance",
        before=lambda page: page.route("**/api/model", without_distance),
    )
    assert opened.page.locator("#measure option").all_inner_texts() == ["product", "angle"]
    assert opened.page.locator("#measure").input_value() == "product"
