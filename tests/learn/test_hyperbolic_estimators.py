"""What every hyperbolic estimator does: scikit-learn's own checks, pipelines, pickles, errors."""

import pickle
from typing import Any

import numpy as np
import pytest
from facts import naming
from hyperbolic_samples import clusters
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from hyperskip.errors import GeometryError, OptionError
from hyperskip.learn import (
    HorosphericalSVC,
    HyperbolicKMeans,
    HyperbolicKNeighborsClassifier,
    HyperbolicLogisticRegression,
    HyperbolicNearestCentroid,
)

CLASSIFIERS = [
    HorosphericalSVC(),
    HyperbolicKNeighborsClassifier(),
    HyperbolicLogisticRegression(),
    HyperbolicNearestCentroid(),
]
K_MEANS = HyperbolicKMeans(3, n_init=2, random_state=0)
ESTIMATORS = [*CLASSIFIERS, K_MEANS]


def names(estimator: Any) -> str:
    return type(estimator).__name__


every_classifier = pytest.mark.parametrize("classifier", CLASSIFIERS, ids=names)
every_estimator = pytest.mark.parametrize("estimator", ESTIMATORS, ids=names)


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ESTIMATORS)  # type: ignore[untyped-decorator]
def test_the_conventions_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


@every_estimator
def test_clones_and_pickles_predict_the_same(estimator: Any) -> None:
    sample = clusters(deviation=1.0)
    fitted = clone(estimator).fit(sample.rows(), sample.labels)
    expected = fitted.predict(sample.rows())
    again = clone(fitted).fit(sample.rows(), sample.labels)
    assert (again.predict(sample.rows()) == expected).all()
    assert (pickle.loads(pickle.dumps(fitted)).predict(sample.rows()) == expected).all()


@every_classifier
def test_pipelines_and_grid_searches(classifier: Any) -> None:
    sample = clusters(deviation=0.8)
    pipeline = Pipeline([("scale", StandardScaler()), ("classify", clone(classifier))])
    search = GridSearchCV(pipeline, {"scale__with_mean": [True, False]}, cv=3)
    search.fit(sample.rows(), sample.labels)
    assert search.best_score_ > 0.9
    assert (search.predict(sample.rows()) == sample.labels).mean() > 0.9


def test_k_means_names_its_columns() -> None:
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame(clusters().rows(), columns=list("abcd"))
    model = clone(K_MEANS).set_output(transform="pandas").fit(rows)
    frame = model.transform(rows)
    assert list(frame.columns) == [f"hyperbolickmeans{cluster}" for cluster in range(3)]
    assert list(model.get_feature_names_out()) == list(frame.columns)
    assert list(model.feature_names_in_) == list("abcd")


@every_estimator
def test_rows_that_are_not_points_are_named(estimator: Any) -> None:
    sample = clusters()
    rows = sample.rows("klein")
    rows[5] *= 2 / np.linalg.norm(rows[5])
    with pytest.raises(GeometryError, match=naming("row 5", "klein")):
        clone(estimator).set_params(coordinates="klein").fit(rows, sample.labels)
    with pytest.raises(GeometryError, match=naming("row 0", "hyperboloid")):
        clone(estimator).set_params(coordinates="point").fit(rows, sample.labels)
    with pytest.raises(OptionError, match=naming("coordinates", "poincare")):
        clone(estimator).set_params(coordinates="poincare").fit(rows, sample.labels)


@every_estimator
def test_bad_input_is_refused_as_in_scikit_learn(estimator: Any) -> None:
    sample = clusters()
    rows = sample.rows()
    with pytest.raises(NotFittedError):
        clone(estimator).predict(rows)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        clone(estimator).fit(csr_array(rows), sample.labels)
    rows[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        clone(estimator).fit(rows, sample.labels)


@every_classifier
@pytest.mark.parametrize("wrong", [None, 3])
def test_a_label_that_is_not_a_string_among_strings_is_named(classifier: Any, wrong: Any) -> None:
    with pytest.raises(OptionError, match=naming("`y`", "row 1", wrong)):
        clone(classifier).fit(np.eye(3), np.array(["a", wrong, "b"], dtype=object))


@pytest.mark.parametrize(
    ("estimator", "name", "value", "default"),
    [
        (HyperbolicLogisticRegression(), "C", 0, 1),
        (HorosphericalSVC(), "tol", "small", 0.0001),
        (HorosphericalSVC(), "max_iter", 1.5, 1000),
        (HyperbolicKNeighborsClassifier(), "n_neighbors", 0, 5),
        (HyperbolicKNeighborsClassifier(), "weights", "near", "uniform"),
        (HyperbolicKMeans(), "n_clusters", True, 8),
        (HyperbolicNearestCentroid(), "coordinates", 3, "tangent"),
    ],
)
def test_errors_name_the_value_and_the_default(
    estimator: Any, name: str, value: Any, default: Any
) -> None:
    with pytest.raises(OptionError, match=naming(f"`{name}`", repr(value), default)):
        estimator.set_params(**{name: value}).fit(np.eye(9), list("aaabbbccc"))


@every_estimator
def test_numbers_of_any_size_are_points(estimator: Any) -> None:
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((60, 3)) * 10.0 ** generator.uniform(-300, 300, (60, 1))
    labels = np.arange(60) % 2
    with np.errstate(under="ignore"):
        fitted = clone(estimator).fit(rows, labels)
        assert set(fitted.predict(rows)) <= {0, 1, 2}
