"""What all hyperbolic estimators share: checked rows as points, and labels as numbers."""

import dataclasses
import inspect
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from hyperskip.errors import OptionError, shown
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.learn.coordinates import points_from
from hyperskip.options import Declaration, Range

POSITIVE = Declaration(kind=float, help="a positive number", limits=Range(above=0))
AT_LEAST_ONE = Declaration(kind=int, help="a positive whole number", limits=Range(at_least=1))


class HyperbolicEstimator(BaseEstimator):
    """An estimator whose rows are points of hyperbolic space, in the coordinates of its option."""

    coordinates: str

    def _check_options(self, **options: Declaration) -> None:
        """Check options against declarations; their defaults are those of the constructor."""
        parameters = inspect.signature(type(self)).parameters
        for name, declaration in options.items():
            declared = dataclasses.replace(declaration, default=parameters[name].default)
            declared.checked(name, getattr(self, name))

    def _points(self, X: Any, *, reset: bool = False) -> Floats:
        """Return the rows of X as points (rows, dimension + 1), if the estimator is fitted."""
        if not reset:
            check_is_fitted(self)
        rows = validate_data(self, X, reset=reset, dtype=np.float64)
        return points_from(rows, self.coordinates)

    def _weights(self, sample_weight: Any, points: Floats) -> Floats:
        """Return the weights of the rows, 1 by default."""
        weights: Floats = _check_sample_weight(
            sample_weight, points, dtype=np.float64, ensure_non_negative=True
        )
        return weights


class HyperbolicClassifier(ClassifierMixin, HyperbolicEstimator):
    """A classifier of points; `classes_` are the labels in ascending order."""

    classes_: npt.NDArray[Any]

    def _points_and_labels(self, X: Any, y: Any) -> tuple[Floats, Rows]:
        """Return points (rows, dimension + 1) and the number of each label; set `classes_`."""
        rows, labels = validate_data(self, X, y, dtype=np.float64)
        _check_labels(labels)
        check_classification_targets(labels)
        points = points_from(rows, self.coordinates)
        self.classes_, numbers = np.unique(labels, return_inverse=True)
        return points, numbers

    def _best(self, scores: Floats) -> npt.NDArray[Any]:
        """Return the label with the greatest score in each row; of equal ones, the first."""
        labels: npt.NDArray[Any] = self.classes_[scores.argmax(axis=1)]
        return labels

    def _check_two_classes(self) -> None:
        if len(self.classes_) < 2:
            raise OptionError(
                f"a classifier needs at least 2 classes, got 1 class: "
                f"{shown(self.classes_.tolist()[0])}",
                hint="pass rows of other classes, too; sorted rows must be shuffled before a cut",
            )


def _check_labels(labels: npt.NDArray[Any]) -> None:
    """Refuse None and other objects among strings, which cannot be sorted."""
    if labels.dtype != object or not any(isinstance(label, str) for label in labels):
        return
    for row, label in enumerate(labels):
        if not isinstance(label, str):
            raise OptionError(
                f"`y` must have labels of one type, got {shown(label)} next to strings in row "
                f"{row} (counted from 0)",
                hint="leave out rows without a label"
                if label is None
                else "convert all labels to strings: [str(label) for label in y]",
            )
