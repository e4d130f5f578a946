import numpy as np
import pytest

from hyperskip.training.sampling import contexts_on_a_side, keep_thresholds, noise_table

COUNTS = np.array([5000, 3000, 1000, 500, 100, 10, 1, 1], dtype=np.int64)


def test_frequent_words_are_thinned_by_the_formula() -> None:
    frequency = COUNTS / COUNTS.sum()
    expected = np.minimum(1, np.sqrt(1e-3 / frequency) + 1e-3 / frequency)
    np.testing.assert_allclose(keep_thresholds(COUNTS, 1e-3) / 2**32, expected, atol=1e-9)
    assert (keep_thresholds(COUNTS, 0) == 2**32 - 1).all()


@pytest.mark.parametrize("power", [0.0, 0.5, 0.75, 1.0])
def test_the_alias_table_is_the_distribution(power: float) -> None:
    table = noise_table(COUNTS, power)
    accept = table[:, 0].astype(np.float64) / (2**32 - 1)
    chances = accept.copy()
    np.add.at(chances, table[:, 1], 1.0 - accept)
    expected = COUNTS**power / (COUNTS**power).sum()
    np.testing.assert_allclose(chances / len(COUNTS), expected, atol=1e-9)


def test_a_large_vocabulary_has_no_leftovers() -> None:
    counts = (1e6 / np.arange(1, 20_001)).astype(np.int64)
    table = noise_table(counts, 0.5)
    assert table.shape == (20_000, 2)
    assert table[:, 1].max() < 20_000


@pytest.mark.parametrize("window", [1, 3, 10, 1000])
def test_contexts_on_a_side_are_those_of_the_sentences(window: int) -> None:
    lengths = np.array([1, 2, 5, 40, 12])
    starts = np.concatenate(([0], np.cumsum(lengths)))
    expected = sum(min(place, window) for length in lengths for place in range(length))
    counts = np.array([30, 30])
    found = contexts_on_a_side(starts, counts, 0.0, window)
    assert found * lengths.sum() == pytest.approx(expected)
    assert contexts_on_a_side(starts, counts, 0.01, window) < max(found, 1e-9)
