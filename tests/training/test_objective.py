import numpy as np
import pytest

from hyperskip.geometry import hyperboloid
from hyperskip.training.objective import reference, sampling
from hyperskip.training.objective.loss import (
    derivative,
    hyperbolic_score,
    log_likelihood,
    probability,
)

SCORES = np.concatenate([-np.logspace(0, 4, 50), [-1.0, 0.0, 2.0, 7.0]])


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_the_derivative_is_the_slope_of_the_log_likelihood(label: float) -> None:
    step = 1e-5
    slope = (log_likelihood(SCORES + step, label) - log_likelihood(SCORES - step, label)) / (
        2 * step
    )
    np.testing.assert_allclose(derivative(SCORES, label), slope, atol=1e-8)


def test_probabilities_of_both_labels_add_up() -> None:
    both = np.exp(log_likelihood(SCORES, 1)) + np.exp(log_likelihood(SCORES, 0))
    np.testing.assert_allclose(both, 1.0, rtol=1e-12)
    np.testing.assert_allclose(probability([0.0]), 0.5)


def test_the_score_is_the_papers_and_theta_less_1_for_a_word_with_itself() -> None:
    np.testing.assert_allclose(hyperbolic_score([-3.0, -7.5], 3.0), [0.0, -4.5])
    for factors, curvature in ((1, 0.2), (5, 1.0), (5, 4.0)):
        score = hyperbolic_score(-factors, 3.0, factors=factors, curvature=curvature)
        assert score == pytest.approx(2.0)
        farther = hyperbolic_score(-factors - 1, 3.0, factors=factors, curvature=curvature)
        assert farther == pytest.approx(2.0 - 1 / curvature)


def test_far_points_do_not_overflow() -> None:
    assert log_likelihood(-1e6, 1) == pytest.approx(-1e6)
    assert log_likelihood(-1e6, 0) == 0.0


WORDS, GROUPS, TILE = 60, 3, 16
PASSES, RATE = 4, 0.03


def test_many_tiles_in_a_damped_round_learn_what_one_tile_learns() -> None:
    """Frequent words occur often in a round: without damping, their steps are far too long."""
    damped = loss_after_rounds(8, damped=True)
    assert damped < loss_after_rounds(1, damped=False)
    assert damped < 0.9 * loss_after_rounds(8, damped=False)


def loss_after_rounds(tiles: int, *, damped: bool) -> float:
    """Average loss in the last pass over sentences with words of one group each."""
    generator = np.random.default_rng(1)
    words = np.arange(WORDS).reshape(GROUPS, -1)
    chances = 1.0 / np.arange(1, words.shape[1] + 1)
    chances /= chances.sum()
    sentences = [generator.choice(words[i % GROUPS], 8, p=chances).tolist() for i in range(128)]
    counts = np.bincount(np.concatenate(sentences), minlength=WORDS)
    points = hyperboloid.from_spatial(generator.normal(0, 0.01, (WORDS, 1, 4)))
    model = reference.ReferenceModel(points, points, theta=1.0, hyperbolic=True, curvature=0.5)
    settings = reference.ReferenceSettings(
        keep=sampling.keep_thresholds(counts, 0),
        noise=sampling.noise_table(counts, 0.5),
        window=4,
        shrink_window=False,
        negatives=20,
        shared_negatives=8,
        max_step=1.0,
        learn_theta=False,
        distance_weights=sampling.distance_weights(4, 0.0),
        word_rates=np.ones(WORDS),
        loads=sampling.loads(counts, 0, TILE * tiles, curved=True) if damped else None,
    )
    for seed in range(PASSES):
        rates = RATE, RATE
        pairs, loss = reference.train_tiles(sentences, model, settings, *rates, seed, TILE, tiles)
    return loss / pairs
