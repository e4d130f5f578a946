"""Every chart keeps every distance, and comes back to the point within the bound it states."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import geometry as hyperbolic
from hyperskip.errors import GeometryError
from hyperskip.geometry import charts
from hyperskip.geometry.arrays import Floats

ROUNDING = 2.0**-53

law = settings(max_examples=80)


class Chart(NamedTuple):
    to: Callable[[npt.ArrayLike], Floats]
    back: Callable[[npt.ArrayLike], Floats]
    distance: Callable[[Floats, Floats], Floats]  # as the chart's own textbook formula has it
    loss: float  # coordinates displace a point by rounding·e^(loss·radius)


def ball_distance(x: Floats, y: Floats) -> Floats:
    difference = x - y
    cosh: Floats = 1 + 2 * difference @ difference / ((1 - x @ x) * (1 - y @ y))
    return np.arccosh(cosh)


def klein_distance(x: Floats, y: Floats) -> Floats:
    cosh: Floats = (1 - x @ y) / np.sqrt((1 - x @ x) * (1 - y @ y))
    return np.arccosh(cosh)


def half_space_distance(x: Floats, y: Floats) -> Floats:
    difference = x - y
    cosh: Floats = 1 + difference @ difference / (2 * x[-1] * y[-1])
    return np.arccosh(cosh)


CHARTS = {
    "ball": Chart(hyperbolic.to_ball, hyperbolic.from_ball, ball_distance, 1),
    "klein": Chart(hyperbolic.to_klein, hyperbolic.from_klein, klein_distance, 2),
    "half_space": Chart(
        hyperbolic.to_half_space, hyperbolic.from_half_space, half_space_distance, 1
    ),
}
every_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS.keys())


@st.composite
def points(draw: st.DrawFn, dimension: int, largest_radius: float) -> Floats:
    direction = draw(arrays(np.float64, dimension, elements=st.floats(-1, 1)))
    direction[np.abs(direction) < 1e-9] = 0.0  # squares are not to underflow
    assume(np.linalg.norm(direction) > 0.01)
    power = st.floats(-8, np.log10(largest_radius)).map(lambda power: float(10.0**power))
    radius = draw(st.one_of(st.just(0.0), power, st.floats(1e-8, largest_radius)))
    return hyperbolic.from_spatial(np.sinh(radius) * direction / np.linalg.norm(direction))


@st.composite
def pairs(draw: st.DrawFn, largest_radius: float) -> tuple[Floats, Floats]:
    dimension = draw(st.sampled_from([1, 2, 3, 20]))
    return draw(points(dimension, largest_radius)), draw(points(dimension, largest_radius))


def radius(*some_points: Floats) -> float:
    return max(float(np.arcsinh(np.linalg.norm(p[:-1]))) for p in some_points)


@every_chart
@law
@given(pair=pairs(15.0))
def test_round_trip_displaces_by_no_more_than_stated(
    chart: Chart, pair: tuple[Floats, Floats]
) -> None:
    for p in pair:
        back = chart.back(chart.to(p))
        assert hyperbolic.distance(p, back) <= 8 * ROUNDING * np.exp(chart.loss * radius(p))


@every_chart
@law
@given(pair=pairs(15.0))
def test_round_trip_keeps_distances(chart: Chart, pair: tuple[Floats, Floats]) -> None:
    assume(radius(*pair) <= 15 / chart.loss)
    p, q = pair
    before = hyperbolic.distance(p, q)
    after = hyperbolic.distance(*chart.back(chart.to(pair)))
    assert abs(after - before) <= 1e-9 * before + 16 * ROUNDING * np.exp(chart.loss * radius(p, q))


@pytest.mark.parametrize("chart", [CHARTS["ball"], CHARTS["klein"]], ids=["ball", "klein"])
@law
@given(pair=pairs(1e-3))
def test_round_trip_near_the_base_point_is_exact_relative_to_the_radius(
    chart: Chart, pair: tuple[Floats, Floats]
) -> None:
    for p in pair:
        back = chart.back(chart.to(p))
        assert hyperbolic.distance(p, back) <= 16 * ROUNDING * radius(p)


@every_chart
@law
@given(pair=pairs(3.0))
def test_distance_formula_of_the_chart(chart: Chart, pair: tuple[Floats, Floats]) -> None:
    x, y = chart.to(pair)
    expected = hyperbolic.distance(*pair)
    assume(expected > 1e-2)  # the textbook formulas lose small distances, not the charts
    assert chart.distance(x, y) == pytest.approx(float(expected), rel=1e-9)


@every_chart
@pytest.mark.parametrize("dimension", [1, 4])
def test_leading_axes_are_kept(chart: Chart, dimension: int) -> None:
    p = hyperbolic.random_points(np.random.default_rng(0), (2, 3), dimension, 1.0)
    coordinates = chart.to(p)
    assert coordinates.shape == (2, 3, dimension)
    assert chart.back(coordinates).shape == (2, 3, dimension + 1)
    np.testing.assert_allclose(coordinates[1, 2], chart.to(p[1, 2]), rtol=1e-15)
    np.testing.assert_allclose(chart.back(coordinates)[1, 2], chart.back(coordinates[1, 2]))


def test_ball_and_klein_norms_are_hyperbolic_tangents_of_the_radius() -> None:
    p = hyperbolic.from_spatial([0.6 * np.sinh(1.7), -0.8 * np.sinh(1.7)])
    expected = np.array([0.6, -0.8])
    np.testing.assert_allclose(hyperbolic.to_ball(p), np.tanh(0.85) * expected, rtol=1e-14)
    np.testing.assert_allclose(hyperbolic.to_klein(p), np.tanh(1.7) * expected, rtol=1e-14)


def test_half_space_known_points() -> None:
    up, down = hyperbolic.from_spatial([[0.0, np.sinh(15.0)], [0.0, -np.sinh(15.0)]])
    np.testing.assert_allclose(hyperbolic.to_half_space(up), [0, np.exp(15.0)], rtol=1e-14)
    np.testing.assert_allclose(hyperbolic.to_half_space(down), [0, np.exp(-15.0)], rtol=1e-14)
    assert hyperbolic.to_half_space(hyperbolic.base_point(3)).tolist() == [0, 0, 1]
    # Close to the base point the height is exactly 1 + 2⁻³⁰, and nothing of it is lost.
    small = 2.0**-30
    expected = small * (2 + small) / (2 * (1 + small))
    assert hyperbolic.from_half_space([0.0, 1 + small])[1] == pytest.approx(expected, rel=1e-15)
    # (3, 1) is 3 along and √(1 + 9 + x²) - x = 1 high, at x = 4.5.
    np.testing.assert_allclose(hyperbolic.from_half_space([3.0, 1.0]), [3, 4.5, 5.5], rtol=1e-15)


@law
@given(pairs(3.0), st.floats(0, 1))
def test_geodesics_are_straight_in_the_klein_ball(pair: tuple[Floats, Floats], t: float) -> None:
    start, end = hyperbolic.to_klein(pair)
    between = hyperbolic.to_klein(hyperbolic.geodesic(*pair, t))
    detour = np.linalg.norm(between - start) + np.linalg.norm(end - between)
    assert detour == pytest.approx(float(np.linalg.norm(end - start)), rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(
    ("convert", "chart"), [(hyperbolic.from_ball, "Poincaré"), (hyperbolic.from_klein, "Klein")]
)
@pytest.mark.parametrize(("outside", "value"), [(1.0, "1.0"), (2.5, "2.5"), (np.nan, "nan")])
def test_outside_a_ball_is_refused(
    convert: Callable[[npt.ArrayLike], Floats], chart: str, outside: float, value: str
) -> None:
    with pytest.raises(GeometryError, match=naming(chart, value, 1)):
        convert([[0.1, 0.2], [0.0, outside]])


@pytest.mark.parametrize(("height", "value"), [(0.0, "0.0"), (-2.0, "-2.0"), (np.nan, "nan")])
def test_below_the_half_space_is_refused(height: float, value: str) -> None:
    with pytest.raises(GeometryError, match=naming(value, 0)):
        hyperbolic.from_half_space([[0.1, 0.2], [0.0, height]])


def test_the_ball_loses_points_beyond_radius_36() -> None:
    p = hyperbolic.from_spatial([np.sinh([36.0]), np.sinh([39.0])])
    ball = hyperbolic.to_ball(p)
    assert np.isfinite(hyperbolic.from_ball(ball[0])).all()
    with pytest.raises(GeometryError, match=naming("1.0")):
        hyperbolic.from_ball(ball[1])


@law
@given(points(dimension=3, largest_radius=12.0))
def test_tangent_vectors_are_logarithms_at_the_base_point(p: Floats) -> None:
    logarithm = hyperbolic.logarithm(hyperbolic.base_point(3), p)[:-1]
    np.testing.assert_allclose(charts.to_tangent(p), logarithm, rtol=1e-12, atol=1e-300)
