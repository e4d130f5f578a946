"""Figures of hypernymy: laws, and known values."""

from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip.evaluation.hypernymy_figures import (
    average_precision,
    class_accuracy,
    count_directions,
    three_class_accuracy,
)

labeled_scores = st.integers(1, 30).flatmap(
    lambda count: st.tuples(
        arrays(np.float64, count, elements=st.integers(-4, 4)),
        arrays(np.bool_, count).filter(np.any),
    )
)


@given(labeled_scores, st.randoms(use_true_random=False))
def test_average_precision_depends_on_the_order_only(
    labeled: tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]], random: Random
) -> None:
    scores, is_true = labeled
    value = average_precision(scores, is_true)
    assert 0 < value <= 1
    assert average_precision(np.exp(scores) + 3, is_true) == pytest.approx(value)
    order = list(range(len(scores)))
    random.shuffle(order)  # the order of pairs with the same score does not matter
    assert average_precision(scores[order], is_true[order]) == pytest.approx(value)
    assert average_precision(is_true.astype(np.float64), is_true) == 1
    assert average_precision(np.zeros(len(scores)), is_true) == pytest.approx(is_true.mean())


def test_a_known_average_precision() -> None:
    is_true = np.array([True, False, True, False])
    assert average_precision(np.array([4.0, 3.0, 2.0, 1.0]), is_true) == (1 + 2 / 3) / 2


def test_random_scores_have_the_share_of_true_pairs_as_average_precision() -> None:
    random = np.random.default_rng(1)
    is_true = np.arange(20000) % 5 == 0
    assert average_precision(random.random(20000), is_true) == pytest.approx(0.2, abs=0.02)


def test_an_antisymmetric_score_is_right_or_wrong_about_each_direction() -> None:
    scores = np.random.default_rng(2).normal(size=50)
    right, wrong = count_directions(scores, -scores), count_directions(-scores, scores)
    assert right is not None
    assert wrong is not None
    assert right + wrong == 50
    assert right == (scores > 0).sum()


def test_equal_scores_are_wrong_and_symmetric_ones_have_no_direction() -> None:
    assert count_directions(np.array([2.0, 1, 1]), np.array([1.0, 1, 2])) == 1
    assert count_directions(np.array([2.0, 1]), np.array([2.0, 1])) is None


def literal_accuracy(scores: npt.NDArray[np.float64], is_true: npt.NDArray[np.bool_]) -> float:
    """The protocol in plain words, pair by pair."""
    random = np.random.default_rng(42)
    count = len(scores)
    accuracies = []
    for _ in range(1000):
        size = max(round(0.02 * count), 1)
        chosen = set(random.choice(count, size, replace=False, shuffle=False).tolist())
        own = sorted(scores[i] for i in chosen)
        threshold = max(
            own, key=lambda at: (sum((scores[i] >= at) == is_true[i] for i in chosen), -at)
        )
        rest = [i for i in range(count) if i not in chosen]
        accuracies.append(np.mean([(scores[i] >= threshold) == is_true[i] for i in rest]))
    return float(np.mean(accuracies))


def test_thresholds_are_chosen_on_a_fiftieth_of_the_pairs() -> None:
    random = np.random.default_rng(3)
    is_true = random.random(150) < 0.5
    scores = (is_true + random.normal(size=150)).round(1)  # with ties
    assert class_accuracy(scores, is_true) == pytest.approx(literal_accuracy(scores, is_true))


def test_three_classes_combine_detection_and_direction() -> None:
    labels = np.repeat([1.0, -1.0, 0.0], 100)
    forward, backward = np.maximum(labels, 0), np.maximum(-labels, 0)
    best = three_class_accuracy(forward, backward, labels)
    assert best is not None
    assert best > 0.9  # except for splits in which no related pair was chosen
    turned = three_class_accuracy(backward, forward, labels)
    assert turned is not None
    assert turned < 0.4  # detected, with the wrong direction
    symmetric = np.abs(labels)
    undirected = three_class_accuracy(symmetric, symmetric, labels)
    assert undirected == pytest.approx(2 / 3, abs=0.1)


@pytest.mark.parametrize("labels", [[], [1.0], [1.0, 1.0, 1.0], [0.0, 0.0]])
def test_one_class_has_no_accuracy(labels: list[float]) -> None:
    values = np.array(labels)
    assert class_accuracy(values, values > 0) is None
    assert three_class_accuracy(values, values, values) is None
