"""Signed distances to horospheres are Busemann functions, and their gradient is exact."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import geometry as hyperbolic
from hyperskip.geometry.arrays import Floats
from hyperskip.learn.coordinates import points_from
from hyperskip.learn.horospheres import horosphere_scores
from hyperskip.learn.horospherical_classifier import PenalizedLoss, PointLosses, Stage
from hyperskip.learn.logistic_regression import softmax_losses
from hyperskip.learn.support_vectors import squared_hinge_losses

tangents = arrays(np.float64, (4, 3), elements=st.floats(-2, 2))
law = settings(max_examples=50)


@law
@given(tangents, arrays(np.float64, (2, 3), elements=st.floats(-3, 3)))
def test_scores_are_distances_to_a_point_that_goes_to_infinity(
    tangent: Floats, directions: Floats
) -> None:
    lengths = np.linalg.norm(directions, axis=1)
    assume(lengths.min() > 1e-3)
    points = points_from(tangent, "tangent")
    far = hyperbolic.from_spatial(np.sinh(12.0) * directions / lengths[:, None])
    expected = np.stack([12.0 - hyperbolic.distance(points, end) for end in far], axis=1)
    scores = horosphere_scores(points, directions).values
    np.testing.assert_allclose(scores, lengths * expected, atol=1e-6)


@law
@given(arrays(np.float64, (4, 3), elements=st.floats(-1e-6, 1e-6)))
def test_scores_near_the_base_point_are_linear(tangent: Floats) -> None:
    directions = np.array([[1.0, -2.0, 0.5], [0.0, 3.0, 0.0]])
    scores = horosphere_scores(points_from(tangent, "tangent"), directions).values
    np.testing.assert_allclose(scores, tangent @ directions.T, atol=1e-10)


def test_scores_are_finite_far_out_and_without_a_direction() -> None:
    points = points_from(np.array([[15.0, 0.0], [-15.0, 0.0], [0.0, 15.0]]), "tangent")
    scores = horosphere_scores(points, np.array([[2.0, 0.0], [0.0, 0.0]]))
    perpendicular = np.log(np.cosh(15.0))
    np.testing.assert_allclose(scores.values[:, 0], 2 * np.array([15, -15, -perpendicular]))
    assert scores.values[:, 1].tolist() == [0, 0, 0]
    assert np.isfinite(scores.gradient(points, np.zeros((2, 2)), np.ones((3, 2)))).all()


@pytest.mark.parametrize("losses", [softmax_losses, squared_hinge_losses])
@law
@given(
    tangent=arrays(np.float64, (4, 3), elements=st.floats(-1, 1)),
    parameters=arrays(np.float64, 12, elements=st.floats(-2, 2)),
    weights=arrays(np.float64, 4, elements=st.floats(0.1, 3)),
)
def test_the_gradient_is_the_finite_difference(
    losses: PointLosses, tangent: Floats, parameters: Floats, weights: Floats
) -> None:
    assume(np.linalg.norm(parameters[:9].reshape(3, 3), axis=1).min() > 0.1)
    loss = PenalizedLoss(
        points_from(tangent, "tangent"),
        np.eye(3)[[0, 1, 2, 0]],
        weights,
        penalty=0.7,
    )
    stage, steps = Stage(losses, strength=1.5), 1e-6 * np.eye(len(parameters))
    expected = [
        (loss(stage, parameters + step)[0] - loss(stage, parameters - step)[0]) / 2e-6
        for step in steps
    ]
    np.testing.assert_allclose(loss(stage, parameters)[1], expected, rtol=1e-4, atol=1e-4)
