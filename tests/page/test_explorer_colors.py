"""The explorer in a real browser: colors, the legend, and small screens."""

import pytest
from visits import Open, contrast, eventually, pixels


def test_the_coloring_can_be_chosen(visit: Open) -> None:
    opened = visit()
    choice = opened.page.locator("#coloring")
    for name, title in [("frequency", "Frequency"), ("radius", "Radius")]:
        before = opened.js("() => [...hyperskip.disc.colors]")
        choice.select_option(name)
        assert opened.page.locator(".legend-title").inner_text() == title
        assert opened.js("() => [...hyperskip.disc.colors]") != before
    choice.select_option("cluster")
    assert opened.page.locator(".legend-title").count() == 0


def test_groups_can_be_hidden(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph)
    entry = opened.page.locator(".legend-entry").first
    entry.click()
    assert entry.get_attribute("aria-pressed") == "false"
    gone = "() => hyperskip.disc.colors.filter((value, i) => i % 4 === 3 && value === 0).length"
    assert opened.js(gone) > 0
    entry.click()
    assert opened.js(gone) == 0


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1000, 640), (844, 390), (1900, 900)])
def test_the_legend_does_not_cover_the_answer(
    visit: Open, served_graph: str, size: tuple[int, int]
) -> None:
    viewport = {"width": size[0], "height": size[1]}
    opened = visit(served_graph + "#mode=path&word=dog&word=city", viewport=viewport)
    title = opened.page.locator(".legend-title")
    is_wide = size != (844, 390)  # room for the legend beside the disc
    assert title.get_attribute("aria-expanded") == ("true" if is_wide else "false")
    legend = opened.page.locator("#legend").bounding_box()
    assert (legend["height"] < 50) != is_wide
    for name in opened.js("() => hyperskip.disc.painter.markWords"):
        beside = legend["x"] + legend["width"] <= name["left"]
        assert beside or name["top"] + 15 <= legend["y"]
    title.click()
    assert title.get_attribute("aria-expanded") == ("false" if is_wide else "true")
    legend = opened.page.locator("#legend").bounding_box()
    assert legend["y"] >= 0
    if not is_wide:
        opened.page.locator(".step").nth(3).hover()
        assert title.get_attribute("aria-expanded") == "true"


def test_the_legend_is_after_the_search_in_tab_order(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph)
    assert opened.page.locator(".legend-title").get_attribute("aria-expanded") == "true"
    reached: list[str] = []
    while "legend-title" not in reached:
        assert len(reached) < 40
        opened.page.keyboard.press("Tab")
        reached.append(opened.js("() => document.activeElement.className"))
    assert "field" in reached
    opened.page.keyboard.press("Enter")
    assert opened.page.locator(".legend-entry").first.is_hidden()


@pytest.mark.slow
def test_the_legend_keeps_its_colors_with_forced_colors(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph, forced_colors="active")
    swatch = opened.page.locator(".swatch").first
    seen, wanted = swatch.evaluate(
        "swatch => [getComputedStyle(swatch).backgroundColor, swatch.style.backgroundColor]"
    )
    assert seen == wanted


@pytest.mark.parametrize("by", ["system", "button"])
def test_the_dark_theme(visit: Open, by: str) -> None:
    opened = visit(color_scheme="dark" if by == "system" else "light")
    if by == "button":
        assert pixels(opened).mean() > 0.8
        opened.page.locator("#theme").click()
    eventually(lambda: bool(pixels(opened).mean() < 0.3))
    assert opened.page.locator("#theme").get_attribute("aria-label") == "Use light colors"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_has_enough_contrast(visit: Open, theme: str) -> None:
    opened = visit(f"#theme={theme}&word=dog")
    read = """name => {
      const probe = document.createElement("i");
      probe.style.color = `var(--${name})`;
      document.body.append(probe);
      const color = getComputedStyle(probe).color;
      probe.remove();
      return color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    }"""
    colors = {
        name: opened.js(read, name)
        for name in ("ink", "muted", "accent", "second", "paper", "plate", "sheet", "on-accent")
    }
    for text in ("ink", "muted", "accent", "second"):
        for ground in ("paper", "plate", "sheet"):
            assert contrast(colors[text], colors[ground]) >= 4.5, (text, ground)
    assert contrast(colors["on-accent"], colors["accent"]) >= 4.5


@pytest.mark.parametrize(
    "address", ["", "#word=dog", "#mode=analogy&word=man&word=woman&word=king"]
)
def test_everything_fits_on_a_phone(visit: Open, address: str) -> None:
    opened = visit(address, viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    assert opened.js("() => document.documentElement.scrollWidth") == 390
    wide = """() => [...document.querySelectorAll("body *:not(.unseen):not(canvas)")]
      .filter((part) => part.getBoundingClientRect().right > 391 && !part.closest(".legend"))
      .map((part) => part.className)"""
    assert opened.js(wide) == []
    stage = opened.page.locator(".stage").bounding_box()
    panel = opened.page.locator(".panel").bounding_box()
    assert stage["height"] > 300
    assert panel["y"] == pytest.approx(stage["y"] + stage["height"])


@pytest.mark.slow
def test_the_help_fits_on_a_phone(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    opened.page.locator("#open-help").tap()
    keys, meaning = (
        opened.page.locator(f".keys {part}").first.bounding_box() for part in ("dt", "dd")
    )
    assert meaning["width"] > keys["width"]
    assert opened.js("() => document.documentElement.scrollWidth") == 390


def test_touch_selects_and_the_panel_closes(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    opened.page.touchscreen.tap(*opened.client_of_word("paris"))
    opened.page.wait_for_selector(".card-word")
    before = opened.page.locator(".stage").bounding_box()["height"]
    opened.page.locator("#sheet").tap()
    assert opened.page.locator("#panel-body").is_hidden()
    assert opened.page.locator(".stage").bounding_box()["height"] > before
    assert opened.page.locator("#sheet").get_attribute("aria-expanded") == "false"
