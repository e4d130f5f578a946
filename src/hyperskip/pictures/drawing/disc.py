"""A scene on the Poincaré disc, as a matplotlib figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, PathPatch
from matplotlib.path import Path
from matplotlib.text import Text

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.pictures.drawing.canvas import DOTS_PER_INCH, new_figure
from hyperskip.pictures.drawing.geodesics import geodesic_path
from hyperskip.pictures.drawing.ground import draw_ground
from hyperskip.pictures.drawing.labels import Box, place_labels
from hyperskip.pictures.drawing.margins import draw_margins
from hyperskip.pictures.drawing.text import (
    OutlinedText,
    font_families,
    for_font,
    shortened,
    wrapped,
)
from hyperskip.pictures.drawing.theme import LIGHT, Theme
from hyperskip.pictures.scene import Scene

_INCHES = 11.0
_TITLE_INCHES = 0.32  # for each line
_TITLE_LETTERS, _TITLE_LINES = 84, 3
_PADDING = 2.0  # pixels to the left and right of a label
_LONGEST_LABEL = 40  # letters
_STEPS = np.linspace(0.0, 1.0, 48)
_MARK = 150.0  # the area of Z and Z', in points
_HALF_MARK = 11.0  # pixels
_BEFORE_MARK = 13.0  # pixels between the end of an arrow and the center of the mark
_MOST_NODE_LABELS = 50  # of nodes of a graph
_MANY_LEADING = 12  # if there are more leading words, they are only slightly larger


@dataclass(frozen=True)
class _Sizes:
    """Sizes of dots (area) and letters, in points."""

    dot: float
    letter: float
    leading_dot: float
    leading_letter: float
    text_size: float  # relative to the usual one; all of the above contain it

    def dot_areas(self, scene: Scene) -> Floats:
        """Return the area of each dot."""
        areas = np.full(len(scene.words), self.dot)
        areas[: scene.leading] = self.leading_dot
        if scene.importance is not None:
            areas *= 0.6 + np.round(6.0 * scene.importance**2, 1)
        return areas

    def letter_sizes(self, scene: Scene) -> Floats:
        """Return the size of each label."""
        letters = np.full(len(scene.words), self.letter)
        letters[: scene.leading] = self.leading_letter
        if scene.importance is not None:
            letters += 6.0 * self.text_size * scene.importance**2
        return letters


def disc_figure(scene: Scene, theme: Theme = LIGHT, text_size: float = 1.0) -> Figure:
    """Draw a scene; if two labels overlap, only that of the more important word is drawn.

    Args:
        scene: The content.
        theme: Colors.
        text_size: Size of labels and dots, relative to the usual one.
    """
    title = wrapped(scene.title, int(_TITLE_LETTERS / text_size), _TITLE_LINES)
    strip = text_size * _TITLE_INCHES * (title.count("\n") + 1) + 0.1 if title else 0.0
    with rc_context({"font.family": font_families()}):
        figure = new_figure(_INCHES, _INCHES + strip, theme.paper)
        disc_share = _INCHES / (_INCHES + strip)
        axes = figure.add_axes((0.01, 0.01 * disc_share, 0.98, 0.98 * disc_share))
        axes.set_aspect("equal")
        axes.set_axis_off()
        if title:
            figure.text(
                0.5, (1 + disc_share) / 2 - 0.005, title, ha="center", va="center",
                fontsize=16 * text_size,
                color=theme.ink, parse_math=False,
            )  # fmt: skip
        taken = draw_ground(axes, scene, theme, text_size)
        colors = _colors(scene, theme)
        _draw_edges(axes, scene, colors, text_size)
        marks, lines = _draw_analogy(axes, scene, theme, text_size)
        sizes = _sizes(scene, text_size)
        _draw_dots(axes, scene, sizes, colors, theme)
        taken += draw_margins(figure, scene, theme, figure.bbox.height * disc_share, text_size)
        _draw_labels(axes, scene, sizes, colors, theme, taken + marks, lines)
    return figure


def _sizes(scene: Scene, text_size: float) -> _Sizes:
    """Return smaller sizes for more words."""
    count = len(scene.words)
    dot, letter = next(
        (dot, letter)
        for limit, dot, letter in (
            (40, 34.0, 11.5), (90, 28.0, 10.5), (250, 20.0, 9.5), (700, 12.0, 8.5),
            (float("inf"), 6.0, 7.5),
        )
        if count <= limit
    )  # fmt: skip
    leading = (2.0 * dot, letter + 1.0) if scene.leading > _MANY_LEADING else (70.0, 15.0)
    return _Sizes(
        dot * text_size**2,
        letter * text_size,
        leading[0] * text_size**2,
        leading[1] * text_size,
        text_size,
    )


def _colors(scene: Scene, theme: Theme) -> Floats:
    """Return colors (words, 4): by group, by depth or by radius in the space."""
    if scene.groups is None:
        return theme.by_number(scene.numbers)
    colors: Floats = to_rgba_array([theme.of_group(group) for group in scene.groups])
    return colors


def _draw_edges(axes: Axes, scene: Scene, colors: Floats, text_size: float) -> None:
    if not scene.edges:
        return
    first, second = np.array(scene.edges).T
    crowded = len(scene.edges) > 200
    distinct, color_of = np.unique(colors[first], axis=0, return_inverse=True)
    for number, color in enumerate(distinct):
        ends = (scene.places[edge[color_of == number]] for edge in (first, second))
        axes.add_patch(
            PathPatch(
                geodesic_path(*ends), fill=False, edgecolor=color,
                linewidth=text_size * (0.8 if crowded else 1.1), alpha=0.5, zorder=2,
            )
        )  # fmt: skip


def _draw_analogy(
    axes: Axes, scene: Scene, theme: Theme, text_size: float
) -> tuple[list[Box], Floats]:
    """Draw the relations a to b and a to c, transported to c and to b.

    Returns:
        The areas of the marks of Z and Z', and points (points, 2) on the lines, in pixels.
    """
    if scene.analogy is None:
        return [], np.empty((0, 2))
    a, b, c = (scene.places[i] for i in (scene.analogy.a, scene.analogy.b, scene.analogy.c))
    marks, lines = [], []
    ends_and_starts = ((b, c), (c, b))
    for number, (route, (end, via)) in enumerate(
        zip(scene.analogy.routes, ends_and_starts, strict=True)
    ):
        color = theme.of_group(number)
        place = np.array(route.place)
        relation, carried = _geodesic(a, end), _geodesic(via, place)
        axes.plot(*relation.T, color=color, linewidth=1.6 * text_size, alpha=0.8, zorder=2.5)
        _draw_arrow(axes, carried, color, text_size)
        axes.scatter(
            [place[0]], [place[1]], s=_MARK * text_size**2, marker="X", color=color,
            edgecolors=theme.disc, linewidths=1.2, zorder=5,
        )  # fmt: skip
        x, y = axes.transData.transform(place)
        half = _HALF_MARK * text_size
        marks.append(Box(x - half, y - half, 2 * half, 2 * half))
        lines += [axes.transData.transform(relation), axes.transData.transform(carried)]
    return marks, np.concatenate(lines)


def _draw_arrow(axes: Axes, curve: Floats, color: str, text_size: float) -> None:
    """Draw an arrow along a curve (points, 2), up to the mark at its end."""
    pixels = axes.transData.transform(curve)
    visible = curve[np.linalg.norm(pixels - pixels[-1], axis=1) > _BEFORE_MARK * text_size]
    if len(visible) > 1:
        axes.add_patch(
            FancyArrowPatch(
                path=Path(visible), arrowstyle="-|>", mutation_scale=20 * text_size,
                linewidth=2.4 * text_size, color=color, zorder=2.6,
            )
        )  # fmt: skip


def _geodesic(begin: Floats, end: Floats) -> Floats:
    """Return points (steps, 2) on the geodesic between two points of the disc."""
    first, last = charts.from_ball(begin), charts.from_ball(end)
    return charts.to_ball(hyperboloid.geodesic(first, last, _STEPS))


def _draw_dots(axes: Axes, scene: Scene, sizes: _Sizes, colors: Floats, theme: Theme) -> None:
    areas = sizes.dot_areas(scene)
    for area in np.unique(areas):  # svg images share the outline of equal dots
        last_first = np.flatnonzero(areas == area)[::-1]  # so that important words are on top
        x, y = scene.places[last_first].T
        axes.scatter(
            x, y, s=area, c=colors[last_first], zorder=3, linewidths=0.6, edgecolors=theme.disc
        )


def _draw_labels(
    axes: Axes,
    scene: Scene,
    sizes: _Sizes,
    colors: Floats,
    theme: Theme,
    taken: Sequence[Box],
    lines: Floats,
) -> None:
    """Draw labels in order of importance, as far as there is room."""
    figure: Any = axes.figure
    renderer = figure.canvas.get_renderer()
    texts = _route_names(axes, scene, theme, sizes.text_size)
    labeled = _MOST_NODE_LABELS if scene.importance is not None else len(scene.labels)
    letters = sizes.letter_sizes(scene)
    texts += [
        _text(axes, scene.places[i], label, theme.shaded(colors[i]), theme, size=letters[i],
              weight="bold" if i < scene.leading else "normal")
        for i, label in enumerate(scene.labels[:labeled])
    ]  # fmt: skip
    extents = [text.get_window_extent(renderer) for text in texts]
    places = np.array([text.get_position() for text in texts])
    boxes = place_labels(
        [(float(x), float(y)) for x, y in axes.transData.transform(places)],
        [(extent.width + 2 * _PADDING, extent.height) for extent in extents],
        Box(0, 0, figure.bbox.width, figure.bbox.height),
        gap=_gaps(scene, sizes, len(texts)),
        taken=taken,
        lines=[(float(x), float(y)) for x, y in lines],
    )
    to_data = axes.transData.inverted()
    for text, box in zip(texts, boxes, strict=True):
        if box is None:
            text.remove()
            continue
        text.set_position(tuple(to_data.transform((box.left + _PADDING, box.bottom))))


def _gaps(scene: Scene, sizes: _Sizes, count: int) -> list[float]:
    """Return the distance of each label from the center of its dot, in pixels; routes first."""
    routes = 0 if scene.analogy is None else len(scene.analogy.routes)
    areas = [*[_MARK * sizes.text_size**2] * routes, *sizes.dot_areas(scene)]
    return [1.5 + area**0.5 * DOTS_PER_INCH / 72 / 2 for area in areas[:count]]


def _route_names(axes: Axes, scene: Scene, theme: Theme, text_size: float) -> list[Text]:
    if scene.analogy is None:
        return []
    return [
        _text(axes, np.array(route.place), route.name, theme.of_group(number), theme,
              size=19 * text_size, weight="bold")
        for number, route in enumerate(scene.analogy.routes)
    ]  # fmt: skip


def _text(
    axes: Axes, place: Floats, word: str, color: Any, theme: Theme, *, size: float, weight: str
) -> Text:
    """Draw a label, with an outline in the color of the disc that keeps it readable on lines."""
    text = OutlinedText(
        place[0], place[1], for_font(shortened(word, _LONGEST_LABEL)), outline=theme.disc,
        transform=axes.transData, fontsize=size, fontweight=weight, color=color, zorder=6,
        verticalalignment="bottom", parse_math=False, clip_on=False,
    )  # fmt: skip
    axes.add_artist(text)
    return text
