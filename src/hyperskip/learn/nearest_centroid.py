"""The class with the nearest centroid."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats
from hyperskip.learn.coordinates import TANGENT, from_points, points_from
from hyperskip.learn.distances import distances
from hyperskip.learn.hyperbolic_estimator import HyperbolicClassifier


class HyperbolicNearestCentroid(HyperbolicClassifier):
    """Classify a point as the class whose Lorentzian centroid is nearest.

    Args:
        coordinates: Coordinates of the rows: `tangent`, `klein`, `ball` or `point`.

    Attributes:
        classes_: The labels in ascending order.
        centroids_: (classes, numbers): centroids of the classes, in the coordinates of the input.
    """

    centroids_: Floats

    def __init__(self, *, coordinates: str = TANGENT) -> None:
        self.coordinates = coordinates

    def fit(self, X: Any, y: Any) -> Self:
        """Compute the centroids.

        Args:
            X: (rows, numbers): points in the coordinates of the option.
            y: (rows,): labels.
        """
        points, labels = self._points_and_labels(X, y)
        self._check_two_classes()
        centroids = [
            hyperboloid.centroid(points[labels == label]) for label in range(len(self.classes_))
        ]
        self.centroids_ = from_points(np.stack(centroids), self.coordinates)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return the negative distances to the centroids (rows, classes).

        For two classes, it is the difference of the two distances (rows,).
        """
        found = self._distances(X)
        return found[:, 0] - found[:, 1] if len(self.classes_) == 2 else -found

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the label of the nearest centroid for each row (rows,)."""
        return self._best(-self._distances(X))

    def _distances(self, X: Any) -> Floats:
        points = self._points(X)
        return distances(points, points_from(self.centroids_, self.coordinates))
