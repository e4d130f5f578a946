"""Parts of the tools for work with the map: polygons, CSV, SVG and names of files."""

import csv
import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from areas import turns_around
from visits import Visit

HOSTILE = (
    "<script>alert(1)</script>", "]]>", "a&b", "it's \"quoted\", with commas", "new\nline\r",
    "\x00\x1b\x7f", "\ud800", "\udc00x", "\ufffe\uffff", "abc\u202edef", "x" * 10_000,
    "\U0001f600", "",
)  # fmt: skip


@pytest.fixture(scope="module")
def opened(browser: Any, served: str) -> Iterator[Visit]:
    visit = Visit.opened(browser, served, (), {})
    yield visit
    visit.close()
    visit.check()


def module(opened: Visit, name: str, body: str, *arguments: object) -> Any:
    """Evaluate an expression with a module of the page as `m`, and arguments as `a`."""
    script = f"async (a) => {{ const m = await import('hyperskip/{name}'); return {body}; }}"
    return opened.js(script, list(arguments))


@pytest.mark.parametrize("corners", [3, 4, 12, 200])
def test_points_inside_a_polygon_that_may_cross_itself(opened: Visit, corners: int) -> None:
    rng = np.random.default_rng(corners)
    polygon = [tuple(corner) for corner in rng.uniform(-1, 1, (corners, 2)).tolist()]
    points = rng.uniform(-1.1, 1.1, (500, 2))
    inside = module(
        opened, "polygon", "a[1].map(([x, y]) => m.insideOf(a[0])(x, y))", polygon, points.tolist()
    )
    assert inside == (turns_around(polygon, points) != 0).tolist()
    assert 0 < sum(inside) < 500


def test_both_directions_and_repeated_corners_are_the_same(opened: Visit) -> None:
    square = [[0, 0], [2, 0], [2, 2], [0, 2]]
    points = [[1, 1], [0.5, 1.5], [3, 1], [-1, 1], [1, 3], [1, -1]]
    for polygon in (square, square[::-1], [*square, square[0]], [c for c in square for _ in "ab"]):
        inside = module(
            opened, "polygon", "a[1].map(([x, y]) => m.insideOf(a[0])(x, y))", polygon, points
        )
        assert inside == [True, True, False, False, False, False]


def test_neighboring_areas_share_no_point(opened: Visit) -> None:
    """A point on a common side is in exactly one of two areas."""
    left, right = [[0, 0], [1, 0], [1, 1], [0, 1]], [[1, 0], [2, 0], [2, 1], [1, 1]]
    counts = module(
        opened, "polygon",
        "a[2].map((y) => a.slice(0, 2).filter((area) => m.insideOf(area)(1, y)).length)",
        left, right, [0.25, 0.5, 0.75],
    )  # fmt: skip
    assert counts == [1, 1, 1]


def test_a_degenerate_polygon_contains_nothing(opened: Visit) -> None:
    for polygon in ([[1, 1]], [[0, 0], [2, 2]], [[1, 1]] * 5):
        assert not module(opened, "polygon", "m.insideOf(a[0])(1, 1.0000001)", polygon)


def test_a_rectangle_has_its_center_and_sides(opened: Visit) -> None:
    corners = module(opened, "polygon", "m.rectangle([5, 7], 4, 2)")
    assert corners == [[3, 6], [7, 6], [7, 8], [3, 8]]
    assert module(opened, "polygon", "m.bounds(a[0])", corners) == {
        "left": 3, "top": 6, "right": 7, "bottom": 8,
    }  # fmt: skip


def csv_of(opened: Visit, header: list[str], rows: list[list[Any]]) -> str:
    return str(module(opened, "csv", "m.csvOf(a[0], a[1])", header, rows))


def test_csv_is_read_back_as_it_was(opened: Visit) -> None:
    words = [word for word in HOSTILE if not any("\ud800" <= sign <= "\udfff" for sign in word)]
    words = [word.replace("\x00", "") for word in words]  # Python's reader before 3.11 refuses NUL
    text = csv_of(opened, ["word", "x"], [[word, -0.25] for word in words])
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert rows == [["word", "x"], *([word, "-0.25"] for word in words)]
    assert text.startswith('"word","x"\r\n')


@pytest.mark.parametrize("word", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])
def test_spreadsheets_find_no_formulas(opened: Visit, word: str) -> None:
    text = csv_of(opened, ["word", "x"], [[word, -1.5]])
    assert text == f'"word","x"\r\n"\'{word}",-1.5\r\n'


@pytest.mark.parametrize("word", ["a=b", "1+1", "e-mail", "user@host", " =1"])
def test_other_signs_stay_as_they_are(opened: Visit, word: str) -> None:
    assert csv_of(opened, ["w"], [[word]]) == f'"w"\r\n"{word}"\r\n'


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("model.safetensors", "model.safetensors.svg"), ("<b>model</b>", "b-model-b.svg"),
        ("../../etc/passwd", "etc-passwd.svg"), ("", "map.svg"), ("...", "map.svg"),
        ("Größe 7", "Größe-7.svg"), ("x" * 500, f"{'x' * 60}.svg"),
        ("a\u202egvs\x00b", "a-gvs-b.svg"),
    ],
)  # fmt: skip
def test_names_of_files(opened: Visit, text: str, name: str) -> None:
    assert module(opened, "download", "m.fileName(a[0], 'svg')", text) == name


DRAWING = """(() => {
  const context = new m.SvgContext(300, 200);
  context.fillStyle = "rgb(10 20 30 / 0.5)";
  context.globalAlpha = 0.5;
  for (const x of [20, 40]) {
    context.beginPath();
    context.arc(x, 50, 5, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
  context.save();
  context.beginPath();
  context.arc(100, 100, 90, 0, 2 * Math.PI);
  context.clip();
  context.strokeStyle = "gray";
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(110, 100);
  context.arc(100, 100, 10, 0, -Math.PI / 2, true);
  context.stroke();
  context.restore();
  context.font = '600 14px "A & B", serif';
  context.textAlign = "center";
  for (const text of a[0]) {
    context.strokeText(text, 100, 80);
    context.fillText(text, 100, 80);
  }
  return context.toString(a[1]);
})()"""
SVG = "{http://www.w3.org/2000/svg}"


def test_a_drawing_is_xml_with_text_for_any_words(opened: Visit) -> None:
    text = str(module(opened, "svg_context", DRAWING, list(HOSTILE), "<title> & \x01"))
    root = ElementTree.fromstring(text.encode())
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title") == "<title> & \ufffd"
    written = [found.text or "" for found in root.iter(f"{SVG}text")]
    assert written[0] == "<script>alert(1)</script>"
    assert written[4] == "new\nline\n"  # XML has one kind of line end
    assert written[5] == "\ufffd\ufffd\x7f"
    assert written[6:9] == ["\ufffd", "\ufffdx", "\ufffd\ufffd"]
    assert written[9:12] == list(HOSTILE[9:12])
    assert {found.tag.removeprefix(SVG) for found in root.iter()} == {
        "svg", "title", "g", "circle", "clipPath", "path", "text",
    }  # fmt: skip


def test_a_drawing_has_plain_attributes(opened: Visit) -> None:
    root = ElementTree.fromstring(module(opened, "svg_context", DRAWING, ["dog"], "title"))
    points = root.findall(f"{SVG}g")[0]
    assert points.attrib == {"fill": "#0a141e", "fill-opacity": "0.25"}
    assert [point.attrib for point in points] == [
        {"cx": "20", "cy": "50", "r": "5"}, {"cx": "40", "cy": "50", "r": "5"},
    ]  # fmt: skip
    clip = root.find(f"{SVG}clipPath")
    clipped = root.findall(f"{SVG}g")[1]
    assert clip is not None
    assert clipped.get("clip-path") == f"url(#{clip.get('id')})"
    line = clipped.find(f"{SVG}path")
    assert line is not None
    assert line.attrib == {
        "d": "M110 100L110 100A10 10 0 0 0 100 90", "fill": "none", "stroke": "#808080",
        "stroke-width": "1", "stroke-dasharray": "6 4",
    }  # fmt: skip
    (label,) = root.findall(f"{SVG}text")
    assert label.text == "dog"
    assert label.get("font-family") == '"A & B", serif'
    assert label.get("font-weight") == "600"
    assert label.get("paint-order") == "stroke"
    assert label.get("text-anchor") == "middle"
    assert 80 < float(str(label.get("y"))) < 88  # the baseline


def test_an_image_has_twice_the_pixels_of_the_screen_within_a_limit(opened: Visit) -> None:
    size = "m.pngSize({ width: a[0], height: a[1], ratio: a[2] })"
    assert module(opened, "saved_view", size, 800, 600, 1) == [1600, 1200]
    assert module(opened, "saved_view", size, 390, 500, 3) == [2340, 3000]
    width, height = module(opened, "saved_view", size, 3000, 2000, 2)
    assert width / height == pytest.approx(1.5, rel=1e-3)
    assert 15.9e6 < width * height <= 16.1e6
