"""The explorer's search is exact: it finds the same words as products with all words."""

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.geometry.names import ROUTES
from hyperskip.vectors.listed_words import Neighbor

WORDS, ANALOGIES, NEAREST = 200, 50, 10


def recall_of(vectors: WordVectors) -> float:
    """Return the share of the ten nearest words that the search finds.

    The queries are words and the points where analogies end. If rounding makes two words equally
    near, either counts.
    """
    random = np.random.default_rng(20180901)
    rows = random.integers(len(vectors), size=WORDS)
    a, b, c = random.integers(len(vectors), size=(3, ANALOGIES))
    points = np.concatenate(
        [
            vectors.points_of_rows(rows),
            *(vectors.analogy_points(a, b, c, route) for route in ROUTES),
        ]
    )
    count = min(NEAREST, len(vectors))
    found = vectors.nearest_words(points, count, np.empty((len(points), 0), dtype=np.int64))
    similarities = vectors.similarities(points)
    least = np.partition(similarities, -count, axis=1)[:, -count]
    tolerance = 1e-5 * np.abs(least)  # the products are float32
    correct = [
        similarities[i, vectors.index_of(near.word)] >= least[i] - tolerance[i]
        for i, nearest in enumerate(found)
        for near in nearest
    ]
    return float(np.sum(correct) / (count * len(points)))


@pytest.mark.parametrize("measure", ["product", "distance", "angle"])
def test_the_search_finds_all_nearest_words(trained: WordVectors, measure: str) -> None:
    vectors = trained.measured_by(measure)
    assert recall_of(vectors) == 1.0
    assert recall_of(vectors.compacted(at_least=0)) == 1.0  # as the explorer serves a large model
    assert recall_of(vectors.subset(np.arange(3))) == 1.0


def test_missed_words_lower_the_recall(
    trained: WordVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that returns the two nearest words and eight unrelated ones."""
    correct = WordVectors.nearest_words

    def poor(
        self: WordVectors, points: np.ndarray, count: int, excluded: np.ndarray
    ) -> list[list[Neighbor]]:
        unrelated = [Neighbor(word, 9.0, -9.0) for word in self.words[-(count - 2) :]]
        return [near[:2] + unrelated for near in correct(self, points, count, excluded)]

    monkeypatch.setattr(WordVectors, "nearest_words", poor)
    assert 0.2 <= recall_of(trained) < 0.35
