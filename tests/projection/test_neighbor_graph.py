import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.projection.map_events import MapProgress, ignore
from hyperskip.projection.neighbor_graph import NeighborGraph, nearest_words, pulls_between


def test_the_graph_has_the_neighbors_that_the_vectors_give(trained: WordVectors) -> None:
    reports: list[MapProgress] = []
    graph = nearest_words(trained, reports.append)
    for row in (0, 17, len(trained) - 1):
        neighbors = trained.neighbors(trained.words[row], 10)
        assert [trained.words[other] for other in graph.rows[row]] == [n.word for n in neighbors]
        np.testing.assert_allclose(graph.distances[row], [n.distance for n in neighbors])
    assert reports[-1] == MapProgress("neighbors", 1.0)


@pytest.mark.parametrize(("words", "neighbors"), [(2, 1), (3, 1), (9, 4), (21, 10), (30, 10)])
def test_few_words_have_few_neighbors(words: int, neighbors: int) -> None:
    """Otherwise all other words would be neighbors, and every map would keep them."""
    coordinates = np.random.default_rng(0).normal(size=(words, 3)).astype(np.float32)
    graph = nearest_words(WordVectors([f"w{i}" for i in range(words)], coordinates), ignore)
    assert graph.rows.shape == (words, neighbors)


def test_pulls_are_mutual_and_strongest_from_the_nearest() -> None:
    rows = np.array([[1, 2], [0, 2], [1, 3], [2, 1]])
    graph = NeighborGraph(rows, np.array([[1.0, 2.0], [1.0, 1.5], [0.5, 3.0], [2.0, 2.0]]))
    pulls = pulls_between(graph)
    matrix = np.zeros((4, 4))
    for word in range(4):
        some = slice(pulls.starts[word], pulls.starts[word + 1])
        matrix[word, pulls.words[some]] = pulls.strengths[some]
    np.testing.assert_allclose(matrix, matrix.T)
    assert matrix[0, 1] == pytest.approx(1.0)  # each is the nearest word of the other
    assert not matrix.diagonal().any()
    assert ((matrix >= 0) & (matrix <= 1)).all()


def test_the_pulls_on_a_word_add_up_to_the_logarithm_of_its_neighbors() -> None:
    count = 8
    # No word has one of the first five as neighbor, so these have their own pulls only.
    last = 5 + 5 * count
    rows = np.full((last + 1, count), last)
    rows[:5] = np.arange(5, last).reshape(5, count)
    rows[last] = 5
    distances = np.ones(rows.shape)
    distances[:5] += np.sort(np.random.default_rng(3).uniform(0, 4, (5, count)), axis=1)
    pulls = pulls_between(NeighborGraph(rows, distances))
    for word in range(5):
        some = slice(pulls.starts[word], pulls.starts[word + 1])
        assert pulls.strengths[some].sum() == pytest.approx(np.log2(count), rel=1e-6)
