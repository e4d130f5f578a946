"""Hypernymy scores: known answers, and scores of vectors of the built-in corpus."""

from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hyperskip import WordVectors
from hyperskip.builtin import BUILTIN
from hyperskip.evaluation.datasets import hypernymy_pairs
from hyperskip.evaluation.hypernymy import (
    AVERAGE_PRECISION,
    SPEARMAN,
    average_precision,
    evaluate_hypernymy,
    hypernymy_scores,
)
from hyperskip.evaluation.similarity import RatedPair

# Two rays from the base point: animals to the right, tools to the left.
WORDS = ["animal", "dog", "poodle", "tool", "hammer"]
COORDINATES = np.array([[0.5, 0.1], [1.5, 0], [3, 0.2], [-0.5, 0], [-2, 0.1]], dtype=np.float32)
COUNTS = np.array([900, 100, 5, 800, 50])
PAIRS = [
    RatedPair("dog", "animal", 1), RatedPair("Poodle", "dog", 1), RatedPair("hammer", "tool", 1),
    RatedPair("animal", "dog", 0), RatedPair("dog", "poodle", 0), RatedPair("tool", "hammer", 0),
    RatedPair("hammer", "animal", 0), RatedPair("dog", "tool", 0), RatedPair("dog", "spaniel", 1),
]  # fmt: skip


def tree(geometry: str = "hyperboloid", *, counted: bool = True) -> WordVectors:
    counts = COUNTS if counted else None
    return WordVectors(WORDS, COORDINATES, counts=counts, geometry=geometry)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_direction_and_radius_together_recognize_hypernyms(geometry: str) -> None:
    score = evaluate_hypernymy(tree(geometry), PAIRS)
    assert score.figure == AVERAGE_PRECISION
    assert (score.found, score.pairs) == (8, 9)
    assert score.chance == 3 / 8
    assert score.agreement["angle-radius"] == 1
    assert score.agreement["angle-frequency"] == 1
    for name in ("similarity", "radius", "frequency"):
        assert (score.agreement[name] or 0) < 1


def test_frequency_scores_need_counts() -> None:
    assert set(evaluate_hypernymy(tree(counted=False), PAIRS).agreement) == {
        "similarity", "radius", "angle-radius", "nickel-kiela",
    }  # fmt: skip


def test_graded_labels_are_scored_by_rank_correlation() -> None:
    graded = [RatedPair("poodle", "animal", 6), RatedPair("dog", "animal", 5)]
    graded += [RatedPair("animal", "dog", 2), RatedPair("animal", "poodle", 1)]
    score = evaluate_hypernymy(tree(), graded)
    assert (score.figure, score.chance) == (SPEARMAN, 0)
    assert score.agreement["radius"] == pytest.approx(1)


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_too_little_gives_none(label: float) -> None:
    for pairs in ([], [RatedPair("dog", "animal", label)], [RatedPair("x", "y", label)]):
        score = evaluate_hypernymy(tree(), pairs)
        assert set(score.agreement.values()) == {None}
        assert score.chance is None


def test_words_at_the_same_radius_have_no_order() -> None:
    places = np.array([[1, 0], [0, 1]], dtype=np.float32)
    scores = hypernymy_scores(WordVectors(["a", "b"], places), np.array([0]), np.array([1]))
    assert scores["radius"] == 0
    assert scores["angle-radius"] == pytest.approx(0.25)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_scores_follow_their_formulas(geometry: str) -> None:
    vectors = tree(geometry)
    first, second = np.array([1, 0, 4]), np.array([0, 1, 2])
    scores = hypernymy_scores(vectors.measured_by("distance"), first, second)
    for i, (a, b) in enumerate((("dog", "animal"), ("animal", "dog"), ("hammer", "poodle"))):
        difference = vectors.radius(b) - vectors.radius(a)
        assert scores["similarity"][i] == pytest.approx(vectors.similarity(a, b))
        assert scores["radius"][i] == pytest.approx(-difference)
        nickel_kiela = -(1 + 1000 * difference) * vectors.distance(a, b)
        assert scores["nickel-kiela"][i] == pytest.approx(nickel_kiela)
    assert scores["frequency"] == pytest.approx(np.log([9, 1 / 9, 0.1]))
    assert scores["angle-radius"][0] + scores["angle-radius"][1] == pytest.approx(
        (1 + vectors.measured_by("angle").similarity("dog", "animal")) / 2
    )


def test_vectors_of_the_built_in_corpus_recognize_hypernyms(trained: WordVectors) -> None:
    (pairs,) = hypernymy_pairs(BUILTIN).values()
    score = evaluate_hypernymy(trained, pairs)
    similarity, angle_radius = (score.agreement[name] for name in ("similarity", "angle-radius"))
    assert similarity is not None
    assert angle_radius is not None
    assert angle_radius > similarity > (score.chance or 1)


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
