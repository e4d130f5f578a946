"""The explorer in a real browser: selecting an area, and the list of its words."""

import csv
import io
from pathlib import Path

import pytest
from areas import Fingers, draw, listed, star, words_inside
from visits import Open, Visit

CLIPBOARD = ["clipboard-read", "clipboard-write"]
CHOSEN = "() => [...hyperskip.disc.chosen].map((i) => hyperskip.disc.words.names[i])"


def saved_rows(opened: Visit) -> list[list[str]]:
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name="Save as CSV").click()
    text = Path(download.value.path()).read_bytes().decode("utf-8")
    assert text.endswith("\r\n")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_a_lasso_lists_the_words_inside(visit: Open) -> None:
    opened = visit()
    line = star(opened)
    expected = words_inside(opened, line)
    assert 5 < len(expected) < 200
    draw(opened, line)
    assert opened.page.locator(".area-title").inner_text() == f"{len(expected)} words in the area"
    assert listed(opened) == expected == opened.js(CHOSEN)
    assert opened.page.locator(".lasso").count() == 0
    assert opened.page.locator("#select-area").get_attribute("aria-pressed") == "false"
    assert opened.js("() => hyperskip.disc.view === hyperskip.disc.home")  # drawing is not dragging


def test_an_area_stays_chosen_when_the_lens_opens_and_closes(
    visit: Open, served_space: str
) -> None:
    opened = visit(served_space)
    draw(opened, star(opened))
    expected = opened.js(CHOSEN)
    assert expected
    opened.js("() => hyperskip.goTo('dog')")
    opened.until("() => hyperskip.lens.isOpen && !hyperskip.lens.motion.running", "the lens")
    assert set(opened.js(CHOSEN)) == set(expected) & set(
        opened.js("() => hyperskip.disc.words.names")
    )
    opened.page.locator("#lens button").click()
    opened.until("() => !hyperskip.lens.isOpen", "the map")
    assert opened.js(CHOSEN) == expected


def test_other_points_are_faint_until_the_list_is_cleared(visit: Open) -> None:
    opened = visit()
    opacity = """async () => {
      const { emphasized } = await import("hyperskip/colors");
      const { colors, chosen, words } = hyperskip.disc;
      const drawn = emphasized(colors, chosen);
      return words.names.map((name, i) => [chosen.has(i), drawn[4 * i + 3]]);
    }"""
    labels = (
        "() => hyperskip.disc.painter.placed.map(({ index }) => hyperskip.disc.words.names[index])"
    )
    before = opened.js(opacity)
    line = star(opened)
    expected = words_inside(opened, line)
    draw(opened, line)
    assert {alpha for chosen, alpha in opened.js(opacity) if chosen} == {255}
    assert max(alpha for chosen, alpha in opened.js(opacity) if not chosen) < 60
    opened.until("() => hyperskip.disc.frame === 0", "drawing")
    written = opened.js(labels)
    assert written
    assert set(written) <= set(expected)
    opened.page.get_by_role("button", name="Clear").click()
    assert opened.js(opacity) == before
    assert opened.page.locator("#area").is_hidden()
    assert opened.js("() => document.activeElement.id") == "disc"


def test_a_word_of_the_list_can_be_selected(visit: Open) -> None:
    opened = visit("#mode=path")
    draw(opened, star(opened))
    button = opened.page.locator(".area-words button").nth(2)
    word = button.inner_text()
    button.click()
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == word
    assert button.is_visible()


def test_words_are_copied_one_per_line(visit: Open) -> None:
    opened = visit(permissions=CLIPBOARD)
    draw(opened, star(opened))
    opened.page.get_by_role("button", name="Copy", exact=True).click()
    opened.page.get_by_text("Copied").wait_for()
    assert opened.js("() => navigator.clipboard.readText()").split("\n") == listed(opened)


def test_a_browser_that_does_not_copy(visit: Open) -> None:
    opened = visit(before=lambda page: page.add_init_script("delete Navigator.prototype.clipboard"))
    draw(opened, star(opened))
    opened.page.get_by_role("button", name="Copy", exact=True).click()
    opened.page.get_by_text("Save the list instead").wait_for()


def test_a_list_is_saved_with_counts_places_and_regions(visit: Open) -> None:
    opened = visit()
    draw(opened, star(opened))
    header, *rows = saved_rows(opened)
    assert header == ["word", "count", "x", "y", "region"]
    assert [row[0] for row in rows] == listed(opened)
    counts = [int(row[1]) for row in rows]
    assert counts == sorted(counts, reverse=True)
    for word, _, x, y, region in rows[:5]:
        assert (float(x), float(y)) == tuple(
            opened.js("w => hyperskip.disc.words.placeOf(hyperskip.disc.words.indexOf(w))", word)
        )
        names = "w => hyperskip.coloring.regions.namesOf(hyperskip.disc.words.indexOf(w))"
        assert region == " / ".join(opened.js(names, word))
    assert opened.page.locator(".area [role=status]").inner_text() == f"Saved {len(rows)} words."


def test_long_lists_are_shown_in_part_and_saved_in_full(visit: Open, served_large: str) -> None:
    opened = visit(served_large, permissions=CLIPBOARD)
    x, y, width, height = opened.page.locator("#disc").bounding_box().values()
    line = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    draw(opened, [*line, line[0]])
    names = opened.js("() => hyperskip.disc.words.names")
    assert len(names) == 4000
    assert listed(opened) == names[:200]
    assert opened.page.locator(".area-words").inner_text().endswith("and 3,800 more")
    assert [row[0] for row in saved_rows(opened)[1:]] == names
    opened.page.get_by_role("button", name="Copy", exact=True).click()
    opened.page.get_by_text("Copied 4,000 words").wait_for()
    assert opened.js("() => navigator.clipboard.readText()").split("\n") == names


def test_the_list_is_of_the_current_view(visit: Open) -> None:
    opened = visit()
    for key in ("ArrowRight", "ArrowUp", "+", "+"):
        opened.page.locator("#disc").press(key)
    line = star(opened, share=0.7)
    expected = words_inside(opened, line)
    assert expected
    draw(opened, line)
    assert listed(opened) == expected


# -- by keyboard alone


def test_a_rectangle_grows_and_shrinks_with_keys(visit: Open) -> None:
    opened = visit()
    opened.page.locator("#disc").focus()
    opened.page.keyboard.press("a")
    assert opened.js("() => document.activeElement.classList.contains('lasso')")
    outline = "() => document.querySelector('.lasso polygon').points"

    def sides() -> tuple[float, float]:
        corners = opened.js(f"() => [...({outline})()].map(({{ x, y }}) => [x, y])")
        (left, top), _, (right, bottom), _ = corners
        return right - left, bottom - top

    first = sides()
    assert first[0] == pytest.approx(first[1])
    for key, ratio in {"ArrowRight": (1.15, 1), "ArrowUp": (1, 1.15), "-": (1 / 1.15, 1 / 1.15),
                       "ArrowLeft": (1 / 1.15, 1), "+": (1.15, 1.15)}.items():  # fmt: skip
        before = sides()
        opened.page.keyboard.press(key)
        assert sides() == pytest.approx((before[0] * ratio[0], before[1] * ratio[1]), rel=1e-3)
    width, height = sides()
    x, y = opened.middle()
    box = [
        (x + dx * width / 2, y + dy * height / 2) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    expected = words_inside(opened, box)
    said = opened.page.locator("#live").inner_text()
    assert said == f"{len(expected)} words"
    opened.page.keyboard.press("Enter")
    assert listed(opened) == expected
    assert opened.js("() => document.activeElement.className") == "area-title"
    opened.page.keyboard.press("Tab")
    assert opened.js("() => document.activeElement.innerText") == "Copy"


def test_the_rectangle_stays_within_the_map(visit: Open) -> None:
    opened = visit()
    opened.page.locator("#select-area").press("Enter")
    for key in ["+"] * 20 + ["-"] * 60:
        opened.page.keyboard.press(key)
        low, high = opened.js(
            "() => { const { width, height } = document.querySelector('.lasso polygon').getBBox();"
            "return [Math.min(width, height), Math.max(width, height)]; }"
        )
        assert low > 11
        assert high <= 960
    assert opened.page.locator(".lasso").is_visible()


@pytest.mark.parametrize("start", ["button", "key", "mouse"])
def test_escape_cancels(visit: Open, start: str) -> None:
    opened = visit("#word=dog")
    opened.page.wait_for_selector(".card-word")
    if start == "button":
        opened.page.locator("#select-area").press("Enter")
    elif start == "key":
        opened.page.locator("#disc").press("a")
    else:
        opened.page.locator("#select-area").click()
        opened.page.mouse.move(*opened.middle())
        opened.page.mouse.down()
        opened.page.mouse.move(*(at + 90 for at in opened.middle()))
    opened.page.keyboard.press("Escape")
    assert opened.page.locator(".lasso").count() == 0
    assert opened.page.locator("#area").is_hidden()
    assert opened.selected == "dog"  # only the tool is closed
    if start != "mouse":
        focused = {"button": "select-area", "key": "disc"}[start]
        assert opened.js("() => document.activeElement.id") == focused
    opened.page.mouse.up()


# -- by finger, and slips


def test_a_finger_draws_on_a_phone_and_opens_the_panel(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    before = opened.js("() => hyperskip.disc.painter.frame")
    opened.page.locator("#sheet").tap()
    opened.until(f"() => hyperskip.disc.painter.frame !== {before}", "the closed panel")
    line = star(opened)
    expected = words_inside(opened, line)
    opened.page.locator("#select-area").tap()
    fingers = Fingers(opened)
    fingers.touch("touchStart", line[0])
    for corner in line[1:]:
        fingers.touch("touchMove", corner)
    fingers.touch("touchEnd")
    opened.page.locator(".area-words").wait_for()
    assert listed(opened) == expected
    assert opened.page.locator("#sheet").get_attribute("aria-expanded") == "true"
    assert opened.js("() => document.documentElement.scrollWidth") == 390


def test_two_fingers_select_nothing(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    line = star(opened)
    opened.page.locator("#select-area").tap()
    fingers = Fingers(opened)
    fingers.touch("touchStart", line[0])
    fingers.touch("touchMove", line[1])
    fingers.touch("touchStart", line[1], line[5])
    fingers.touch("touchMove", line[2], line[6])
    fingers.touch("touchEnd")
    assert opened.page.locator("#area").is_hidden()
    assert opened.page.locator(".lasso").is_visible()


def test_slips_and_empty_areas_leave_the_tool_open(visit: Open) -> None:
    opened = visit()
    x, y = opened.middle()
    draw(opened, [(x, y), (x + 4, y + 3)])
    assert opened.page.locator(".lasso").is_visible()
    box = opened.page.locator("#disc").bounding_box()
    left, top = box["x"] + 5, box["y"] + 5
    opened.page.mouse.move(left, top)
    opened.page.mouse.down()
    for corner in ((left + 30, top), (left + 30, top + 30), (left, top + 30)):
        opened.page.mouse.move(*corner)
    opened.page.mouse.up()
    assert "No words there" in opened.page.locator(".lasso-hint").inner_text()
    assert opened.page.locator("#live").inner_text() == "No words in the area."
    opened.page.locator("#select-area").click()
    assert opened.page.locator(".lasso").count() == 0


def test_hostile_words_in_lists_and_files(visit: Open, served_hostile: str) -> None:
    opened = visit(served_hostile, permissions=CLIPBOARD)
    x, y, width, height = opened.page.locator("#disc").bounding_box().values()
    draw(opened, [(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    names = opened.js("() => hyperskip.disc.words.names")
    assert listed(opened) == names
    assert opened.page.locator(".area-words img, .area-words script").count() == 0
    assert [row[0] for row in saved_rows(opened)[1:]] == names
    panel = opened.page.locator(".panel").bounding_box()
    for button in opened.page.locator(".area button").all():
        box = button.bounding_box()
        assert box["x"] + box["width"] <= panel["x"] + panel["width"]


def test_the_list_names_its_parts(visit: Open) -> None:
    opened = visit()
    draw(opened, star(opened))
    opened.page.get_by_role("region", name="Selected area").get_by_role(
        "list", name="Words in the area"
    ).wait_for()
    assert opened.page.get_by_role("button", name="Select an area").count() == 1
