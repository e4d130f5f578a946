"""The neighbors of each node, in which walks choose their next node."""

import numpy as np
import pytest

from hyperskip.graphs.graph import Graph
from hyperskip.graphs.walks.adjacency import adjacency_of


def graph_of(*edges: tuple[int, int], weights: list[float] | None = None, directed: bool) -> Graph:
    sources, targets = np.array(edges, dtype=np.int32).reshape(-1, 2).T
    of_edges = None if weights is None else np.array(weights)
    return Graph(tuple("abcde"), sources, targets, of_edges, directed)


def test_neighbors_are_sorted_and_each_occurs_once() -> None:
    edges = (3, 1), (0, 3), (1, 3), (1, 0), (2, 2), (1, 0)
    found = adjacency_of(graph_of(*edges, directed=False))
    assert found.starts.tolist() == [0, 2, 4, 4, 6, 6]
    assert found.neighbors.tolist() == [1, 3, 0, 3, 0, 1]
    assert found.degrees.tolist() == [2, 2, 0, 2, 0]
    assert not len(found.thresholds)
    directed = adjacency_of(graph_of(*edges, directed=True))
    assert directed.starts.tolist() == [0, 1, 3, 3, 4, 4]
    assert directed.neighbors.tolist() == [3, 0, 3, 1]


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_thresholds_are_cumulative_shares(scale: float) -> None:
    edges = (0, 1), (0, 2), (0, 3), (1, 2), (0, 1)
    weights = [scale * weight for weight in (1.0, 2.0, 4.0, 5.0, 1.0)]
    found = adjacency_of(graph_of(*edges, weights=weights, directed=True))
    assert found.neighbors.tolist() == [1, 2, 3, 2]
    expected = np.array([0.25, 0.5, 1.0, 1.0]) * (2**32 - 1)
    np.testing.assert_allclose(found.thresholds, expected, atol=2)
    assert found.thresholds[[2, 3]].tolist() == [2**32 - 1] * 2


def test_a_graph_may_have_no_neighbors() -> None:
    for weights in (None, [1.0]):
        found = adjacency_of(graph_of((2, 2), weights=weights, directed=True))
        assert not len(found.neighbors)
        assert found.starts.tolist() == [0] * 6
        assert not len(found.thresholds)
