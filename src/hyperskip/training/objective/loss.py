"""The objective as a function of one scalar: the score of a center and a target.

In Euclidean space the score is the product <u, v>. On the hyperboloid it is made from the product
m = <u, v>_M, which is -1 for a word with itself and falls with the distance.
"""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats


def hyperbolic_score(
    product: npt.ArrayLike, theta: float, *, factors: int = 1, curvature: float = 1.0
) -> Floats:
    """(m + k)/c + theta - 1, for the sum m of the products on k hyperboloids of curvature -c.

    For one hyperboloid of curvature -1 this is the paper's m + theta. The points of a hyperboloid
    of curvature -c are those of the unit hyperboloid times 1/sqrt(c), and their products are m/c.
    In any of these spaces, a word scores theta - 1 with itself.
    """
    return (np.asarray(product) + factors) / curvature + theta - 1.0


def probability(score: npt.ArrayLike) -> Floats:
    """P(y = 1) = sigma(score), the probability that the target is a true context."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -np.asarray(score))))


def hyperbolic_probability(product: npt.ArrayLike, theta: float) -> Floats:
    """The probability for the paper's score."""
    return probability(hyperbolic_score(product, theta))


def log_likelihood(score: npt.ArrayLike, label: npt.ArrayLike) -> Floats:
    """Log sigma((-1)^(1 - y) score), one factor of equation (hyperbolic_loss)."""
    sign = 2.0 * np.asarray(label) - 1.0
    return np.asarray(-np.logaddexp(0.0, -sign * np.asarray(score)))


def derivative(score: npt.ArrayLike, label: npt.ArrayLike) -> Floats:
    """Derivative of the log-likelihood by the score: y - sigma(score), as in (gradient_alpha)."""
    return np.asarray(np.asarray(label) - probability(score))
