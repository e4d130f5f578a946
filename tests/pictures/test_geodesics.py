"""Geodesics as Bézier curves: orthogonal to the rim, and the same as those of the geometry."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.pictures.drawing.geodesics import geodesic_circles, geodesic_path

angles = st.floats(0, 2 * np.pi)
places = st.builds(
    lambda radius, angle: np.tanh(radius / 2) * np.array([np.cos(angle), np.sin(angle)]),
    st.floats(0, 9),
    angles,
)


@given(places, places)
def test_circles_are_orthogonal_to_the_rim_and_contain_both_points(a: Floats, b: Floats) -> None:
    (center,), (radius,) = geodesic_circles(a[None], b[None])
    if not np.isfinite(radius):
        middle = charts.to_ball(hyperboloid.geodesic(charts.from_ball(a), charts.from_ball(b), 0.5))
        along, across = b - a, middle - a
        assert abs(along[0] * across[1] - along[1] * across[0]) < 1e-5 * np.hypot(*along) + 1e-15
        return
    # Two circles are orthogonal if the squared distance of the centers is the sum of the squares.
    assert np.isclose(center @ center, 1 + radius**2, rtol=1e-6)
    for point in (a, b):
        assert np.isclose(np.linalg.norm(point - center), radius, rtol=1e-6, atol=1e-9)


@given(st.lists(st.tuples(places, places), min_size=1, max_size=5))
def test_curves_follow_the_geodesics(pairs: list[tuple[Floats, Floats]]) -> None:
    begin, end = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
    path = geodesic_path(begin, end)
    drawn = np.concatenate(path.to_polygons(closed_only=False))
    assert np.isfinite(path.vertices).all()
    assert np.linalg.norm(drawn, axis=1).max() < 1 + 1e-4
    for a, b in pairs:
        for share in (0.0, 0.25, 0.5, 1.0):
            point = charts.to_ball(
                hyperboloid.geodesic(charts.from_ball(a), charts.from_ball(b), share)
            )
            assert _distance_to(path, point) < 1e-3


def _distance_to(path: object, point: Floats) -> float:
    """The distance of a point from the nearest of many points on the curves."""
    shares = np.linspace(0, 1, 200)[:, None]
    nearest = np.inf
    last = np.zeros(2)
    for vertices, code in path.iter_segments(simplify=False):  # type: ignore[attr-defined]
        points = np.asarray(vertices).reshape(-1, 2)
        if code == 2:
            curve = last + shares * (points[0] - last)
        elif code == 4:
            p, q, r = points
            curve = (
                (1 - shares) ** 3 * last
                + 3 * (1 - shares) ** 2 * shares * p
                + 3 * (1 - shares) * shares**2 * q
                + shares**3 * r
            )
        else:
            last = points[-1]
            continue
        segments = np.linalg.norm(np.diff(curve, axis=0), axis=1).max()
        away = np.linalg.norm(curve - point, axis=1).min()
        nearest = min(nearest, max(0.0, away - segments))
        last = points[-1]
    return float(nearest)
