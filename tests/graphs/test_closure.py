"""The transitive closure, depths and summary of a graph."""

from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st

from hyperskip import read_graph
from hyperskip.errors import GraphError
from hyperskip.graphs import closure as closure_module
from hyperskip.graphs.closure import depths, describe, transitive_closure
from hyperskip.graphs.graph import Graph

TAXONOMY = [
    *(("dog", "canine"), ("wolf", "canine"), ("canine", "mammal"), ("cat", "mammal")),
    *(("mammal", "animal"), ("dog", "pet"), ("pet", "animal")),
]


def graph_of(count: int, edges: set[tuple[int, int]]) -> Graph:
    pairs = np.array(sorted(edges), dtype=np.int32).reshape(-1, 2)
    return Graph(tuple(map(str, range(count))), pairs[:, 0], pairs[:, 1])


def pairs_of(graph: Graph) -> list[tuple[int, int]]:
    return list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))


@st.composite
def graphs(draw: st.DrawFn, *, acyclic: bool = False) -> Graph:
    count = draw(st.integers(1, 12))
    node = st.integers(0, count - 1)
    pairs = draw(st.sets(st.tuples(node, node), max_size=30))
    if acyclic:
        pairs = {(max(pair), min(pair)) for pair in pairs}
    return graph_of(count, {(source, target) for source, target in pairs if source != target})


def networkx_of(graph: Graph) -> "nx.DiGraph[int]":
    other: nx.DiGraph[int] = nx.DiGraph()
    other.add_nodes_from(range(len(graph)))
    other.add_edges_from(pairs_of(graph))
    return other


@given(graphs())
def test_the_closure_is_that_of_networkx(graph: Graph) -> None:
    expected = nx.transitive_closure(networkx_of(graph), reflexive=None).edges
    closure = transitive_closure(graph)
    assert pairs_of(closure) == sorted(pair for pair in expected if pair[0] != pair[1])
    assert closure.names == graph.names


@given(graphs())
def test_the_closure_is_transitive_and_its_own_closure(graph: Graph) -> None:
    closure = transitive_closure(graph)
    edges = set(pairs_of(closure))
    assert set(pairs_of(graph)) <= edges
    assert {(a, c) for a, b in edges for b2, c in edges if b == b2 and a != c} <= edges
    assert pairs_of(transitive_closure(closure)) == pairs_of(closure)


@given(graphs())
def test_work_in_small_parts_gives_the_same(graph: Graph) -> None:
    with pytest.MonkeyPatch.context() as patch:
        whole = pairs_of(transitive_closure(graph))
        patch.setattr(closure_module, "_EDGES_AT_ONCE", 2)
        assert pairs_of(transitive_closure(graph)) == whole


@given(graphs(acyclic=True))
def test_depths_are_longest_paths(graph: Graph) -> None:
    other = networkx_of(graph)
    expected = np.zeros(len(graph), dtype=int)
    for node in reversed(list(nx.topological_sort(other))):
        parents = list(other.successors(node))
        expected[node] = 1 + max(expected[parents]) if parents else 0
    assert depths(graph).tolist() == expected.tolist()
    assert describe(graph).depth == expected.max()


@given(graphs())
def test_a_graph_and_its_closure_differ_in_the_number_of_edges_only(graph: Graph) -> None:
    closure = transitive_closure(graph)
    assert (depths(graph) == depths(closure)).all()
    ours, theirs = describe(graph), describe(closure)
    assert replace(theirs, edges=ours.edges, cycle=ours.cycle) == ours
    assert len(theirs.cycle) in (0, 2)


@given(graphs())
def test_the_summary_counts_what_networkx_counts(graph: Graph) -> None:
    other = networkx_of(graph)
    summary = describe(graph)
    connected = [node for node in other if other.degree[node]]
    assert (summary.nodes, summary.edges) == (len(other), other.size())
    assert summary.components == nx.number_weakly_connected_components(other)
    assert summary.isolated == len(other) - len(connected)
    assert summary.roots == sum(not other.out_degree[node] for node in connected)
    assert summary.leaves == sum(not other.in_degree[node] for node in connected)
    in_cycles = [part for part in nx.strongly_connected_components(other) if len(part) > 1]
    assert summary.nodes_in_cycles == sum(map(len, in_cycles))
    cycle = list(map(int, summary.cycle))
    assert bool(cycle) == bool(in_cycles)
    assert set(pairwise([*cycle, *cycle[:1]])) <= set(other.edges)


def test_a_taxonomy() -> None:
    graph = read_graph(TAXONOMY)
    closure = transitive_closure(graph)
    names = closure.names
    edges = {(names[a], names[b]) for a, b in pairs_of(closure)}
    assert edges - set(TAXONOMY) == {
        *(("dog", "mammal"), ("dog", "animal"), ("wolf", "mammal"), ("wolf", "animal")),
        *(("canine", "animal"), ("cat", "animal")),
    }
    depth_of = dict(zip(names, depths(graph).tolist(), strict=True))
    levels = [["animal"], ["mammal", "pet"], ["canine", "cat"], ["dog", "wolf"]]
    assert depth_of == {name: depth for depth, level in enumerate(levels) for name in level}


def test_the_nodes_of_a_cycle_are_ancestors_of_each_other() -> None:
    graph = read_graph([("a", "b"), ("b", "c"), ("c", "a"), ("child", "a"), ("b", "root")])
    closure = transitive_closure(graph)
    assert closure.edge_count == 3 * 2 + 3 + 4
    summary = describe(graph)
    assert (summary.nodes_in_cycles, summary.cycle) == (3, ("a", "b", "c"))
    assert (summary.roots, summary.leaves, summary.depth) == (1, 1, 2)
    assert str(summary) == (
        "5 nodes, 5 edges, 1 component; 1 root, 1 leaf, depth 2, "
        "3 nodes in cycles (a -> b -> c -> a)"
    )
    assert str(describe(ring(9))).endswith("9 nodes in cycles (0 -> 8 -> 7 -> 6 -> 5 -> ...)")


def test_the_summary_as_a_sentence() -> None:
    graph = read_graph(
        [("a", "b", 2), ("a", "a", 1), ("b", "a", 1), ("c", None, 1)], directed=False
    )
    assert str(describe(graph)) == (
        "3 nodes, 1 undirected edge with weights, 2 components; 1 node without edges; "
        "left out 1 self-loop and 1 duplicate"
    )
    assert describe(graph).roots is None
    assert graph.summary == describe(graph)


def chain(count: int) -> Graph:
    numbers = np.arange(count, dtype=np.int32)
    return Graph(tuple(map(str, range(count))), numbers[:-1], numbers[1:])


def ring(count: int) -> Graph:
    numbers = np.arange(count, dtype=np.int32)
    return Graph(tuple(map(str, range(count))), numbers, np.roll(numbers, 1))


@pytest.mark.parametrize("graph", [chain(200_000), ring(200_000)])
def test_a_closure_that_is_too_large_is_refused_before_it_is_made(graph: Graph) -> None:
    with pytest.raises(GraphError, match=naming("200,000,000 edges")):
        transitive_closure(graph)


@pytest.mark.parametrize("graph", [chain(100), ring(100), graph_of(99, {(1, 0), (2, 0)})])
def test_the_limit_is_exact(graph: Graph) -> None:
    count = transitive_closure(graph).edge_count
    assert transitive_closure(graph, most_edges=count).edge_count == count
    with pytest.raises(GraphError, match=naming(f"{count - 1:,}")):
        transitive_closure(graph, most_edges=count - 1)


def test_the_depth_of_a_long_chain() -> None:
    assert depths(chain(100_000)).tolist() == list(range(99_999, -1, -1))


def test_a_wide_and_deep_graph_is_refused_while_it_is_made() -> None:
    """A thousand leaves below thirty parents, with thirty roots above each."""
    above = [(f"parent {i}", f"root {j}") for i in range(30) for j in range(30)]
    below = [(f"leaf {i}", f"parent {i % 30}") for i in range(1000)]
    graph = read_graph([*above, *below])
    with pytest.raises(GraphError, match=naming("10,000")):
        transitive_closure(graph, most_edges=10_000)
    assert transitive_closure(graph).edge_count == 900 + 31 * 1000


@pytest.mark.parametrize("use", [transitive_closure, depths])
def test_an_undirected_graph_has_no_ancestors(use: object) -> None:
    graph = read_graph([("a", "b")], directed=False)
    with pytest.raises(GraphError, match=naming("directed", "undirected")):
        use(graph)  # type: ignore[operator]


def test_the_closure_has_no_weights() -> None:
    with pytest.raises(GraphError, match=naming("weights", "`weighted=False`")):
        transitive_closure(read_graph([("a", "b", 2)]))


def test_a_graph_without_edges() -> None:
    graph = graph_of(3, set())
    assert transitive_closure(graph).edge_count == 0
    assert depths(graph).tolist() == [0, 0, 0]
    assert (describe(graph).isolated, describe(graph).roots, describe(graph).depth) == (3, 0, 0)
    assert describe(graph_of(0, set())).nodes == 0
