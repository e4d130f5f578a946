"""The self-contained picture: selecting an area, and saving the view, without a server."""

import csv
import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from areas import draw, listed, star, words_inside
from matplotlib.image import imread
from picture_data import WORDS, picture_of
from visits import Open, Visit

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</script><script>alert(1)</script>", "]]>", "\x00\x1b", "\ud800", "\ufffe", "abc\u202edef",
    "a'\"&b", "=1+1", "two\nlines", "x" * 10_000,
]  # fmt: skip


def select_all(opened: Visit) -> None:
    x, y, width, height = opened.page.locator("#disc").bounding_box().values()
    draw(opened, [(x, y), (x + width, y), (x + width, y + height), (x, y + height)])


def downloaded(opened: Visit, button: str) -> Path:
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name=button).click()
    return Path(download.value.path())


def rows_of(path: Path) -> list[list[str]]:
    text = path.read_bytes().decode("utf-8")
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_an_area_is_listed_and_saved(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    line = star(opened, share=0.8)
    expected = words_inside(opened, line)
    assert 1 < len(expected) < len(WORDS)
    draw(opened, line)
    assert listed(opened) == expected
    header, *rows = rows_of(downloaded(opened, "Save as CSV"))
    assert header == ["word", "count", "x", "y", "group"]
    assert [row[0] for row in rows] == expected
    assert {row[4] for row in rows} <= {"animals", "places"}
    opened.page.locator(".area-words button").first.click()
    assert opened.selected == expected[0]


def test_hidden_groups_are_left_out(shown: Open) -> None:
    opened = shown(picture_of(WORDS))
    opened.page.locator(".legend-entry").first.click()
    select_all(opened)
    assert listed(opened) == WORDS[4:]


def test_columns_without_counts_and_groups(shown: Open) -> None:
    opened = shown(picture_of(WORDS, counts=None, groups=None))
    opened.page.locator("#disc").press("a")
    for _ in range(8):
        opened.page.keyboard.press("+")
    opened.page.keyboard.press("Enter")
    rows = rows_of(downloaded(opened, "Save as CSV"))
    assert rows[0] == ["word", "x", "y"]
    assert len(rows) > 2


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_the_view_is_saved(shown: Open, kind: str) -> None:
    opened = shown(picture_of(WORDS))
    opened.page.locator("#disc").press("s")
    path = downloaded(opened, f"Save {kind}")
    if kind == "PNG":
        assert imread(path).std() > 0
    else:
        root = ElementTree.fromstring(path.read_bytes())
        assert root.findtext(f"{SVG}title") == "Eight words"
        assert sorted(str(found.text) for found in root.iter(f"{SVG}text")) == sorted(WORDS)


def test_hostile_words(shown: Open) -> None:
    opened = shown(picture_of(HOSTILE, title="</title>\x01"))
    select_all(opened)
    heading = opened.page.locator(".area-title").inner_text()
    assert heading == f"{len(HOSTILE)} words in the area"
    words = [row[0] for row in rows_of(downloaded(opened, "Save as CSV"))[1:]]
    assert words == [{"\ud800": "\ufffd", "=1+1": "'=1+1"}.get(word, word) for word in HOSTILE]
    opened.page.locator("#save-view").click()
    root = ElementTree.fromstring(downloaded(opened, "Save SVG").read_bytes())
    assert root.findtext(f"{SVG}title") == "</title>\ufffd"
    written = [str(found.text) for found in root.iter(f"{SVG}text")]
    assert HOSTILE[0] in written
    assert all(len(text) <= 60 for text in written)


def test_hostile_words_are_copied_one_per_line(shown: Open) -> None:
    opened = shown(picture_of(HOSTILE), permissions=["clipboard-read", "clipboard-write"])
    select_all(opened)
    opened.page.get_by_role("button", name="Copy", exact=True).click()
    opened.page.get_by_text("Copied").wait_for()
    lines = opened.js("() => navigator.clipboard.readText()").split("\n")
    assert len(lines) == len(HOSTILE)
    assert "two lines" in lines
