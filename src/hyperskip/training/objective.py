"""The objective as a function of one scalar: the product m of a centre and a target.

On the hyperboloid m = <u, v>_M, and theta shifts it; in Euclidean space m = <u, v> and theta is 0.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def probability(product: npt.ArrayLike, theta: float) -> Floats:
    """P(y = 1) = sigma(m + theta), the probability that the target is a true context."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -(np.asarray(product) + theta))))


def log_likelihood(product: npt.ArrayLike, label: npt.ArrayLike, theta: float) -> Floats:
    """Log sigma((-1)^(1 - y) (m + theta)), one factor of equation (hyperbolic_loss)."""
    sign = 2.0 * np.asarray(label) - 1.0
    return np.asarray(-np.logaddexp(0.0, -sign * (np.asarray(product) + theta)))


def derivative(product: npt.ArrayLike, label: npt.ArrayLike, theta: float) -> Floats:
    """Derivative of the log-likelihood by m: y - sigma(m + theta), as in (gradient_alpha)."""
    return np.asarray(np.asarray(label) - probability(product, theta))
