"""The transitive reduction, compared with that of NetworkX."""

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperskip.graphs.closure import transitive_closure
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.graph_reading import read_graph
from hyperskip.graphs.reduction import transitive_reduction

NODES = 12
Pairs = set[tuple[str, str]]


def pairs_of(graph: Graph) -> Pairs:
    return {
        (graph.names[source], graph.names[target])
        for source, target in zip(graph.sources, graph.targets, strict=True)
    }


def downward(pairs: list[tuple[int, int]]) -> Pairs:
    """Edges from greater to smaller numbers, which have no cycle."""
    return {(str(max(pair)), str(min(pair))) for pair in pairs if pair[0] != pair[1]}


nodes = st.integers(0, NODES - 1)
acyclic = st.lists(st.tuples(nodes, nodes), min_size=1, max_size=50).map(downward).filter(bool)


@given(acyclic)
def test_it_is_that_of_networkx(edges: Pairs) -> None:
    expected = set(networkx.transitive_reduction(networkx.DiGraph(edges)).edges)
    assert pairs_of(transitive_reduction(read_graph(edges))) == expected


@given(acyclic)
def test_a_closure_has_the_same_reduction(edges: Pairs) -> None:
    graph = read_graph(edges)
    reduced = transitive_reduction(graph)
    assert pairs_of(transitive_reduction(transitive_closure(graph))) == pairs_of(reduced)


@given(st.lists(st.tuples(nodes, nodes), min_size=1, max_size=40))
def test_reachability_stays_the_same_with_cycles(pairs: list[tuple[int, int]]) -> None:
    edges = {(str(a), str(b)) for a, b in pairs if a != b}
    if not edges:
        return
    before, after = networkx.DiGraph(edges), networkx.DiGraph()
    after.add_nodes_from(before)
    after.add_edges_from(pairs_of(transitive_reduction(read_graph(edges))))
    for node in before:
        assert networkx.descendants(before, node) == networkx.descendants(after, node)


def test_edges_keep_their_weights() -> None:
    sources, targets = np.array([(0, 1), (1, 2), (0, 2)], dtype=np.int32).T
    weights = np.array([2.0, 3.0, 5.0])
    reduced = transitive_reduction(Graph(("dog", "mammal", "animal"), sources, targets, weights))
    assert pairs_of(reduced) == {("dog", "mammal"), ("mammal", "animal")}
    assert reduced.weights is not None
    assert reduced.weights.tolist() == [2.0, 3.0]


@pytest.mark.parametrize("length", [3000])
def test_a_long_chain_with_a_shortcut(length: int) -> None:
    chain = [(str(i + 1), str(i)) for i in range(length)]
    reduced = transitive_reduction(read_graph([*chain, (str(length), "0")]))
    assert pairs_of(reduced) == set(chain)
