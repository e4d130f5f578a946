"""Geodesics of the Poincaré disc as curves of matplotlib: arcs orthogonal to the rim."""

from typing import NamedTuple

import numpy as np
from matplotlib.path import Path

from hyperskip.geometry.arrays import Floats

_STRAIGHT = 1e-6  # sine of the angle at the center below which a geodesic is a straight line
_WIDEST = np.pi / 3  # an arc with a wider angle is drawn in two parts; the error is below 1e-5


class Circles(NamedTuple):
    """Euclidean circles."""

    centers: Floats  # (circles, 2)
    radii: Floats  # (circles,)


def geodesic_circles(begin: Floats, end: Floats) -> Circles:
    """Return the circles that contain the geodesics between points (pairs, 2) of the disc.

    They are orthogonal to the rim: |center|² = 1 + radius². The circle of a geodesic that is almost
    straight is infinite.
    """
    cross = begin[:, 0] * end[:, 1] - begin[:, 1] * end[:, 0]
    # The center c has the same power 1 with respect to the rim for both: 2⟨c, p⟩ = 1 + |p|².
    first, second = (1.0 + np.sum(points**2, axis=1) for points in (begin, end))
    x = first * end[:, 1] - second * begin[:, 1]
    y = second * begin[:, 0] - first * end[:, 0]
    is_straight = np.abs(cross) <= _STRAIGHT * np.hypot(x, y)
    centers = np.stack([x, y], axis=1) / np.where(is_straight, 1.0, 2.0 * cross)[:, None]
    radii = np.linalg.norm(begin - centers, axis=1)
    centers[is_straight], radii[is_straight] = np.inf, np.inf
    return Circles(centers, radii)


def geodesic_path(begin: Floats, end: Floats) -> Path:
    """Return all geodesics between points (pairs, 2) of the disc as one path of Bézier curves."""
    circles = geodesic_circles(begin, end)
    is_round = np.isfinite(circles.radii)
    straight = np.stack([begin[~is_round], end[~is_round]], axis=1)
    centers, radii = circles.centers[is_round], circles.radii[is_round]
    from_center, to_center = begin[is_round] - centers, end[is_round] - centers
    first = np.arctan2(from_center[:, 1], from_center[:, 0])
    sweep = np.arctan2(to_center[:, 1], to_center[:, 0]) - first
    sweep = (sweep + np.pi) % (2 * np.pi) - np.pi  # the geodesic is the shorter arc
    parts = [_polyline(straight)]
    for count, chosen in ((1, np.abs(sweep) <= _WIDEST), (2, np.abs(sweep) > _WIDEST)):
        arcs = (centers[chosen], radii[chosen], first[chosen], sweep[chosen])
        parts.append(_bezier_arcs(*arcs, count))
    return Path.make_compound_path(*parts)


def _polyline(points: Floats) -> Path:
    codes = np.tile([Path.MOVETO, Path.LINETO], len(points))
    return Path(points.reshape(-1, 2), codes)


def _bezier_arcs(centers: Floats, radii: Floats, first: Floats, sweep: Floats, count: int) -> Path:
    """Return circular arcs, each as a number of cubic Bézier curves."""
    step = sweep / count
    handle = 4.0 / 3.0 * np.tan(step / 4.0)  # relative to the radius
    vertices = []
    for part in range(count):
        for angle, sign in ((first + part * step, 1.0), (first + (part + 1) * step, -1.0)):
            unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
            along = np.stack([-np.sin(angle), np.cos(angle)], axis=1) * (sign * handle)[:, None]
            on_arc = [unit, unit + along] if sign > 0 else [unit + along, unit]
            vertices += on_arc[1:] if part and sign > 0 else on_arc
    arcs = centers[:, None] + radii[:, None, None] * np.stack(vertices, axis=1)
    codes = np.tile([Path.MOVETO, *[Path.CURVE4] * (3 * count)], len(arcs))
    return Path(arcs.reshape(-1, 2), codes)
