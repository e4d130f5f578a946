"""Logistic regression on the hyperboloid, with signed distances to horospheres as scores."""

from typing import Any

import numpy as np
from scipy.special import log_softmax, softmax

from hyperskip.geometry.arrays import Floats
from hyperskip.learn.horospherical_classifier import HorosphericalClassifier, Stage


def softmax_losses(scores: Floats, targets: Floats) -> tuple[Floats, Floats]:
    """Return the negative log-likelihood of each point, and its derivatives by the scores."""
    logs = log_softmax(scores, axis=1)
    return -np.sum(targets * logs, axis=1), np.exp(logs) - targets


class HyperbolicLogisticRegression(HorosphericalClassifier):
    """Multinomial logistic regression whose scores are signed distances to horospheres.

    The score of a class is the signed distance of a point to a horosphere through the center of the
    training points, times the length of the class's row of `coef_`, plus its `intercept_`. It is
    positive inside of the horosphere. For points that are close to each other, this is an ordinary
    logistic regression in their tangent space. `C` has the same effect at any position, scale and
    dimension of the points: their centroid is moved to the base point, and the penalty is given in
    units of their spread (the root mean square distance to the centroid).

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

    _paths = ((Stage(softmax_losses),),)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classes (rows, classes)."""
        return np.asarray(softmax(self._scores(X), axis=1))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the probabilities of the classes (rows, classes)."""
        return np.asarray(log_softmax(self._scores(X), axis=1))
