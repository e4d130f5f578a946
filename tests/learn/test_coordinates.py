"""Coordinates that estimators take: each converts to the hyperboloid and back."""

import numpy as np
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import geometry as hyperbolic
from hyperskip.errors import GeometryError, OptionError
from hyperskip.geometry.arrays import Floats
from hyperskip.learn.coordinates import (
    COORDINATES,
    LARGEST_RADIUS,
    from_points,
    points_from,
)

any_float = st.floats(allow_nan=False, allow_infinity=False)
every_coordinates = pytest.mark.parametrize("coordinates", COORDINATES)


def radii(points: Floats) -> Floats:
    return np.asarray(np.arcsinh(np.linalg.norm(points[:, :-1], axis=1)))


@every_coordinates
@settings(max_examples=60)
@given(tangent=arrays(np.float64, (3, 4), elements=st.floats(-3, 3)))
def test_points_come_back(coordinates: str, tangent: Floats) -> None:
    points = points_from(tangent, "tangent")
    back = points_from(from_points(points, coordinates), coordinates)
    # Klein coordinates displace a point by u·e^2r, at a radius of up to 6.
    np.testing.assert_allclose(hyperbolic.distance(points, back), 0, atol=1e-9)


@settings(max_examples=60)
@given(tangent=arrays(np.float64, (3, 4), elements=st.floats(-7, 7)))
def test_the_length_of_a_tangent_vector_is_the_radius(tangent: Floats) -> None:
    points = points_from(tangent, "tangent")
    np.testing.assert_allclose(radii(points), np.linalg.norm(tangent, axis=1), atol=1e-12)
    np.testing.assert_allclose(from_points(points, "tangent"), tangent, atol=1e-12)


@settings(max_examples=60)
@given(arrays(np.float64, (5, 3), elements=any_float))
def test_every_vector_is_a_tangent_vector(tangent: Floats) -> None:
    points = points_from(tangent, "tangent")
    assert np.isfinite(points).all()
    assert radii(points).max() <= LARGEST_RADIUS * (1 + 1e-12)


@pytest.mark.parametrize("coordinates", ["ball", "point"])
def test_points_far_out_are_moved_to_the_largest_radius(coordinates: str) -> None:
    far = hyperbolic.from_spatial(np.sinh(25.0) * np.array([[0.6, -0.8], [1e-20, 0.0]]))
    points = points_from(from_points(far, coordinates), coordinates)
    np.testing.assert_allclose(points[0, :-1], np.sinh(LARGEST_RADIUS) * np.array([0.6, -0.8]))
    np.testing.assert_allclose(points[1], far[1])


@pytest.mark.parametrize("coordinates", ["klein", "ball"])
@pytest.mark.parametrize("norm", [1.0, 2.5])
def test_a_row_outside_of_the_ball_is_named(coordinates: str, norm: float) -> None:
    rows = np.array([[0.1, 0.2], [0.0, 0.5], [0.0, norm]])
    with pytest.raises(GeometryError, match=naming("row 2", norm, coordinates, 1)):
        points_from(rows, coordinates)


def test_a_row_off_the_sheet_is_named() -> None:
    with pytest.raises(GeometryError, match=naming("row 1", "-1.0", "1.0")):
        points_from(np.array([[0.0, 1.0], [0.0, -1.0]]), "point")
    with pytest.raises(GeometryError, match=naming(2, 1, "time")):
        points_from(np.array([[0.0]]), "point")


def test_points_in_float32_are_on_the_sheet() -> None:
    points = hyperbolic.random_points(np.random.default_rng(0), 10, 5, 3.0)
    np.testing.assert_allclose(points_from(points.astype(np.float32), "point"), points, rtol=1e-5)


@pytest.mark.parametrize("convert", [points_from, from_points])
def test_unknown_coordinates_are_refused(convert: object) -> None:
    assert callable(convert)
    with pytest.raises(OptionError, match=naming("coordinates", "Klein", *COORDINATES)):
        convert(np.array([[0.0, 1.0]]), "Klein")
