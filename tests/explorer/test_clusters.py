"""Clusters of words."""

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.explorer.answers.clusters import make_clusters


def four_groups(geometry: str, factors: int = 1) -> tuple[WordVectors, list[int]]:
    """Words in four groups, far from each other."""
    generator = np.random.default_rng(8)
    of_word = [i % 4 for i in range(400)]
    centers = 1.5 * np.array([[1, 1, 0, 0], [-1, 0, 1, 0], [0, -1, -1, 0], [0, 1, 0, -1]])
    values = centers[of_word] + generator.normal(0, 0.1, (400, 4))
    words = [f"{'abcd'[group]}{i}" for i, group in enumerate(of_word)]
    coordinates = values.astype(np.float32)
    return WordVectors(words, coordinates, geometry=geometry, factors=factors), of_word


@pytest.mark.parametrize(
    ("geometry", "factors"), [("hyperboloid", 1), ("hyperboloid", 2), ("euclidean", 1)]
)
def test_groups_of_words_are_clusters(geometry: str, factors: int) -> None:
    vectors, of_word = four_groups(geometry, factors)
    clusters = make_clusters(vectors, np.arange(300), count=4)
    assert len(set(zip(clusters.of_rows.tolist(), of_word, strict=True))) == 4
    assert len(clusters.names) == 4
    for cluster, name in enumerate(clusters.names):
        named = name.split(", ")
        assert len(named) == 3
        assert len({word[0] for word in named}) == 1
        assert {clusters.of_rows[vectors.index_of(word)] for word in named} == {cluster}


def test_the_same_seed_gives_the_same_clusters(trained: WordVectors) -> None:
    rows = np.arange(len(trained))
    one, two = (make_clusters(trained, rows, seed=5) for _ in range(2))
    np.testing.assert_array_equal(one.of_rows, two.of_rows)
    assert one.names == two.names


def test_there_are_no_more_clusters_than_points() -> None:
    same = WordVectors(["a", "b", "c"], np.zeros((3, 2), dtype=np.float32))
    clusters = make_clusters(same, np.arange(3))
    assert clusters.names == ("a, b, c",)
    assert clusters.of_rows.tolist() == [0, 0, 0]
