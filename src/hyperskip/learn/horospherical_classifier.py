"""Classifiers with one horosphere for each class: what they share, and their penalized loss."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import OptimizeResult, minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.class_weight import compute_sample_weight

from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.learn.coordinates import TANGENT, from_points, points_from
from hyperskip.learn.horospheres import horosphere_scores
from hyperskip.learn.hyperbolic_estimator import AT_LEAST_ONE, POSITIVE, HyperbolicClassifier

# (scores, targets), both (points, classes), to the loss of each point and its derivatives by scores
PointLosses = Callable[[Floats, Floats], tuple[Floats, Floats]]


class Stage(NamedTuple):
    """A loss to be minimized."""

    losses: PointLosses
    strength: float = 1.0  # of the penalty, times 1 / C


class HorosphericalClassifier(HyperbolicClassifier):
    """A classifier whose scores are weighted signed distances to horospheres.

    The centroid of the training points is moved to the base point. This is an isometry, so the
    result depends on the distances between the points, and not on their position. Subclasses define
    the loss.
    """

    # In a path, losses are minimized one after another, each from the result of the one before. All
    # paths end with the same loss, and the one with the lowest end is chosen.
    _paths: ClassVar[tuple[tuple[Stage, ...], ...]]

    center_: Floats
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
        self._check_options(C=POSITIVE, tol=POSITIVE, max_iter=AT_LEAST_ONE)
        points, labels = self._points_and_labels(X, y)
        self._check_two_classes()
        weights = self._weights(sample_weight, points)
        center = hyperboloid.centroid(points, weights)
        self.center_ = from_points(center[None], self.coordinates)[0]
        moved = hyperboloid.translate_to_base(points, center)
        targets = np.eye(len(self.classes_))[labels]
        weights = weights * compute_sample_weight(self.class_weight, self.classes_[labels])
        loss = PenalizedLoss(moved, targets, weights, penalty=1.0 / self.C)
        best = min((self._end_of(path, loss) for path in self._paths), key=lambda end: end.fun)
        self.n_iter_ = np.array([max(1, min(best.nit, self.max_iter))], dtype=np.int32)
        if best.status == 1:
            warnings.warn(
                f"L-BFGS did not converge in {self.max_iter} iterations: increase max_iter, or "
                "decrease C",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.coef_, self.intercept_ = loss.split(best.x)
        return self

    def _end_of(self, path: tuple[Stage, ...], loss: "PenalizedLoss") -> OptimizeResult:
        parameters = loss.start()
        for stage in path:
            found = minimize(
                partial(loss, stage),
                parameters,
                jac=True,
                method="L-BFGS-B",
                options={
                    "maxiter": self.max_iter,
                    "gtol": self.tol,
                    "ftol": 64 * np.finfo(float).eps,
                },
            )
            parameters = found.x
        return found

    def decision_function(self, X: Any) -> Floats:
        """Return the scores (rows, classes); for two classes, their difference (rows,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label with the greatest score for each row (rows,)."""
        return self._best(self._scores(X))

    def _scores(self, X: Any) -> Floats:
        points = self._points(X)
        center = points_from(self.center_[None], self.coordinates)[0]
        moved = hyperboloid.translate_to_base(points, center)
        return horosphere_scores(moved, self.coef_).values + self.intercept_


class PenalizedLoss:
    """The mean penalized loss as a function of all parameters, with its gradient.

    The parameters are the directions of the horospheres, times the spread of the points, and the
    offsets. The penalty is half of the squared length of the directions in this unit.

    Args:
        points: (points, d + 1), centered.
        targets: (points, classes): 1 for the class of the point, otherwise 0.
        weights: (points,).
        penalty: Factor of the penalty.
    """

    def __init__(
        self,
        points: Floats,
        targets: Floats,
        weights: Floats,
        *,
        penalty: float,
    ) -> None:
        self._points = points
        self._targets = targets
        self._weights = weights / weights.sum()
        self._penalty = penalty / weights.sum()
        self._spread = _spread(points, weights)

    def start(self) -> Floats:
        """Return parameters to start with: the directions from the center to the classes."""
        tangents = charts.to_tangent(self._points)
        shares = np.maximum(self._weights @ self._targets, np.finfo(float).tiny)
        means = (self._weights[:, None] * self._targets).T @ tangents / shares[:, None]
        return np.concatenate([(means / self._spread).ravel(), np.log(shares)])

    def split(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return the directions (classes, d) and the offsets (classes,)."""
        classes = self._targets.shape[1]
        return parameters[:-classes].reshape(classes, -1) / self._spread, parameters[-classes:]

    def __call__(self, stage: Stage, parameters: Floats) -> tuple[float, Floats]:
        """Return the mean loss of a stage with the penalty, and its gradient."""
        directions, offsets = self.split(parameters)
        scores = horosphere_scores(self._points, directions)
        of_points, by_score = stage.losses(scores.values + offsets, self._targets)
        by_score = self._weights[:, None] * by_score
        gradient = scores.gradient(self._points, directions, by_score) / self._spread
        scaled, penalty = directions * self._spread, stage.strength * self._penalty
        loss = self._weights @ of_points + 0.5 * penalty * np.sum(scaled**2)
        gradient += penalty * scaled
        return float(loss), np.concatenate([gradient.ravel(), by_score.sum(axis=0)])


def _spread(centered: Floats, weights: Floats) -> float:
    """Return the root mean square distance of points to the base point; 1 if it is 0."""
    radii = np.arcsinh(np.linalg.norm(centered[:, :-1], axis=1))
    return float(np.sqrt(np.average(radii**2, weights=weights))) or 1.0
