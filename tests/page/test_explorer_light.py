"""The explorer in a real browser: the density of words as light under the points."""

import pytest
from visits import Open, Visit, contrast, eventually

PIXELS = """() => {
  const { ground, width, height, ratio } = hyperskip.disc.painter;
  const side = Math.round(0.5 * Math.min(width, height) * ratio);
  const [left, top] = [width, height].map((size) => Math.round((size * ratio - side) / 2));
  const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  Object.assign(copy.canvas, { width: side, height: side });
  copy.drawImage(ground.canvas, -left, -top);
  const { data } = copy.getImageData(0, 0, side, side);
  const colors = new Set();
  for (let at = 0; at < data.length; at += 4) colors.add(data.slice(at, at + 3).join(" "));
  return [...colors].map((color) => color.split(" ").map(Number));
}"""


def colors_of(opened: Visit) -> list[list[float]]:
    """All colors below the points in the middle of the disc."""
    return list(opened.js(PIXELS))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_regions_glow_and_names_stay_readable(visit: Open, served_large: str, theme: str) -> None:
    opened = visit(f"{served_large}#theme={theme}")
    colors = colors_of(opened)
    assert len(colors) > 500
    ink = [35.0, 37.0, 43.0] if theme == "light" else [236.0, 234.0, 228.0]
    assert min(contrast(ink, color) for color in colors) > 7


def test_other_colorings_have_no_light(visit: Open, served_large: str) -> None:
    opened = visit(served_large)
    opened.page.locator("#coloring").select_option("frequency")
    eventually(lambda: len(colors_of(opened)) < 50)  # rings only
    opened.page.locator("#coloring").select_option("cluster")
    eventually(lambda: len(colors_of(opened)) > 500)


def test_a_glow_reaches_the_regions_around_it(visit: Open, served_large: str) -> None:
    opened = visit(served_large)
    glows = opened.js("() => hyperskip.disc.painter.light.glows")
    assert len(glows) == opened.js(
        "() => hyperskip.modes.explore.page.coloring.regions.finest.length"
    )
    assert all(0 < glow["brightness"] <= 1 and 0 < glow["reach"] < 20 for glow in glows)
    assert max(glow["brightness"] for glow in glows) == 1
