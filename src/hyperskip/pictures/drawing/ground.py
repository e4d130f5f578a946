"""The background of the words: the disc, its rim, and circles at round distances."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle

from hyperskip.pictures.drawing.labels import Box
from hyperskip.pictures.drawing.theme import Theme
from hyperskip.pictures.scene import Scene

# Radii on the disc, whose own radius is 1:
_WHOLE = 0.6  # if words are farther out, the whole disc is shown
_ONE_POINT = 1e-3  # if no word is farther out, the words are at one point: the disc is shown
_MARGIN = 1.2  # radius shown, relative to the farthest word
_NUMBERED = 0.98  # relative to the radius shown: the number of a larger circle would hit the edge
_MOST_RINGS = 6
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def seen_distance(scene: Scene) -> float | None:
    """Return the largest visible distance from the center; None if the whole disc is visible.

    If the words fill only the inner part of the disc, that part is magnified.
    """
    farthest = _farthest(scene)
    if not _ONE_POINT < farthest < _WHOLE:
        return None
    return _distance(_MARGIN * farthest)


def draw_ground(axes: Axes, scene: Scene, theme: Theme, text_size: float) -> list[Box]:
    """Draw the visible part of the disc; return where the numbers of the circles are."""
    seen = seen_distance(scene)
    radius, edge = (1.0, theme.rim) if seen is None else (_radius(seen), theme.ring)
    axes.set_xlim(-1.005 * radius, 1.005 * radius)
    axes.set_ylim(-1.005 * radius, 1.005 * radius)
    axes.add_patch(Circle((0, 0), radius, facecolor=theme.disc, edgecolor="none", zorder=0))
    axes.add_patch(Circle((0, 0), radius, fill=False, edgecolor=edge, linewidth=1.3, zorder=1))
    boxes = []
    farthest = _distance(_farthest(scene)) + 1 if seen is None else seen
    for ring in _rings(farthest / scene.scale, seen is None):
        length = _radius(scene.scale * ring)
        axes.add_patch(
            Circle((0, 0), length, fill=False, edgecolor=theme.ring, linewidth=0.8, zorder=1)
        )
        if length < _NUMBERED * radius:
            boxes.append(_write_distance(axes, ring, length, theme, text_size))
    return boxes


def _farthest(scene: Scene) -> float:
    """Return the largest Euclidean distance of a word from the center of the disc."""
    places = [scene.places]
    if scene.analogy is not None:
        places.append(np.array([route.place for route in scene.analogy.routes]))
    return float(np.linalg.norm(np.concatenate(places), axis=1).max())


def _distance(radius: float) -> float:
    return float(2 * np.arctanh(radius))


def _radius(distance: float) -> float:
    return float(np.tanh(distance / 2))


def _rings(last: float, is_whole: bool) -> list[float]:
    """Return a few round distances up to the last; whole numbers on the whole disc."""
    least = 1.0 if is_whole else 0.0
    step = next((s for s in _STEPS if s >= least and last / s <= _MOST_RINGS), _STEPS[-1])
    return [step * i for i in range(1, int(0.95 * last / step) + 1)]  # not next to the edge


def _write_distance(
    axes: Axes, distance: float, length: float, theme: Theme, text_size: float
) -> Box:
    figure: Any = axes.figure
    text = axes.text(
        0, length, f"{distance:g}", fontsize=8 * text_size, color=theme.muted, ha="center",
        va="center", zorder=1.5, bbox={"facecolor": theme.disc, "edgecolor": "none", "pad": 1.5},
    )  # fmt: skip
    extent = text.get_window_extent(figure.canvas.get_renderer())
    return Box(extent.x0, extent.y0, extent.width, extent.height)
