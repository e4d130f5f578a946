"""What is beneath the words: the disc, its rim, and circles at round distances from the middle."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hyperskip.pictures.labels import Box
from hyperskip.pictures.scene import Scene
from hyperskip.pictures.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WHOLE = 0.6  # from here on, words fill so much of the disc that all of it is shown
_AROUND = 1.2  # how much farther than the words one sees, if not all is shown
_NOWHERE = 1e-3  # words that are all in one place fill nothing
_NUMBERED = 0.98  # of the radius: beyond, a circle's number would lie on the edge
_MOST_RINGS = 6
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def seen_distance(scene: Scene) -> float | None:
    """How far from the middle one sees, as a distance; None where all of the disc is shown.

    Words that fill only the inner part of the disc are seen magnified.
    """
    farthest = _farthest(scene)
    if not _NOWHERE < farthest < _WHOLE:
        return None
    return _distance(_AROUND * farthest)


def draw_ground(axes: "Axes", scene: Scene, theme: Theme) -> list[Box]:
    """Draw the disc, or as much of it as is seen; where the circles' numbers stand."""
    from matplotlib.patches import Circle

    seen = seen_distance(scene)
    radius, edge = (1.0, theme.rim) if seen is None else (_radius(seen), theme.ring)
    axes.set_xlim(-1.005 * radius, 1.005 * radius)
    axes.set_ylim(-1.005 * radius, 1.005 * radius)
    axes.add_patch(Circle((0, 0), radius, facecolor=theme.disc, edgecolor="none", zorder=0))
    axes.add_patch(Circle((0, 0), radius, fill=False, edgecolor=edge, linewidth=1.3, zorder=1))
    boxes = []
    for ring in _rings(_distance(_farthest(scene)) + 1 if seen is None else seen, seen is None):
        axes.add_patch(
            Circle((0, 0), _radius(ring), fill=False, edgecolor=theme.ring, linewidth=0.8, zorder=1)
        )
        if _radius(ring) < _NUMBERED * radius:
            boxes.append(_write_distance(axes, ring, theme))
    return boxes


def _farthest(scene: Scene) -> float:
    """The greatest distance from the middle, measured with a ruler on the disc."""
    places = [scene.places]
    if scene.analogy is not None:
        places.append(np.array([route.place for route in scene.analogy.routes]))
    return float(np.linalg.norm(np.concatenate(places), axis=1).max())


def _distance(radius: float) -> float:
    return float(2 * np.arctanh(radius))


def _radius(distance: float) -> float:
    return float(np.tanh(distance / 2))


def _rings(last: float, is_whole: bool) -> list[float]:
    """Round distances up to the last, not too many; those on the whole disc are whole numbers."""
    least = 1.0 if is_whole else 0.0
    step = next((s for s in _STEPS if s >= least and last / s <= _MOST_RINGS), _STEPS[-1])
    return [step * i for i in range(1, int(0.95 * last / step) + 1)]  # not beside the edge


def _write_distance(axes: "Axes", distance: float, theme: Theme) -> Box:
    figure: Any = axes.figure
    text = axes.text(
        0, _radius(distance), f"{distance:g}", fontsize=8, color=theme.muted, ha="center",
        va="center", zorder=1.5, bbox={"facecolor": theme.disc, "edgecolor": "none", "pad": 1.5},
    )  # fmt: skip
    extent = text.get_window_extent(figure.canvas.get_renderer())
    return Box(extent.x0, extent.y0, extent.width, extent.height)
