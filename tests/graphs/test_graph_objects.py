"""Graphs in memory: NetworkX, sparse matrices, arrays, data frames, records, pairs and dicts."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from facts import naming
from hypothesis import given
from hypothesis import strategies as st
from signatures import check_keywords

from hyperskip import Graph, GraphOptions, read_graph
from hyperskip.errors import CorpusError, GraphError, OptionError, shown
from hyperskip.graphs.reading import builder as builder_module

PAIRS = [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal")]
RECORDS = [{"weight": i + 1.0, "child": a, "parent": b} for i, (a, b) in enumerate(PAIRS)]
FRAME = pd.DataFrame(RECORDS)
ARROW = pa.table({name: list(FRAME[name]) for name in FRAME})


def edges_of(graph: Graph) -> list[tuple[str, str]]:
    names = graph.names
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return sorted((names[source], names[target]) for source, target in pairs)


@pytest.mark.parametrize(
    ("edges", "columns"),
    [
        (PAIRS, None),
        (tuple(map(list, PAIRS)), None),
        (iter(PAIRS), None),
        (set(PAIRS), None),
        (np.array(PAIRS), None),
        (np.array(PAIRS, dtype=object), None),
        ({"dog": "mammal", "cat": ["mammal"], "mammal": {"animal"}}, None),
        ({"dog": "mammal", "cat": "mammal", "mammal": "animal", "animal": None}, None),
        ({"dog": ("mammal",), "cat": "mammal", "mammal": "animal", "animal": []}, None),
        (nx.DiGraph(PAIRS), None),
        (nx.MultiDiGraph(PAIRS), None),
        (RECORDS, "child,parent"),
        (iter(RECORDS), "child,parent"),
        (FRAME, "child,parent"),
        (FRAME, "2,3"),
        (FRAME[["child", "parent"]], None),
        (FRAME.astype({"child": "category"}), "child,parent"),
        (pd.DataFrame(PAIRS), None),
        (pd.DataFrame(PAIRS), "0,1"),
        (pl.DataFrame(FRAME), "child,parent"),
        (pl.DataFrame(FRAME).lazy(), "child,parent"),
        (ARROW, "child,parent"),
        (ARROW.to_batches()[0], "child,parent"),
        (ARROW.to_reader(), "child,parent"),
        ({"child": [a for a, _ in PAIRS], "parent": [b for _, b in PAIRS]}, "child,parent"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_same_graph_as_any_object(edges: Any, columns: str | None) -> None:
    graph = read_graph(edges, columns=columns)
    assert edges_of(graph) == sorted(PAIRS)
    assert (graph.directed, graph.weights) == (True, None)


def test_the_order_of_the_nodes() -> None:
    turned = [(parent, child) for child, parent in PAIRS]
    for edges in (turned, nx.DiGraph(turned), pd.DataFrame(turned)):
        assert edges_of(read_graph(edges, order="parent-child")) == sorted(PAIRS)
    matrix = scipy.sparse.coo_array(([1], ([0], [1])), shape=(2, 2))
    assert edges_of(read_graph(matrix, order="parent-child")) == [("1", "0")]


def test_columns_in_the_other_order_are_refused() -> None:
    turned = pd.DataFrame([("animal", "dog")], columns=["broader", "narrower"])
    for frame in (turned, pl.DataFrame({"Parent": ["animal"], "Child": ["dog"]})):
        with pytest.raises(GraphError, match=naming("data frame", "`order='parent-child'`")):
            read_graph(frame)
        assert edges_of(read_graph(frame, order="parent-child")) == [("dog", "animal")]
    assert edges_of(read_graph(turned, columns="narrower,broader")) == [("dog", "animal")]


@pytest.mark.parametrize(
    ("edges", "columns"),
    [
        ([(a, b, i + 1) for i, (a, b) in enumerate(PAIRS)], None),
        (RECORDS, "child,parent,weight"),
        (FRAME, "child,parent,weight"),
        (pl.DataFrame(FRAME), "child,parent,weight"),
        (ARROW, "child,parent,weight"),
        (nx.from_pandas_edgelist(FRAME, "child", "parent", "weight", nx.DiGraph), None),
    ],
    ids=lambda value: type(value).__name__,
)
def test_weights(edges: Any, columns: str | None) -> None:
    graph = read_graph(edges, columns=columns)
    assert graph.weights is not None
    assert dict(zip(edges_of(graph), graph.weights, strict=False)).keys() == set(PAIRS)
    assert sorted(graph.weights) == [1, 2, 3]
    assert read_graph(edges, columns=columns, weighted=False).weights is None
    assert read_graph(edges, columns=columns, closure=True).edge_count == 5


@pytest.mark.parametrize(
    "weight",
    [0, -1, float("nan"), float("inf"), None, "x", [], 1j, pytest.param(10**400, id="large")],
)
def test_a_weight_is_greater_than_0(weight: Any) -> None:
    edges = [("a", "b", 1), ("b", "c", weight)]
    with pytest.raises(GraphError, match=naming("edge 1", "'b'", "'c'", shown(weight).rstrip("."))):
        read_graph(edges)
    graph = nx.DiGraph()
    graph.add_edge("a", "b", weight=weight)
    with pytest.raises(GraphError, match=naming("edge 0", shown(weight).rstrip("."))):
        read_graph(graph, weighted=True)
    assert read_graph(edges, weighted=False).edge_count == 2


def test_an_edge_to_no_parent_needs_no_weight() -> None:
    graph = read_graph([("a", "b", 2), ("b", None, None)])
    assert graph.weights == np.array([2])


def test_integers_are_names() -> None:
    expected = [("1", "2"), ("2", "10")]
    pairs = [(1, 2), (2, 10)]
    for edges in (
        *(pairs, np.array(pairs), np.array(pairs, dtype=np.uint8), np.array(pairs, dtype=float)),
        *(dict(pairs), nx.DiGraph(pairs), pd.DataFrame(pairs), pl.DataFrame(pairs, orient="row")),
        [(np.int64(1), "2"), ("2", np.int8(10))],
    ):
        assert edges_of(read_graph(edges)) == expected
    with_root = pd.DataFrame({"id": [1, 2, 10], "parent_id": [2, 10, None]})
    assert edges_of(read_graph(with_root)) == expected
    assert read_graph(np.array([[1, 2, 3]]), weighted=True).weights == np.array([3])


# -- NetworkX


def test_undirected_graphs_of_networkx() -> None:
    graph = read_graph(nx.Graph(PAIRS))
    assert (graph.directed, graph.edge_count) == (False, 3)
    assert not read_graph(nx.DiGraph(PAIRS), directed=False).directed
    with pytest.raises(GraphError, match=naming("undirected", "graph.to_directed()")):
        read_graph(nx.Graph(PAIRS), directed=True)
    with pytest.raises(GraphError, match=naming("directed")):
        read_graph(nx.Graph(PAIRS), closure=True)


def test_nodes_of_networkx_are_called_by_their_strings() -> None:
    graph = nx.DiGraph([((0, 1), 2), (2, frozenset({3}))])
    graph.add_node("alone")
    ours = read_graph(graph)
    assert ours.names == ("(0, 1)", "2", "frozenset({3})", "alone")
    assert ours.summary.isolated == 1
    with pytest.raises(GraphError, match=naming("1", "'1'")):
        read_graph(nx.DiGraph([(1, "1")]))
    with pytest.raises(GraphError, match=naming("empty")):
        read_graph(nx.DiGraph([("", "a")]))


def test_weights_of_networkx() -> None:
    graph = nx.MultiDiGraph()
    graph.add_edge("a", "b", weight=2)
    graph.add_edge("a", "b", weight=3)
    graph.add_edge("b", "c")
    weights = read_graph(graph).weights
    assert weights is not None
    assert weights.tolist() == [5, 1]


@given(st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1), st.booleans())
def test_any_graph_of_networkx(edges: set[tuple[int, int]], directed: bool) -> None:
    graph = (nx.DiGraph if directed else nx.Graph)(sorted(edges))
    loops = nx.number_of_selfloops(graph)
    if loops == graph.size():
        return
    ours = read_graph(graph)
    assert len(ours) == len(graph)
    assert (ours.edge_count, ours.self_loops) == (graph.size() - loops, loops)
    matrix = nx.to_scipy_sparse_array(graph)
    of_matrix = read_graph(matrix, directed=directed)
    assert (of_matrix.edge_count, of_matrix.duplicates) == (ours.edge_count, 0)


def test_networkx_is_not_imported() -> None:
    check = (
        "import sys, hyperskip; hyperskip.read_graph({'a': 'b'}); print('networkx' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert result.stdout.strip() == "False", result.stderr


# -- sparse matrices


@pytest.mark.parametrize("kind", ["coo", "csr", "csc", "lil", "dok"])
@pytest.mark.parametrize("maker", ["array", "matrix"])
def test_sparse_matrices(kind: str, maker: str) -> None:
    entries = scipy.sparse.coo_array(([1, 2, 1], ([0, 1, 7], [1, 7, 7])), shape=(9, 9))
    matrix = getattr(scipy.sparse, f"{kind}_{maker}")(entries)
    graph = read_graph(matrix)
    assert edges_of(graph) == [("0", "1"), ("1", "7")]
    assert graph.weights is not None
    assert (graph.weights.tolist(), graph.self_loops) == ([1, 2], 1)


def test_rows_without_entries_take_no_memory() -> None:
    size = 2**31 - 2
    matrix = scipy.sparse.coo_array(([True], ([5], [size - 1])), shape=(size, size))
    assert read_graph(matrix).names == ("5", str(size - 1))


def test_a_symmetric_matrix_has_each_edge_once() -> None:
    matrix = scipy.sparse.csr_array([[0, 2.0, 0], [2.0, 0, 3.0], [0, 3.0, 0]])
    graph = read_graph(matrix, directed=False)
    assert graph.weights is not None
    assert (graph.weights.tolist(), graph.duplicates) == ([2, 3], 0)
    assert read_graph(matrix).edge_count == 4


@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, 1j])
def test_values_of_a_matrix_are_greater_than_0(value: Any) -> None:
    matrix = scipy.sparse.coo_array(([1, value], ([0, 1], [1, 2])), shape=(3, 3))
    with pytest.raises(GraphError, match=naming("complex128" if value == 1j else "(1, 2)")):
        read_graph(matrix)
    assert read_graph(matrix, weighted=False).edge_count == 2


def test_matrices_that_are_not_graphs() -> None:
    with pytest.raises(GraphError, match=naming("(2, 3)")):
        read_graph(scipy.sparse.coo_array((2, 3)))
    with pytest.raises(GraphError, match=naming("(4, 4)", "scipy.sparse")):
        read_graph(np.ones((4, 4)))
    with pytest.raises(GraphError, match=naming("no edges")):
        read_graph(scipy.sparse.coo_array((3, 3)))


# -- what cannot be read


@pytest.mark.parametrize(
    ("edges", "facts"),
    [
        (3, ["`edges`", "3", "int", "NetworkX"]),
        (None, ["`edges`", "None"]),
        (b"a b", ["`edges`", "bytes"]),
        (Graph, ["`edges`", "type"]),
        ([], ["no edges"]),
        ({}, ["no edges"]),
        (nx.DiGraph(), ["no edges"]),
        (["a b"], ["edge 0", "'a b'", "pair", "pathlib.Path"]),
        ([("a", "b"), ("c",)], ["edge 1", "('c',)"]),
        ([("a", "b"), 7], ["edge 1", "7"]),
        ([("a", "b"), {"a": "b"}], ["edge 1", "{'a': 'b'}"]),
        ([("a", "b", 1), ("a", "c")], ["edge 1", "weight"]),
        ([("a", 1.5)], ["edge 0", "1.5", "float"]),
        ([("a", True)], ["edge 0", "True", "bool"]),
        ([("a", b"b")], ["edge 0", "b'b'", "bytes"]),
        ([("", "b")], ["edge 0", "empty"]),
        ([(None, "b")], ["edge 0", "empty"]),
        ([("a", "\ud800")], ["edge 0", "surrogate"]),
        ([("a", float("inf"))], ["edge 0", "inf"]),
        ([("a", "b" * 5000)], ["edge 0", "5,000"]),
        ({"a": 1.5}, ["'a'", "1.5"]),
        ([("a", 10**5000)], ["edge 0", "digits"]),
        ([(1, 10**5000)], ["edge 0", "digits"]),
        (RECORDS, ["edge 0", "`columns`", "'child'"]),
        (pd.DataFrame({"a": [1]}), ["1 columns"]),
        (pd.DataFrame({"a": [1.5], "b": [2]}), ["row 0", "1.5"]),
    ],
)
def test_what_is_not_a_graph(edges: Any, facts: list[str]) -> None:
    with pytest.raises(CorpusError, match=naming(*facts)):
        read_graph(edges)


@pytest.mark.parametrize("edges", [RECORDS, FRAME, ARROW, {"child": ["a"]}])
def test_columns_that_do_not_exist(edges: Any) -> None:
    with pytest.raises(CorpusError, match=naming("'elder'", "'child'")):
        read_graph(edges, columns="child,elder")


def test_columns_of_pairs() -> None:
    with pytest.raises(CorpusError, match=naming("`columns`")):
        read_graph(PAIRS, columns="1,2")
    with pytest.raises(GraphError, match=naming("edge 1", "record")):
        read_graph([RECORDS[0], PAIRS[0]], columns="child,parent")


def test_paths_and_pairs_are_not_mixed(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\tb\n")
    with pytest.raises(CorpusError, match=naming("tuple")):
        read_graph([tmp_path / "a.tsv", ("a", "b")])


# -- graphs


def test_an_undirected_edge_in_both_directions_occurs_twice() -> None:
    graph = read_graph(Graph(("a", "b"), np.array([0, 1]), np.array([1, 0]), directed=False))
    assert (graph.edge_count, graph.duplicates) == (1, 1)


def test_a_graph_is_read_as_it_is() -> None:
    graph = read_graph(PAIRS)
    assert read_graph(graph) is graph
    assert edges_of(read_graph(graph, closure=True)) == edges_of(read_graph(PAIRS, closure=True))
    undirected = read_graph(graph, directed=False)
    assert (undirected.directed, undirected.edge_count) == (False, 3)
    weighted = read_graph([("a", "b", 2)])
    assert read_graph(weighted, weighted=False).weights is None
    assert read_graph(weighted) is weighted


def test_a_graph_made_by_hand_is_sorted() -> None:
    numbers = np.array([2, 0, 2, 1]), np.array([1, 1, 1, 1])
    graph = read_graph(Graph(("a", "b", "c"), *numbers, np.array([1.0, 2, 3, 4])))
    assert graph.weights is not None
    assert (graph.sources.tolist(), graph.targets.tolist()) == ([0, 2], [1, 1])
    assert (graph.weights.tolist(), graph.self_loops, graph.duplicates) == ([2, 4], 1, 1)


@pytest.mark.parametrize(
    ("names", "sources", "targets", "weights", "facts"),
    [
        (("a", "a"), [0], [1], None, ["`names`"]),
        (("a", "b"), [0], [2], None, ["`targets`", "2 nodes"]),
        (("a", "b"), [-1], [1], None, ["`sources`", "-1"]),
        (("a", "b"), [0], [1, 1], None, ["`targets`", "(2,)"]),
        (("a", "b"), [0.5], [1], None, ["`sources`", "float64"]),
        (("a", "b"), [0], [1], [0.0], ["`weights`"]),
        (("a", "b"), [0], [1], [1.0, 2.0], ["`weights`"]),
    ],
)
def test_a_graph_is_checked(
    names: Any, sources: Any, targets: Any, weights: Any, facts: list[str]
) -> None:
    with pytest.raises(GraphError, match=naming(*facts)):
        Graph(names, sources, targets, weights)


# -- the builder


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 9))))
def test_duplicates_are_dropped_at_any_time(edges: list[tuple[int, int, int]]) -> None:
    results = []
    for limit in (0, 3, 1 << 22):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(builder_module, "_FEWEST_SORTED", limit)
            patch.setattr("hyperskip.graphs.reading.batches._EDGES_AT_ONCE", 2)
            if all(a == b for a, b, _ in edges):
                return
            graph = read_graph(edges)
            assert graph.weights is not None
            weights = graph.weights.tolist()
            results.append((edges_of(graph), weights, graph.duplicates, graph.self_loops))
            assert read_graph(edges, weighted=False).duplicates == graph.duplicates
    assert results[0] == results[1] == results[2]


def test_the_keywords_are_the_declared_options() -> None:
    check_keywords(read_graph, ["edges", "options"], GraphOptions)


def test_options_and_keywords() -> None:
    options = GraphOptions(columns="child,parent", directed=False)
    assert not read_graph(RECORDS, options=options).directed
    assert read_graph(RECORDS, options=options, directed=True).directed
    with pytest.raises(OptionError, match=naming("lowercase")):
        read_graph(RECORDS, lowercase=True)  # type: ignore[call-arg]
