"""A tree of words as a matplotlib figure: the root at the left, or between two sides."""

from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text

from hyperskip.geometry.arrays import Floats
from hyperskip.pictures.drawing.canvas import DOTS_PER_INCH, in_pixels, new_figure, refine
from hyperskip.pictures.drawing.text import font_families, for_font, shortened, wrapped
from hyperskip.pictures.drawing.theme import LIGHT, Theme
from hyperskip.pictures.scene import Scene
from hyperskip.pictures.tree_layout import LABEL, TreeLayout, rows_and_columns
from hyperskip.vectors.tree import Tree

_LONGEST_LABEL = 40  # letters
_TITLE_LETTERS, _TITLE_LINES = 50, 3
_EDGE = 24.0  # pixels between the edge of the figure and the tree
_TITLE_LINE = 38.0  # pixels
_NARROWEST = 420.0  # pixels
_SHARP = 1540.0  # pixels of the longer side, at least; pictures of the disc are as wide


def tree_figure(tree: Tree, scene: Scene, theme: Theme = LIGHT, text_size: float = 1.0) -> Figure:
    """Draw a tree with the labels of all words; the figure is as large as that requires.

    Args:
        tree: The tree.
        scene: The same words, with their title and groups.
        theme: Colors.
        text_size: Size of labels and dots, relative to the usual one.
    """
    title = wrapped(scene.title, _TITLE_LETTERS, _TITLE_LINES)
    strip = text_size * _TITLE_LINE * (title.count("\n") + 1) if title else 0.0
    with rc_context({"font.family": font_families()}):
        figure = new_figure(1.0, 1.0, theme.paper)
        parents = set(tree.parent_positions.tolist())
        labels = [
            _label(figure, label, theme, text_size, is_parent=word in parents)
            for word, label in enumerate(scene.labels)
        ]
        canvas: Any = figure.canvas
        renderer = canvas.get_renderer()
        widths = np.array([label.get_window_extent(renderer).width for label in labels])
        layout = rows_and_columns(tree, widths, text_size)
        written = figure.text(
            0.5, 0.5, title, fontsize=15 * text_size, color=theme.ink, ha="center", va="center",
            transform=in_pixels(figure), parse_math=False,
        )  # fmt: skip
        title_width = written.get_window_extent(renderer).width
        width = max(_NARROWEST, title_width + 2 * _EDGE, layout.width + 2 * _EDGE)
        height = layout.height + strip + 2 * _EDGE
        figure.set_size_inches(width / DOTS_PER_INCH, height / DOTS_PER_INCH)
        written.set_position((width / 2, height - _EDGE / 2 - strip / 2))
        corner = np.array([(width - layout.width) / 2, height - strip - _EDGE])
        places = corner + layout.places * (1.0, -1.0)
        colors = _colors(scene, theme)
        _draw_edges(figure, tree, layout, places, widths, colors, text_size)
        _draw_words(figure, labels, layout, places, colors, theme, text_size)
        refine(figure, _SHARP)
    return figure


def _label(figure: Figure, label: str, theme: Theme, text_size: float, *, is_parent: bool) -> Text:
    return figure.text(
        0, 0, for_font(shortened(label, _LONGEST_LABEL)), fontsize=10.5 * text_size,
        color=theme.ink, fontweight="bold" if is_parent else "normal", va="center",
        parse_math=False, transform=in_pixels(figure), zorder=3,
    )  # fmt: skip


def _colors(scene: Scene, theme: Theme) -> list[str]:
    return [theme.of_group(group) for group in scene.groups or (0,) * len(scene.words)]


def _draw_edges(
    figure: Figure,
    tree: Tree,
    layout: TreeLayout,
    places: Floats,
    widths: Floats,
    colors: list[str],
    text_size: float,
) -> None:
    """Draw a curve from the end of the label of each parent to the dot of each child."""
    paths: dict[str, list[Path]] = {}
    for child, parent in enumerate(tree.parent_positions.tolist()):
        if parent < 0:
            continue
        side, gap = layout.sides[child], text_size * LABEL
        label = widths[parent] / 2 if layout.sides[parent] == 0 else gap + widths[parent]
        begin = places[parent] + (side * (label + 0.6 * gap), 0.0)
        end = places[child]
        middle = (begin[0] + end[0]) / 2
        points = [begin, (middle, begin[1]), (middle, end[1]), end]
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
        paths.setdefault(colors[child], []).append(Path(points, codes))
    for color, curves in paths.items():
        figure.add_artist(
            PathPatch(
                Path.make_compound_path(*curves), fill=False, edgecolor=color,
                linewidth=1.1 * text_size, alpha=0.6, transform=in_pixels(figure), zorder=1,
            )
        )  # fmt: skip


def _draw_words(
    figure: Figure,
    labels: list[Text],
    layout: TreeLayout,
    places: Floats,
    colors: list[str],
    theme: Theme,
    text_size: float,
) -> None:
    """Draw the dots, and move each label next to its dot."""
    sides = layout.sides.tolist()
    for label, place, side in zip(labels, places, sides, strict=True):
        label.set_position((place[0] + side * text_size * LABEL, place[1]))
        label.set_horizontalalignment("center" if side == 0 else "left" if side > 0 else "right")
    for color in dict.fromkeys(colors):
        shown = [i for i, own in enumerate(colors) if own == color and sides[i] != 0]
        if shown:
            figure.add_artist(
                Line2D(
                    places[shown, 0], places[shown, 1], marker="o", markersize=5.0 * text_size,
                    color=color,
                    markeredgecolor=theme.paper, markeredgewidth=0.6, linestyle="",
                    transform=in_pixels(figure), zorder=2,
                )
            )  # fmt: skip
