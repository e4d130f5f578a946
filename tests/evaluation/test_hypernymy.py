"""Hypernymy scores: known answers, and scores of vectors of the built-in corpus."""

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.builtin import BUILTIN
from hyperskip.evaluation.hypernymy import (
    AVERAGE_PRECISION,
    CLASSES,
    DIRECTION,
    DIRECTION_ACCURACY,
    SPEARMAN,
    evaluate_hypernymy,
)
from hyperskip.evaluation.hypernymy_scores import hypernymy_scores
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.geometry.arrays import Floats, Rows

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
    score = evaluate_hypernymy(tree(geometry), PAIRS)[""]
    assert score.figure == AVERAGE_PRECISION
    assert (score.found, score.pairs) == (8, 9)
    assert score.chance == 3 / 8
    assert score.agreement["angle-radius"] == 1
    assert score.agreement["angle-frequency"] == 1
    for name in ("similarity", "radius", "frequency"):
        assert (score.agreement[name] or 0) < 1


def test_frequency_scores_need_counts() -> None:
    assert set(evaluate_hypernymy(tree(counted=False), PAIRS)[""].agreement) == {
        "similarity", "radius", "angle-radius", "nickel-kiela",
    }  # fmt: skip


def test_graded_labels_are_scored_by_rank_correlation() -> None:
    graded = [RatedPair("poodle", "animal", 6), RatedPair("dog", "animal", 5)]
    graded += [RatedPair("animal", "dog", 2), RatedPair("animal", "poodle", 1)]
    (score,) = evaluate_hypernymy(tree(), graded).values()
    assert (score.figure, score.chance) == (SPEARMAN, 0)
    assert score.agreement["radius"] == pytest.approx(1)


@pytest.mark.parametrize("label", [0.0, 1.0])
def test_too_little_gives_none(label: float) -> None:
    for pairs in ([], [RatedPair("dog", "animal", label)], [RatedPair("x", "y", label)]):
        score = evaluate_hypernymy(tree(), pairs)[""]
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
    score = evaluate_hypernymy(trained, pairs)[""]
    similarity, angle_radius = (score.agreement[name] for name in ("similarity", "angle-radius"))
    assert similarity is not None
    assert angle_radius is not None
    assert angle_radius > similarity > (score.chance or 1)


class WithHierarchy(WordVectors):
    """A tree whose hierarchy knows everything that the plain vectors do not."""

    @property
    def has_hierarchy(self) -> bool:
        return True

    @property
    def hierarchy_radii(self) -> Floats:
        return np.array([1.0, 2.0, 3.0, 1.0, 2.0])

    def is_a_of_rows(self, first: Rows, second: Rows) -> Floats:
        true = {(1, 0), (2, 1), (2, 0), (4, 3)}
        pairs = zip(first.tolist(), second.tolist(), strict=True)
        return np.array([0.9 if pair in true else 0.1 for pair in pairs])


def test_a_hierarchy_is_scored_beside_frequency_and_the_plain_scores() -> None:
    known = WithHierarchy(WORDS, COORDINATES, counts=COUNTS)
    for part, score in evaluate_hypernymy(known, PAIRS).items():
        plain = evaluate_hypernymy(tree(), PAIRS)[part]
        assert list(score.agreement)[:3] == ["is_a", "hierarchy radius", "frequency"]
        assert score.main == "is_a"
        assert score.agreement["is_a"] == 1
        assert plain.main == "angle-radius"
        assert list(plain.agreement)[:2] == ["angle-radius", "frequency"]
        assert score.agreement.items() >= plain.agreement.items()
    first, second = np.array([2, 0]), np.array([0, 1])
    assert hypernymy_scores(known, first, second)["hierarchy radius"].tolist() == [2, -1]


def test_direction_compares_each_true_pair_with_its_reverse() -> None:
    score = evaluate_hypernymy(tree(), PAIRS)[DIRECTION]
    assert (score.figure, score.chance) == (DIRECTION_ACCURACY, 0.5)
    assert (score.found, score.pairs) == (3, 4)  # the true pairs
    for way in ("radius", "frequency", "angle-radius", "angle-frequency"):
        assert (score.agreement[way], score.all_pairs[way]) == (1, 3 / 4)
    assert score.agreement["similarity"] is None  # it has no direction
    turned = [RatedPair(b, a, label) for a, b, label in PAIRS]
    assert evaluate_hypernymy(tree(), turned)[DIRECTION].agreement["radius"] == 0


def test_reversed_pairs_are_a_class_of_their_own() -> None:
    pairs = [RatedPair(a, b, 1) for a, b in (("dog", "animal"), ("hammer", "tool"))] * 25
    pairs += [RatedPair(b, a, -1) for a, b, _ in pairs]
    pairs += [RatedPair("hammer", "animal", 0), RatedPair("poodle", "tool", 0)] * 25
    known = WithHierarchy(WORDS, COORDINATES, counts=COUNTS)
    parts = evaluate_hypernymy(known, pairs)
    assert list(parts) == ["", DIRECTION, CLASSES]
    assert [parts[part].agreement["is_a"] for part in ("", DIRECTION)] == [1, 1]
    assert (parts[DIRECTION].found, parts[DIRECTION].pairs) == (100, 100)
    three = parts[CLASSES]
    assert three.figure == "accuracy of 3 classes"
    assert (three.found, three.pairs, three.all_pairs) == (150, 150, {})
    chance, accuracy = three.chance, three.agreement["is_a"]
    assert chance is not None
    assert accuracy is not None
    assert 0.2 < chance < 0.5 < 0.8 < accuracy


def test_two_classes_need_a_large_balanced_set() -> None:
    true, false = PAIRS[:3], PAIRS[3:8]
    balanced = true + false[:3]
    for pairs, has_classes in (
        (balanced * 17, True),
        (balanced * 16, False),  # fewer than 100 pairs
        ((true + false) * 20, False),
    ):
        assert (CLASSES in evaluate_hypernymy(tree(), pairs)) == has_classes
    two = evaluate_hypernymy(tree(), balanced * 20)[CLASSES]
    assert two.figure == "accuracy of 2 classes"
    assert two.chance == pytest.approx(0.5, abs=0.1)
    accuracy = two.agreement["angle-radius"]
    assert accuracy is not None
    assert accuracy > 0.7


def test_unknown_pairs_count_as_unlikely_or_as_average() -> None:
    ranking = evaluate_hypernymy(tree(), PAIRS)[""]
    assert ranking.agreement["angle-radius"] == 1
    # The true pair with an unknown word shares the last rank of 9.
    assert ranking.all_pairs["angle-radius"] == pytest.approx((3 + 4 / 9) / 4)
    assert evaluate_hypernymy(tree(), PAIRS[:8])[""].all_pairs == {}
    grades = [RatedPair("poodle", "animal", 6), RatedPair("dog", "spaniel", 3)]
    grades += [RatedPair("dog", "animal", 5), RatedPair("animal", "poodle", 0)]
    (graded,) = evaluate_hypernymy(tree(), grades).values()
    assert graded.agreement["radius"] == pytest.approx(1)
    assert graded.all_pairs["radius"] == pytest.approx(0.9487, abs=1e-4)  # a tie with the median
    nothing = evaluate_hypernymy(tree(), [RatedPair("x", "y", 1), RatedPair("y", "x", 0)])
    assert all(part.all_pairs == {} for part in nothing.values())


def test_words_are_found_in_other_forms() -> None:
    vectors = WordVectors([*WORDS, "guinea_pig"], np.vstack((COORDINATES, [[2.0, 0.3]])))
    pairs = [RatedPair("Dogs", "Animals", 1), RatedPair("guinea pigs", "animal", 1)]
    pairs += [RatedPair("DOG", "spaniels", 0), RatedPair("dogs", "hammer", 0)]
    score = evaluate_hypernymy(vectors, pairs)[""]
    assert (score.found, score.pairs, score.replaced) == (3, 4, 4)  # not DOG
    strict = evaluate_hypernymy(vectors, pairs, forms=lambda _: ())[""]
    assert (strict.found, strict.replaced) == (0, 0)
