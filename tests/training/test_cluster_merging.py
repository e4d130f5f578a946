"""Merging: the kernel agrees with the reference, gains obey their laws, moves are as expected."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans import planned

from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.names import EUCLIDEAN
from hyperskip.training.backend import Backend
from hyperskip.training.blocks import Block
from hyperskip.training.cluster import kernels
from hyperskip.training.cluster.merging import Moved, gains, merge
from hyperskip.training.cluster.moves import ExpectedMoves, Moves, moves_for
from hyperskip.training.cluster.reference import merged_points
from hyperskip.training.options import PAIRWISE, WINDOW
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import plan_ranking
from hyperskip.training.run.block_training import BlockTraining
from hyperskip.training.run.device import backend_for
from hyperskip.training.start.random_positions import random_parameters

SPACES: list[dict[str, Any]] = [
    {"dimension": 7},
    {"dimension": 8, "factors": 2},
    {"dimension": 6, "geometry": EUCLIDEAN},
]
IDS = ["hyperboloid", "product of hyperboloids", "Euclidean space"]


def points_near(
    radius: float, count: tuple[int, ...], dimension: int
) -> npt.NDArray[np.float32]:  # (*count, dimension)
    generator = np.random.default_rng(count[0])
    directions = generator.normal(size=(*count, dimension))
    directions /= np.linalg.norm(directions, axis=-1, keepdims=True)
    return np.asarray(np.sinh(radius) * directions, dtype=np.float32)


def by_kernel(
    plan: TrainingPlan, base: Any, points: Any, weights: Floats, gain: Floats
) -> npt.NDArray[np.float32]:
    factors = plan.factors, plan.factor_dimension
    merged = np.empty((len(base), *factors), dtype=np.float32)
    kernels.merge_points(
        base.reshape(-1, *factors),
        points.reshape(*points.shape[:2], *factors),
        *(weights, gain, plan.space.is_curved, merged),
    )
    return merged.reshape(base.shape)


@pytest.mark.parametrize("space", SPACES, ids=IDS)
@pytest.mark.parametrize(("radius", "step"), [(0.0, 1e-5), (0.5, 0.2), (3.0, 1.0), (6.0, 1e-3)])
def test_the_kernel_agrees_with_the_reference(
    space: dict[str, Any], radius: float, step: float
) -> None:
    plan, nodes, words = planned(**space), 3, 40
    base = points_near(radius, (words,), plan.dimension)
    points = base + points_near(step, (nodes, words), plan.dimension)
    weights = np.random.default_rng(5).gamma(1.0, size=(nodes, words))
    weights[0, ::2] = 0.0  # nodes that did not move a word
    weights[1, ::3] = 0.0
    gain = np.linspace(1.0, 2.5, words)
    expected = merged_points(plan.space, base, points, weights, gain)
    found = by_kernel(plan, base, points, weights, gain)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5 * np.abs(expected).max())


@pytest.mark.parametrize("space", SPACES, ids=IDS)
def test_a_word_that_one_node_moved_goes_where_it_moved_it(space: dict[str, Any]) -> None:
    plan = planned(**space)
    base = points_near(1.0, (9,), plan.dimension)
    points = np.stack([points_near(2.0, (9,), plan.dimension), np.zeros_like(base)])
    weights = np.stack([np.full(9, 0.3), np.zeros(9)])
    found = by_kernel(plan, base, points, weights, np.ones(9))
    np.testing.assert_allclose(found, points[0], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("space", SPACES, ids=IDS)
def test_words_that_did_not_move_stay(space: dict[str, Any]) -> None:
    plan = planned(**space)
    base = points_near(2.0, (9,), plan.dimension)
    found = by_kernel(plan, base, np.stack([base, base]), np.ones((2, 9)), np.full(9, 2.0))
    np.testing.assert_allclose(found, base, rtol=1e-5, atol=1e-6)


@given(
    st.integers(1, 40).flatmap(
        lambda nodes: st.tuples(
            st.lists(st.floats(1e-6, 1e6), min_size=nodes, max_size=nodes),
            st.lists(st.floats(0, 1e6), min_size=nodes, max_size=nodes),
        )
    )
)
def test_a_gain_is_between_the_mean_and_the_sum(drawn: tuple[list[float], list[float]]) -> None:
    moves, relaxation = (np.array(values)[:, None] for values in drawn)
    [gain] = gains(moves, relaxation)
    assert 1.0 - 1e-9 <= gain <= len(moves) * (1 + 1e-9)
    if len(moves) == 1:
        assert gain == pytest.approx(1.0)


@given(st.integers(1, 100), st.floats(1e-3, 1e5))
def test_gains_of_equal_shares(nodes: int, moves: float) -> None:
    equal = np.full((nodes, 1), moves)
    assert gains(equal, np.full((nodes, 1), 1e-8))[0] == pytest.approx(nodes, rel=1e-4)
    assert gains(equal, np.full((nodes, 1), 100.0))[0] == pytest.approx(1.0)


def moved(words: list[int], places: list[list[float]], **changed: Any) -> Moved:
    moves = Moves(*(np.ones(len(words), dtype=np.float32) for _ in range(2)))
    coordinates = np.array([places], dtype=np.float32)
    return Moved(np.array(words, dtype=np.int64), coordinates, moves, 3.0, 100)._replace(**changed)


def test_pieces_are_merged_by_word() -> None:
    plan = planned(dimension=2, geometry=EUCLIDEAN)
    base = np.zeros((1, 5, 2), dtype=np.float32)
    far = Moves(np.ones(2, dtype=np.float32), np.full(2, 50, dtype=np.float32))
    first = moved([1, 3], [[2, 0], [0, 4]], moves=far, theta=1.0, tokens=100)
    second = moved([3, 4], [[0, 8], [6, 6]], moves=far, theta=2.0, tokens=300)
    merged = merge([first, second], base, plan)
    assert merged.words.tolist() == [1, 3, 4]
    np.testing.assert_allclose(merged.coordinates, [[[2, 0], [0, 6], [6, 6]]], rtol=1e-6)
    assert merged.theta == pytest.approx(1.75)
    nothing = moved([], [], coordinates=np.zeros((1, 0, 2), dtype=np.float32), tokens=0)
    empty = merge([nothing, nothing], base, plan)
    assert empty.words.tolist() == []
    assert empty.theta == 3.0


def test_counting_words() -> None:
    occurrences = np.array([1, 0, 0, 0])
    kernels.count_words(np.array([3, 0, 3], dtype=np.int32), occurrences)
    kernels.count_words(np.zeros(0, dtype=np.int32), occurrences)
    assert occurrences.tolist() == [2, 0, 0, 2]


COUNTS = np.array([60, 30, 10])
EVERY = {"subsample": 0.0, "dimension": 4}


def test_moves_are_expected_as_counted_by_hand() -> None:
    """Three words without subsampling; each center has two contexts and two negative samples."""
    words, occurrences = np.arange(3), np.array([6, 3, 0])
    plan = planned(**EVERY, schedule=PAIRWISE, negatives=2, power=1.0)
    pairwise = ExpectedMoves(plan, COUNTS, 1.0).of(words, occurrences, 100, 0.1)
    # Each pair moves its center and its context; 400 negative samples are drawn in 100 tokens.
    np.testing.assert_allclose(pairwise.number, [24 + 240, 12 + 120, 40])
    windows = planned(**EVERY, schedule=WINDOW, window=1, power=1.0, shared_negatives=32)
    tiled = ExpectedMoves(windows, COUNTS, 1.0).of(words, occurrences, 160, 0.1)
    # Tiles of 16 centers: 10 of them, each with 18 contexts and 32 negative samples.
    each = 1 + 2 / 16
    np.testing.assert_allclose(tiled.number, [6 * each + 192, 3 * each + 96, 32])
    slower = ExpectedMoves(windows, COUNTS, 1.0).of(words, occurrences, 160, 0.05)
    np.testing.assert_allclose(slower.relaxation, tiled.relaxation / 2, rtol=1e-6)


def test_moves_by_ranking_have_the_weight_of_the_share() -> None:
    """The result of a merge is the centroid of points, and the mean of moments."""
    plan = plan_ranking(RankingOptions(dimension=2), "cpu", nodes=3)
    words, base = np.arange(3), np.zeros((1, 3, 8), dtype=np.float32)
    pieces = []
    for node, tokens in enumerate((300, 100)):
        moves = moves_for(plan, COUNTS, 0.0).of(words[node:], words, tokens, 0.1)
        found = np.full((1, 3 - node, 8), 1.0 + node, dtype=np.float32)
        pieces.append(Moved(words[node:], found, moves, 0.0, tokens))
    merged = merge(pieces, base, plan)
    np.testing.assert_array_equal(merged.words, words)
    np.testing.assert_allclose(merged.coordinates[0, 0], 1.0, rtol=1e-6)  # one node moved it
    np.testing.assert_allclose(merged.coordinates[0, 1:, 2:], 1.25, rtol=1e-6)
    points = np.array([[[1.0, 1.0]], [[2.0, 2.0]]], dtype=np.float32)
    weights = np.array([[3.0], [1.0]])
    expected = merged_points(plan.space, base[0, :1, :2], points, weights, np.ones(1))
    np.testing.assert_allclose(merged.coordinates[0, 1:, :2], expected.repeat(2, 0), rtol=1e-5)


def test_tokens_can_differ_by_word() -> None:
    expected = ExpectedMoves(planned(**EVERY), COUNTS, 2.0)
    words, occurrences = np.array([0, 2]), np.array([5, 5])
    both = expected.of(words, occurrences, np.array([100, 700]), 0.1)
    for index, tokens in enumerate((100, 700)):
        alone = expected.of(words, occurrences, tokens, 0.1)
        assert both.number[index] == alone.number[index]


@pytest.mark.parametrize("schedule", [PAIRWISE, WINDOW])
def test_words_that_are_expected_to_move_do(schedule: str) -> None:
    """Words whose expected number of moves is far below 1 stay, and those far above it move."""
    words, tokens = 4000, 600
    generator = np.random.default_rng(2)
    counts = np.sort(generator.zipf(1.3, words).clip(1, 10**6))[::-1].astype(np.int64)
    plan = planned(dimension=4, schedule=schedule, subsample=1e-3, window=3, negatives=2, threads=1)
    backend: Backend = backend_for(
        plan, random_parameters(words, plan), counts, None, [Block(0, 0, tokens)]
    )
    ids = generator.choice(words, tokens, p=counts / counts.sum()).astype(np.int32)

    class Text:
        def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
            return ids[begin:end]

        def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
            return np.arange(-(-begin // 20) * 20, end, 20)

    before = backend.coordinates(slice(None))
    training = BlockTraining(backend, lambda _: Text(), tokens, plan)
    training.train([Block(0, 0, tokens)], 0, lambda *_: None)
    did_move = (backend.coordinates(slice(None)) != before).any(axis=(0, 2))
    occurrences = np.bincount(ids, minlength=words)
    contexts = 2.0 if plan.shrink_window else 3.0
    number = (
        ExpectedMoves(plan, counts, contexts)
        .of(np.arange(words), occurrences, tokens, plan.rate)
        .number
    )
    expected = -np.expm1(-number)  # share of words that move at least once
    for low, high in ((0, 0.3), (0.3, 2), (2, np.inf)):
        chosen = (low <= number) & (number < high)
        assert chosen.sum() > 20
        assert did_move[chosen].mean() == pytest.approx(expected[chosen].mean(), abs=0.12)
