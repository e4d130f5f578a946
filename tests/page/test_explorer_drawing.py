"""The explorer in a real browser: the disc, its points and its labels."""

import pytest
from visits import Open, colorful, eventually

NO_WEBGL = """
const original = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind === "webgl2" ? null : original.call(this, kind, ...rest);
};
"""


def test_it_loads_and_draws_every_word(visit: Open) -> None:
    opened = visit()
    assert opened.page.title() == "small – hyperskip"
    assert opened.page.locator("h1").inner_text() == "hyperskip small"
    assert "The map is exact" in opened.about
    assert opened.js("() => hyperskip.disc.words.names.length") == 297
    assert opened.js("() => hyperskip.disc.painter.points.renderer").startswith("WebGL2")
    assert colorful(opened) > 1000
    labels = opened.js("() => hyperskip.disc.painter.placed.map(label => label.text)")
    assert "the" in labels
    assert 10 < len(labels) <= 150


def test_labels_do_not_overlap(visit: Open) -> None:
    boxes = visit().js("() => hyperskip.disc.painter.placed.map(l => [l.left, l.top, l.width])")
    for i, (left, top, width) in enumerate(boxes):
        for other_left, other_top, other_width in boxes[:i]:
            apart = left >= other_left + other_width or other_left >= left + width
            assert apart or abs(top - other_top) >= 15


def test_nothing_is_drawn_while_nothing_changes(visit: Open) -> None:
    opened = visit()
    drawn = [-1, -2]
    while drawn[-1] != drawn[-2]:
        assert len(drawn) < 12, "frames are drawn although nothing happens"
        opened.page.wait_for_timeout(300)
        drawn.append(opened.js("() => hyperskip.disc.frameTimes.length"))


def test_without_webgl_a_2d_canvas_is_used(visit: Open) -> None:
    opened = visit(before=lambda page: page.add_init_script(NO_WEBGL))
    assert opened.js("() => hyperskip.disc.painter.points.renderer") == "canvas"
    assert colorful(opened) > 1000


def test_points_are_restored_after_a_lost_context(visit: Open) -> None:
    opened = visit()
    opened.js(
        "() => { const { gl } = hyperskip.disc.painter.points;"
        " window.loser = gl.getExtension('WEBGL_lose_context'); loser.loseContext(); }"
    )
    opened.until("() => hyperskip.disc.painter.points.gl.isContextLost()", "lost")
    opened.js("() => loser.restoreContext()")
    opened.until("() => !hyperskip.disc.painter.points.gl.isContextLost()", "restored")
    eventually(lambda: colorful(opened) > 1000)


OVERLAPS = """() => {
  const box = document.querySelector("#toast").getBoundingClientRect();
  const { left, top } = document.querySelector("#disc").getBoundingClientRect();
  const { placed, markWords } = hyperskip.disc.painter;
  return [...placed, ...markWords].filter((word) => (
    left + word.left < box.right && left + word.left + word.width > box.left
    && top + word.top < box.bottom && top + word.top + 15 > box.top
  )).map((word) => word.text);
}"""


@pytest.mark.parametrize("size", [(960, 640), (768, 1024), (390, 700)])
def test_a_message_covers_no_word_and_lets_clicks_through(
    visit: Open, size: tuple[int, int]
) -> None:
    opened = visit(
        "#word=dog&zoom=3",
        viewport={"width": size[0], "height": size[1]},
        permissions=["clipboard-read", "clipboard-write"],
    )
    opened.page.locator("#copy-link").click()
    toast = opened.page.locator("#toast")
    opened.until("() => document.querySelector('#live').textContent.includes('copied')", "a copy")
    opened.js("() => { clearTimeout(hyperskip.toast.timer); hyperskip.toast.host.hidden = false; }")
    assert toast.inner_text() == "Link copied."
    for name in ("#legend", "#tools", ".panel"):
        assert not overlap(toast.bounding_box(), opened.page.locator(name).bounding_box()), name
    opened.until(f"() => ({OVERLAPS})().length === 0", "room for the message")
    box = toast.bounding_box()
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert opened.js("at => document.elementFromPoint(...at).closest('#disc') !== null", at)
    opened.js("() => hyperskip.toast.show('Again.')")
    toast.wait_for(state="hidden")


def overlap(first: dict[str, float], second: dict[str, float]) -> bool:
    return all(
        first[start] < second[start] + second[size] and second[start] < first[start] + first[size]
        for start, size in (("x", "width"), ("y", "height"))
    )
