"""The explorer in a real browser: saving the view as PNG or SVG."""

import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from areas import draw, star
from matplotlib.image import imread
from visits import Open, Visit, pixels

Pixels = npt.NDArray[np.float64]
SVG = "{http://www.w3.org/2000/svg}"
BLOCK = 8  # pixels


def saved(opened: Visit, kind: str) -> Path:
    """Save the view with the mouse."""
    opened.page.locator("#save-view").click()
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name=f"Save {kind}").click()
    assert download.value.suggested_filename.endswith(f".{kind.lower()}")
    assert not opened.page.locator(".save-view").is_visible()
    assert opened.page.locator("#live").inner_text() == "The view is saved."
    return Path(download.value.path())


def texts(root: ElementTree.Element) -> list[str]:
    return [found.text or "" for found in root.iter(f"{SVG}text")]


def blocks(picture: Pixels) -> Pixels:
    """Means of small blocks, as edges of points are smoothed in different ways."""
    height, width = (length // BLOCK for length in picture.shape[:2])
    cut = picture[: height * BLOCK, : width * BLOCK, :3]
    means: Pixels = cut.reshape(height, BLOCK, width, BLOCK, 3).mean(axis=(1, 3))
    return means


def difference(first: Pixels, second: Pixels) -> float:
    return float(np.abs(blocks(first) - blocks(second)).mean())


def shown_alone(opened: Visit) -> Pixels:
    """The pixels of the view, without what is on top of it."""
    opened.page.mouse.move(1, 1)
    opened.js(
        "() => document.querySelectorAll('#tools, #legend')"
        ".forEach((part) => { part.style.visibility = 'hidden'; })"
    )
    opened.js(
        "() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"
    )
    return pixels(opened)


def rendered(visit: Open, path: Path, opened: Visit, tmp_path: Path) -> Pixels:
    """An SVG drawing as the browser shows it."""
    drawing = tmp_path / "view.svg"
    drawing.write_bytes(path.read_bytes())
    box = opened.page.locator("#disc").bounding_box()
    viewport = {"width": int(box["width"]), "height": int(box["height"])}
    page = visit(drawing.as_uri(), viewport=viewport, ready=False).page
    picture: Pixels = imread(io.BytesIO(page.screenshot()))
    return picture


@pytest.mark.parametrize(
    "link", ["", "#color=radius&theme=dark", "#word=dog", "#mode=path&word=dog&word=war"]
)
def test_files_look_like_the_view(visit: Open, tmp_path: Path, link: str) -> None:
    opened = visit(link)
    if "word" in link:
        opened.until("() => hyperskip.disc.scene.marks.length > 0", "the scene")
    seen = shown_alone(opened)
    opened.js("() => { document.querySelector('#tools').style.visibility = ''; }")
    drawing = rendered(visit, saved(opened, "SVG"), opened, tmp_path)
    image = imread(saved(opened, "PNG"))
    height, width = seen.shape[:2]
    assert image.shape[:2] == (2 * height, 2 * width)
    smaller = image[:, :, :3].reshape(height, 2, width, 2, 3).mean(axis=(1, 3))
    upside_down = difference(seen, seen[::-1])
    assert upside_down > 0.01
    assert difference(seen, drawing) < 0.25 * upside_down
    assert difference(seen, smaller) < 0.25 * upside_down


def test_a_drawing_has_text_points_and_a_title(visit: Open, served_large: str) -> None:
    opened = visit(served_large)
    path = saved(opened, "SVG")
    root = ElementTree.fromstring(path.read_bytes())
    assert root.findtext(f"{SVG}title") == "large"
    width, height = opened.js("() => [hyperskip.disc.painter.width, hyperskip.disc.painter.height]")
    assert root.get("viewBox") == f"0 0 {width} {height}"
    lines = opened.js("() => hyperskip.disc.painter.names.flatMap(({ region }) => region.lines)")
    assert lines
    assert sorted(texts(root)) == sorted(lines)
    circles = [found for found in root.iter(f"{SVG}circle") if float(found.get("r", "0")) < 20]
    assert 3900 < len(circles) < 4100  # the points, and rings in the middle
    assert path.stat().st_size < 4100 * 60


def test_lines_marks_and_labels_are_drawn(visit: Open) -> None:
    opened = visit("#mode=analogy&word=france&word=paris&word=italy")
    opened.until("() => hyperskip.disc.scene.lines.length > 0", "the scene")
    root = ElementTree.fromstring(saved(opened, "SVG").read_bytes())
    written = opened.js(
        "() => [...hyperskip.disc.painter.placed, ...hyperskip.disc.painter.markWords]"
        ".map(({ text }) => text)"
    )
    assert {"france", "paris", "italy"} <= set(written)
    assert sorted(texts(root)) == sorted(written)
    accent = opened.js("() => hyperskip.disc.painter.inks.accent")
    assert any(found.get("stroke") == accent for found in root.iter())


def test_edges_of_a_graph_are_drawn(visit: Open, served_graph: str) -> None:
    opened = visit(served_graph)
    root = ElementTree.fromstring(saved(opened, "SVG").read_bytes())
    drawn = sum(found.get("d", "").count("M") for found in root.iter(f"{SVG}path"))
    assert drawn >= opened.js("() => hyperskip.disc.edges.drawn") > 200


def test_the_word_under_the_pointer_is_not_in_the_file(visit: Open) -> None:
    opened = visit()
    opened.page.mouse.move(*opened.client_of_word("dog"))
    opened.until("() => hyperskip.disc.hovered >= 0", "the pointer")
    accent = opened.js("() => hyperskip.disc.painter.inks.accent")
    opened.page.locator("#disc").press("s")
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name="Save SVG").press("Enter")
    assert accent.encode() not in Path(download.value.path()).read_bytes()


def test_emphasized_words_are_saved(visit: Open) -> None:
    opened = visit()
    plain = saved(opened, "SVG").read_bytes()
    draw(opened, star(opened))
    emphasized = saved(opened, "SVG").read_bytes()
    assert b'fill-opacity="0.18"' in emphasized
    assert b'fill-opacity="0.18"' not in plain


@pytest.mark.parametrize(("kind", "tabs"), [("PNG", 0), ("SVG", 1)])
@pytest.mark.parametrize("start", ["key", "button"])
def test_saving_by_keyboard_alone(visit: Open, kind: str, tabs: int, start: str) -> None:
    opened = visit()
    if start == "key":
        opened.page.locator("#disc").press("s")
    else:
        opened.page.locator("#save-view").press("Enter")
    for _ in range(tabs):
        opened.page.keyboard.press("Tab")
    assert opened.js("() => document.activeElement.innerText") == f"Save {kind}"
    with opened.page.expect_download() as download:
        opened.page.keyboard.press("Enter")
    assert download.value.suggested_filename == f"small.{kind.lower()}"
    opened.until("() => document.querySelector('dialog[open]') === null", "the dialog to close")
    focused = {"key": "disc", "button": "save-view"}[start]
    assert opened.js("() => document.activeElement.id") == focused


def test_the_dialog_can_be_left_and_keys_of_the_map_rest(visit: Open) -> None:
    opened = visit()
    opened.page.locator("#save-view").click()
    dialog = opened.page.get_by_role("dialog", name="Save this view")
    assert "pixels" in dialog.inner_text()
    opened.page.keyboard.press("?")
    assert opened.page.locator("#help").is_hidden()
    opened.page.keyboard.press("Escape")
    assert dialog.is_hidden()
    opened.page.locator("#save-view").click()
    dialog.get_by_role("button", name="Cancel").click()
    assert dialog.is_hidden()


def test_an_image_that_cannot_be_made(visit: Open) -> None:
    fails = "HTMLCanvasElement.prototype.toBlob = (then) => then(null);"
    opened = visit(before=lambda page: page.add_init_script(fails))
    opened.page.locator("#save-view").click()
    opened.page.get_by_role("button", name="Save PNG").click()
    opened.page.get_by_text("Cannot save the view: the image is too large.").wait_for()


def test_saving_on_a_phone(visit: Open) -> None:
    options: dict[str, Any] = {"has_touch": True, "is_mobile": True, "device_scale_factor": 3}
    opened = visit(viewport={"width": 390, "height": 780}, **options)
    opened.page.locator("#save-view").tap()
    box = opened.page.get_by_role("dialog").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    with opened.page.expect_download() as download:
        opened.page.get_by_role("button", name="Save PNG").tap()
    image = imread(download.value.path())
    width, height = opened.js("() => [hyperskip.disc.painter.width, hyperskip.disc.painter.height]")
    assert image.shape[:2] == (6 * height, 6 * width)


def test_hostile_words_and_names(visit: Open, served_hostile: str, tmp_path: Path) -> None:
    opened = visit(served_hostile + "#color=radius")
    path = saved(opened, "SVG")
    root = ElementTree.fromstring(path.read_bytes())
    assert root.findtext(f"{SVG}title") == "<b>model</b>"
    assert "<script>alert(1)</script>" in texts(root)
    assert max(len(text) for text in texts(root)) <= 60
    assert rendered(visit, path, opened, tmp_path).std() > 0
