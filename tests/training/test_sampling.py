import numpy as np
import pytest

from hyperskip.training.objective.sampling import (
    chance_of_a_repeat,
    contexts_on_a_side,
    distance_weights,
    keep_thresholds,
    loads,
    noise_table,
    tiles_of_a_round,
    word_rates,
)

COUNTS = np.array([5000, 3000, 1000, 500, 100, 10, 1, 1], dtype=np.int64)


def test_frequent_words_are_subsampled_by_the_formula() -> None:
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


def test_a_large_vocabulary_has_exact_probabilities() -> None:
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
    alike = distance_weights(window, 0.0)
    found = contexts_on_a_side(starts, counts, 0.0, alike)
    assert found * lengths.sum() == pytest.approx(expected)
    assert contexts_on_a_side(starts, counts, 0.01, alike) < max(found, 1e-9)
    weights = distance_weights(window, 1.0)
    expected_weight = sum(
        1 / distance
        for length in lengths
        for place in range(length)
        for distance in range(1, min(place, window) + 1)
    )
    weight = contexts_on_a_side(starts, counts, 0.0, weights)
    assert weight * lengths.sum() == pytest.approx(expected_weight)


def test_weights_fall_with_the_distance() -> None:
    np.testing.assert_allclose(distance_weights(4, 1.0), [0, 1, 1 / 2, 1 / 3, 1 / 4])
    np.testing.assert_allclose(distance_weights(3, 0.0), [0, 1, 1, 1])


def test_rare_words_have_greater_rates() -> None:
    counts = np.array([1600, 400, 100, 25, 1])
    np.testing.assert_allclose(word_rates(counts, 0, 0.5), [0.25, 0.5, 1, 2, 4])
    np.testing.assert_array_equal(word_rates(counts, 0, 0.0), np.ones(5))


def test_a_text_without_kept_tokens_has_neither_contexts_nor_repeats() -> None:
    counts, starts = np.array([9, 5]), np.array([0, 7, 14])
    assert contexts_on_a_side(starts, counts, 1e-30, distance_weights(5, 0.0)) == 0.0
    np.testing.assert_array_equal(word_rates(counts, 1e-30, 0.2), [1, 1])
    repeat = chance_of_a_repeat(counts, 1e-30)
    assert tiles_of_a_round(16, repeat, 256) == 256


def test_the_chance_of_a_repeat_is_that_of_two_draws() -> None:
    counts = np.array([60, 30, 10])
    assert chance_of_a_repeat(counts, 0) == pytest.approx(0.36 + 0.09 + 0.01)
    assert chance_of_a_repeat(counts, 1e-3) < 0.4  # frequent words are subsampled


@pytest.mark.parametrize("curved", [True, False])
def test_loads_are_shared_as_the_kept_tokens_are(curved: bool) -> None:
    counts = np.array([60, 30, 10])
    found = loads(counts, 0, 64, curved=curved)
    np.testing.assert_allclose(found / found.sum(), [0.6, 0.3, 0.1])
    np.testing.assert_allclose(loads(counts, 0, 128, curved=curved), 2 * found)
    assert loads(counts, 1e-3, 64, curved=curved)[0] < found[0]  # frequent words are subsampled


@pytest.mark.parametrize(
    ("repeat", "tiles"), [(1.0, 1), (0.04, 1), (0.02, 2), (0.011, 4), (1e-4, 256), (1e-9, 256)]
)
def test_rounds_are_as_large_as_repeats_allow(repeat: float, tiles: int) -> None:
    assert tiles_of_a_round(16, repeat, 256) == tiles
    assert tiles_of_a_round(16, repeat, 100) == min(tiles, 64)
