"""The kernels of each device and the reference give the same model for the same draws."""

import functools
import itertools
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from interpreted_kernels import gpu_backend, rounding
from numba import njit
from plans import planned

from hyperskip import random_draws
from hyperskip.devices import CPU, CUDA
from hyperskip.geometry import hyperboloid
from hyperskip.training.backend import Outcome
from hyperskip.training.cpu import formulas, lanes, layout, pairwise, thread_team, window
from hyperskip.training.cpu import tiles as tiles_module
from hyperskip.training.cpu.backend import CpuBackend
from hyperskip.training.cpu.round_memory import TILE, RoundShape, shared_round, workspace
from hyperskip.training.kernel_settings import cpu_settings
from hyperskip.training.objective import reference, sampling
from hyperskip.training.objective.draws import draws
from hyperskip.training.options import PAIRWISE, WINDOW
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.start.random_positions import random_parameters

WORDS = 60
COUNTS = np.maximum(2000 // np.arange(1, WORDS + 1), 1).astype(np.int64)


@functools.cache
def from_python(part: Any) -> Any:
    """A kernel that only calls a part."""

    @njit
    def call(*arguments: Any) -> Any:
        return part(*arguments)

    return call


def zipf_sentences(tokens: int) -> list[list[int]]:
    generator = np.random.default_rng(7)
    words = generator.choice(WORDS, size=tokens, p=COUNTS / COUNTS.sum())
    limits = np.unique(np.concatenate([[0, tokens], generator.integers(0, tokens, tokens // 12)]))
    return [words[a:b].tolist() for a, b in itertools.pairwise(limits)]


def tables(plan: TrainingPlan) -> layout.Tables:
    return layout.Tables(
        sampling.keep_thresholds(COUNTS, 0.05),
        sampling.noise_table(COUNTS, 0.5),
        layout.gap_weights(sampling.distance_weights(plan.window, plan.distance_decay)),
        sampling.word_rates(COUNTS, 0.05, plan.rate_power).astype(np.float32),
    )


def packed(
    parameters: InitialParameters | Parameters,
    plan: TrainingPlan,
    fixed: npt.NDArray[np.bool_] | None = None,
) -> layout.Layers:
    curved = plan.space.is_curved
    return layout.packed(*parameters[:4], hyperbolic=curved, factors=plan.factors, fixed=fixed)


def run_kernel(
    sentences: list[list[int]],
    layers: layout.Layers,
    plan: TrainingPlan,
    end_rate: float,
    locks: npt.NDArray[np.int32] | None = None,
    stop: int = 0,
    tiles: int = 1,
    members: int = 1,
    present: int | None = None,
) -> Any:
    """Pairs, loss and skipped pairs of the kernel.

    Args:
        sentences: The text.
        layers: The parameters, which are changed.
        plan: The plan of the training.
        end_rate: The learning rate at the end.
        locks: Locks of words.
        stop: Nonzero to stop at once.
        tiles: Tiles in a round.
        members: Size of the team.
        present: Number of threads of the team that run; None: all.
    """
    tokens = np.array([word for sentence in sentences for word in sentence], dtype=np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    if locks is None:
        locks = np.zeros(2 * WORDS if plan.locking else 0, dtype=np.int32)
    settings = cpu_settings(plan, burn_in=False)
    rates = plan.rate, end_rate
    seed = np.uint64(plan.seed)
    row = layers.centers.shape[1]
    common = tokens, starts, layers, tables(plan), settings, *rates, seed
    stopping = np.array([stop], dtype=np.uint8)
    if plan.schedule == WINDOW:
        shape = RoundShape(
            len(tokens), plan.window, settings.shared_negatives, row, tiles, plan.factors
        )
        shared = shared_round(shape, members)
        own = thread_team.new_team(members, shape.parts)

        def join_team(member: int) -> None:
            window.train_tiles(*common, tiles, workspace(shape, member), stopping, shared, own)

        with ThreadPoolExecutor(members) as pool:
            list(pool.map(join_team, range(members if present is None else present)))
        pairs = int(shared.pair_sum[0])
        return pairs, pairs * shared.mean_pair_loss, 0
    work: Any = pairwise.workspace(row)
    return pairwise.train_pairs(*common, work, stopping, locks, np.int32(1))


def run_on_gpu(
    sentences: list[list[int]],
    parameters: InitialParameters | Parameters,
    plan: TrainingPlan,
    end_rate: float,
    tiles: int = 1,
    fixed: npt.NDArray[np.bool_] | None = None,
    text_tables: layout.Tables | None = None,
    *,
    damped: bool = False,
    gradient_precision: str = "tf32x3",
) -> tuple[Outcome, Parameters]:
    """Train with the kernels of the GPU."""
    keep, noise, _, word_rates = text_tables or tables(plan)
    tokens = np.array([word for sentence in sentences for word in sentence], dtype=np.int32)
    starts = np.cumsum([0, *map(len, sentences)]).astype(np.int64)
    with (
        patch.object(sampling, "keep_thresholds", lambda *_: keep),
        patch.object(sampling, "noise_table", lambda *_: noise),
        patch.object(sampling, "word_rates", lambda *_: word_rates),
    ):
        counts = np.ones(len(keep), dtype=np.int64)
        backend = gpu_backend(
            parameters,
            counts,
            plan,
            len(tokens) + 5,
            fixed,
            tiles=tiles,
            damped=damped,
            gradient_precision=gradient_precision,
        )
    outcome = backend.train_block(
        backend.load([tokens], starts),
        (plan.rate, end_rate),
        np.uint64(plan.seed),
        worker=0,
        burn_in=False,
    )
    return outcome, backend.parameters()


def reference_model(layers: layout.Layers, plan: TrainingPlan) -> reference.ReferenceModel:
    hyperbolic = plan.space.is_curved

    def points(rows: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        by_factor = rows.reshape(len(rows), plan.factors, -1)
        spatial = by_factor[..., : plan.factor_dimension].astype(np.float64)
        return hyperboloid.from_spatial(spatial) if hyperbolic else spatial

    centers = points(layers.centers)
    contexts = centers if plan.tied else points(layers.contexts)
    fixed = frozenset(np.flatnonzero(layers.fixed_centers).tolist())
    theta, curvature = float(layers.theta[0]), plan.curvature or 1.0
    return reference.ReferenceModel(centers, contexts, theta, hyperbolic, fixed, curvature)


def run_reference(
    sentences: list[list[int]],
    model: reference.ReferenceModel,
    plan: TrainingPlan,
    end_rate: float,
    tiles: int = 1,
    *,
    damped: bool = False,
) -> tuple[int, float]:
    keep, noise, _, word_rates = tables(plan)
    with patch.object(sampling, "keep_thresholds", lambda *_: keep):
        loads = sampling.loads(
            *(np.ones(len(keep), dtype=np.int64), 0.05, TILE * tiles),
            curved=plan.space.is_curved,
        )
    settings = reference.ReferenceSettings(
        keep=keep,
        noise=noise,
        window=plan.window,
        shrink_window=plan.shrink_window,
        negatives=plan.negatives_of(burn_in=False),
        shared_negatives=plan.shared_negatives,
        max_step=plan.max_step,
        learn_theta=plan.learn_theta,
        distance_weights=sampling.distance_weights(plan.window, plan.distance_decay),
        word_rates=word_rates.astype(np.float64),
        loads=loads if damped else None,
    )
    arguments = sentences, model, settings, plan.rate, end_rate, plan.seed
    if plan.schedule == WINDOW:
        return reference.train_tiles(*arguments, TILE, tiles)
    return reference.train_pairs(*arguments)


CASES: dict[str, dict[str, Any]] = {
    "plain": {},
    "untied": {"tied": False},
    "learned theta": {"learn_theta": True, "theta": 2.0},
    "shrinking window": {"shrink_window": True},
    "contexts of the same weight": {"distance_decay": 0.0},
    "words of the same rate": {"rate_power": 0.0},
    "clipped steps": {"max_step": 0.01},
    # Few updates, because small differences grow fast at this rate.
    "long steps": {"rate": 1.0, "max_step": 1.5, "initial_deviation": 0.9, "tokens": 16},
    "one dimension": {"dimension": 1},
    "a row without padding": {"dimension": 15},
    "time in a register of its own": {"dimension": 32, "tokens": 150},
    "many dimensions": {"dimension": 70, "tokens": 150},
    "less curved": {"curvature": 0.25, "theta": 5.0, "initial_deviation": 0.3},
    "more curved": {"curvature": 2.0, "tokens": 200},
    "fixed words": {"fixed": True},
    "fixed words, untied": {"fixed": True, "tied": False},
    "flat": {"geometry": "euclidean"},
    "flat, fixed words": {"geometry": "euclidean", "fixed": True},
    "flat, tied": {"geometry": "euclidean", "tied": True, "initial_deviation": 0.1},
    "flat, clipped": {"geometry": "euclidean", "max_step": 0.01},
    "flat, learned from both layers": {"geometry": "euclidean", "initial_deviation": 0.3},
}
PRODUCT_CASES: dict[str, dict[str, Any]] = {
    "product": {"factors": 2, "initial_deviation": 0.3},
    "product, untied": {"factors": 4, "tied": False},
    "product, less curved": {"factors": 2, "curvature": 0.25, "theta": 5.0},
    "product of lines": {"factors": 8},
    "product, learned theta": {"factors": 4, "learn_theta": True},
    "product of long rows": {"factors": 3, "dimension": 51, "tokens": 150},
    "product, clipped": {"factors": 4, "max_step": 0.01, "initial_deviation": 0.5},
    "product, fixed words": {"factors": 2, "fixed": True},
}
GPU_CASES: dict[str, dict[str, Any]] = {
    "rounds of a tile": {"tiles": 1},
    "deterministic": {"deterministic": True},
    "deterministic, untied": {"deterministic": True, "tied": False},
    "longer than one program takes": {"dimension": 150, "tokens": 100},
    "product, deterministic": {"deterministic": True, "factors": 2},
    "damped": {"tiles": 4, "damped": True},
    "damped, deterministic": {"tiles": 4, "damped": True, "deterministic": True},
    "damped, untied, clipped": {"tiles": 4, "damped": True, "tied": False, "max_step": 0.01},
    "damped, flat": {"tiles": 4, "damped": True, "geometry": "euclidean"},
    "damped product": {"tiles": 4, "damped": True, "factors": 2},
    "product, longer than one program takes": {
        "dimension": 280,
        "factors": 2,
        "tokens": 60,
    },
    "many rows": {
        "shared_negatives": 150,
        "window": 70,
        "negatives": 1,
        "rate": 0.001,
        "sentences": 8,
    },
}
SCHEDULES: dict[str, dict[str, Any]] = {
    "pairwise": {"schedule": PAIRWISE},
    "pairwise, locked": {"schedule": PAIRWISE, "locking": True},
    "window": {"schedule": WINDOW, "shared_negatives": 20},
    "window, rounds of four tiles": {"schedule": WINDOW, "shared_negatives": 20, "tiles": 4},
    "window, rounds of four tiles, two threads": {
        "schedule": WINDOW,
        "shared_negatives": 20,
        "tiles": 4,
        "members": 2,
    },
    "gpu": {
        "schedule": WINDOW,
        "shared_negatives": 20,
        "device": CUDA,
        "tiles": 4,
    },
    "window, one negative": {"schedule": WINDOW, "shared_negatives": 1},
    # More rows than factors in one logarithm of the loss.
    "window, many rows": {
        "schedule": WINDOW,
        "shared_negatives": 150,
        "window": 70,
        "negatives": 1,
        "rate": 0.001,
        "sentences": 20,
    },
}


CHECKED = [
    *itertools.product(SCHEDULES, CASES),
    *itertools.product((name for name in SCHEDULES if "pairwise" not in name), PRODUCT_CASES),
    *(("gpu", case) for case in GPU_CASES),
]


def is_slow(schedule: str, case: str) -> bool:
    """Whether a case is covered well enough by another one."""
    if schedule in ("pairwise, locked", "window, one negative", "window, many rows"):
        return case != "plain"
    return schedule == "gpu" and case in PRODUCT_CASES and case != "product"


@pytest.mark.parametrize(
    ("schedule", "case"),
    [pytest.param(*pair, marks=pytest.mark.slow if is_slow(*pair) else ()) for pair in CHECKED],
)
def test_kernel_and_reference_agree(schedule: str, case: str) -> None:
    own = (CASES | PRODUCT_CASES | GPU_CASES)[case]
    changes = SCHEDULES[schedule] | own
    on_gpu = changes.get("device") == CUDA
    # The reference is slow for pairs, and interpreted kernels are slow for everything.
    usual = 160 if on_gpu else 200 if changes["schedule"] == PAIRWISE else 400
    sentences = zipf_sentences(changes.pop("tokens", usual))[: changes.pop("sentences", None)]
    tiles, members = changes.pop("tiles", 1), changes.pop("members", 1)
    damped = changes.pop("damped", False)
    fixed = np.arange(WORDS) % 3 == 1 if changes.pop("fixed", False) else None
    rate = 0.05 if changes["schedule"] == PAIRWISE else 0.01
    plan = planned(
        **{"dimension": 8, "window": 4, "negatives": 6, "rate": rate, "seed": 5, "subsample": 0.05}
        | changes
    )
    parameters = random_parameters(WORDS, plan)
    layers = packed(parameters, plan, fixed)
    before = layers.centers.copy()
    model = reference_model(layers, plan)
    pairs, loss = run_reference(sentences, model, plan, 0.2 * rate, tiles, damped=damped)
    if on_gpu:
        outcome, learned = run_on_gpu(
            sentences, parameters, plan, 0.2 * rate, tiles, fixed, damped=damped
        )
        layers = packed(learned, plan, fixed)
    else:
        outcome = Outcome(
            *run_kernel(sentences, layers, plan, 0.2 * rate, tiles=tiles, members=members)
        )

    assert (outcome.pairs, outcome.skipped) == (pairs, 0)
    assert pairs > (10 if "tokens" in own else 300)
    assert outcome.loss == pytest.approx(loss, rel=1e-5)
    assert layers.theta[0] == pytest.approx(model.theta, abs=1e-4)
    n = plan.factor_dimension
    for rows, theirs in ((layers.centers, model.centers), (layers.contexts, model.contexts)):
        ours = rows.reshape(WORDS, plan.factors, -1)
        np.testing.assert_allclose(ours[..., :n], theirs[..., :n], atol=1e-4)
        assert not ours[..., n + 1 :].any()  # the padding stays zero
        has_time = 1.0 if plan.space.is_curved else 0.0
        square = np.sum(ours[..., :n].astype(np.float64) ** 2, axis=-1)
        np.testing.assert_allclose(ours[..., n], has_time * np.sqrt(1 + square), rtol=1e-5)
    moved = (layers.centers != before).any(axis=1)
    if fixed is not None:
        assert not moved[fixed].any()
        assert moved[~fixed].mean() > 0.5  # some words are never centers


@pytest.mark.parametrize("tied", [True, False])
def test_the_result_does_not_depend_on_the_size_of_the_team(tied: bool) -> None:
    plan = planned(
        dimension=20, window=3, learn_theta=True, tied=tied, rate=0.01, shared_negatives=30
    )
    learned = []
    for members in (1, 2, 3, 5):
        layers = packed(random_parameters(WORDS, plan), plan)
        pairs, loss, _ = run_kernel(
            zipf_sentences(4000), layers, plan, 0.005, tiles=8, members=members
        )
        everything = (layers.centers, layers.contexts, layers.theta)
        learned.append((pairs, loss, *(part.tobytes() for part in everything)))
    assert learned[0][0] > 1000
    assert learned.count(learned[0]) == len(learned)


@pytest.mark.parametrize("lengths", [[700], [1] * 300, [3, 500, 1, 1, 90], [2, 2]])
def test_a_team_subsamples_what_one_thread_subsamples(lengths: list[int]) -> None:
    """Parts of the text are ranges of sentences: some are empty, and one may be a whole block."""
    words = np.random.default_rng(4).choice(WORDS, sum(lengths), p=COUNTS / COUNTS.sum())
    limits = np.cumsum([0, *lengths])
    sentences = [words[a:b].tolist() for a, b in itertools.pairwise(limits)]
    plan = planned(dimension=6, window=3, shrink_window=True, rate=0.01, shared_negatives=5)
    layers = packed(random_parameters(WORDS, plan), plan)
    model = reference_model(layers, plan)
    expected = run_reference(sentences, model, plan, 0.01, tiles=2)
    pairs, loss, _ = run_kernel(sentences, layers, plan, 0.01, tiles=2, members=2)
    assert pairs == expected[0]
    assert loss == pytest.approx(expected[1], rel=1e-5)


def test_the_rounds_of_a_block_begin_with_empty_slots() -> None:
    """Each block begins with the same phases: a thread must not count the tiles of the last one."""
    plan = planned(dimension=6, window=2, rate=0.01, shared_negatives=5, deterministic=True)
    parameters = random_parameters(WORDS, plan)
    texts = [zipf_sentences(60 + 40 * i) for i in range(4)]
    learned = []
    for members in (1, 3):
        backend = CpuBackend(parameters, COUNTS, replace(plan, threads=members), 1, longest=400)
        for number, text in enumerate(texts):
            tokens = np.concatenate(text).astype(np.int32)
            starts = np.cumsum([0, *map(len, text)]).astype(np.int64)
            block = backend.load([tokens], starts)
            rates, seed = (0.01, 0.01), np.uint64(number)
            backend.train_block(block, rates, seed, worker=0, burn_in=False)
        learned.append(backend.parameters().centers.tobytes())
    assert learned[0] == learned[1]


def test_a_team_does_not_wait_for_threads_without_work() -> None:
    """One of two threads may do all of the work; when it is stopped, it does not wait."""
    plan = planned(dimension=4, window=2, rate=0.01, shared_negatives=9)
    layers = packed(random_parameters(WORDS, plan), plan)
    pairs, _, _ = run_kernel(zipf_sentences(400), layers, plan, 0.01, tiles=4, members=2, present=1)
    assert pairs > 100
    stop, some = np.zeros(1, dtype=np.uint8), thread_team.new_team(2)
    wait = njit(nogil=True)(thread_team.wait_for_next.py_func)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(wait, some, 0, stop)
        with pytest.raises(TimeoutError):
            waiting.result(0.3)
        stop[0] = 1
        waiting.result(10)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_a_step_goes_up_the_gradient(geometry: str) -> None:
    """The center moves along the finite difference of the log-likelihood."""
    generator = np.random.default_rng(3)
    hyperbolic = geometry == "hyperboloid"
    spatial = generator.normal(0, 0.7, (4, 3))
    points = (hyperboloid.from_spatial(spatial) if hyperbolic else spatial)[:, None]
    rate, targets = 1e-5, [1, 2, 3]

    def model_at(center: npt.NDArray[np.float64]) -> reference.ReferenceModel:
        moved = points.copy()
        moved[0] = center
        return reference.ReferenceModel(moved, moved.copy(), 3.0 * hyperbolic, hyperbolic)

    def log_likelihood(center: npt.NDArray[np.float64]) -> float:
        return -reference.train_pair(model_at(center), 0, targets, 0.0, 1.0)[0]

    def shifted(direction: npt.NDArray[np.float64], by: float) -> npt.NDArray[np.float64]:
        if not hyperbolic:
            return np.asarray(points[0] + by * direction)
        tangent = hyperboloid.project_to_tangent(points[0], np.append(direction, 0.0)[None])
        return hyperboloid.exponential(points[0], by * tangent)

    model = model_at(points[0])
    _, theta_gradient = reference.train_pair(model, 0, targets, rate, 1.0)
    moved = model.centers[0]
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
            tangent = hyperboloid.project_to_tangent(points[0], np.append(direction, 0.0)[None])
            step = hyperboloid.minkowski_dot(hyperboloid.logarithm(points[0], moved), tangent)
        else:
            step = (moved - points[0]) @ direction
        assert float(step[0]) / rate == pytest.approx(slope, rel=1e-3, abs=1e-6)


ON_GPU = {"gpu": "tf32x3", "gpu, as in training": "tf32"}  # and the precision of gradients


def far_words(radius: float, seed: int) -> npt.NDArray[np.float32]:
    """Spatial coordinates (4, 5) of words within a distance of about 1, at this radius."""
    generator = np.random.default_rng(seed)
    direction = generator.normal(size=5)
    direction *= radius / np.linalg.norm(direction)
    center = hyperboloid.exponential(hyperboloid.base_point(5), np.append(direction, 0.0))
    directions = hyperboloid.project_to_tangent(
        hyperboloid.base_point(5), generator.normal(0, 0.5, (4, 6))
    )
    there = hyperboloid.parallel_transport(hyperboloid.base_point(5), center, directions)
    return hyperboloid.exponential(center, there)[:, :-1].astype(np.float32)


@pytest.mark.parametrize("radius", [0.5, 4, 6, 8, 10, 12, 15])
@pytest.mark.parametrize("rate", [0.05, 0.5, 3.0])
@pytest.mark.parametrize("schedule", [PAIRWISE, WINDOW, *ON_GPU])
def test_far_points_move_as_they_should(radius: float, rate: float, schedule: str) -> None:
    """Up to the error of storing them in float32, a displacement of 6e-8 e^radius / 2.

    A gradient in TF32 may have a larger error, up to the radius where the GPU uses float64.
    """
    stored = 6e-8 * np.exp(radius + 1) / 2
    gradient_precision = ON_GPU.get(schedule, "")
    device, schedule = (CUDA, WINDOW) if schedule in ON_GPU else (CPU, schedule)
    longest_step = 1.0
    off = 3e-4 + 4 * stored
    if gradient_precision == "tf32" and radius <= 4:
        off += rounding() * np.exp(radius) * longest_step
    plan = planned(
        dimension=5,
        curvature=1.0,
        subsample=0,
        max_step=longest_step,
        schedule=schedule,
        device=device,
        window=3,
        negatives=2,
        rate=rate,
        shared_negatives=1 if schedule == WINDOW else None,
    )
    settings = cpu_settings(plan, burn_in=False)
    all_kept = np.full(4, 2**32 - 1, dtype=np.uint32)
    uniform = sampling.noise_table(np.ones(4, dtype=np.int64), 0.5)
    distance_weights = sampling.distance_weights(3, plan.distance_decay)
    for seed in range(8 if device == CPU else 2):
        spatial = far_words(radius, seed)
        layers = layout.packed(spatial, None, 3.0, hyperbolic=True)
        before = hyperboloid.from_spatial(spatial.astype(np.float64))
        model = reference.ReferenceModel(before[:, None], before[:, None], 3.0, True)
        model.centers = model.contexts = before[:, None].copy()
        targets = np.array([1, 2, 3], dtype=np.int32)
        row = layers.centers.shape[1]
        if schedule == PAIRWISE:
            work: Any = pairwise.workspace(row)
            loss, _ = from_python(pairwise.train_pair)(
                layers, settings, 0, targets, 3, np.float32(rate), 3.0, work
            )
            expected_loss, _ = reference.train_pair(model, 0, [1, 2, 3], rate, 1.0)
        else:  # one tile of four words, each a context of the others
            reference_settings = reference.ReferenceSettings(
                *(all_kept, uniform, 3, False, 2, 1, 1.0, False),
                *(distance_weights, np.ones(4)),
            )
            everything = layout.Tables(
                all_kept,
                uniform,
                layout.gap_weights(distance_weights),
                np.ones(4, dtype=np.float32),
            )
            if device == CUDA:
                start = InitialParameters(spatial, None, 3.0)
                outcome, learned = run_on_gpu(
                    [[0, 1, 2, 3]],
                    start,
                    replace(plan, seed=seed),
                    rate,
                    text_tables=everything,
                    gradient_precision=gradient_precision,
                )
                loss = outcome.loss
                layers = packed(learned, plan)
            else:
                shape = RoundShape(4, 3, 1, row)
                work, shared = workspace(shape), shared_round(shape)
                window.train_tiles(
                    np.arange(4, dtype=np.int32),
                    np.array([0, 4], dtype=np.int64),
                    layers,
                    everything,
                    settings,
                    rate,
                    rate,
                    np.uint64(seed),
                    1,
                    work,
                    np.zeros(1, dtype=np.uint8),
                    shared,
                    thread_team.new_team(1),
                )
                loss = 12 * shared.mean_pair_loss
            _, expected_loss = reference.train_tiles(
                [[0, 1, 2, 3]], model, reference_settings, rate, rate, seed, TILE
            )
        after = hyperboloid.from_spatial(layers.centers[:, :5].astype(np.float64))
        # Products of the reference have an error of 1e-16 e^2r, those of the kernel at most 6e-5.
        pairs = 1 if schedule == PAIRWISE else 12
        assert loss == pytest.approx(expected_loss, abs=pairs * (3e-4 + 1e-15 * np.exp(2 * radius)))
        assert (hyperboloid.distance(before, after) <= 1.0 + stored + 3e-4).all()
        assert (hyperboloid.distance(after, model.centers[:, 0]) <= off).all()


@pytest.mark.parametrize("shape", [(8, 3, 16), (13, 40, 32), (1, 1, 48), (96, 21, 16)])
def test_matrix_products(shape: tuple[int, int, int]) -> None:
    rows, depth, columns = shape
    generator = np.random.default_rng(1)
    a, b, out = (
        generator.normal(size=size).astype(np.float32)
        for size in ((rows + 7, depth + 2), (depth, columns), (rows + 7, columns))
    )
    before = out.copy()
    multiply = from_python(tiles_module.multiply)
    multiply(a, 0, b, out, rows, depth, columns, True)
    np.testing.assert_allclose(out[:rows], before[:rows] + a[:rows, :depth] @ b, atol=1e-4)
    multiply(a, 2, b, out, rows, depth, columns, False)
    np.testing.assert_allclose(out[:rows], a[:rows, 2:] @ b, atol=1e-4)
    turned = np.ascontiguousarray(a.T)
    multiply(turned.T, 0, b, out, rows, depth, columns, False)
    np.testing.assert_allclose(out[:rows], a[:rows, :depth] @ b, atol=1e-4)


@pytest.mark.parametrize(
    ("part", "rows"), [(tiles_module._multiply_eight, 8), (tiles_module._multiply_four, 4)]
)
def test_wide_and_narrow_registers_give_the_same_products(part: Any, rows: int) -> None:
    generator = np.random.default_rng(2)
    a, b, out = (
        generator.normal(size=size).astype(np.float32) for size in ((20, 30), (27, 32), (20, 32))
    )
    before, untouched = out.copy(), out.copy()
    untouched[5 : 5 + rows, 16:] = before[5 : 5 + rows, 16:] + a[5 : 5 + rows, 3:] @ b[:, 16:]
    from_python(part)(a, 5, 3, b, out, 27, 16, True)
    np.testing.assert_allclose(out, untouched, atol=1e-4)
    from_python(part)(a, 5, 3, b, out, 27, 16, False)
    np.testing.assert_allclose(out[5 : 5 + rows, 16:], a[5 : 5 + rows, 3:] @ b[:, 16:], atol=1e-4)


@njit
def on_lanes(function: Any, numbers: Any, out: Any) -> None:
    for i in range(0, numbers.shape[1], lanes.LANES):
        lanes.store(out, 0, i, function(lanes.load(numbers, 0, i)))  # type: ignore[call-arg]


def both_ways(function: Any, numbers: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Apply a function to single numbers, and check that sixteen at once give the same."""
    assert len(numbers) % lanes.LANES == 0
    out = np.empty_like(numbers[None])
    on_lanes(function, numbers[None], out)
    alone = from_python(function)
    single = np.array([alone(number) for number in numbers], dtype=np.float32)
    np.testing.assert_allclose(out[0], single, rtol=1e-6)
    return single


def test_the_exponential_is_accurate() -> None:
    x = np.linspace(0, 100, 16_000, dtype=np.float32)
    ours = both_ways(formulas.exp_of_minus, x)
    np.testing.assert_allclose(ours, np.exp(-x.astype(np.float64)), rtol=5e-6, atol=2e-38)
    assert np.isnan(from_python(formulas.exp_of_minus)(np.float32("nan")))


def test_the_logarithm_is_accurate() -> None:
    x = np.geomspace(1, 1.7e38, 16_000, dtype=np.float32)
    ours = both_ways(formulas.logarithm, x)
    np.testing.assert_allclose(ours, np.log(x.astype(np.float64)), rtol=1e-6, atol=2e-6)


def test_the_logarithm_below_two_is_accurate() -> None:
    x = np.linspace(1, 2, 16_000, dtype=np.float32)
    ours = both_ways(formulas.logarithm_below_two, x)
    np.testing.assert_allclose(ours, np.log(x.astype(np.float64)), atol=1e-6)


def test_random_numbers_are_those_of_splitmix64() -> None:
    draws_of_reference = draws(1234567)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [next(draws_of_reference) for _ in range(3)] == expected
    mixed = from_python(random_draws.mixed)
    assert mixed(np.uint64(1234567) + random_draws.NEXT) == expected[0]


@pytest.mark.parametrize("schedule", [PAIRWISE, WINDOW])
def test_not_a_number_is_not_hidden(schedule: str) -> None:
    plan = planned(dimension=4, window=2, negatives=2, schedule=schedule, rate=0.01)
    layers = packed(random_parameters(WORDS, plan), plan)
    layers.centers[0, 0] = np.nan
    layers.centers[0, 4] = np.nan
    _, loss, _ = run_kernel(zipf_sentences(300), layers, plan, 0.05)
    assert np.isnan(loss)


@pytest.mark.parametrize("schedule", [PAIRWISE, WINDOW])
def test_a_kernel_stops_when_asked_to(schedule: str) -> None:
    plan = planned(dimension=4, window=2, negatives=2, schedule=schedule, rate=0.01)
    layers = packed(random_parameters(WORDS, plan), plan)
    before = layers.centers.copy()
    pairs, loss, _ = run_kernel(zipf_sentences(300), layers, plan, 0.01, stop=1)
    assert (pairs, loss) == (0, 0.0)
    np.testing.assert_array_equal(layers.centers, before)


def test_busy_words_are_skipped_and_counted() -> None:
    plan = planned(dimension=4, window=2, negatives=2, schedule=PAIRWISE, locking=True)
    layers = packed(random_parameters(WORDS, plan), plan)
    before = layers.centers.copy()
    sentences = zipf_sentences(300)
    locks = np.zeros(WORDS, dtype=np.int32)
    locks[:] = 9  # all words are locked by another thread
    pairs, _, skipped = run_kernel(sentences, layers, plan, 0.05, locks)
    assert pairs == 0
    assert skipped > 100
    assert (locks == 9).all()
    np.testing.assert_array_equal(layers.centers, before)
    locks[:] = 0
    locks[0] = 9  # one word is locked
    pairs, _, still_skipped = run_kernel(sentences, layers, plan, 0.05, locks)
    assert 0 < still_skipped < skipped
    assert pairs + still_skipped == skipped
    assert locks.tolist() == [9] + [0] * (WORDS - 1)  # all others were unlocked
    np.testing.assert_array_equal(layers.centers[0], before[0])


@pytest.mark.parametrize("schedule", [PAIRWISE, WINDOW])
def test_kernels_run_without_the_gil(schedule: str) -> None:
    """This thread keeps counting while a kernel runs in another thread."""
    plan = planned(dimension=100, window=10, negatives=20, schedule=schedule, rate=0.005)
    layers = packed(random_parameters(WORDS, plan), plan)
    sentences = zipf_sentences(20_000 if schedule == PAIRWISE else 400_000)
    run_kernel(sentences[:1], layers, plan, 0.005)  # compiled
    worker = threading.Thread(target=run_kernel, args=(sentences, layers, plan, 0.005))
    worker.start()
    switches = 0
    while worker.is_alive():
        time.sleep(0.001)
        switches += 1
    assert switches > 3  # with the GIL held, the loop would run once


def test_the_step_is_the_geodesic() -> None:
    """keep * x + pull * g is the exponential map of the clipped tangent vector."""
    generator = np.random.default_rng(1)
    nothing = np.zeros((0, 1, 4))
    model = reference.ReferenceModel(nothing, nothing, 3.0, True)
    step_coefficients = from_python(formulas.step_coefficients)
    for rate in (1e-4, 0.1, 2.0):
        point = hyperboloid.from_spatial(generator.normal(size=3))
        gradient = generator.normal(size=4)
        expected = model.moved(point, gradient, rate, 1.0)
        product = float(hyperboloid.minkowski_dot(point, gradient))
        tangent = hyperboloid.project_to_tangent(point, gradient)
        keep, pull = step_coefficients(
            True,
            np.float32(rate),
            np.float32(hyperboloid.norm(tangent, at=point)),
            np.float32(product),
            np.float32(1.0),
        )
        np.testing.assert_allclose(
            keep * point[:-1] + pull * gradient[:-1], expected[:-1], rtol=1e-5, atol=1e-5
        )


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("negatives", [5, 500])
@pytest.mark.parametrize("words", [2, 5, 60])
def test_no_word_moves_farther_in_a_tile_than_the_longest_step(
    words: int, negatives: int, tied: bool
) -> None:
    plan = planned(
        dimension=4, negatives=negatives, tied=tied, initial_deviation=0.5, rate=1.0, subsample=0
    )
    tokens = (np.arange(TILE) % words).tolist()
    for seed in range(5):
        plan = replace(plan, seed=seed)
        layers = packed(random_parameters(WORDS, plan), plan)
        before = layers.centers[:, :4].astype(np.float64)
        run_kernel([tokens], layers, plan, 1.0)
        after = layers.centers[:, :4].astype(np.float64)
        moved = hyperboloid.distance(
            hyperboloid.from_spatial(before), hyperboloid.from_spatial(after)
        )
        assert moved.max() <= plan.max_step + 1e-4
        assert moved.max() > 0.5
