"""The words along a path are different ones, and as near to their steps as possible."""

from itertools import permutations

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.explorer.answers.path_words import different_words
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors.search.searcher import Nearest


def nearest_of(distances: Floats, count: int) -> list[Nearest]:
    """The nearest words to each step, by distances (steps, words)."""
    rows = np.argsort(distances, axis=1)[:, :count]
    near = np.take_along_axis(distances, rows, axis=1)
    return [Nearest(*columns, -columns[1]) for columns in zip(rows, near, strict=True)]


def smallest_sum(distances: Floats, allowed: Rows) -> float:
    """The smallest sum of distances, by trying all choices."""
    steps = np.arange(len(distances))
    choices = permutations(allowed.tolist(), len(distances))
    return min(float(distances[steps, list(words)].sum()) for words in choices)


@pytest.mark.parametrize("seed", range(20))
def test_the_sum_of_distances_is_the_smallest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps, words = 4, 9
    distances = rng.uniform(0.1, 1.0, (steps, words))
    distances[:, 3] = 0.01  # near every step
    excluded = np.array([0, 5])
    chosen = different_words(nearest_of(distances, steps + len(excluded)), excluded)
    rows = [row for row in chosen if row is not None]
    assert len(set(rows)) == steps
    assert not set(rows) & set(excluded.tolist())
    expected = smallest_sum(distances, np.setdiff1d(np.arange(words), excluded))
    assert distances[np.arange(steps), rows].sum() == pytest.approx(expected)


def test_too_few_words_leave_steps_without_one() -> None:
    distances = np.array([[0.3, 0.5], [0.2, 0.5], [0.1, 0.5]])
    assert different_words(nearest_of(distances, 3), np.array([1])) == [None, None, 0]
    assert different_words(nearest_of(distances, 3), np.array([0, 1])) == [None] * 3
    assert different_words([], np.array([0])) == []


def test_distances_that_are_not_finite_are_no_words() -> None:
    distances = np.array([[np.inf, 1.0], [np.inf, 2.0]])
    assert different_words(nearest_of(distances, 2), np.array([], dtype=np.int64)) == [1, None]


def test_a_path_of_the_model(trained: WordVectors) -> None:
    points = trained.path("dog", "car", 12)[1:-1]
    ends = trained.rows_of(["dog", "car"])
    chosen = different_words(trained.nearest(points, 12), ends)
    assert None not in chosen
    assert len({*chosen, *ends.tolist()}) == 12
