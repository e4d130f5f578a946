"""Images have the same layout in every resolution; an SVG image has 72 dots per inch."""

import io
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

from hyperskip import Picture, WordVectors
from hyperskip.pictures.tree_picture import draw_tree
from hyperskip.vectors.tree import Tree


def tree_picture() -> Picture:
    words = ("animal", "mammal", "bird", "dog", "cat")
    return draw_tree(Tree(words, np.array([-1, 0, 0, 1, 1])), title="Animals")


@pytest.mark.parametrize("count", [1, 3, 200])
def test_the_images_of_trees_are_sharp(count: int) -> None:
    tree = Tree(tuple(f"word{i}" for i in range(count)), np.array([-1, *[0] * (count - 1)]))
    picture = draw_tree(tree)
    height, width = imread(io.BytesIO(picture.to_bytes("png"))).shape[:2]
    assert max(width, height) >= 1540
    inches = picture.figure().get_size_inches()
    assert (width / height) == pytest.approx(inches[0] / inches[1], rel=0.01)


def places_of(figure: Any, dots_per_inch: float) -> dict[str, Any]:
    """The place of each text of a figure, in inches."""
    figure.set_dpi(dots_per_inch)
    texts = [*figure.texts, *(text for axes in figure.axes for text in axes.texts)]
    return {
        text.get_text(): text.get_transform().transform(text.get_position()) / dots_per_inch
        for text in texts
        if text.get_text()
    }


@pytest.mark.parametrize("kind", ["tree", "radius", "groups"])
def test_texts_are_at_the_same_places_in_every_resolution(trained: WordVectors, kind: str) -> None:
    asked: dict[str, Any] = {"near": ["dog", "city"]} if kind == "groups" else {"count": 9}
    picture = tree_picture() if kind == "tree" else trained.plot(**asked)
    figure: Any = picture.figure()
    coarse, fine = places_of(figure, 72), places_of(figure, 300)
    size = figure.get_size_inches()
    for text, place in coarse.items():
        assert place == pytest.approx(fine[text])
        assert (place > 0).all(), text
        assert (place < size).all(), text
