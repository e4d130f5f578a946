"""Estimators for scikit-learn: documents as points, and classifiers for points.

The package needs scikit-learn (the extra `learn`), which is loaded when an estimator is first used.
"""

from importlib.util import find_spec

from hyperskip.errors import MissingPackageError
from hyperskip.public_names import import_public

TYPE_CHECKING = False  # that of `typing` would take longer to load than this module
if TYPE_CHECKING:
    from hyperskip.learn.k_means import HyperbolicKMeans
    from hyperskip.learn.logistic_regression import HyperbolicLogisticRegression
    from hyperskip.learn.nearest_centroid import HyperbolicNearestCentroid
    from hyperskip.learn.nearest_neighbors import HyperbolicKNeighborsClassifier
    from hyperskip.learn.support_vectors import HorosphericalSVC
    from hyperskip.learn.vectorizer import HyperskipVectorizer

if find_spec("sklearn") is None:
    raise MissingPackageError("scikit-learn", "learn", "hyperskip.learn")

# The module of each public name, imported when the name is first used.
_MODULES = {
    "HorosphericalSVC": "support_vectors",
    "HyperbolicKMeans": "k_means",
    "HyperbolicKNeighborsClassifier": "nearest_neighbors",
    "HyperbolicLogisticRegression": "logistic_regression",
    "HyperbolicNearestCentroid": "nearest_centroid",
    "HyperskipVectorizer": "vectorizer",
}

__all__ = [
    "HorosphericalSVC",
    "HyperbolicKMeans",
    "HyperbolicKNeighborsClassifier",
    "HyperbolicLogisticRegression",
    "HyperbolicNearestCentroid",
    "HyperskipVectorizer",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    return import_public(name, __name__, _MODULES)
