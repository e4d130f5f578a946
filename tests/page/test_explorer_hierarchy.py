"""The explorer of a model with a hierarchy: kinds of words, and general words in the middle."""

import re

from visits import Open, Visit

FOCUSED = "() => document.activeElement.querySelector('.word')?.innerText"


def rungs(opened: Visit, place: str) -> list[str]:
    """The words and numbers of rungs: those above the word, here or below."""
    texts = opened.page.locator(f".ladder .{place} .rung").all_inner_texts()
    return [" ".join(text.split()) for text in texts]


def until_selected(opened: Visit, word: str) -> None:
    opened.until(f"() => document.querySelector('.card-word')?.innerText === '{word}'", word)


def test_the_ladder_shows_broader_words_above_and_kinds_below(
    visit: Open, served_ladder: str
) -> None:
    opened = visit(served_ladder + "#word=cat")
    above = rungs(opened, "above")
    assert [rung.split()[0] for rung in above] == ["the", "of", "dog"]
    assert all(re.fullmatch(r"\w+ >?\d\d%", rung) for rung in above)
    assert rungs(opened, "here") == ["cat"]
    assert [rung.split()[0] for rung in rungs(opened, "below")] == ["dogs"]
    assert "Inferred" not in opened.page.locator("#explore").inner_text()
    assert "Nearest words" in opened.page.locator("#explore").inner_text()


def test_the_map_shows_the_ladder_up_to_the_top(visit: Open, served_ladder: str) -> None:
    opened = visit(served_ladder + "#word=cat")
    names = """ink => {
      const { words, scene } = hyperskip.disc;
      const nameOf = ([x, y]) => words.names.find((_, i) => words.x[i] === x && words.y[i] === y);
      return scene.lines.filter((line) => line.ink === ink)
        .map(({ from, to }) => [nameOf(from), nameOf(to)]);
    }"""
    assert opened.js(names, "accent") == [["cat", "dog"], ["dog", "of"], ["of", "the"]]
    assert opened.js(names, "second") == [["cat", "dogs"]]


def test_rungs_are_links(visit: Open, served_hierarchy: str) -> None:
    opened = visit(served_hierarchy + "#word=dog")
    opened.page.locator(".rung", has_text=re.compile("^of")).click()
    until_selected(opened, "of")
    assert {rung.split()[0] for rung in rungs(opened, "below")} == {"dog", "cat", "dogs"}
    opened.until("() => location.hash.includes('word=of')", "the link")


def test_arrow_keys_climb_the_ladder(visit: Open, served_ladder: str) -> None:
    opened = visit(served_ladder + "#word=cat")
    opened.page.locator(".rung[aria-current]").focus()
    for key, word in [
        ("ArrowUp", "dog"), ("ArrowUp", "of"), ("ArrowUp", "the"), ("ArrowUp", "the"),
        ("ArrowDown", "of"),
    ]:  # fmt: skip
        opened.page.keyboard.press(key)
        assert opened.js(FOCUSED) == word
    opened.page.keyboard.press("Enter")
    until_selected(opened, "of")
    assert opened.js(FOCUSED) == "of"  # the focus is on the new ladder
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("Enter")
    until_selected(opened, "dog")
    assert opened.js(FOCUSED) == "dog"


def test_the_ladder_fits_on_a_phone(visit: Open, served_ladder: str) -> None:
    phone = {"width": 390, "height": 780}
    opened = visit(served_ladder + "#word=cat", viewport=phone, has_touch=True, is_mobile=True)
    opened.page.locator(".rung", has_text="dog").first.tap()
    until_selected(opened, "dog")
    assert opened.js("() => document.documentElement.scrollWidth") == 390


def test_hostile_words_are_text_on_a_ladder(visit: Open, served_hostile_ladder: str) -> None:
    opened = visit(served_hostile_ladder + "#word=dog")
    above = opened.page.locator(".ladder .above .rung")
    texts = above.locator(".word").all_inner_texts()
    assert "<script>alert(1)</script>" in texts
    assert "abc\ufffddef" in texts
    assert max(map(len, texts)) == 60
    for number in range(above.count()):
        box = above.nth(number).bounding_box()
        assert box["x"] + box["width"] <= 960


def test_inferred_relations_are_marked(visit: Open, served_hierarchy: str) -> None:
    opened = visit(served_hierarchy + "#word=man")
    assert rungs(opened, "above")
    assert "Inferred from similar words" in opened.page.locator("#explore").inner_text()


def test_general_words_are_in_the_middle(visit: Open, served_hierarchy: str) -> None:
    opened = visit(served_hierarchy)
    assert "general words are in the middle" in opened.page.locator(".lead").first.inner_text()
    assert "radius in the hierarchy" in opened.about
    lengths = opened.js(
        """() => ["the", "of", "word3"].map((word) => {
          const { words } = hyperskip.disc;
          return Math.hypot(...words.placeOf(words.indexOf(word)));
        })"""
    )
    assert max(lengths[:2]) < lengths[2]


def test_radius_means_generality(visit: Open, served_hierarchy: str) -> None:
    opened = visit(served_hierarchy + "#color=radius&word=of")
    options = opened.page.locator("#coloring option").all_inner_texts()
    assert options == ["Region", "Frequency", "Generality"]
    assert opened.page.locator("#coloring").input_value() == "radius"
    legend = opened.page.locator("#legend").text_content()
    assert re.search(r"Generality.*general.*specific", legend, re.DOTALL)
    facts = opened.page.locator(".facts").inner_text()
    assert re.search(r"Hierarchy radius\s+1\.", facts)
    assert re.search(r"By generality\s+rank [12] of 97", facts)
    assert "general" in opened.page.locator(".scale").inner_text()


def test_without_a_hierarchy_nothing_is_said_of_it(visit: Open) -> None:
    opened = visit("#color=radius&word=dog")
    assert opened.selected == "dog"
    page = opened.page.locator("body").inner_text()
    assert not re.search("a kind of|broader|generality|general words", page, re.IGNORECASE)
    assert not any("/api/hierarchy" in url for url in opened.requests)
    assert "Radius" in opened.page.locator("#legend").text_content()
