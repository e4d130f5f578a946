"""The explorer with the edges of a graph: lines, parents and children, and colors."""

import re

import pytest
from visits import Open, Visit


def panel_of(opened: Visit) -> str:
    return str(opened.page.locator("#explore").inner_text())


def test_edges_are_drawn_behind_the_words(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph)
    assert opened.js("() => hyperskip.disc.edges.count") == 296  # "dog" is directly below "of" only
    assert 50 < opened.js("() => hyperskip.disc.edges.drawn") <= 296
    assert opened.js("() => hyperskip.disc.words.names.slice(0, 3)") == ["the", "of", "dog"]


def test_only_edges_in_the_view_are_drawn(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph)
    all_edges = opened.js("() => hyperskip.disc.edges.drawn")
    place = "hyperskip.disc.words.placeOf(hyperskip.disc.words.indexOf('word7'))"
    opened.js(f"() => {{ hyperskip.disc.moveTo({place}); hyperskip.disc.zoom(12); }}")
    opened.until(f"() => hyperskip.disc.edges.drawn < {all_edges}", "fewer edges")


def test_without_edges_nothing_is_drawn(visit: Open) -> None:
    opened = visit()
    assert opened.js("() => hyperskip.disc.edges.drawn") == 0
    options = opened.page.locator("#coloring option").all_inner_texts()
    assert options == ["Region", "Frequency", "Radius"]
    assert not any("/api/edges" in url or "/api/relatives" in url for url in opened.requests)


def test_the_panel_shows_a_ladder_from_the_root_to_the_children(
    visit: Open, served_graph: str
) -> None:
    opened = visit(served_graph + "#word=dog")
    assert opened.selected == "dog"
    assert re.search(r"Depth\s+2", panel_of(opened))
    assert re.search(r"Words below\s+294", panel_of(opened))
    assert "and 282 more" in panel_of(opened)
    rungs = opened.page.locator(".rung")
    assert rungs.all_inner_texts()[:3] == ["the", "of", "dog"]
    assert rungs.count() == 3 + 12
    assert opened.page.locator(".rung[aria-current]").inner_text() == "dog"
    lines = opened.js("() => hyperskip.disc.scene.lines.length")
    assert lines == 30 + 2  # children, and the path from the root
    rungs.first.click()
    opened.until("() => document.querySelector('.card-word').innerText === 'the'", "the root")
    assert opened.page.locator(".ladder .above").count() == 0
    opened.page.locator(".below .rung", has_text="of").click()
    opened.until("() => document.querySelector('.card-word').innerText === 'of'", "a child")
    assert "Nearest words" in panel_of(opened)


def test_colors_by_branch_and_depth(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph)
    options = opened.page.locator("#coloring option").all_inner_texts()
    assert options == ["Branch", "Depth", "Region", "Radius"]
    assert "Branches" in opened.page.locator("#legend").inner_text()
    opened.page.select_option("#coloring", "depth")
    legend = opened.page.locator("#legend").inner_text()
    assert re.search(r"Depth.*0.*3", legend, re.DOTALL)
    opened.until("() => location.hash.includes('color=depth')", "the link")
    again = visit(served_graph + "#color=depth")
    assert again.page.locator("#coloring").input_value() == "depth"


@pytest.mark.parametrize("served_graph", [False], indirect=True)
def test_undirected_edges_have_no_parents(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph + "#word=the")
    assert opened.selected == "the"
    assert "Connected words 2" in panel_of(opened)
    assert "Depth" not in panel_of(opened)
    assert opened.page.locator(".ladder").count() == 0
    options = opened.page.locator("#coloring option").all_inner_texts()
    assert options == ["Region", "Radius"]
    assert opened.js("() => hyperskip.disc.scene.lines.length") == 2
