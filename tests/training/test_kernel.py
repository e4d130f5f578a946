"""The kernel and its literal twin, given the same draws, make the same model."""

import itertools
import threading
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hyperskip.geometry import hyperboloid
from hyperskip.training import cpu, reference, sampling
from hyperskip.training.initial import initial_layers
from hyperskip.training.options import TrainingOptions
from hyperskip.training.trainer import kernel_settings

WORDS = 60
COUNTS = np.maximum(2000 // np.arange(1, WORDS + 1), 1).astype(np.int64)


def zipf_sentences(tokens: int) -> list[list[int]]:
    generator = np.random.default_rng(7)
    words = generator.choice(WORDS, size=tokens, p=COUNTS / COUNTS.sum())
    limits = np.unique(np.concatenate([[0, tokens], generator.integers(0, tokens, tokens // 12)]))
    return [words[a:b].tolist() for a, b in itertools.pairwise(limits)]


def chances(subsample: float = 0.05) -> cpu.Chances:
    return cpu.Chances(
        sampling.keep_thresholds(COUNTS, subsample), sampling.noise_table(COUNTS, 0.5)
    )


def run_kernel(
    sentences: list[list[int]], layers: cpu.Layers, options: TrainingOptions, end_rate: float
) -> Any:
    tokens = np.array([word for sentence in sentences for word in sentence], dtype=np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    locks = np.zeros(2 * WORDS if options.locking else 0, dtype=np.int32)
    return cpu.train_block(
        tokens,
        starts,
        layers,
        chances(),
        kernel_settings(options, burn_in=False),
        options.rate,
        end_rate,
        np.uint64(options.seed),
        locks,
        np.int32(1),
    )


def run_reference(
    sentences: list[list[int]], layers: cpu.Layers, options: TrainingOptions, end_rate: float
) -> tuple[reference.ReferenceModel, int, float]:
    hyperbolic = options.geometry == "hyperboloid"

    def points(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        spatial = rows[:, : options.dimension].astype(np.float64)
        return hyperboloid.from_spatial(spatial) if hyperbolic else spatial

    centres = points(layers.centres)
    contexts = centres if options.tied else points(layers.contexts)
    model = reference.ReferenceModel(centres, contexts, float(layers.theta[0]), hyperbolic)
    keep, noise = chances()
    settings = reference.ReferenceSettings(
        keep=keep,
        noise=noise,
        window=options.window,
        shrink_window=options.shrink_window,
        negatives=options.negatives,
        max_step=options.max_step,
        learn_theta=options.learn_theta,
    )
    pairs, loss = reference.train_block(
        sentences, model, settings, options.rate, end_rate, options.seed
    )
    return model, pairs, loss


CASES: dict[str, dict[str, Any]] = {
    "the paper's": {},
    "untied": {"tied": False},
    "learned theta": {"learn_theta": True, "theta": 2.0},
    "shrinking window": {"shrink_window": True},
    "clipped steps": {"max_step": 0.01},
    # Few updates, because so large a rate makes small differences grow fast.
    "long steps": {"rate": 1.0, "max_step": 1.5, "initial_deviation": 0.9, "tokens": 16},
    "one dimension": {"dimension": 1},
    "many dimensions": {"dimension": 70, "tokens": 300},
    "locked": {"locking": True},
    "flat": {"geometry": "euclidean"},
    "flat, tied": {"geometry": "euclidean", "tied": True, "initial_deviation": 0.1},
    "flat, clipped": {"geometry": "euclidean", "max_step": 0.01},
}


@pytest.mark.parametrize("case", CASES)
def test_kernel_and_reference_agree(case: str) -> None:
    changes = dict(CASES[case])
    sentences = zipf_sentences(changes.pop("tokens", 800))
    options = TrainingOptions(
        **{"dimension": 8, "window": 4, "negatives": 6, "rate": 0.05, "seed": 5} | changes
    )
    layers = initial_layers(WORDS, options)
    model, pairs, loss = run_reference(sentences, layers, options, 0.01)
    kernel_pairs, kernel_loss, skipped = run_kernel(sentences, layers, options, 0.01)

    assert (kernel_pairs, skipped) == (pairs, 0)
    assert pairs * (1 + options.negatives) > (100 if "tokens" in CASES[case] else 5000)
    assert kernel_loss == pytest.approx(loss, rel=1e-5)
    assert layers.theta[0] == pytest.approx(model.theta, abs=1e-4)
    n = options.dimension
    for ours, theirs in ((layers.centres, model.centres), (layers.contexts, model.contexts)):
        np.testing.assert_allclose(ours[:, :n], theirs[:, :n], atol=1e-4)
        assert not ours[:, n:].any()  # the padding stays zero
    curvature = 1.0 if options.geometry == "hyperboloid" else 0.0
    square = curvature + np.sum(layers.centres.astype(np.float64) ** 2, axis=1)
    np.testing.assert_allclose(layers.centre_times, np.sqrt(square), rtol=1e-5)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_a_step_goes_up_the_gradient(geometry: str) -> None:
    """The centre moves as a finite difference of the log-likelihood says."""
    generator = np.random.default_rng(3)
    hyperbolic = geometry == "hyperboloid"
    spatial = generator.normal(0, 0.7, (4, 3))
    points = hyperboloid.from_spatial(spatial) if hyperbolic else spatial
    rate, targets = 1e-5, [1, 2, 3]

    def model_at(centre: npt.NDArray[np.float64]) -> reference.ReferenceModel:
        moved = points.copy()
        moved[0] = centre
        return reference.ReferenceModel(moved, moved.copy(), 3.0 * hyperbolic, hyperbolic)

    def log_likelihood(centre: npt.NDArray[np.float64]) -> float:
        return -reference.train_pair(model_at(centre), 0, targets, 0.0, 1.0)[0]

    def shifted(direction: npt.NDArray[np.float64], by: float) -> npt.NDArray[np.float64]:
        if not hyperbolic:
            return np.asarray(points[0] + by * direction)
        tangent = hyperboloid.project_to_tangent(points[0], np.append(direction, 0.0))
        return hyperboloid.exponential(points[0], by * tangent)

    model = model_at(points[0])
    _, theta_gradient = reference.train_pair(model, 0, targets, rate, 1.0)
    moved = model.centres[0]
    if hyperbolic:
        losses = []
        for theta in (3.0 - 1e-5, 3.0 + 1e-5):
            shifted_model = model_at(points[0])
            shifted_model.theta = theta
            losses.append(reference.train_pair(shifted_model, 0, targets, 0.0, 1.0)[0])
        assert theta_gradient == pytest.approx((losses[0] - losses[1]) / 2e-5, rel=1e-6)
    for direction in np.eye(3):
        slope = (
            log_likelihood(shifted(direction, 1e-5)) - log_likelihood(shifted(direction, -1e-5))
        ) / 2e-5
        if hyperbolic:
            tangent = hyperboloid.project_to_tangent(points[0], np.append(direction, 0.0))
            step = hyperboloid.minkowski_dot(hyperboloid.logarithm(points[0], moved), tangent)
        else:
            step = (moved - points[0]) @ direction
        assert float(step) / rate == pytest.approx(slope, rel=1e-3, abs=1e-6)


def far_words(radius: float, seed: int) -> npt.NDArray[np.float32]:
    """Spatial coordinates (4, 5) of words within about 1 of each other, so far from the base."""
    generator = np.random.default_rng(seed)
    direction = generator.normal(size=5)
    direction *= radius / np.linalg.norm(direction)
    centre = hyperboloid.exponential(hyperboloid.base_point(5), np.append(direction, 0.0))
    directions = hyperboloid.project_to_tangent(
        hyperboloid.base_point(5), generator.normal(0, 0.5, (4, 6))
    )
    there = hyperboloid.parallel_transport(hyperboloid.base_point(5), centre, directions)
    return hyperboloid.exponential(centre, there)[:, :-1].astype(np.float32)


@pytest.mark.parametrize("radius", [0.5, 4, 6, 8, 10, 12, 15])
@pytest.mark.parametrize("rate", [0.05, 0.5, 3.0])
def test_far_points_move_as_they_should(radius: float, rate: float) -> None:
    """Up to what storing them in float32 costs, which is a displacement of 6e-8 e^radius / 2."""
    stored = 6e-8 * np.exp(radius + 1) / 2
    options = TrainingOptions(dimension=5, max_step=1.0)
    for seed in range(20):
        rows = np.zeros((4, cpu.ROW_MULTIPLE), dtype=np.float32)
        rows[:, :5] = far_words(radius, seed)
        before = hyperboloid.from_spatial(rows[:, :5])
        times = before[:, -1].astype(np.float32)
        layers = cpu.Layers(rows, times, rows, times, np.array([3.0]))
        model = reference.ReferenceModel(before.copy(), before.copy(), 3.0, True)
        model.contexts = model.centres
        work = np.zeros((2, cpu.ROW_MULTIPLE), dtype=np.float32)
        targets = np.array([1, 2, 3], dtype=np.int32)
        settings = kernel_settings(options, burn_in=False)
        loss, _ = cpu._train_pair(
            layers, settings, 0, targets, 3, np.float32(rate), 3.0, work[0], work[1]
        )
        expected_loss, _ = reference.train_pair(model, 0, [1, 2, 3], rate, 1.0)
        after = hyperboloid.from_spatial(rows[:, :5])
        # The oracle's own products are off by 1e-16 e^2r, the kernel's by at most 6e-5 each.
        assert loss == pytest.approx(expected_loss, abs=3e-4 + 1e-15 * np.exp(2 * radius))
        assert (hyperboloid.distance(before, after) <= 1.0 + stored + 3e-4).all()
        assert (hyperboloid.distance(after, model.centres) <= 4 * stored + 3e-4).all()


def test_the_exponential_is_accurate() -> None:
    x = np.linspace(0, 100, 20_001, dtype=np.float32)
    ours = np.array([cpu._exp_of_minus(value) for value in x])
    np.testing.assert_allclose(ours, np.exp(-x.astype(np.float64)), rtol=5e-6, atol=1e-37)
    assert np.isnan(cpu._exp_of_minus(np.float32("nan")))


def test_random_numbers_are_those_of_splitmix64() -> None:
    draws = reference._draws(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [next(draws) for _ in range(3)] == expected
    assert cpu.mixed(np.uint64(1234567) + np.uint64(0x9E3779B97F4A7C15)) == expected[0]


def test_not_a_number_is_not_hidden() -> None:
    options = TrainingOptions(dimension=4, window=2, negatives=2)
    layers = initial_layers(WORDS, options)
    layers.centres[0, 0] = np.nan
    layers.centre_times[0] = np.nan
    _, loss, _ = run_kernel(zipf_sentences(300), layers, options, 0.05)
    assert np.isnan(loss)


def test_busy_words_are_skipped_and_counted() -> None:
    options = TrainingOptions(dimension=4, window=2, negatives=2, locking=True)
    layers = initial_layers(WORDS, options)
    before = layers.centres.copy()
    sentences = zipf_sentences(300)
    tokens = np.array([word for sentence in sentences for word in sentence], dtype=np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    locks = np.zeros(WORDS, dtype=np.int32)
    locks[:] = 9  # all words are held by somebody else

    def run() -> Any:
        arguments = (0.05, 0.05, np.uint64(1), locks, np.int32(1))
        return cpu.train_block(
            tokens, starts, layers, chances(), kernel_settings(options, burn_in=False), *arguments
        )

    pairs, _, skipped = run()
    assert pairs == 0
    assert skipped > 100
    assert (locks == 9).all()
    np.testing.assert_array_equal(layers.centres, before)
    locks[:] = 0
    locks[0] = 9  # one word is
    pairs, _, still_skipped = run()
    assert 0 < still_skipped < skipped
    assert pairs + still_skipped == skipped
    assert locks.tolist() == [9] + [0] * (WORDS - 1)  # all others were given back
    np.testing.assert_array_equal(layers.centres[0], before[0])


def test_the_kernel_runs_without_the_gil() -> None:
    """While a kernel runs in another thread, this one goes on counting."""
    options = TrainingOptions(dimension=100, window=10, negatives=20)
    layers = initial_layers(WORDS, options)
    sentences = zipf_sentences(20_000)
    run_kernel(sentences[:1], layers, options, 0.05)  # compiled
    worker = threading.Thread(target=run_kernel, args=(sentences, layers, options, 0.05))
    worker.start()
    switches = 0
    while worker.is_alive():
        time.sleep(0.001)
        switches += 1
    assert switches > 20  # with the GIL held, the loop would come round once
