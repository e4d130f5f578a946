"""A large-margin classifier: each class is inside of a horoball."""

import numpy as np

from hyperskip.geometry.arrays import Floats
from hyperskip.learn.horospherical_classifier import HorosphericalClassifier, Stage
from hyperskip.learn.logistic_regression import softmax_losses


def squared_hinge_losses(scores: Floats, targets: Floats) -> tuple[Floats, Floats]:
    """Return the squared hinge loss of each point, and its derivatives by the scores."""
    signs = 2.0 * targets - 1.0
    slack = np.maximum(1.0 - signs * scores, 0.0)
    return np.sum(slack**2, axis=1), -2.0 * signs * slack


class HorosphericalSVC(HorosphericalClassifier):
    """Linear support vector classifier of hyperbolic space, with horospheres for hyperplanes.

    Each class is separated from all others by a horosphere, whose inside belongs to the class (Fan
    et al. 2023). The loss is the squared hinge, as in scikit-learn's LinearSVC, and for points that
    are close to each other the classifier is the same in their tangent space. `C` has the same
    effect at any position, scale and dimension of the points, as in HyperbolicLogisticRegression.

    Args:
        C: Inverse strength of the penalty: smaller values mean a stronger penalty.
        class_weight: Weights of the classes: a dict, `balanced` or None, as in scikit-learn.
        tol: Stop when no derivative of the mean loss is greater.
        max_iter: Largest number of iterations of L-BFGS.
        coordinates: Coordinates of the rows: `tangent`, `klein`, `ball` or `point`.

    Attributes:
        classes_: The labels in ascending order.
        center_: Centroid of the training points, in the coordinates of the input.
        coef_: (classes, d): the direction in which the score of each class increases fastest, seen
            from the center.
        intercept_: (classes,): scores of the center.
        n_iter_: (1,): number of iterations.
    """

    # L-BFGS may end in a local minimum with a horosphere at infinity. That is rare after the
    # softmax loss, and very rare from both of its minima.
    _paths = (
        (Stage(softmax_losses), Stage(squared_hinge_losses)),
        (Stage(softmax_losses, strength=10.0), Stage(squared_hinge_losses)),
    )
