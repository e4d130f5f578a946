"""The corners around the disc: a legend, a color scale, and how faithful the picture is."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from hyperskip.pictures.drawing.canvas import in_pixels
from hyperskip.pictures.drawing.ground import seen_distance
from hyperskip.pictures.drawing.labels import Box
from hyperskip.pictures.drawing.text import for_font, shortened
from hyperskip.pictures.drawing.theme import Theme
from hyperskip.pictures.scene import Scene
from hyperskip.projection.methods import EXACT

_EDGE = 18.0  # pixels between the edge of the figure and the text
_LINE = 25.0  # pixels from one line to the next
_INDENT = 18.0  # pixels from a dot to its name
_ENTRIES = 9  # of a legend in one corner; more would overlap the disc
_LONGEST_NAME = 27  # letters
_LETTER = 10.5
_NOTE = 9.0 / _LETTER  # size of notes
_LARGEST = 2.0  # a larger legend would cover the disc
_SCALE = (110.0, 9.0)  # pixels


def draw_margins(
    figure: Figure, scene: Scene, theme: Theme, top: float, text_size: float
) -> list[Box]:
    """Draw the corners, and return the areas that they take.

    Args:
        figure: The figure to draw on.
        scene: The content of the picture.
        theme: Colors.
        top: Top of the area of the disc, in pixels.
        text_size: Size of the legend, relative to the usual one. The notes about the picture
            keep their size.
    """
    size = min(text_size, _LARGEST)
    taken = _draw_faithfulness(figure, scene, theme)
    if scene.groups is None:
        return taken + _draw_scale(figure, scene, theme, size)
    return taken + _draw_legend(figure, scene.group_names, theme, top, size)


def _draw_legend(
    figure: Figure, names: Sequence[str], theme: Theme, top: float, size: float
) -> list[Box]:
    """Draw the groups in the lower left corner, or in three corners if there are many."""
    places = _entry_places(len(names), figure.bbox.width - _EDGE, top - _EDGE * size, size)
    shown = len(names) if len(names) == len(places) else len(places) - 1
    longest = int(_LONGEST_NAME / size)
    boxes = [
        _write(figure, shortened(name, longest), place, theme.ink, size, dot=theme.of_group(number))
        for number, (name, place) in enumerate(zip(names[:shown], places[:shown], strict=True))
    ]
    if shown < len(names):
        boxes.append(
            _write(figure, f"and {len(names) - shown} more", places[-1], theme.muted, size)
        )
    return boxes


def _entry_places(count: int, right: float, top: float, size: float) -> list[tuple[float, float]]:
    """Return the positions of the entries of a legend, top to bottom, as far as there is room."""
    most, line = int(_ENTRIES / size), _LINE * size
    upper, lower, last = (
        (0, count, 0)
        if count <= most
        else (most, min(count - most, most), min(count - 2 * most, most))
    )
    edge = _EDGE * size
    places = [(_EDGE, top - line * i) for i in range(upper)]
    places += [(_EDGE, edge + line * i) for i in reversed(range(lower))]
    return places + [(right, top - line * i) for i in range(last)]


def _draw_scale(figure: Figure, scene: Scene, theme: Theme, size: float) -> list[Box]:
    """Draw the color scale of words without groups."""
    low, high = ("general", "specific") if scene.has_hierarchy else ("small radius", "large radius")
    if scene.by_depth:
        low, high = (f"depth {depth:g}" for depth in (scene.numbers.min(), scene.numbers.max()))
    edge = _EDGE * size
    name = _write(figure, low, (_EDGE, edge), theme.muted, size)
    x, (width, height) = name.left + name.width + 8, _SCALE
    colors = theme.by_number(np.linspace(0.0, 1.0, 64))
    for i, color in enumerate(colors):
        figure.add_artist(
            Rectangle(
                (x + i * width / 64, edge - height / 2), width / 64 + 0.5, height,
                transform=in_pixels(figure), facecolor=color, edgecolor="none",
            )
        )  # fmt: skip
    other = _write(figure, high, (x + width + 8, edge), theme.muted, size)
    return [Box(name.left, name.bottom, other.left + other.width - name.left, name.height)]


def _draw_faithfulness(figure: Figure, scene: Scene, theme: Theme) -> list[Box]:
    """Write how faithful the picture is, and which part of the disc is visible."""
    lines = []
    if scene.method != EXACT:
        lines += [
            str(scene.fidelity),
            f"{scene.dimension} dimensions projected onto the disc, method {scene.method}",
        ]
    if scene.by_hierarchy:
        lines.append("general words are in the middle, by their radius in the hierarchy")
    if scene.scale < 1.0:
        lines.append(f"distances from the center at {scene.scale:.0%} of their length")
    if (seen := seen_distance(scene)) is not None:
        lines.append(f"magnified: inner part of the disc, up to distance {seen:.2g}")
    right = figure.bbox.width - _EDGE
    return [
        _write(figure, line, (right, _EDGE + 19.0 * i), theme.muted, _NOTE)
        for i, line in enumerate(reversed(lines))
    ]


def _write(
    figure: Figure,
    text: str,
    place: tuple[float, float],
    color: str,
    size: float,
    *,
    dot: str | None = None,
) -> Box:
    """Write a line at a place in pixels; in the right half of the figure, aligned right."""
    x, y = place
    is_right = x > figure.bbox.width / 2
    direction = -1 if is_right else 1
    if dot is not None:
        figure.add_artist(
            Line2D(
                [x + 5 * size * direction], [y], marker="o", markersize=6.5 * size, color=dot,
                markeredgewidth=0, linestyle="", transform=in_pixels(figure),
            )
        )  # fmt: skip
        x += _INDENT * size * direction
    written = figure.text(
        x, y, for_font(text), transform=in_pixels(figure), fontsize=_LETTER * size, color=color,
        ha="right" if is_right else "left", va="center", parse_math=False,
    )  # fmt: skip
    canvas: Any = figure.canvas
    extent = written.get_window_extent(canvas.get_renderer())
    return Box(min(place[0], extent.x0), extent.y0, extent.width + abs(x - place[0]), extent.height)
