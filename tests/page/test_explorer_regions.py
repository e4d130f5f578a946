"""The explorer in a real browser: the names of regions, and the breadcrumb."""

from typing import Any

import pytest
from visits import Open, Visit, contrast

NAMES = "() => hyperskip.disc.painter.names.map(({ region }) => [region.level, region.name])"
BOXES = """() => hyperskip.disc.painter.names.map(
  ({ left, top, width, height }) => [left, top, left + width, top + height])"""


@pytest.fixture
def large(visit: Open, served_large: str) -> Open:
    return lambda address="", **options: visit(served_large + address, **options)


def zoomed(opened: Visit, factor: float) -> list[list[Any]]:
    opened.js("factor => hyperskip.disc.zoom(factor)", factor)
    opened.js(
        "() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
    )
    return list(opened.js(NAMES))


def test_names_follow_the_zoom_from_large_regions_to_words(large: Open) -> None:
    opened = large(viewport={"width": 1280, "height": 800})
    first = opened.js(NAMES)
    assert {level for level, _ in first} == {0}
    assert 10 <= len(first) <= 12
    assert opened.js("() => hyperskip.disc.painter.placed.length") == 0
    finest = [max(level for level, _ in zoomed(opened, 1.6)) for _ in range(4)]
    assert finest == sorted(finest)
    assert finest[-1] == 2
    zoomed(opened, 3)
    assert opened.js("() => hyperskip.disc.painter.placed.length") > 0


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_names_do_not_overlap_and_stay_on_the_screen(large: Open, size: tuple[int, int]) -> None:
    opened = large(viewport={"width": size[0], "height": size[1]})
    for factor in (1, 2, 2):
        zoomed(opened, factor)
        boxes = opened.js(BOXES)
        width, height = opened.js(
            "() => [hyperskip.disc.painter.width, hyperskip.disc.painter.height]"
        )
        for i, (left, top, right, bottom) in enumerate(boxes):
            assert 0 <= left < right <= width
            assert 0 <= top < bottom <= height
            for other in boxes[:i]:
                assert (
                    right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
                )


def test_names_move_with_the_view(large: Open) -> None:
    opened = large()
    name = "() => { const { region, left, width } = hyperskip.disc.painter.names[0];"
    middle = "return [region.name, left + width / 2, hyperskip.disc.clientOf(region.place)[0]]; }"
    _, drawn, place = opened.js(name + middle)
    opened.page.locator("#disc").focus()
    opened.page.keyboard.press("ArrowRight")
    zoomed(opened, 1)
    _, drawn_after, place_after = opened.js(name + middle)
    assert drawn_after != drawn
    assert abs((drawn_after - place_after) - (drawn - place)) < 60


def test_the_breadcrumb_names_the_regions_in_the_middle(large: Open) -> None:
    opened = large()
    crumbs = opened.page.locator(".crumb")
    before = crumbs.all_inner_texts()
    assert len(before) == 3
    around = (
        "() => hyperskip.coloring.regions.around(hyperskip.disc.view.center).map((r) => r.name)"
    )
    assert before == opened.js(around)
    other = "name => hyperskip.coloring.regions.levels[0].find((r) => r.name !== name).place"
    place = opened.js(other, before[0])
    opened.js("place => hyperskip.disc.moveTo(place)", place)
    assert crumbs.all_inner_texts() == opened.js(around) != before


def test_a_press_on_the_breadcrumb_moves_to_the_region(large: Open) -> None:
    opened = large()
    place = opened.js("() => hyperskip.coloring.regions.around([0, 0])[0].place")
    opened.page.locator(".crumb").first.click()
    assert opened.center == pytest.approx(tuple(place), abs=1e-6)


def test_other_colorings_and_answers_show_words_instead_of_names(large: Open) -> None:
    opened = large("#color=radius")
    assert opened.js(NAMES) == []
    assert opened.page.locator(".crumb").count() == 0
    assert opened.js("() => hyperskip.disc.painter.placed.length") > 20
    opened = large("#word=cdaing")
    opened.page.wait_for_selector(".card-word")
    assert zoomed(opened, 1) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_have_enough_contrast(large: Open, theme: str) -> None:
    opened = large(f"#theme={theme}")
    read = """async (theme) => {
      const { nameColor, HUES } = await import("hyperskip/hues");
      const parts = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
      const style = getComputedStyle(document.querySelector("#disc"));
      const grounds = ["paper", "plate"].map((name) => style.getPropertyValue(`--${name}`).trim());
      const names = Array.from({ length: HUES }, (_, hue) => nameColor(theme, hue));
      return [names.map(parts), grounds.map(parts)];
    }"""
    names, grounds = opened.js(read, theme)
    assert len(names) == 12
    assert min(contrast(name, ground) for name in names for ground in grounds) >= 4.5


def test_hues_are_the_same_in_both_themes(large: Open) -> None:
    read = "() => hyperskip.coloring.regions.levels[0].map(({ hue }) => hue)"
    light, dark = (large(f"#theme={theme}").js(read) for theme in ("light", "dark"))
    assert light == dark
    assert len(set(light)) == len(light) == 12


def test_hostile_words_are_not_names(large: Open) -> None:
    opened = large()
    words = opened.js("() => hyperskip.model.regions.flat().flatMap(({ words }) => words)")
    assert words
    assert not [word for word in words if len(word) > 40 or not word.isprintable()]
