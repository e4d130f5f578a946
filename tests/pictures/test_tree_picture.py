"""Pictures of trees: all labels are readable, whatever the tree and its words."""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb
from trees import balanced_tree

from hyperskip import Picture
from hyperskip.errors import OptionError, OutputError
from hyperskip.pictures.drawing.labels import Box
from hyperskip.pictures.interactive import picture_data
from hyperskip.pictures.tree_layout import Branches, rows_and_columns
from hyperskip.pictures.tree_picture import MOST_WORDS, draw_tree
from hyperskip.vectors.tree import Tree


def tree_of(parents: list[int], words: list[str] | None = None) -> Tree:
    names = words or [f"word{i}" for i in range(len(parents))]
    return Tree(tuple(names), np.array(parents, dtype=np.int64))


def balanced(branches: int, depth: int) -> Tree:
    edges = balanced_tree(branches, depth)
    names = ["r", *(child for child, _ in edges)]
    parents = dict(edges)
    return tree_of([-1, *(names.index(parents[name]) for name in names[1:])], names)


SMALL = tree_of([-1, 0, 0, 1, 1, 2], ["animal", "mammal", "bird", "dog", "cat", "sparrow"])


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Trees and forests, with words of any length and letters."""
    least = draw(st.sampled_from([-1, 0]))  # -1: further roots
    others = range(1, draw(st.integers(1, 90)))
    parents = [-1, *(draw(st.integers(least, position - 1)) for position in others)]
    letters = st.text(st.sampled_from("aMl犬ü_$ "), min_size=1, max_size=60)
    words = [f"{draw(letters)}{i}" for i in range(len(parents))]
    return tree_of(parents, words)


def boxes_of(picture: Picture) -> tuple[list[Box], Box]:
    """The areas of all texts of the image, and that of the image."""
    figure: Any = picture.figure()
    renderer = figure.canvas.get_renderer()
    extents = [text.get_window_extent(renderer) for text in figure.texts if text.get_text()]
    boxes = [Box(extent.x0, extent.y0, extent.width, extent.height) for extent in extents]
    return boxes, Box(0, 0, figure.bbox.width, figure.bbox.height)


def check_labels(tree: Tree, title: str = "", text_size: float = 1.0) -> None:
    boxes, frame = boxes_of(draw_tree(tree, title=title, text_size=text_size))
    assert len(boxes) == len(tree) + bool(title)
    assert all(box.inside(frame) for box in boxes)
    assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))


@settings(max_examples=15)
@given(trees(), st.sampled_from([0.5, 1.0, 2.0, 3.0]))
@pytest.mark.filterwarnings("ignore:Glyph")
def test_labels_never_overlap(tree: Tree, text_size: float) -> None:
    check_labels(tree, text_size=text_size)


@pytest.mark.parametrize(
    "tree",
    [
        tree_of([-1]),
        tree_of([-1, -1, -1]),
        tree_of([-1, *range(30)]),
        tree_of([-1, *[0] * 80]),
        balanced(2, 7),
        balanced(17, 2),
    ],
    ids=["one word", "three roots", "chain", "star", "255 words", "307 words"],
)
def test_trees_of_every_shape_have_room_for_all_labels(tree: Tree) -> None:
    check_labels(tree, "A title that is wider than the smallest trees, and continues")


@given(trees())
def test_parents_are_between_their_children(tree: Tree) -> None:
    layout = rows_and_columns(tree, np.full(len(tree), 50.0))
    for parent, children in enumerate(Branches(tree).children):
        x, y = layout.places[parent]
        side = layout.sides[parent]
        for child in children:
            assert layout.sides[child] == side or side == 0
            assert layout.sides[child] * (layout.places[child][0] - x) > 25
        if children and side:
            heights = layout.places[children, 1]
            assert heights.min() <= y <= heights.max()
    assert (layout.places >= 0).all()
    assert (layout.places <= [layout.width, layout.height]).all()


def test_many_leaves_are_on_both_sides_of_the_root() -> None:
    few, many = (rows_and_columns(balanced(n, 2), np.full(1 + n + n**2, 40.0)) for n in (4, 8))
    assert set(few.sides.tolist()) == {1.0}
    assert set(many.sides.tolist()) == {-1.0, 0.0, 1.0}
    assert np.count_nonzero(many.sides > 0) == np.count_nonzero(many.sides < 0)


def test_branches_have_colors_and_other_words_have_none() -> None:
    scene = draw_tree(SMALL).scene
    assert scene.group_names == ("mammal", "bird")
    assert scene.groups == (-1, 0, 1, 0, 0, 1)
    below_one = tree_of([-1, 0, 1, 1, 1, 2, 3])
    assert draw_tree(below_one).scene.group_names == ("word2", "word3")
    star = draw_tree(tree_of([-1, 0, 0])).scene
    assert star.groups is None
    assert star.by_depth


@given(trees())
def test_on_the_disc_words_are_farther_out_than_their_parents(tree: Tree) -> None:
    scene = draw_tree(tree).scene
    lengths = np.linalg.norm(scene.places, axis=1)
    assert (lengths < 1).all()
    assert all(lengths[child] > lengths[parent] for child, parent in scene.edges)
    assert len(np.unique(scene.places.round(12), axis=0)) == len(tree)


def test_the_data_of_an_interactive_tree() -> None:
    data = json.loads(json.dumps(picture_data(draw_tree(SMALL, title="Animals").scene)))
    assert data["words"] == list(SMALL.words)
    assert data["edges"] == [[1, 0], [2, 0], [3, 1], [4, 1], [5, 2]]
    assert data["depths"] == [0, 1, 1, 2, 2, 2]
    assert data["radii"] is None
    assert data["title"] == "Animals"


@pytest.mark.parametrize("dark", [False, True])
def test_the_same_tree_gives_the_same_bytes(dark: bool) -> None:
    for kind in ("png", "svg"):
        first, again = (draw_tree(SMALL, dark=dark, title="x").to_bytes(kind) for _ in range(2))
        assert first == again


def test_a_dark_background() -> None:
    light, dark = (
        to_rgb(draw_tree(SMALL, dark=dark).figure().get_facecolor()) for dark in (False, True)
    )
    assert min(light) > 0.9
    assert max(dark) < 0.2


def test_files(tmp_path: Path) -> None:
    for name, start in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.html", b"<!doctype")):
        picture = draw_tree(SMALL, path=tmp_path / name)
        assert (tmp_path / name).read_bytes().startswith(start)
        assert repr(picture) == "<Picture: a tree of 6 words>"
    words = re.findall(r"<text [^>]*>(\w+)</text>", (tmp_path / "a.svg").read_text("utf-8"))
    assert words == list(SMALL.words)
    assert draw_tree(SMALL, format="svg")._repr_svg_() is not None
    assert draw_tree(SMALL)._repr_html_() is not None


def test_wrong_arguments(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=naming("format", "gif", "svg")):
        draw_tree(SMALL, format="gif")
    with pytest.raises(OptionError, match=naming("dark", "html")):
        draw_tree(SMALL, dark=True, path=tmp_path / "a.html")
    with pytest.raises(OptionError, match=naming("text_size=2", "html")):
        draw_tree(SMALL, text_size=2, path=tmp_path / "a.html")
    with pytest.raises(OutputError):
        draw_tree(SMALL, path=tmp_path / "missing" / "a.svg")
    with pytest.raises(OptionError, match=naming(f"{MOST_WORDS:,}", f"{MOST_WORDS + 1:,}")):
        draw_tree(tree_of([-1, *[0] * MOST_WORDS]))
    assert not list(tmp_path.iterdir())


def test_words_that_are_no_text() -> None:
    tree = tree_of([-1, 0, 0], ["<b>&\x1b", "$x^2$", "\ud800"])
    svg = draw_tree(tree).to_bytes("svg").decode()
    assert "<b>" not in svg
    assert "\x1b" not in svg
