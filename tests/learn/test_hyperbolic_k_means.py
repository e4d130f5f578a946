"""K-means: known clusters, falling inertia, isometries, weights and options."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from facts import naming
from hyperbolic_samples import clusters, rotated, translated
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from hyperskip import geometry as hyperbolic
from hyperskip.errors import OptionError
from hyperskip.geometry.arrays import Floats
from hyperskip.learn import HyperbolicKMeans
from hyperskip.learn.coordinates import COORDINATES, from_points, points_from
from hyperskip.learn.distances import distances
from hyperskip.learn.k_means import _centroids, _lloyd


def test_clusters_are_found() -> None:
    sample = clusters()
    model = HyperbolicKMeans(3, random_state=0).fit(sample.rows())
    assert adjusted_rand_score(sample.labels, model.labels_) == 1
    for label in range(3):
        expected = hyperbolic.centroid(sample.points[model.labels_ == label])
        np.testing.assert_allclose(points_from(model.cluster_centers_, "tangent")[label], expected)
    assert (model.predict(sample.rows()) == model.labels_).all()


@settings(max_examples=40)
@given(arrays(np.float64, (12, 2), elements=st.floats(-3, 3)), st.integers(1, 4))
def test_inertia_falls_in_every_iteration(tangent: Floats, count: int) -> None:
    points = points_from(tangent, "tangent")
    weights = np.arange(1.0, 13.0)
    inertias = [_lloyd(points, weights, points[:count], limit).inertia for limit in range(6)]
    assert all(later <= earlier + 1e-9 * (1 + earlier) for earlier, later in pairwise(inertias))


@settings(max_examples=40)
@given(arrays(np.float64, (9, 3), elements=st.floats(-3, 3)))
def test_centers_are_the_centroids_of_their_points(tangent: Floats) -> None:
    points, weights = points_from(tangent, "tangent"), np.arange(1.0, 10.0)
    labels = np.arange(9) % 2
    found = _centroids(points, weights, labels, 3, inertias=np.arange(9.0))
    for label in range(2):
        mine = labels == label
        expected = hyperbolic.centroid(points[mine], weights[mine])
        assert hyperbolic.distance(found[label], expected) < 1e-6
    np.testing.assert_array_equal(found[2], points[8])  # an empty cluster: the worst point


@pytest.mark.parametrize("isometry", [rotated, translated])
def test_isometries_do_not_change_the_clusters(isometry: object) -> None:
    assert callable(isometry)
    sample = clusters()
    model = HyperbolicKMeans(3, random_state=0).fit(sample.rows())
    moved = from_points(isometry(sample.points), "tangent")
    again = HyperbolicKMeans(3, random_state=0).fit(moved)
    assert adjusted_rand_score(model.labels_, again.labels_) == 1
    assert again.inertia_ == pytest.approx(model.inertia_)


@pytest.mark.parametrize("coordinates", COORDINATES)
def test_coordinates_do_not_change_the_clusters(coordinates: str) -> None:
    sample = clusters()
    rows = sample.rows(coordinates)
    model = HyperbolicKMeans(3, random_state=0, coordinates=coordinates).fit(rows)
    assert adjusted_rand_score(sample.labels, model.labels_) == 1
    assert model.cluster_centers_.shape == (3, rows.shape[1])
    centers = points_from(model.cluster_centers_, coordinates)
    np.testing.assert_allclose(model.transform(rows), distances(sample.points, centers), atol=1e-6)


def test_neither_order_nor_repetition_changes_the_result() -> None:
    rows = clusters(deviation=1.2).rows()
    generator = np.random.default_rng(0)
    weights = generator.integers(0, 3, len(rows))
    model = HyperbolicKMeans(4, random_state=3).fit(rows, sample_weight=weights)
    repeated = generator.permutation(np.repeat(rows, weights, axis=0))
    again = HyperbolicKMeans(4, random_state=3).fit(repeated)
    np.testing.assert_allclose(model.cluster_centers_, again.cluster_centers_)
    assert model.inertia_ == pytest.approx(again.inertia_)


def test_inertia_is_the_sum_of_squared_lorentzian_distances() -> None:
    rows = clusters(deviation=1.2).rows()
    model = HyperbolicKMeans(4, random_state=0).fit(rows)
    nearest = model.transform(rows).min(axis=1)
    assert model.inertia_ == pytest.approx(2 * np.sum(np.cosh(nearest) - 1))
    assert model.score(rows) == pytest.approx(-model.inertia_)
    many = HyperbolicKMeans(4, n_init=1, random_state=0).fit(rows)
    assert model.inertia_ <= many.inertia_


def test_the_same_seed_gives_the_same_clusters() -> None:
    rows = clusters(deviation=1.2).rows()
    one, other = (HyperbolicKMeans(5, random_state=7).fit(rows) for _ in range(2))
    np.testing.assert_array_equal(one.cluster_centers_, other.cluster_centers_)


def test_fewer_distinct_points_than_clusters_are_a_warning() -> None:
    rows = np.repeat(np.eye(2), 5, axis=0)
    with pytest.warns(ConvergenceWarning, match=naming(2, 8)):
        model = HyperbolicKMeans(8, random_state=0).fit(rows)
    assert len(np.unique(model.labels_)) == 2
    assert model.inertia_ == pytest.approx(0)


@pytest.mark.parametrize("option", ["n_clusters", "n_init", "max_iter"])
@pytest.mark.parametrize("value", [0, 1.5, True])
def test_invalid_options_are_named(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=naming(option, value)):
        HyperbolicKMeans(**{option: value}).fit(np.eye(10))


def test_more_clusters_than_rows_are_refused() -> None:
    with pytest.raises(OptionError, match=naming("n_clusters", 4, "n_samples=3")):
        HyperbolicKMeans(4).fit(np.eye(3))
