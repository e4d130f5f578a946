"""Estimators for scikit-learn: documents as points, and classifiers for points.

The package needs scikit-learn (the extra `learn`), which is loaded when an estimator is first used.
"""

from importlib.util import find_spec

from hyperskip.errors import MissingPackageError
from hyperskip.public_names import import_public

TYPE_CHECKING = False  # that of `typing` would take longer to load than this module
if TYPE_CHECKING:
    from hyperskip.learn.vectorizer import HyperskipVectorizer

if find_spec("sklearn") is None:
    raise MissingPackageError("scikit-learn", "learn", "hyperskip.learn")

# The module of each public name, imported when the name is first used.
_MODULES = {
    "HyperskipVectorizer": "vectorizer",
}

__all__ = ["HyperskipVectorizer"]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    return import_public(name, __name__, _MODULES)
