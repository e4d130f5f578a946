"""The self-contained picture, opened as a file."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from picture_data import WORDS, picture_of
from visits import Open, Visit

from hyperskip.page.assets import picture_page
from hyperskip.pictures.tree_picture import draw_tree
from hyperskip.vectors.tree import Tree


def test_it_loads_nothing_else(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    assert [url for url in opened.requests if not url.startswith("data:")] == [opened.page.url]
    assert opened.page.title() == "Eight words"
    assert opened.js("() => hyperskip.disc.painter.placed.map(label => label.text)") == WORDS
    assert opened.js("() => hyperskip.disc.edges.drawn") == 2
    assert "The map is exact" in opened.about


@pytest.mark.parametrize("zoom", [1, 4])
def test_labels_are_next_to_their_points(shown: Open, zoom: int) -> None:
    opened = shown(picture_of(WORDS), viewport={"width": 1400, "height": 1000})
    opened.js("zoom => hyperskip.disc.zoom(zoom)", zoom)
    for scene in ("() => {}", "() => hyperskip.disc.dispatchEvent(chosen)"):
        opened.js("() => { window.chosen = new CustomEvent('choose', { detail: 0 }); }")
        opened.js(scene)
        opened.js("() => new Promise(requestAnimationFrame)")
        written = opened.js(
            "() => [...hyperskip.disc.painter.placed, ...hyperskip.disc.painter.markWords]"
            ".map(({ index, left, top, width }) => ({ index, left, top, width }))"
        )
        assert any(word["index"] == 0 for word in written)
        for word in written:
            place = opened.js("i => hyperskip.disc.words.placeOf(i)", word["index"])
            x, y = opened.client_of(place)
            seen = opened.js("place => Math.hypot(...hyperskip.disc.view.of(place))", place)
            share = opened.js("i => hyperskip.disc.words.importance[i]", word["index"])
            largest = 14 * 1.2 * min(2.5, opened.scale**0.5)
            radius = largest * (0.3 + 0.7 * share) * (1 - seen**2) ** 0.45 / 2
            across = max(word["left"] - x, x - word["left"] - word["width"], 0)
            along = max(word["top"] - y, y - word["top"] - 15, 0)
            assert np.hypot(across, along) >= radius


def test_a_click_lists_the_neighbors_in_the_file(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    opened.page.mouse.click(*opened.client_of_word("cat"))
    assert opened.selected == "cat"
    near = opened.page.locator(".near-word .word").all_inner_texts()
    assert near == ["animal", "dog", "place"]
    assert opened.client_of_word("cat") == pytest.approx(opened.middle(), abs=0.01)
    opened.page.locator(".near-word").nth(1).click()
    assert opened.selected == "dog"


def test_dragging_zooming_and_searching(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    x, y = opened.middle()
    grabbed = opened.place_at(x + 60, y)
    opened.page.mouse.move(x + 60, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x - 80, y + 50, steps=4)
    opened.page.mouse.up()
    assert opened.client_of(grabbed) == pytest.approx((x - 80, y + 50), abs=0.01)
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("PA")
    opened.page.wait_for_selector("[role=option]")
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("Enter")
    assert opened.selected == "paris"
    opened.page.locator(".field").fill("dug")
    opened.page.keyboard.press("Enter")
    assert "not in this picture" in opened.page.locator("#notice").inner_text()


def search_for(opened: Visit, text: str) -> None:
    opened.page.locator(".field").fill(text)
    opened.page.keyboard.press("Enter")


def test_a_word_is_found_exactly_or_in_lower_case(shown: Open) -> None:
    opened = shown(picture_of(["US", "them", "us", "we"]))
    for text, found in [("US", "US"), ("us", "us"), ("THEM", "them")]:
        search_for(opened, text)
        assert opened.selected == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dug", ["dog"]),
        ("farnce", ["france"]),
        ("PLACES", ["place"]),
        ("qqqqq", []),
    ],
)
def test_similarly_spelled_words_are_suggested(shown: Open, text: str, expected: list[str]) -> None:
    opened = shown(picture_of(WORDS))
    search_for(opened, text)
    assert "not in this picture" in opened.page.locator("#notice").inner_text()
    assert opened.page.locator("#notice .chip").all_inner_texts() == expected
    if expected:
        opened.page.locator("#notice .chip").first.click()
        assert opened.selected == expected[0]


def test_fewer_mistakes_rank_before_higher_frequency(shown: Open) -> None:
    opened = shown(picture_of(["bear", "beer", "bees", "boat"]))
    search_for(opened, "beex")
    assert opened.page.locator("#notice .chip").all_inner_texts() == ["beer", "bees", "bear"]


def test_words_that_look_the_same_are_distinguished(shown: Open) -> None:
    answers = [{"word": "same", "distance": 0.5, "index": 1}]
    route = {"x": 0.2, "y": -0.3, "answers": answers}
    analogy = {"a": 0, "b": 3, "c": 4, "routes": {"Z": route, "Z'": route}}
    words = ["other", "same", "same", "third", "fourth"]
    opened = shown(picture_of(words, analogy=analogy))
    opened.page.locator(".near-word").first.click()
    assert opened.js("() => hyperskip.disc.scene.marks.map(mark => mark.index)") == [1, 0, 2, 3]
    opened.page.locator(".near-word").nth(1).click()
    assert opened.js("() => hyperskip.disc.scene.marks[0].index") == 2
    opened.page.locator(".field").fill("sa")
    opened.page.locator("[role=option]").first.click()
    assert opened.js("() => hyperskip.disc.scene.marks[0].index") == 1


def test_groups_can_be_hidden_with_their_edges(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    opened.page.get_by_role("button", name="animals").click()
    opened.until("() => hyperskip.disc.painter.placed.length === 4", "half of the words")
    assert opened.js("() => hyperskip.disc.painter.placed.map(label => label.text)") == WORDS[4:]
    assert opened.js("() => hyperskip.disc.edges.drawn") == 0
    opened.page.get_by_role("button", name="animals").click()
    opened.until("() => hyperskip.disc.painter.placed.length === 8", "all words")


def hierarchy_of(words: list[str], **changed: object) -> dict[str, Any]:
    """The first two words are the parents of the others."""
    edges = [[1, 0], *([i, 1] for i in range(2, len(words))), [2, 0]]
    depths = [0, 1, *[2] * (len(words) - 2)]
    groups = [-1, *[0] * (len(words) - 1)]
    importance = [1.0, 0.9, *[0.0] * (len(words) - 2)]
    labels = [word.upper() for word in words]
    names = ["branch"]
    picture = picture_of(
        words, edges=edges, depths=depths, groups=groups, importance=importance, labels=labels,
        group_names=names,
    )  # fmt: skip
    return picture | changed


def test_parents_and_children_are_listed(shown: Open) -> None:
    words = [*WORDS, *(f"word{i}" for i in range(10))]
    opened = shown(hierarchy_of(words))
    assert opened.js("() => hyperskip.disc.edges.drawn") > len(words) - 4
    labels = opened.js("() => hyperskip.disc.painter.placed.map(label => label.text)")
    assert labels[:2] == ["ANIMAL", "DOG"]
    opened.page.mouse.click(*opened.client_of_word("cat"))
    assert opened.selected == "cat"
    panel = opened.page.locator("#explore")
    assert re.search(r"Depth\s+2", panel.inner_text())
    assert re.search(r"Branch\s+branch", panel.inner_text())
    assert "Other parents 1" in panel.inner_text()
    assert panel.locator(".chip").all_inner_texts() == ["animal"]
    assert panel.locator(".rung").all_inner_texts() == ["animal", "dog", "cat"]
    panel.locator(".rung").nth(1).click()
    assert opened.selected == "dog"
    assert re.search(r"Words below\s+16", panel.inner_text())
    assert "and 4 more" in panel.inner_text()
    assert panel.locator(".rung").all_inner_texts()[:3] == ["animal", "dog", "cat"]
    assert panel.locator(".below .rung").count() == 12
    panel.locator(".rung", has_text="rome").click()
    assert opened.selected == "rome"
    marks = opened.js("() => hyperskip.disc.scene.marks.map(mark => mark.word)")
    assert marks == ["rome", "animal", "dog"]


def test_depths_have_a_scale_and_no_buttons(shown: Open) -> None:
    opened = shown(hierarchy_of(WORDS, groups=None, group_names=[], by_depth=True, scale=0.5))
    assert "Depth" in opened.page.locator("#legend").inner_text()
    assert "50%" in opened.about


def test_a_cycle_of_edges_has_an_end(shown: Open) -> None:
    edges = [[0, 1], [1, 2], [2, 0]]
    opened = shown(picture_of(WORDS, edges=edges, depths=[0] * len(WORDS)))
    opened.page.mouse.click(*opened.client_of_word("cat"))
    assert opened.page.locator("#explore .above .rung").count() == 2


def test_an_analogy_is_drawn_and_shown_again(shown: Open) -> None:
    answers = [{"word": "rome", "distance": 0.5, "index": 7}]
    route = {"x": 0.2, "y": -0.3, "answers": answers}
    analogy = {"a": 5, "b": 4, "c": 6, "routes": {"Z": route, "Z'": route}}
    opened = shown(picture_of(WORDS, analogy=analogy))
    words = opened.js("() => hyperskip.disc.scene.marks.map(mark => mark.word)")
    assert words == ["france", "paris", "italy", "Z", "rome", "Z′"]
    assert opened.page.locator(".route").count() == 2
    opened.page.locator(".near-word").first.click()
    assert opened.selected == "rome"
    opened.page.mouse.click(*(edge + 5 for edge in (0, 0)))  # next to the disc
    assert opened.page.locator(".route").count() == 2


def test_the_number_of_words_is_shown(shown: Open) -> None:
    opened = shown(picture_of([f"word{number}" for number in range(1200)]))
    assert opened.page.locator("#about").inner_text().startswith("1,200 words.")


def test_a_message_without_javascript(shown: Open) -> None:
    opened = shown(picture_of(WORDS), java_script_enabled=False, ready=False)
    assert opened.page.locator(".noscript").is_visible()


def test_dark_and_small_screens(shown: Open) -> None:
    opened = shown(
        picture_of(WORDS, groups=None),
        viewport={"width": 390, "height": 780},
        color_scheme="dark",
        has_touch=True,
    )
    assert opened.js("() => document.documentElement.scrollWidth") == 390
    assert opened.js("() => hyperskip.theme.name") == "dark"
    assert opened.page.locator(".legend-title").text_content() == "Radius"
    opened.page.touchscreen.tap(*opened.client_of_word("dog"))
    assert opened.selected == "dog"


def test_words_cannot_break_out_of_the_data(shown: Open) -> None:
    hostile = ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "\u2028", "a'\"&b"]
    opened = shown(picture_of(hostile, title="</title><script>alert(2)</script>"))
    assert opened.js("() => hyperskip.disc.words.names") == hostile
    assert opened.page.title() == "</title><script>alert(2)</script>"
    assert opened.page.locator("script").count() == 3
    opened.page.mouse.click(*opened.client_of_word(hostile[0]))
    assert opened.page.locator(".card-word .word").get_attribute("title") == hostile[0]


@pytest.mark.parametrize("words", [[], ["alone"]])
def test_no_words_and_one_word(shown: Open, words: list[str]) -> None:
    opened = shown(picture_of(words))
    notice = opened.page.locator("#notice")
    assert notice.is_visible() == (not words)


def test_the_data_is_json_and_numbers_are_finite() -> None:
    page = picture_page(picture_of(WORDS))
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["words"] == WORDS
    with pytest.raises(ValueError, match="not JSON compliant"):
        picture_page(picture_of(WORDS, x=[float("nan")] * len(WORDS)))


# -- hierarchies and trees


def test_radii_of_a_hierarchy_mean_generality(shown: Open) -> None:
    picture = picture_of(WORDS, groups=None, has_hierarchy=True, by_hierarchy=True, method="polar",
                         fidelity={"neighbors": 0.5, "radii": 1.0})  # fmt: skip
    opened = shown(picture)
    legend = opened.page.locator("#legend").text_content()
    assert re.search(r"Generality.*general.*specific", legend, re.DOTALL)
    assert "General words are in the middle" in opened.about
    opened.page.get_by_role("combobox").fill("dog")
    opened.page.keyboard.press("Enter")
    opened.until("() => document.querySelector('.card-word')?.innerText === 'dog'", "the word")
    assert "By generality" in opened.page.locator(".facts").inner_text()


def test_a_tree_has_parents_and_children_and_no_radii(visit: Open, tmp_path: Path) -> None:
    words = ("animal", "mammal", "bird", "dog", "cat", "sparrow")
    path = tmp_path / "tree.html"
    draw_tree(Tree(words, np.array([-1, 0, 0, 1, 1, 2])), path=path, title="Animals")
    opened = visit(path.as_uri())
    assert opened.page.locator("#about").inner_text() == "A tree of 6 words."
    assert set(opened.js("() => hyperskip.disc.painter.placed.map(label => label.text)")) == set(
        words
    )
    assert "parent and children" in opened.page.locator(".lead").inner_text()
    opened.page.get_by_role("combobox").fill("mammal")
    opened.page.keyboard.press("Enter")
    opened.until("() => document.querySelector('.card-word')?.innerText === 'mammal'", "the word")
    panel = opened.page.locator("#explore").inner_text()
    assert opened.page.locator(".rung").all_inner_texts() == ["animal", "mammal", "dog", "cat"]
    assert not re.search("radius|nearest|rim", panel, re.IGNORECASE)


def test_a_neighbor_keeps_the_focus_in_the_list(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    opened.page.locator("#search .field").fill("rome")
    opened.page.keyboard.press("Enter")
    second = opened.page.locator(".near-word").nth(1)
    word = second.locator(".word").inner_text()
    second.focus()
    opened.page.keyboard.press("Enter")
    assert opened.selected == word
    assert second.evaluate("button => button === document.activeElement")


def test_an_unknown_word_replaces_the_last_word(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    for word in ("rome", "romme"):
        opened.page.locator("#search .field").fill(word)
        opened.page.keyboard.press("Enter")
    opened.page.locator("#notice").get_by_role("button", name="rome").wait_for()
    assert opened.page.locator(".card-word, .near-word").count() == 0


def test_the_search_finds_letters_anywhere(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    opened.page.locator("#search .field").fill("A")
    opened.page.wait_for_selector("#search [role=option]:visible")
    found = opened.page.locator("#search [role=option] .word").all_inner_texts()
    assert found == ["animal", "cat", "place", "paris", "france", "italy"]
