"""Logistic regression and support vectors: known answers, isometries, weights and options."""

from typing import Any

import numpy as np
import pytest
from facts import naming
from hyperbolic_samples import clusters, rotated, translated, tree
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from hyperskip.errors import OptionError
from hyperskip.geometry.arrays import Floats
from hyperskip.learn import HorosphericalSVC, HyperbolicLogisticRegression
from hyperskip.learn.coordinates import COORDINATES, from_points

both = pytest.mark.parametrize("classifier", [HyperbolicLogisticRegression, HorosphericalSVC])


@both
def test_clusters_are_separated(classifier: Any) -> None:
    train, test = clusters(seed=0), clusters(seed=0, size=100, deviation=0.3)
    model = classifier().fit(train.rows(), train.labels)
    assert model.score(test.rows(), test.labels) == 1
    assert model.coef_.shape == (3, 4)
    assert model.intercept_.shape == (3,)


@both
def test_subtrees_of_a_tree_in_the_disc_are_separated(classifier: Any) -> None:
    sample = tree()
    model = classifier(C=100).fit(sample.rows(), sample.labels)
    assert model.score(sample.rows(), sample.labels) == 1
    # The scores of the two subtrees increase in the directions of the two children of the root.
    np.testing.assert_allclose(model.center_, 0, atol=1e-6)
    assert model.coef_[0, 0] > 10 * abs(model.coef_[0, 1])
    assert model.coef_[1, 0] < -10 * abs(model.coef_[1, 1])


@both
@pytest.mark.parametrize("inverse_penalty", [1, 100])
def test_a_horoball_contains_a_subtree(classifier: Any, inverse_penalty: float) -> None:
    sample = tree(depth=8, level=3)
    train = np.random.default_rng(0).permutation(len(sample.labels))[:200]
    model = classifier(C=inverse_penalty).fit(sample.rows()[train], sample.labels[train])
    assert model.score(sample.rows(), sample.labels) > 0.99


@both
@pytest.mark.parametrize("isometry", [rotated, translated])
def test_isometries_do_not_change_the_result(classifier: Any, isometry: Any) -> None:
    sample = clusters(deviation=0.8)
    moved = from_points(isometry(sample.points), "tangent")
    model = classifier(tol=1e-7).fit(sample.rows(), sample.labels)
    again = classifier(tol=1e-7).fit(moved, sample.labels)
    np.testing.assert_allclose(
        model.decision_function(sample.rows()), again.decision_function(moved), atol=1e-3
    )


@both
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_coordinates_do_not_change_the_result(classifier: Any, coordinates: str) -> None:
    sample = clusters(deviation=0.8)
    expected = classifier(tol=1e-7).fit(sample.rows(), sample.labels)
    model = classifier(tol=1e-7, coordinates=coordinates)
    model.fit(sample.rows(coordinates), sample.labels)
    np.testing.assert_allclose(
        model.decision_function(sample.rows(coordinates)),
        expected.decision_function(sample.rows()),
        atol=1e-3,
    )
    assert model.center_.shape == sample.rows(coordinates)[0].shape


def test_close_points_give_an_ordinary_logistic_regression() -> None:
    generator = np.random.default_rng(0)
    rows = 1e-4 * generator.standard_normal((200, 3))
    labels = (rows @ [1e4, -5e3, 0] + generator.standard_normal(200) > 0).astype(int)
    labels[rows[:, 2] > 1e-4] = 2
    model = HyperbolicLogisticRegression(C=2.0, tol=1e-7).fit(rows, labels)
    centered = rows - rows.mean(axis=0)
    spread = np.sqrt(np.mean(np.sum(centered**2, axis=1)))
    flat = LogisticRegression(C=2.0, tol=1e-7, max_iter=1000).fit(centered / spread, labels)
    np.testing.assert_allclose(
        model.predict_proba(rows), flat.predict_proba(centered / spread), atol=1e-3
    )


def test_the_scale_of_close_points_does_not_change_the_result() -> None:
    generator = np.random.default_rng(0)
    rows = generator.standard_normal((100, 3))
    labels = (rows[:, 0] + generator.standard_normal(100) > 0).astype(int)
    small, smaller = 1e-3 * rows, 1e-6 * rows
    one = HyperbolicLogisticRegression(tol=1e-7).fit(small, labels)
    other = HyperbolicLogisticRegression(tol=1e-7).fit(smaller, labels)
    np.testing.assert_allclose(one.predict_proba(small), other.predict_proba(smaller), atol=1e-2)


@both
def test_a_weight_counts_as_repetitions(classifier: Any) -> None:
    sample = clusters(deviation=0.8)
    weights = np.random.default_rng(0).integers(0, 3, len(sample.labels))
    repeated = np.repeat(np.arange(len(weights)), weights)
    rows: Floats = sample.rows()
    weighted = classifier(tol=1e-7).fit(rows, sample.labels, sample_weight=weights)
    expected = classifier(tol=1e-7).fit(rows[repeated], sample.labels[repeated])
    np.testing.assert_allclose(
        weighted.decision_function(rows), expected.decision_function(rows), atol=1e-3
    )


@both
def test_class_weights_move_the_border(classifier: Any) -> None:
    sample = clusters(count=2, deviation=1.5, size=100)
    rare = np.r_[np.arange(100), np.arange(100, 110)]
    rows, labels = sample.rows()[rare], sample.labels[rare]
    plain = classifier().fit(rows, labels).predict(sample.rows())
    balanced = classifier(class_weight="balanced").fit(rows, labels).predict(sample.rows())
    assert balanced.sum() > plain.sum()


def test_probabilities_are_calibrated_in_the_sum_and_add_up_to_one() -> None:
    sample = clusters(deviation=1.2)
    model = HyperbolicLogisticRegression(tol=1e-6).fit(sample.rows(), sample.labels)
    probabilities = model.predict_proba(sample.rows())
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    np.testing.assert_allclose(probabilities.mean(axis=0), 1 / 3, atol=1e-4)
    np.testing.assert_allclose(model.predict_log_proba(sample.rows()), np.log(probabilities))


def test_two_classes_have_one_decision() -> None:
    sample = clusters(count=2)
    names = np.array(["left", "right"])[sample.labels]
    model = HyperbolicLogisticRegression().fit(sample.rows(), names)
    decision = model.decision_function(sample.rows())
    assert decision.shape == names.shape
    assert (model.predict(sample.rows()) == names).all()
    np.testing.assert_allclose(
        model.predict_proba(sample.rows())[:, 1], 1 / (1 + np.exp(-decision))
    )


@both
def test_equal_points_give_the_shares_of_the_classes(classifier: Any) -> None:
    rows = np.ones((6, 2))
    model = classifier().fit(rows, [0, 0, 0, 0, 1, 1])
    assert model.predict(rows).tolist() == [0] * 6
    if classifier is HyperbolicLogisticRegression:
        np.testing.assert_allclose(model.predict_proba(rows)[0], [2 / 3, 1 / 3], atol=1e-3)


@both
def test_too_few_iterations_are_a_warning(classifier: Any) -> None:
    sample = clusters(deviation=1.2)
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        classifier(max_iter=1).fit(sample.rows(), sample.labels)


@both
@pytest.mark.parametrize(
    ("option", "value"),
    [("C", 0), ("C", "1"), ("C", np.inf), ("tol", -1.0), ("max_iter", 0), ("max_iter", 2.5)],
)
def test_invalid_options_are_named(classifier: Any, option: str, value: object) -> None:
    sample = clusters()
    with pytest.raises(OptionError, match=naming(option)):
        classifier(**{option: value}).fit(sample.rows(), sample.labels)
    with pytest.raises(ValueError, match=option):
        classifier(**{option: value}).fit(sample.rows(), sample.labels)


@both
def test_one_class_is_refused(classifier: Any) -> None:
    with pytest.raises(OptionError, match=naming("2 classes", "class: 'only'")):
        classifier().fit(np.eye(3), ["only"] * 3)


def test_weights_of_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="weights"):
        HyperbolicLogisticRegression().fit(np.eye(2), [0, 1], sample_weight=[0.0, 0.0])
