import numpy as np
import pytest

from hyperskip.training.objective import derivative, log_likelihood, probability

PRODUCTS = np.concatenate([-np.logspace(0, 4, 50), [-1.0]])


@pytest.mark.parametrize("theta", [0.0, 3.0, -2.0])
@pytest.mark.parametrize("label", [0.0, 1.0])
def test_the_derivative_is_the_slope_of_the_log_likelihood(label: float, theta: float) -> None:
    step = 1e-5
    slope = (
        log_likelihood(PRODUCTS + step, label, theta)
        - log_likelihood(PRODUCTS - step, label, theta)
    ) / (2 * step)
    np.testing.assert_allclose(derivative(PRODUCTS, label, theta), slope, atol=1e-8)


def test_probabilities_of_both_labels_add_up() -> None:
    both = np.exp(log_likelihood(PRODUCTS, 1, 3.0)) + np.exp(log_likelihood(PRODUCTS, 0, 3.0))
    np.testing.assert_allclose(both, 1.0, rtol=1e-12)
    np.testing.assert_allclose(probability([-3.0], 3.0), 0.5)


def test_far_points_do_not_overflow() -> None:
    assert log_likelihood(-1e6, 1, 3.0) == pytest.approx(-1e6 + 3)
    assert log_likelihood(-1e6, 0, 3.0) == 0.0
