"""Walks of the kernel are those of the literal reference, draw for draw."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from hyperskip.graphs.graph import Graph
from hyperskip.graphs.walks.adjacency import Adjacency, adjacency_of
from hyperskip.graphs.walks.kernels import WalkRules
from hyperskip.graphs.walks.options import WalkOptions
from hyperskip.graphs.walks.reference import literal_walk
from hyperskip.graphs.walks.walk_text import Walks, walk_rules

NODES = 40  # some without edges


def random_graph(*, directed: bool, weighted: bool, seed: int = 0) -> Graph:
    """A graph with self-loops, duplicate edges, hubs, isolated nodes and dead ends."""
    random = np.random.default_rng(seed)
    ends = (30 * random.random((2, 80)) ** 1.5).astype(np.int32)
    weights = random.random(80) ** 4 if weighted else None
    return Graph(tuple(map(str, range(NODES))), ends[0], ends[1], weights, directed)


def walks_of(graph: Graph, **options: float) -> Walks:
    adjacency = adjacency_of(graph)
    chosen = WalkOptions(**{"walk_length": 12, "walks": 3, **options})  # type: ignore[arg-type]
    return Walks(
        adjacency,
        np.flatnonzero(adjacency.degrees).astype(np.int32),
        np.arange(len(graph), dtype=np.int32),
        walk_rules(chosen),
        rounds=chosen.walks,
        seed=5,
    )


def literal_text(walks: Walks, epoch: int) -> list[int]:
    origins = np.tile(walks.origins, walks.rounds).tolist()
    return [
        node
        for number, origin in enumerate(origins)
        for node in literal_walk(walks.adjacency, origin, number, walks.rules, walks.seed_of(epoch))
    ]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("p", "q"), [(1, 1), (0.25, 4), (4, 0.25), (1, 2), (0.5, 1), (3, 3)])
def test_the_kernel_makes_the_walks_of_the_reference(
    p: float, q: float, *, weighted: bool, directed: bool
) -> None:
    walks = walks_of(random_graph(directed=directed, weighted=weighted), p=p, q=q)
    assert (np.diff(walks.adjacency.starts) == 0).any()
    for epoch in (0, 3):
        literal = literal_text(walks, epoch)
        assert walks.stretch(0, walks.token_count, epoch).tolist() == literal
    assert literal != literal_text(walks, 0)


def test_any_part_of_the_walks_can_be_generated_on_its_own() -> None:
    walks = walks_of(random_graph(directed=True, weighted=True), p=0.5, q=2)
    whole = walks.stretch(0, walks.token_count, 1)
    random = np.random.default_rng(1)
    for begin, end in np.sort(random.integers(0, walks.token_count + 1, (40, 2))).tolist():
        assert walks.stretch(begin, end, 1).tolist() == whole[begin:end].tolist()
    assert walks.stretch(walks.token_count - 5, walks.token_count + 5, 1).tolist() == (
        whole[-5:].tolist()
    )


def test_steps_follow_edges_or_return_from_a_dead_end() -> None:
    walks = walks_of(random_graph(directed=True, weighted=False))
    degrees, length = walks.adjacency.degrees, walks.rules.length
    text = walks.stretch(0, walks.token_count, 0).reshape(-1, length)
    edges = set(pairs_of(walks.adjacency))
    returns = 0
    for walk in text.tolist():
        for node, following in pairwise(walk):
            if degrees[node]:
                assert (node, following) in edges
            else:
                assert following == walk[0]
                returns += 1
    assert returns > 0
    assert np.bincount(text[:, 0]).max() == walks.rounds


def pairs_of(adjacency: Adjacency) -> list[tuple[int, int]]:
    sources = np.repeat(np.arange(len(adjacency.starts) - 1), adjacency.degrees)
    return list(zip(sources.tolist(), adjacency.neighbors.tolist(), strict=True))


def frequencies(walks: Walks, node: int, previous: int) -> npt.NDArray[np.float64]:
    """How often each node follows `node` after `previous`."""
    text = walks.stretch(0, walks.token_count, 0).reshape(-1, walks.rules.length)
    triples = np.lib.stride_tricks.sliding_window_view(text, 3, axis=1).reshape(-1, 3)
    chosen = triples[(triples[:, 0] == previous) & (triples[:, 1] == node), 2]
    counts = np.bincount(chosen, minlength=len(walks.ids))
    assert counts.sum() > 8000
    return np.asarray(counts / counts.sum())


@pytest.mark.parametrize(("p", "q"), [(1, 1), (0.25, 2), (4, 0.5)])
@pytest.mark.parametrize("weights", [None, np.array([1.0, 2.0, 3.0, 4.0, 5.0])])
def test_steps_have_the_probabilities_of_node2vec(
    p: float, q: float, weights: npt.NDArray[np.float64] | None
) -> None:
    # From 0 to 1, and then back to 0, to 2 (a neighbor of 0), or to 3 or 4 (not neighbors of 0).
    sources, targets = np.array([[0, 1], [1, 2], [0, 2], [1, 3], [1, 4]], dtype=np.int32).T
    graph = Graph(tuple("abcde"), sources, targets, weights, directed=False)
    walks = walks_of(graph, walk_length=50, walks=2000, p=p, q=q)
    of_edge = np.ones(5) if weights is None else weights
    expected = np.array([of_edge[0] / p, 0, of_edge[1], of_edge[3] / q, of_edge[4] / q])
    found = frequencies(walks, 1, 0)
    np.testing.assert_allclose(found, expected / expected.sum(), atol=0.02)


def test_rules_accept_the_most_likely_candidate_always() -> None:
    assert walk_rules(WalkOptions()) == WalkRules(80, False, *[2**32 - 1] * 3)
    rules = walk_rules(WalkOptions(p=0.5, q=4))
    assert rules.is_biased
    assert rules.accept_return == 2**32 - 1
    assert rules.accept_near == pytest.approx(2**31, rel=1e-6)
    assert rules.accept_far == pytest.approx(2**29, rel=1e-6)
