"""Nearest centroid and nearest neighbors: known answers, isometries, votes and options."""

from typing import Any

import numpy as np
import pytest
from facts import naming
from hyperbolic_samples import clusters, rotated, translated, tree
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import geometry as hyperbolic
from hyperskip.errors import OptionError
from hyperskip.geometry.arrays import Floats
from hyperskip.learn import HyperbolicKNeighborsClassifier, HyperbolicNearestCentroid
from hyperskip.learn import distances as module
from hyperskip.learn.coordinates import COORDINATES, from_points, points_from
from hyperskip.learn.distances import cosh_less_one, distances

both = pytest.mark.parametrize(
    "classifier", [HyperbolicNearestCentroid, HyperbolicKNeighborsClassifier]
)


@settings(max_examples=50)
@given(
    arrays(np.float64, (3, 4), elements=st.floats(-2, 2)),
    arrays(np.float64, (2, 4), elements=st.floats(-2, 2)),
)
def test_products_give_the_distances(one: Floats, other: Floats) -> None:
    points, others = points_from(one, "tangent"), points_from(other, "tangent")
    exact = distances(points, others)
    # The error of the product is u·e^2r, at a radius of up to 4.
    np.testing.assert_allclose(cosh_less_one(points, others), np.cosh(exact) - 1, atol=1e-11)


def test_products_keep_small_distances() -> None:
    points = points_from(np.array([[1e-7, 0.0], [0.0, 2e-7]]), "tangent")
    squared = 2 * cosh_less_one(points, points)
    np.testing.assert_allclose(squared, [[0, 5e-14], [5e-14, 0]], rtol=1e-9, atol=1e-27)


@both
def test_clusters_are_separated(classifier: Any) -> None:
    train, test = clusters(), clusters(size=100)
    assert classifier().fit(train.rows(), train.labels).score(test.rows(), test.labels) == 1


@both
@pytest.mark.parametrize("isometry", [rotated, translated])
def test_isometries_do_not_change_the_result(classifier: Any, isometry: Any) -> None:
    sample = clusters(deviation=1.0)
    moved = from_points(isometry(sample.points), "tangent")
    expected = classifier().fit(sample.rows(), sample.labels).predict(sample.rows())
    assert (classifier().fit(moved, sample.labels).predict(moved) == expected).all()


@both
@pytest.mark.parametrize("coordinates", COORDINATES)
def test_coordinates_do_not_change_the_result(classifier: Any, coordinates: str) -> None:
    sample = clusters(deviation=1.0)
    expected = classifier().fit(sample.rows(), sample.labels).predict(sample.rows())
    rows = sample.rows(coordinates)
    model = classifier(coordinates=coordinates).fit(rows, sample.labels)
    assert (model.predict(rows) == expected).all()


def test_centroids_are_lorentzian() -> None:
    sample = clusters()
    model = HyperbolicNearestCentroid(coordinates="point").fit(sample.points, sample.labels)
    for label in range(3):
        expected = hyperbolic.centroid(sample.points[sample.labels == label])
        np.testing.assert_allclose(model.centroids_[label], expected)
    decision = model.decision_function(sample.points)
    np.testing.assert_allclose(decision, -distances(sample.points, model.centroids_))


def test_two_centroids_have_one_decision() -> None:
    model = HyperbolicNearestCentroid().fit([[1.0, 0.0], [-1.0, 0.0]], ["right", "left"])
    decision = model.decision_function([[0.5, 0.0], [0.0, 3.0], [-2.0, 0.0]])
    np.testing.assert_allclose(decision, [1, 0, -2], atol=1e-12)
    assert model.classes_.tolist() == ["left", "right"]


def test_one_class_has_no_border() -> None:
    with pytest.raises(OptionError, match=naming("2 classes", "class: 'only'")):
        HyperbolicNearestCentroid().fit(np.eye(2), ["only", "only"])
    model = HyperbolicKNeighborsClassifier(1).fit(np.eye(2), ["only", "only"])
    assert model.predict(np.eye(2)).tolist() == ["only", "only"]


def test_neighbors_are_those_of_a_full_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_CELLS_AT_ONCE", 300)  # several blocks of rows
    train, test = clusters(deviation=1.0, seed=1), clusters(deviation=1.0, seed=2)
    model = HyperbolicKNeighborsClassifier(7).fit(train.rows(), train.labels)
    found, rows = model.kneighbors(test.rows())
    full = distances(test.points, train.points)
    np.testing.assert_array_equal(rows, np.argsort(full, axis=1)[:, :7])
    np.testing.assert_allclose(found, np.sort(full, axis=1)[:, :7])


def test_neighbors_in_a_tree_are_parent_and_children() -> None:
    sample = tree(depth=5)
    model = HyperbolicKNeighborsClassifier(4).fit(sample.rows(), sample.labels)
    found, _ = model.kneighbors(sample.rows()[1:2])  # an inner node, far from the leaves
    np.testing.assert_allclose(found[0], [0, 1.5, 1.5, 1.5], atol=1e-9)


def test_votes_by_distance() -> None:
    rows = [[0.0, 0.0], [0.2, 0.0], [-0.4, 0.0]]
    model = HyperbolicKNeighborsClassifier(3, weights="distance").fit(rows, [0, 1, 1])
    shares = model.predict_proba([[0.1, 0.0], [0.0, 0.0]])
    votes = np.array([10, 10 + 2])
    np.testing.assert_allclose(shares[0], votes / votes.sum())
    np.testing.assert_allclose(shares[1], [1, 0])  # the distance to the first row is 0
    uniform = HyperbolicKNeighborsClassifier(3).fit(rows, [0, 1, 1])
    np.testing.assert_allclose(uniform.predict_proba([[0.1, 0.0]])[0], [1 / 3, 2 / 3])


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"n_neighbors": 0}, ["n_neighbors", 0]),
        ({"n_neighbors": 4}, ["n_neighbors", 4, "n_samples=3"]),
        ({"weights": "equal"}, ["weights", "uniform", "distance", "equal"]),
        ({"coordinates": "disc"}, ["coordinates", "disc"]),
    ],
)
def test_invalid_options_are_named(options: dict[str, Any], facts: list[object]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        HyperbolicKNeighborsClassifier(**{"n_neighbors": 1, **options}).fit(np.eye(3), [0, 1, 1])
