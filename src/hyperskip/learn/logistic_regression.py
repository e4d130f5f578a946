"""Logistic regression on the hyperboloid, with signed distances to horospheres as scores."""

import warnings
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.exceptions import ConvergenceWarning

from hyperskip.geometry.arrays import Floats
from hyperskip.learn.coordinates import TANGENT, tangents_at_base
from hyperskip.learn.hyperbolic_estimator import CenteredClassifier, check_number, spread
from hyperskip.learn.horospheres import horosphere_scores


class HyperbolicLogisticRegression(CenteredClassifier):
    """Multinomial logistic regression whose scores are signed distances to horospheres.

    The score of a class is the signed distance of a point to a horosphere through the center of the
    training points, times the length of the class's row of `coef_`, plus its `intercept_`. For
    points that are close to each other, this is an ordinary logistic regression in their tangent
    space. `C` has the same effect at any position, scale and dimension of the points: their
    centroid is moved to the base point, and the penalty is given in units of their spread.

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
        intercept_: (classes,): scores of the center, with a sum of 0.
        n_iter_: (1,): number of iterations.
    """

    coef_: Floats
    intercept_: Floats
    n_iter_: npt.NDArray[np.int32]

    def __init__(
        self,
        C: float = 1.0,
        *,
        class_weight: Any = None,
        tol: float = 1e-4,
        max_iter: int = 1000,
        coordinates: str = TANGENT,
    ) -> None:
        self.C = C
        self.class_weight = class_weight
        self.tol = tol
        self.max_iter = max_iter
        self.coordinates = coordinates

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit a horosphere for each class.

        Args:
            X: (rows, numbers): points in the coordinates of the option.
            y: (rows,): labels.
            sample_weight: (rows,): weights of the rows, all 1 by default.
        """
        check_number("C", self.C, least=0)
        check_number("tol", self.tol, least=0)
        check_number("max_iter", self.max_iter, least=1, whole=True)
        points, labels, weights = self._centered_training_data(X, y, sample_weight)
        targets = np.eye(len(self.classes_))[labels]
        loss = LogisticLoss(points, targets, weights, penalty=1.0 / self.C)
        found = minimize(
            loss,
            loss.start(),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": self.max_iter, "gtol": self.tol, "ftol": 64 * np.finfo(float).eps},
        )
        self.n_iter_ = np.array([max(1, min(found.nit, self.max_iter))], dtype=np.int32)
        if found.status == 1:
            warnings.warn(
                f"L-BFGS did not converge in {self.max_iter} iterations: increase max_iter, or "
                "decrease C",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.coef_, offsets = loss.split(found.x)
        self.intercept_ = offsets - offsets.mean()
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return the scores (rows, classes); for two classes, their difference (rows,)."""
        values = self._scores(X)
        return values[:, 1] - values[:, 0] if len(self.classes_) == 2 else values

    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classes (rows, classes)."""
        return np.asarray(softmax(self._scores(X), axis=1))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of the probabilities of the classes (rows, classes)."""
        return np.asarray(log_softmax(self._scores(X), axis=1))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable label of each row (rows,)."""
        labels = self._scores(X).argmax(axis=1)
        return self.classes_[labels]

    def _scores(self, X: Any) -> Floats:
        points = self._centered(X)
        return horosphere_scores(points, self.coef_).values + self.intercept_


class LogisticLoss:
    """The mean penalized loss as a function of all parameters, with its gradient.

    The parameters are the directions of the horospheres, times the spread of the points, and the
    offsets. The penalty is half of the squared length of the directions, in this unit.

    Args:
        points: (points, d + 1), centered.
        targets: (points, classes): 1 for the class of the point.
        weights: (points,).
        penalty: Factor of the penalty.
    """

    def __init__(self, points: Floats, targets: Floats, weights: Floats, *, penalty: float) -> None:
        self._points = points
        self._targets = targets
        self._weights = weights / weights.sum()
        self._spread = spread(points, weights)
        self._penalty = penalty / weights.sum()

    def start(self) -> Floats:
        """Return parameters to start with: the directions from the center to the classes."""
        tangents = tangents_at_base(self._points)
        shares = np.maximum(self._weights @ self._targets, np.finfo(float).tiny)
        means = (self._weights[:, None] * self._targets).T @ tangents / shares[:, None]
        return np.concatenate([(means / self._spread).ravel(), np.log(shares)])

    def split(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the directions (classes, d) and the offsets (classes,)."""
        classes = self._targets.shape[1]
        return parameters[:-classes].reshape(classes, -1) / self._spread, parameters[-classes:]

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        """Return the loss and its gradient."""
        directions, offsets = self.split(parameters)
        scores = horosphere_scores(self._points, directions)
        logs = log_softmax(scores.values + offsets, axis=1)
        residuals = self._weights[:, None] * (np.exp(logs) - self._targets)
        scaled = parameters[: directions.size].reshape(directions.shape)
        loss = -self._weights @ np.sum(self._targets * logs, axis=1)
        loss += 0.5 * self._penalty * np.sum(scaled**2)
        gradient = scores.gradient(self._points, directions, residuals) / self._spread
        gradient += self._penalty * scaled
        return float(loss), np.concatenate([gradient.ravel(), residuals.sum(axis=0)])
