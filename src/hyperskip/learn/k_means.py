"""K-means on the hyperboloid, with Lorentzian centroids."""

import warnings
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from hyperskip.errors import OptionError
from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.learn.coordinates import TANGENT, from_points, points_from
from hyperskip.learn.distances import cosh_less_one, distances
from hyperskip.learn.hyperbolic_estimator import AT_LEAST_ONE, HyperbolicEstimator


class HyperbolicKMeans(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, HyperbolicEstimator
):
    """K-means of points: each cluster has the Lorentzian centroid of its points as its center.

    It minimizes the sum of the squared Lorentzian distances 2(cosh(distance) - 1) to the nearest
    center, which the centroid of a cluster minimizes exactly. For close points they are squared
    distances. The order of the rows does not change the result.

    Args:
        n_clusters: Number of clusters.
        n_init: Number of runs from different first centers (k-means++); the best one is kept.
        max_iter: Largest number of iterations of a run.
        random_state: Seed for the choice of the first centers.
        coordinates: Coordinates of the rows: `tangent`, `klein`, `ball` or `point`.

    Attributes:
        cluster_centers_: (clusters, numbers): the centers, in the coordinates of the input.
        labels_: (rows,): cluster of each training row.
        inertia_: Sum of the squared Lorentzian distances to the nearest center.
        n_iter_: Number of iterations of the best run.
    """

    cluster_centers_: Floats
    labels_: npt.NDArray[np.int32]
    inertia_: float
    n_iter_: int

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        n_init: int = 10,
        max_iter: int = 300,
        random_state: Any = None,
        coordinates: str = TANGENT,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state
        self.coordinates = coordinates

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:  # noqa: ARG002
        """Find the clusters.

        Args:
            X: (rows, numbers): points in the coordinates of the option.
            y: Not used.
            sample_weight: (rows,): weights of the rows, all 1 by default.
        """
        self._check_options(n_clusters=AT_LEAST_ONE, n_init=AT_LEAST_ONE, max_iter=AT_LEAST_ONE)
        points = self._points(X, reset=True)
        weights = self._weights(sample_weight, points)
        if self.n_clusters > len(points):
            raise OptionError(
                f"`n_clusters` must be at most the number of rows, got {self.n_clusters} with "
                f"n_samples={len(points)}",
                hint="pass more rows, or a smaller `n_clusters`",
            )
        # Sorted distinct points: neither order nor repetition of the rows changes the result.
        distinct, row_of = np.unique(points[weights > 0], axis=0, return_inverse=True)
        if len(distinct) < self.n_clusters:
            warnings.warn(
                f"there are {len(distinct)} distinct points for {self.n_clusters} clusters: some "
                "clusters will be empty",
                ConvergenceWarning,
                stacklevel=2,
            )
        totals = np.zeros(len(distinct))
        np.add.at(totals, row_of.ravel(), weights[weights > 0])
        random = check_random_state(self.random_state)
        starts = [
            _first_centers(distinct, totals, self.n_clusters, random) for _ in range(self.n_init)
        ]
        runs = [_lloyd(distinct, totals, centers, self.max_iter) for centers in starts]
        best = min(runs, key=lambda run: run.inertia)
        self.cluster_centers_ = from_points(best.centers, self.coordinates)
        self.inertia_ = best.inertia
        self.n_iter_ = best.iterations
        self.labels_ = self._nearest(points)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.int32]:
        """Return the cluster of each row (rows,)."""
        return self._nearest(self._points(X))

    def transform(self, X: Any) -> Floats:
        """Return the hyperbolic distances to the centers (rows, clusters)."""
        return distances(self._points(X), self._centers())

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:  # noqa: ARG002
        """Return the negative sum of the squared Lorentzian distances to the nearest center."""
        points = self._points(X)
        nearest = cosh_less_one(points, self._centers()).min(axis=1)
        return -2.0 * float(self._weights(sample_weight, points) @ nearest)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _centers(self) -> Floats:
        return points_from(self.cluster_centers_, self.coordinates)

    def _nearest(self, points: Floats) -> npt.NDArray[np.int32]:
        labels: Rows = cosh_less_one(points, self._centers()).argmin(axis=1)
        return labels.astype(np.int32)


class _Run(NamedTuple):
    centers: Floats
    inertia: float
    iterations: int


def _first_centers(
    points: Floats, weights: Floats, count: int, random: np.random.RandomState
) -> Floats:
    """Draw points that are far from each other (k-means++): by the inertia that they would save."""
    chosen = [int(random.choice(len(points), p=weights / weights.sum()))]
    inertias = weights * cosh_less_one(points, points[chosen])[:, 0]
    while len(chosen) < count:
        total = inertias.sum()
        # If all points are chosen, the rest are repetitions and their clusters stay empty.
        chosen.append(int(random.choice(len(points), p=inertias / total)) if total > 0 else 0)
        inertias = np.minimum(inertias, weights * cosh_less_one(points, points[chosen[-1:]])[:, 0])
    return points[chosen]


def _lloyd(points: Floats, weights: Floats, centers: Floats, max_iter: int) -> _Run:
    """Alternate between assigning points to centers and moving centers, until nothing changes."""
    previous: Rows | None = None
    iterations = 0
    while True:
        inertias = cosh_less_one(points, centers)
        labels = inertias.argmin(axis=1)
        nearest = weights * inertias[np.arange(len(points)), labels]
        if iterations == max_iter or (previous is not None and np.array_equal(previous, labels)):
            return _Run(centers, 2.0 * float(nearest.sum()), iterations)
        centers = _centroids(points, weights, labels, len(centers), nearest)
        previous, iterations = labels, iterations + 1


def _centroids(
    points: Floats, weights: Floats, labels: Rows, count: int, inertias: Floats
) -> Floats:
    """Return the centroids of the clusters; a center without points goes to the worst point."""
    members = csr_array((weights, (labels, np.arange(len(points)))), (count, len(points)))
    sums = np.asarray(members @ points)
    empty = sums[:, -1] == 0
    sums[empty] = points[0]
    centers = hyperboloid.centroid_of_mean(sums)  # the sum is as good as the mean
    if empty.any():
        centers[empty] = points[np.resize(np.argsort(-inertias, kind="stable"), empty.sum())]
    return centers
