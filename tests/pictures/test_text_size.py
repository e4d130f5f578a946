"""Pictures with larger text: readable, without overlaps, and complete."""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from facts import naming
from program import Program

from hyperskip import WordVectors, add_hierarchy, builtin
from hyperskip.errors import OptionError
from hyperskip.pictures.drawing.labels import Box


def texts_of(figure: Any) -> dict[str, Box]:
    """The area of each text."""
    renderer = figure.canvas.get_renderer()
    boxes = {}
    for text in (*figure.texts, *figure.axes[0].texts):
        extent = text.get_window_extent(renderer)
        boxes[text.get_text()] = Box(extent.x0, extent.y0, extent.width, extent.height)
    return boxes


@pytest.mark.parametrize("text_size", [0.5, 1.5, 2.0, 3.0])
@pytest.mark.parametrize(
    "asked",
    [
        {"words": ["dog", "cat", "car", "piano", "paris", "france"]},
        {"near": ["dog", "car"], "count": 4, "title": "A title"},
        {"analogy": ("france", "paris", "italy"), "count": 3},
        {"categories": "builtin"},
    ],
    ids=["words", "near", "analogy", "categories"],
)
def test_texts_are_inside_and_do_not_overlap(
    trained: WordVectors, asked: dict[str, Any], text_size: float
) -> None:
    figure: Any = trained.plot(**asked, text_size=text_size).figure()
    boxes = texts_of(figure)
    frame = Box(0, 0, figure.bbox.width, figure.bbox.height)
    for text, box in boxes.items():
        assert box.inside(frame), text
    labels = [box for word, box in boxes.items() if word in trained]
    assert len(labels) >= 3
    assert not any(first.overlaps(second) for first, second in combinations(labels, 2))


def test_labels_and_dots_are_larger(trained: WordVectors) -> None:
    usual, large = (trained.plot(["dog", "cat"], text_size=size) for size in (1.0, 2.0))
    assert usual.to_bytes("svg") == trained.plot(["dog", "cat"]).to_bytes("svg")
    before, after = texts_of(usual.figure()), texts_of(large.figure())
    assert after["dog"].height == pytest.approx(2 * before["dog"].height, rel=0.1)
    areas = [
        picture.figure().axes[0].collections[0].get_sizes()[0]  # type: ignore[attr-defined]
        for picture in (usual, large)
    ]
    assert areas[1] == pytest.approx(4 * areas[0])


def test_a_page_is_zoomed_in_the_browser(trained: WordVectors, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=naming("text_size=2", "html")):
        trained.plot(["dog", "cat"], text_size=2, path=tmp_path / "page.html")


def test_the_commands(program: Program, model_file: Path, tmp_path: Path) -> None:
    hierarchy = tmp_path / "hierarchy.safetensors"
    add_hierarchy(model_file, builtin.hypernym_pairs()).save(hierarchy)
    plotted = program(
        "plot", model_file, "-o", tmp_path / "a.svg", "--near", "dog", "--text-size", 2
    )
    assert plotted.code == 0, plotted.err
    sizes = re.findall(r"font-size: ([\d.]+)px", (tmp_path / "a.svg").read_text("utf-8"))
    assert max(map(float, sizes)) == 30
    asked = ("taxonomy", hierarchy, "dog", "cat", "piano", "--text-size", 2)
    drawn = program(*asked, "-o", tmp_path / "b.svg")
    assert drawn.code == 0, drawn.err
    sizes = re.findall(r"font-size: ([\d.]+)px", (tmp_path / "b.svg").read_text("utf-8"))
    assert set(map(float, sizes)) == {21}
    program(*asked).check_refused("--text-size", ".png", ".svg")
    program(*asked, "-o", tmp_path / "c.html").check_refused("--text-size", ".png", ".svg")
    program(*asked[:-1], 9, "-o", tmp_path / "c.png").check_refused("--text-size", 9)
