import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.explorer.answers.recall import recall_of
from hyperskip.vectors.word_vectors import Neighbor


def test_plain_search_finds_everything(trained: WordVectors) -> None:
    assert recall_of(trained) == 1.0
    assert recall_of(trained.subset(np.arange(3))) == 1.0


def test_what_is_missed_is_noticed(trained: WordVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that gives the two nearest words, and strangers for the others."""
    right = WordVectors.nearest_words

    def poor(
        self: WordVectors, points: np.ndarray, count: int, excluded: np.ndarray
    ) -> list[list[Neighbor]]:
        strangers = [Neighbor(word, 9.0, -9.0) for word in self.words[-(count - 2) :]]
        return [near[:2] + strangers for near in right(self, points, count, excluded)]

    monkeypatch.setattr(WordVectors, "nearest_words", poor)
    assert 0.2 <= recall_of(trained) < 0.35
