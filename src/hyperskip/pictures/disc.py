"""The Poincaré disc of words, as a PNG or SVG file."""

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.pictures.labels import Box, place_labels
from hyperskip.pictures.saving import DOTS_PER_INCH, save_picture
from hyperskip.projection.tangent import project_to_disc
from hyperskip.vectors.space import Floats
from hyperskip.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".png", ".svg")
_INCHES = 11.0
_PADDING = 2.0  # pixels to the left and right of a label
_RINGS = (1.0, 2.0, 3.0, 4.0, 5.0)  # hyperbolic distance from the centre of the picture


@dataclass(frozen=True, kw_only=True)
class Decoration:
    """What a picture shows beside points and words."""

    title: str = ""
    categories: Mapping[str, str] | None = None  # word -> name; gives the colours
    edges: Sequence[tuple[str, str]] = ()  # pairs of words, joined by geodesics


def draw_disc(
    vectors: WordVectors,
    path: str | os.PathLike[str],
    words: Sequence[str],
    decoration: Decoration | None = None,
) -> None:
    """Draw words on the Poincaré disc; the first words are labelled first.

    Raises:
        OptionError: The file's ending is not .png or .svg, or there are fewer than two words.
        UnknownWordError: A word is not in the vocabulary.
        GeometryError: The vectors are Euclidean.
        OutputError: The file cannot be written.
    """
    target = check_picture(path)
    if vectors.geometry != "hyperboloid":
        raise GeometryError(
            "Euclidean vectors cannot be drawn on the Poincaré disc",
            hint="train with --geometry hyperboloid",
        )
    words = list(dict.fromkeys(words))
    if len(words) < 2:
        raise OptionError(f"{len(words)} words were chosen", hint="a picture takes at least two")
    points = np.stack([vectors[word] for word in words])
    if not np.isfinite(points).all():
        raise GeometryError(
            "the vector of a word is not finite", hint="the model is damaged: train it again"
        )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        save_picture(
            _figure(words, project_to_disc(points, vectors.factors), decoration or Decoration()),
            target,
        )
    missing = [warning for warning in caught if issubclass(warning.category, UserWarning)]
    if missing:  # matplotlib gives one a letter that its font does not have
        warnings.warn(f"{len(missing)} times: {missing[0].message}", stacklevel=2)


def check_picture(path: str | os.PathLike[str]) -> Path:
    """The path, if pictures can be written by that ending."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise OptionError(
            f"the picture's file is {str(target)!r}", hint="its ending must be .png or .svg"
        )
    return target


def _figure(words: list[str], disc: Floats, decoration: Decoration) -> "Figure":
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_INCHES, _INCHES), dpi=DOTS_PER_INCH, facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.01, 0.01, 0.98, 0.95))
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-1.01, 1.01)
    axes.set_ylim(-1.01, 1.01)
    axes.set_title(_printable(decoration.title), fontsize=15, parse_math=False)
    _draw_space(axes, disc)
    colours = _colours(axes, words, disc, decoration)
    _draw_edges(axes, words, disc, decoration, colours)
    axes.scatter(disc[:, 0], disc[:, 1], s=16, c=colours, zorder=3, linewidths=0)
    _draw_labels(figure, axes, words, disc, colours)
    return figure


def _draw_space(axes: "Axes", disc: Floats) -> None:
    """The disc, its rim, and circles at whole distances from the centre."""
    from matplotlib.patches import Circle

    axes.add_patch(Circle((0, 0), 1.0, facecolor="#fbfaf6", edgecolor="#444444", linewidth=1.2))
    farthest = float(2 * np.arctanh(np.linalg.norm(disc, axis=1).max()))
    for ring in _RINGS:
        if ring <= farthest + 1:
            radius = float(np.tanh(ring / 2))
            axes.add_patch(
                Circle((0, 0), radius, fill=False, edgecolor="#d9d4c7", linewidth=0.6, zorder=1)
            )


def _colours(axes: "Axes", words: list[str], disc: Floats, decoration: Decoration) -> Any:
    """One colour a word: by category, with a legend, or by distance from the centre."""
    from matplotlib import colormaps
    from matplotlib.lines import Line2D

    if decoration.categories is None:
        shade = np.linalg.norm(disc, axis=1)
        return colormaps["viridis"](0.9 * shade / max(shade.max(), 1e-12))
    present = [decoration.categories.get(word, "other") for word in words]
    names = list(dict.fromkeys(present))
    strong_first = [*range(0, 20, 2), *range(1, 20, 2)]
    palette = colormaps["tab20"]
    chosen = {name: palette(strong_first[i % 20]) for i, name in enumerate(names)}
    handles = [
        Line2D([], [], marker="o", linestyle="", color=colour, label=name)
        for name, colour in chosen.items()
    ]
    axes.legend(
        handles=handles, loc="lower left", frameon=False, fontsize=8, labelspacing=0.3, borderpad=0
    )
    return np.array([chosen[name] for name in present])


def _draw_edges(
    axes: "Axes", words: list[str], disc: Floats, decoration: Decoration, colours: Any
) -> None:
    from matplotlib.collections import LineCollection

    row = {word: i for i, word in enumerate(words)}
    edges = [(row[a], row[b]) for a, b in decoration.edges if a in row and b in row]
    if not edges:
        return
    first, second = np.array(edges).T
    points = charts.from_ball(disc)
    steps = np.linspace(0.0, 1.0, 24)[:, None]  # (steps, 1) against (edges,)
    curves = charts.to_ball(hyperboloid.geodesic(points[first], points[second], steps))
    axes.add_collection(
        LineCollection(
            list(curves.transpose(1, 0, 2)),
            colors=colours[first],
            linewidths=0.7,
            alpha=0.45,
            zorder=2,
        )
    )


def _draw_labels(
    figure: "Figure", axes: "Axes", words: list[str], disc: Floats, colours: Any
) -> None:
    """Write the words, in order of importance, where there is room."""
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    texts = [
        axes.text(
            0, 0, _printable(word), fontsize=8.5, color=_darker(colour), zorder=4, parse_math=False
        )
        for word, colour in zip(words, colours, strict=True)
    ]
    extents = [text.get_window_extent(renderer) for text in texts]
    anchors = axes.transData.transform(disc)
    frame = Box(0, 0, figure.bbox.width, figure.bbox.height)
    boxes = place_labels(
        [(float(x), float(y)) for x, y in anchors],
        [(extent.width + 2 * _PADDING, extent.height) for extent in extents],
        frame,
        gap=4.0,
    )
    to_data = axes.transData.inverted()
    for text, box in zip(texts, boxes, strict=True):
        if box is None:
            text.remove()
            continue
        text.set_verticalalignment("bottom")
        text.set_position(tuple(to_data.transform((box.left + _PADDING, box.bottom))))


def _printable(word: str) -> str:
    """The word without what neither a font nor XML has a sign for."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in word)


def _darker(colour: Any) -> tuple[float, float, float]:
    red, green, blue = (0.62 * float(part) for part in colour[:3])
    return red, green, blue
