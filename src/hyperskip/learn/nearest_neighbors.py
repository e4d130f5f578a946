"""The most frequent class among the nearest training points."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError
from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.learn.coordinates import TANGENT
from hyperskip.learn.distances import cosh_less_one, point_blocks
from hyperskip.learn.hyperbolic_estimator import AT_LEAST_ONE, HyperbolicClassifier
from hyperskip.options import Declaration

UNIFORM, DISTANCE = "uniform", "distance"
_WEIGHTS = Declaration(kind=str, help="weight of a neighbor's vote", choices=(UNIFORM, DISTANCE))

_CLOSE = 1e-3  # distance to a neighbor, as a share of the radius, below which products lose digits


class HyperbolicKNeighborsClassifier(HyperbolicClassifier):
    """Classify a point by a vote of the nearest training points, by hyperbolic distance.

    All training points are compared, a block of rows at a time, so the memory does not depend on
    the number of rows to classify.

    Args:
        n_neighbors: Number of neighbors.
        weights: Weight of a neighbor's vote: `uniform`, or `distance` for 1/distance.
        coordinates: Coordinates of the rows: `tangent`, `klein`, `ball` or `point`.

    Attributes:
        classes_: The labels in ascending order.
    """

    _training_points: Floats  # (training rows, d + 1), with their centroid at the base point
    _training_labels: Rows
    _center: Floats

    def __init__(
        self, n_neighbors: int = 5, *, weights: str = UNIFORM, coordinates: str = TANGENT
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.coordinates = coordinates

    def fit(self, X: Any, y: Any) -> Self:
        """Store the training points.

        Args:
            X: (rows, numbers): points in the coordinates of the option.
            y: (rows,): labels.
        """
        self._check_options(n_neighbors=AT_LEAST_ONE, weights=_WEIGHTS)
        points, self._training_labels = self._points_and_labels(X, y)
        if self.n_neighbors > len(points):
            raise OptionError(
                f"`n_neighbors` must be at most the number of training rows, got "
                f"{self.n_neighbors} with n_samples={len(points)}",
                hint="pass more rows, or a smaller `n_neighbors`",
            )
        # Products of points near the base point have the smallest error.
        self._center = hyperboloid.centroid(points)
        self._training_points = hyperboloid.translate_to_base(points, self._center)
        return self

    def kneighbors(self, X: Any) -> tuple[Floats, Rows]:
        """Return the distances and the training rows of the nearest points, nearest first.

        Both are (rows, n_neighbors).
        """
        points = hyperboloid.translate_to_base(self._points(X), self._center)
        found = np.empty((len(points), self.n_neighbors))
        rows = np.empty(found.shape, dtype=np.int64)
        for block in point_blocks(len(points), len(self._training_points)):
            rows[block], found[block] = self._nearest(points[block])
        return found, rows

    def predict_proba(self, X: Any) -> Floats:
        """Return the shares of the classes in the vote (rows, classes)."""
        found, rows = self.kneighbors(X)
        votes = np.zeros((len(rows), len(self.classes_)))
        row_numbers = np.arange(len(rows))[:, None]
        np.add.at(votes, (row_numbers, self._training_labels[rows]), self._vote_weights(found))
        votes /= votes.sum(axis=1, keepdims=True)
        return votes

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label with the most votes for each row (rows,); of equal ones, the first."""
        return self._best(self.predict_proba(X))

    def _nearest(self, points: Floats) -> tuple[Rows, Floats]:
        """Return the training rows and the distances, nearest first; equal ones by row."""
        count = self.n_neighbors
        ranked = cosh_less_one(points, self._training_points)
        rows = np.argpartition(ranked, count - 1, axis=1)[:, :count]
        rows.sort(axis=1)
        found = 2.0 * np.arcsinh(np.sqrt(np.take_along_axis(ranked, rows, axis=1) / 2.0))
        close = np.nonzero(found < _CLOSE * np.arccosh(points[:, -1:]))
        found[close] = hyperboloid.distance(points[close[0]], self._training_points[rows[close]])
        order = np.argsort(found, axis=1, kind="stable")
        return np.take_along_axis(rows, order, axis=1), np.take_along_axis(found, order, axis=1)

    def _vote_weights(self, found: Floats) -> Floats:
        if self.weights == UNIFORM:
            return np.ones_like(found)
        equal = found == 0  # such neighbors have all votes
        weights: Floats = np.where(equal, 1.0, found) ** -1.0
        return np.where(equal.any(axis=1, keepdims=True), equal.astype(np.float64), weights)
