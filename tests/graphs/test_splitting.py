"""The split of edges for link prediction: what is held out, and what it depends on."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st

from hyperskip.errors import OptionError
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import HoldoutOptions
from hyperskip.graphs.splitting import split_edges, split_graph

NODES = 30


def graph_of(edges: list[tuple[int, int]], *, directed: bool = True) -> Graph:
    ends = np.array(edges, dtype=np.int32).reshape(-1, 2)
    names = tuple(f"n{i}" for i in range(NODES))
    weights = np.arange(1.0, len(ends) + 1)
    return Graph(names, ends[:, 0], ends[:, 1], weights, directed=directed)


def split(graph: Graph, *, seed: int, **options: Any) -> tuple[Graph, Graph]:
    return split_graph(graph, HoldoutOptions(**options), seed)


def named_edges(graph: Graph) -> list[tuple[str, str]]:
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return [(graph.names[source], graph.names[target]) for source, target in pairs]


def complete(nodes: int) -> list[tuple[int, int]]:
    """Each node is below every node with a smaller number: the closure of a path."""
    return [(child, parent) for child in range(nodes) for parent in range(child)]


nodes = st.integers(0, NODES - 1)
edge_lists = st.lists(st.tuples(nodes, nodes), min_size=40, max_size=200)


@given(edge_lists, st.integers(0, 5), st.booleans())
def test_every_node_keeps_an_edge(edges: list[tuple[int, int]], seed: int, directed: bool) -> None:
    graph = graph_of(edges, directed=directed)
    try:
        kept, held_out = split(graph, holdout=0.2, seed=seed)
    except OptionError:
        return
    assert sorted(named_edges(kept) + named_edges(held_out)) == sorted(named_edges(graph))
    assert kept.names == held_out.names == graph.names
    assert kept.weights is not None
    assert held_out.weights is not None
    assert sorted([*kept.weights, *held_out.weights]) == list(range(1, len(edges) + 1))

    def connected(part: Graph) -> set[str]:
        return {name for edge in named_edges(part) if edge[0] != edge[1] for name in edge}

    assert connected(kept) == connected(graph)
    assert all(source != target for source, target in named_edges(held_out))

    def forms(part: Graph) -> set[tuple[str, ...]]:
        return {edge if directed else tuple(sorted(edge)) for edge in named_edges(part)}

    assert not forms(kept) & forms(held_out)  # copies stay together


def test_the_share_is_that_of_the_distinct_edges() -> None:
    edges = complete(20)  # 190 edges
    _, held_out = split(graph_of([*edges, *edges]), holdout=0.1, seed=1)
    assert len(set(named_edges(held_out))) == 19
    assert held_out.edge_count == 38


@given(st.permutations(complete(12)), st.permutations(range(NODES)))
def test_the_split_depends_on_names_and_seed_only(
    edges: list[tuple[int, int]], numbers: list[int]
) -> None:
    """Neither the order of edges nor the numbers of nodes matter."""
    first = split(graph_of(complete(12)), holdout=0.3, seed=7)
    renumbered = graph_of([(numbers[source], numbers[target]) for source, target in edges])
    names = [""] * NODES
    for i, number in enumerate(numbers):
        names[number] = f"n{i}"
    second = split(dataclasses.replace(renumbered, names=tuple(names)), holdout=0.3, seed=7)
    assert [set(named_edges(part)) for part in first] == [set(named_edges(part)) for part in second]


def test_another_seed_holds_out_other_edges() -> None:
    graph = graph_of(complete(20))
    first, second = (split(graph, holdout=0.1, seed=seed)[1] for seed in (1, 2))
    assert set(named_edges(first)) != set(named_edges(second))


def test_edges_between_inner_nodes_touch_neither_roots_nor_leaves() -> None:
    graph = graph_of(complete(12))  # node 0 is the root, and node 11 the only leaf
    _, held_out = split(graph, holdout=0.4, seed=1, holdout_inner=True)
    assert held_out.edge_count == 26
    assert not {"n0", "n11"} & {name for edge in named_edges(held_out) for name in edge}


def test_too_many_edges_cannot_be_held_out() -> None:
    star = graph_of([(child, 0) for child in range(1, 10)])
    with pytest.raises(OptionError, match=naming("holdout", "9", "0")):
        split(star, holdout=0.1, seed=1)
    with pytest.raises(OptionError, match=naming("holdout", "inner nodes")):
        split(graph_of(complete(4)), holdout=0.9, seed=1, holdout_inner=True)


@pytest.mark.parametrize("holdout", [0, 1, -0.5, 0.95, float("nan"), "5%"])
def test_shares_that_are_not_allowed(holdout: float) -> None:
    with pytest.raises(OptionError, match=naming("holdout", str(holdout))):
        split(graph_of(complete(10)), holdout=holdout, seed=1)


def test_undirected_graphs_have_no_inner_nodes() -> None:
    with pytest.raises(OptionError, match=naming("holdout_inner", "undirected")):
        split(graph_of(complete(10), directed=False), holdout=0.1, seed=1, holdout_inner=True)


def test_a_graph_without_edges_cannot_be_split() -> None:
    with pytest.raises(OptionError, match=naming("holdout")):
        split(graph_of([]), holdout=0.1, seed=1)


def test_a_share_is_required_for_inner_nodes() -> None:
    with pytest.raises(OptionError, match=naming("holdout_inner", "holdout")):
        HoldoutOptions(holdout_inner=True)


def test_nothing_is_held_out_without_a_share() -> None:
    kept, held_out = split_graph(graph_of(complete(5)), HoldoutOptions(), 1)
    assert (kept.edge_count, held_out.edge_count) == (10, 0)


def test_edges_of_any_kind_are_read_and_split(tmp_path: Path) -> None:
    """The closure of a path, from a file and from pairs."""
    pairs = [(f"n{child}", f"n{child - 1}") for child in range(1, 12)]
    (tmp_path / "edges.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    expected = split(graph_of(complete(12)), holdout=0.2, seed=3)
    for edges in (tmp_path / "edges.tsv", pairs):
        parts = split_edges(edges, holdout=0.2, seed=3, closure=True)
        for part, same in zip(parts, expected, strict=True):
            assert set(named_edges(part)) == set(named_edges(same))


def test_the_arguments_of_a_split_are_checked() -> None:
    wrong: dict[str, Any] = {"holdout": 2, "seed": -1, "order": "sideways", "inner": True}
    for name, value in wrong.items():
        with pytest.raises(OptionError, match=naming(name)):
            split_edges([("a", "b")], **{name: value})
