"""The explorer of a model with a hierarchy: kinds of words, and general words in the middle."""

import re

from visits import Open, Visit


def listed(opened: Visit, title: str) -> list[str]:
    """The words and numbers of the list below a heading; nothing if there is no such heading."""
    entries = opened.js(
        """title => {
          const heading = [...document.querySelectorAll("#explore h3")].find(
            (one) => one.textContent === title);
          const items = heading?.nextElementSibling.querySelectorAll("li") ?? [];
          return [...items].map((item) => item.innerText.replace(/\\s+/g, " ").trim());
        }""",
        title,
    )
    return list(entries)


def test_the_panel_lists_what_a_word_is_a_kind_of(visit: Open, served_hierarchy: str) -> None:
    opened = visit(served_hierarchy + "#word=dog")
    assert re.fullmatch(r"of >?\d\d%", listed(opened, "A kind of")[0])
    assert "Inferred" not in opened.page.locator("#explore").inner_text()
    assert "Nearest words" in opened.page.locator("#explore").inner_text()
    lines = opened.js(
        "() => hyperskip.disc.scene.lines.filter(line => line.ink === 'accent').length"
    )
    assert 1 <= lines <= 3


def test_words_of_the_lists_are_links(visit: Open, served_hierarchy: str) -> None:
    opened = visit(served_hierarchy + "#word=dog")
    opened.page.locator(".near-word", has_text=re.compile("^of")).first.click()
    opened.until("() => document.querySelector('.card-word').innerText === 'of'", "the hypernym")
    kinds = [entry.split()[0] for entry in listed(opened, "Kinds")]
    assert set(kinds) == {"dog", "cat", "dogs"}
    opened.until("() => location.hash.includes('word=of')", "the link")


def test_inferred_relations_are_marked(visit: Open, served_hierarchy: str) -> None:
    opened = visit(served_hierarchy + "#word=man")
    assert listed(opened, "A kind of")
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
    assert not re.search("a kind of|kinds|generality|general words", page, re.IGNORECASE)
    assert not any("/api/hierarchy" in url for url in opened.requests)
    assert "Radius" in opened.page.locator("#legend").text_content()
