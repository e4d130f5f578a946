"""AUC of edges against random pairs: known answers, and which pairs are drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from hyperskip.evaluation.edges.auc import edge_auc, pairs_without_edge
from hyperskip.evaluation.edges.separations import placed, separations_of_pairs
from hyperskip.geometry.arrays import Rows
from hyperskip.geometry.spaces import space_named

HYPERBOLOID = space_named("hyperboloid")
NONE: Rows = np.empty((0, 2), dtype=np.int64)
CLOSE_PAIRS = np.array([[0, 0.1], [0, 0.2], [5, 5], [5, 5.1]], dtype=np.float32)


def as_keys(pairs: Rows, nodes: int) -> set[int]:
    return {min(pair) * nodes + max(pair) for pair in pairs.tolist()}


@given(
    st.integers(2, 12),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=80),
    st.integers(0, 3),
)
def test_random_pairs_have_no_edge(nodes: int, listed: list[tuple[int, int]], seed: int) -> None:
    edges = np.array(listed, dtype=np.int64).reshape(-1, 2) % nodes
    connected = as_keys(edges, nodes) | {node * (nodes + 1) for node in range(nodes)}
    others = {i * nodes + j for i in range(nodes) for j in range(i, nodes)} - connected
    pairs = pairs_without_edge(edges, nodes, 2000, seed)
    assert as_keys(pairs, nodes) <= others
    if others:
        assert as_keys(pairs, nodes) == others  # 2,000 draws find all of at most 66
    else:
        assert not len(pairs)


def test_pairs_are_drawn_evenly() -> None:
    pairs = pairs_without_edge(np.array([[0, 1]]), 5, 90_000, seed=1)
    _, counts = np.unique(np.sort(pairs, axis=1) @ [5, 1], return_counts=True)
    assert counts == pytest.approx(np.full(9, 10_000), rel=0.05)


def test_close_pairs_have_an_auc_of_1() -> None:
    points = placed(HYPERBOLOID, CLOSE_PAIRS)
    assert edge_auc(points, np.array([[0, 1], [3, 2]]), NONE, 1) == 1
    assert edge_auc(points, np.array([[0, 2], [3, 1]]), NONE, 1) == pytest.approx(0.25, abs=0.01)


def test_pairs_of_the_same_distance_count_half() -> None:
    points = placed(HYPERBOLOID, np.ones((5, 2), dtype=np.float32))
    assert edge_auc(points, np.array([[0, 1], [3, 2]]), NONE, 1) == 0.5


def test_known_edges_are_no_random_pairs() -> None:
    """All far pairs but one are known, in either direction."""
    points = placed(HYPERBOLOID, CLOSE_PAIRS)
    known = np.array([[0, 1], [2, 0], [0, 3], [1, 2], [3, 1]])
    assert edge_auc(points, np.array([[0, 3]]), known, 1) == 0  # only (2, 3) is left


def test_complete_graphs_and_no_edges_have_no_auc() -> None:
    points = placed(HYPERBOLOID, CLOSE_PAIRS[:2])
    assert edge_auc(points, np.array([[0, 1]]), NONE, 1) is None
    assert edge_auc(points, NONE, NONE, 1) is None
    assert edge_auc(placed(HYPERBOLOID, CLOSE_PAIRS[:1]), NONE, NONE, 1) is None


def test_it_is_the_area_under_the_curve_of_scikit_learn() -> None:
    generator = np.random.default_rng(1)
    points = placed(HYPERBOLOID, generator.normal(0, 1, (30, 3)).round(0).astype(np.float32))
    edges = generator.permutation(np.stack(np.triu_indices(30, 1), axis=1))[:300]
    others = pairs_without_edge(edges, 30, 1, seed=1)  # most pairs have an edge: all others
    assert len(others) == 135
    separations = separations_of_pairs(points, *np.concatenate((edges, others)).T)
    expected = roc_auc_score(np.arange(435) < 300, -separations)
    assert edge_auc(points, edges, NONE, 1) == pytest.approx(expected)
