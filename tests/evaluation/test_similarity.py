import numpy as np
import pytest
from scipy import stats

from hyperskip import WordVectors
from hyperskip.evaluation.similarity import (
    RatedPair,
    SimilarityScore,
    average_spearman,
    evaluate_similarity,
)

WORDS = ["aa", "bb", "cc", "dd", "Ee"]
COORDINATES = np.array([[0, 0], [1, 0], [2, 0], [0, 3], [1, 1]], dtype=np.float32)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_spearman_of_the_paper_s_similarity(geometry: str) -> None:
    vectors = WordVectors(WORDS, COORDINATES + 0.1, geometry=geometry)
    pairs = [
        RatedPair("aa", "bb", 5), RatedPair("AA", "cc", 5), RatedPair("bb", "cc", 9),
        RatedPair("aa", "dd", 1), RatedPair("aa", "unknown", 7), RatedPair("Ee", "dd", 2),
    ]  # fmt: skip
    score = evaluate_similarity(vectors, pairs)
    known = [pair for pair in pairs if pair.second != "unknown"]
    if geometry == "hyperboloid":
        points = dict(zip(WORDS, vectors.points, strict=True))
        ours = [
            points[a.lower() if a != "Ee" else a][:-1] @ points[b][:-1]
            - points[a.lower() if a != "Ee" else a][-1] * points[b][-1]
            for a, b, _ in known
        ]
        expected = stats.spearmanr(ours, [pair.score for pair in known]).statistic
        assert score.spearman == pytest.approx(expected)
    assert (score.found, score.pairs) == (5, 6)
    assert score.spearman is not None


def test_similarity_is_scored_by_the_measure_of_the_vectors() -> None:
    vectors = WordVectors(WORDS, COORDINATES + 0.1)
    pairs = [RatedPair("aa", "bb", 1), RatedPair("bb", "dd", 2), RatedPair("cc", "Ee", 3)]
    for measure in ("product", "distance", "angle"):
        view = vectors.measured_by(measure)
        ours = [view.similarity(pair.first, pair.second) for pair in pairs]
        expected = stats.spearmanr(ours, [1, 2, 3]).statistic
        assert evaluate_similarity(view, pairs).spearman == pytest.approx(expected)


def test_too_little_gives_none() -> None:
    vectors = WordVectors(WORDS, COORDINATES)
    assert evaluate_similarity(vectors, []) == SimilarityScore(None, 0, 0)
    one = [RatedPair("aa", "bb", 1.0)]
    assert evaluate_similarity(vectors, one) == SimilarityScore(None, 1, 1)
    constant = [RatedPair("aa", "bb", 1.0), RatedPair("aa", "cc", 1.0)]
    assert evaluate_similarity(vectors, constant).spearman is None


def test_the_average_is_weighted_by_pairs_found() -> None:
    scores = [
        SimilarityScore(0.5, 30, 40),
        SimilarityScore(0.1, 10, 10),
        SimilarityScore(None, 1, 9),
    ]
    assert average_spearman(scores) == pytest.approx(0.4)
    assert average_spearman([SimilarityScore(None, 0, 3)]) is None
