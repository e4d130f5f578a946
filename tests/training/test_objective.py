import numpy as np
import pytest

from hyperskip.training.objective.loss import (
    derivative,
    hyperbolic_score,
    log_likelihood,
    probability,
)

SCORES = np.concatenate([-np.logspace(0, 4, 50), [-1.0, 0.0, 2.0, 7.0]])


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_the_derivative_is_the_slope_of_the_log_likelihood(label: float) -> None:
    step = 1e-5
    slope = (log_likelihood(SCORES + step, label) - log_likelihood(SCORES - step, label)) / (
        2 * step
    )
    np.testing.assert_allclose(derivative(SCORES, label), slope, atol=1e-8)


def test_probabilities_of_both_labels_add_up() -> None:
    both = np.exp(log_likelihood(SCORES, 1)) + np.exp(log_likelihood(SCORES, 0))
    np.testing.assert_allclose(both, 1.0, rtol=1e-12)
    np.testing.assert_allclose(probability([0.0]), 0.5)


def test_the_score_is_the_papers_and_theta_less_1_for_a_word_with_itself() -> None:
    np.testing.assert_allclose(hyperbolic_score([-3.0, -7.5], 3.0), [0.0, -4.5])
    for factors, curvature in ((1, 0.2), (5, 1.0), (5, 4.0)):
        score = hyperbolic_score(-factors, 3.0, factors=factors, curvature=curvature)
        assert score == pytest.approx(2.0)
        farther = hyperbolic_score(-factors - 1, 3.0, factors=factors, curvature=curvature)
        assert farther == pytest.approx(2.0 - 1 / curvature)


def test_far_points_do_not_overflow() -> None:
    assert log_likelihood(-1e6, 1) == pytest.approx(-1e6)
    assert log_likelihood(-1e6, 0) == 0.0
