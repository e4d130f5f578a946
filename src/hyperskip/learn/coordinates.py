"""Rows of numbers as points of the hyperboloid, and back.

Estimators take and return one of four coordinates. With d the dimension of the space:

- `tangent`: the d numbers of the logarithm at the base point. Every vector is valid.
- `klein` and `ball`: the d numbers of the Klein or Poincaré ball, with a norm below 1.
- `point`: the d + 1 numbers of the point itself, time last.
"""

import numpy as np

from hyperskip.errors import GeometryError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.options import Declaration

TANGENT, KLEIN, BALL, POINT = "tangent", "klein", "ball", "point"
COORDINATES = (TANGENT, KLEIN, BALL, POINT)

_DECLARATION = Declaration(
    kind=str, help="the numbers of a point", default=TANGENT, choices=COORDINATES
)

# The greatest distance from the base point. Up to it, Klein coordinates are inside of the ball and
# distances keep most of their digits; farther out, float64 cannot tell neighboring points apart.
LARGEST_RADIUS = 15.0

_OFF_THE_SHEET = 1e-6  # largest relative error of the time of a point, as in float32


def points_from(rows: Floats, coordinates: str) -> Floats:
    """Convert rows of numbers to points of the hyperboloid (rows, dimension + 1), time last.

    Points farther than `LARGEST_RADIUS` from the base point are moved to this radius, along their
    geodesic from the base point.

    Args:
        rows: (rows, dimension), or (rows, dimension + 1) for `point`.
        coordinates: One of `COORDINATES`.

    Raises:
        OptionError: `coordinates` is not one of these.
        GeometryError: A row is outside of the ball, or not on the sheet.
    """
    rows = np.asarray(rows, dtype=np.float64)
    check_coordinates(coordinates)
    if coordinates == TANGENT:
        return _exponential(_shortened(rows))
    if coordinates == POINT:
        _check_on_the_sheet(rows)
        points = hyperboloid.from_spatial(rows[:, :-1])
    else:
        _check_inside_the_ball(rows, coordinates)
        points = charts.from_klein(rows) if coordinates == KLEIN else charts.from_ball(rows)
    far = points[:, -1] > np.cosh(LARGEST_RADIUS)
    if far.any():
        points[far] = _exponential(_shortened(charts.to_tangent(points[far])))
    return points


def from_points(points: Floats, coordinates: str) -> Floats:
    """Convert points of the hyperboloid (points, dimension + 1) to coordinates.

    Raises:
        OptionError: `coordinates` is not one of `COORDINATES`.
    """
    check_coordinates(coordinates)
    if coordinates == TANGENT:
        return charts.to_tangent(points)
    if coordinates == KLEIN:
        return charts.to_klein(points)
    return charts.to_ball(points) if coordinates == BALL else np.asarray(points, dtype=np.float64)


def check_coordinates(coordinates: object) -> None:
    """Refuse anything that does not name coordinates."""
    _DECLARATION.checked("coordinates", coordinates)


def _exponential(tangents: Floats) -> Floats:
    """Return the exponential map of vectors (rows, dimension) at the base point."""
    base = hyperboloid.base_point(tangents.shape[-1])
    return hyperboloid.exponential(base, np.pad(tangents, ((0, 0), (0, 1))))


def _shortened(tangents: Floats) -> Floats:
    """Return tangent vectors with a length of at most `LARGEST_RADIUS`."""
    # The greatest coordinate is divided out first: the length of large numbers may overflow.
    greatest = np.abs(tangents).max(axis=-1, keepdims=True, initial=LARGEST_RADIUS)
    scaled = tangents / greatest
    length = np.linalg.norm(scaled, axis=-1, keepdims=True)
    limit = LARGEST_RADIUS / greatest
    shortened: Floats = np.where(
        length > limit, scaled * (LARGEST_RADIUS / np.maximum(length, limit)), tangents
    )
    return shortened


def _check_inside_the_ball(rows: Floats, coordinates: str) -> None:
    lengths = np.linalg.norm(rows, axis=1)
    outside = np.flatnonzero(~(lengths < 1))
    if len(outside) > 0:
        raise GeometryError(
            f"row {outside[0]} has norm {lengths[outside[0]]}, but the norm of {coordinates} "
            "coordinates must be less than 1",
            hint="use coordinates='tangent' for vectors of any length",
        )


def _check_on_the_sheet(rows: Floats) -> None:
    if rows.shape[1] < 2:
        raise GeometryError(
            f"a point has at least 2 numbers, time last, and these rows have {rows.shape[1]}",
            hint="use coordinates='tangent' for vectors without a time coordinate",
        )
    time = hyperboloid.from_spatial(rows[:, :-1])[:, -1]
    outside = np.flatnonzero(~(np.abs(rows[:, -1] - time) <= _OFF_THE_SHEET * time))
    if len(outside) > 0:
        row = outside[0]
        raise GeometryError(
            f"row {row} is not on the hyperboloid: its time coordinate, the last, is "
            f"{rows[row, -1]} instead of {time[row]}",
            hint="use coordinates='tangent' for vectors without a time coordinate",
        )
