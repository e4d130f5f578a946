"""Graphs in files: tables, JSON Lines, indented trees and Matrix Market."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import fsspec
import networkx as nx
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from compressors import COMPRESSORS
from facts import naming
from hypothesis import given
from hypothesis import strategies as st

from hyperskip import Graph, RemotePath, read_graph
from hyperskip.errors import CorpusError, GraphError, OptionError
from hyperskip.text.reading import tables

PAIRS = [("dog", "mammal"), ("grey wolf", "mammal"), ("mammal", "animal")]
TREE = "animal\n\tmammal\n\t\tdog\n\n\t\tgrey wolf\n"


def edges_of(graph: Graph) -> list[tuple[str, str]]:
    names = graph.names
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    return sorted((names[source], names[target]) for source, target in pairs)


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_bytes(content.encode())
    return path


def table(delimiter: str, *header: str, pairs: list[tuple[str, str]] = PAIRS) -> str:
    rows = [header, *pairs] if header else pairs
    return "".join(f"{delimiter.join(row)}\n" for row in rows)


ABOVE_FIRST = [(parent, child) for child, parent in PAIRS]


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("a.tsv", table("\t"), {}),
        ("a.csv", table(","), {}),
        ("a.csv", table(", "), {}),
        ("a.csv", table(";"), {}),
        ("a.txt", table("\t"), {}),
        ("a", table(","), {}),
        ("a", table("|"), {"delimiter": "|"}),
        ("a.csv", table(",").replace("grey wolf", '"grey wolf"'), {}),
        ("a.txt", "# nodes: 4\n#\n% a comment\n" + table("\t"), {}),
        ("a.tsv", "\ufeff" + table("\t").replace("\n", "\r\n\r\n"), {}),
        ("a.tsv", table("\t", "child", "parent"), {}),
        ("a.csv", table(",", "Source", "Target"), {}),
        ("a.csv", table(",", "lower", "upper"), {"columns": "lower, upper"}),
        ("a.csv", table(",", "parent", "child", pairs=ABOVE_FIRST), {"columns": "child,parent"}),
        ("a.csv", table(",", "parent", "child", pairs=ABOVE_FIRST), {"order": "parent-child"}),
        ("a.tsv", table("\t1\t", pairs=ABOVE_FIRST), {"columns": "3,1"}),
        ("a.tsv", table("\t", pairs=ABOVE_FIRST), {"columns": "2,1"}),
        ("a.tsv", table("\t"), {"columns": "2,1", "order": "parent-child"}),
        ("a.jsonl", "\n".join(map(json.dumps, PAIRS)), {}),
        ("a.txt", "\n".join(map(json.dumps, PAIRS)), {"format": "jsonl"}),
        ("a", "\n".join(f'{{"c": "{a}", "p": "{b}"}}' for a, b in PAIRS), {"columns": "c,p"}),
        ("a.tree", TREE, {}),
        ("a.txt", TREE, {}),
        ("a.txt", TREE.replace("\t", "  "), {}),
        ("a.txt", TREE.replace("\t", "   ").replace("\n", "\r\n"), {"format": "tree"}),
    ],
)
def test_the_same_graph_in_any_format(
    tmp_path: Path, name: str, content: str, options: dict[str, Any]
) -> None:
    graph = read_graph(written(tmp_path, name, content), **options)
    assert edges_of(graph) == sorted(PAIRS)
    assert (graph.directed, graph.weights) == (True, None)


def test_columns_separated_by_blanks(tmp_path: Path) -> None:
    path = written(tmp_path, "edges", "# FromNodeId ToNodeId\n1 2\n\n  2   3 \n3\t4\n")
    assert edges_of(read_graph(path)) == [("1", "2"), ("2", "3"), ("3", "4")]
    path = written(tmp_path, "edges", "a b\n\n  2   3 \n")
    assert edges_of(read_graph(path, delimiter=" ", columns="b,a")) == [("3", "2")]


def test_a_header_that_contradicts_the_order(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", table(",", "Parent", "child"))
    with pytest.raises(GraphError, match=naming("'Parent'", "`order='parent-child'`")):
        read_graph(path)
    assert edges_of(read_graph(path, columns="Parent,child")) == sorted(PAIRS)
    assert read_graph(path, order="parent-child").edge_count == 3
    path = written(tmp_path, "a.csv", table(",", "child", "parent"))
    with pytest.raises(GraphError, match=naming("`order='child-parent'`")):
        read_graph(path, order="parent-child")


def test_an_empty_parent_is_no_parent(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "dog\tmammal\nroot\t\nunicorn\t\nmammal\troot\n")
    graph = read_graph(path)
    assert edges_of(graph) == [("dog", "mammal"), ("mammal", "root")]
    assert graph.names == ("dog", "mammal", "root", "unicorn")
    assert graph.summary.isolated == 1
    path = written(tmp_path, "a.jsonl", '["dog", "mammal"]\n["mammal", null]\n')
    assert edges_of(read_graph(path)) == [("dog", "mammal")]


def test_weights(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "a\tb\t2\nb\tc\t.5\na\tb\t3e0\n")
    graph = read_graph(path, weighted=True)
    assert graph.weights is not None
    assert graph.weights.tolist() == [5, 0.5]
    assert graph.duplicates == 1
    assert read_graph(path, columns="1,2,3", directed=False).weights is not None
    assert read_graph(path).weights is None
    assert read_graph(path, columns="1,2,3", weighted=False).weights is None
    assert read_graph(path, columns="1,2,3", closure=True).edge_count == 3
    path = written(tmp_path, "a.jsonl", '{"a": 1, "b": 2, "w": 3}\n')
    assert read_graph(path, columns="a,b,w").weights == np.array([3])
    path = written(tmp_path, "b.jsonl", '["a", "b", 7]\n')
    assert read_graph(path, weighted=True).weights == np.array([7])


@pytest.mark.parametrize("weight", ["0", "-1", "nan", "inf", "-inf", "1e999", "", "x"])
def test_a_weight_is_greater_than_0(tmp_path: Path, weight: str) -> None:
    path = written(tmp_path, "a.tsv", f"a\tb\t1\n\nb\tcc\t{weight}\n")
    facts = "row 3", path, "'b'", "'cc'", repr(weight)
    with pytest.raises(GraphError, match=naming(*facts)):
        read_graph(path, weighted=True)
    with pytest.raises(GraphError, match=naming(*facts)):
        read_graph(path, columns="1,2,3")
    assert read_graph(path).edge_count == 2


def test_the_sum_of_weights_is_finite(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tsv", "a\tb\t1e308\na\tb\t1e308\n")
    with pytest.raises(GraphError, match=naming("weights")):
        read_graph(path, weighted=True)


def test_self_loops_and_duplicates_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", "a b\nb a\na b\nc c\na b\n")
    summary = read_graph(path).summary
    assert (summary.edges, summary.self_loops, summary.duplicates) == (2, 1, 2)
    assert (summary.nodes, summary.isolated) == (3, 1)
    summary = read_graph(path, directed=False).summary
    assert (summary.edges, summary.self_loops, summary.duplicates) == (1, 1, 3)


@pytest.mark.parametrize(
    "content", ["1 2\n 2  3\n", "# a\n1 2 .5\n 2 3 1\n", "1,2\n 2,3\n", "1\t2\n 2\t3\n"]
)
def test_an_indented_line_does_not_make_a_table_a_tree(tmp_path: Path, content: str) -> None:
    assert edges_of(read_graph(written(tmp_path, "a.txt", content))) == [("1", "2"), ("2", "3")]


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_files_may_be_compressed(tmp_path: Path, kind: str) -> None:
    for name, content in (("a.tsv", table("\t")), ("a.tree", TREE), ("a.csv", table(","))):
        path = tmp_path / (name + kind)
        path.write_bytes(COMPRESSORS[kind](content.encode()))
        assert edges_of(read_graph(path)) == sorted(PAIRS)


def test_several_files(tmp_path: Path) -> None:
    for number, pair in enumerate(PAIRS):
        written(tmp_path, f"{number}.tsv", "\t".join(pair))
    written(tmp_path, "3.tree", TREE)
    for paths in (tmp_path, str(tmp_path / "*"), sorted(tmp_path.iterdir())):
        graph = read_graph(paths)
        assert edges_of(graph) == sorted(PAIRS)
        assert graph.duplicates == 3


def test_remote_files() -> None:
    with fsspec.open("memory://graphs/a.tsv", "w") as file:
        file.write(table("\t"))
    for paths in (
        *("memory://graphs/a.tsv", "memory://graphs/*.tsv", "memory://graphs"),
        [RemotePath("memory://graphs/a.tsv")],
    ):
        assert edges_of(read_graph(paths)) == sorted(PAIRS)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BufferedReader(io.BytesIO(gzip.compress(table("\t").encode())))
    monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": raw}))
    assert edges_of(read_graph("-")) == sorted(PAIRS)


@pytest.mark.parametrize(
    ("name", "content", "options", "facts"),
    [
        ("a.tsv", "a\tb\nc\n", {}, ["row 2", "'c'", "`delimiter`"]),
        ("a.txt", "a b\nc\n", {}, ["row 2", "'c'", "1 columns"]),
        ("a.txt", "a b\nc\n", {"columns": "1,2"}, ["row 2", "'c'"]),
        ("a.txt", "dog mammal\n\ngrey wolf mammal\n", {}, ["row 3", "3 columns", "tabs"]),
        ("a.csv", "a,b\n", {"columns": "a,d"}, ["'d'", "'a', 'b'", "`columns`"]),
        ("a.csv", "a,b\n", {"columns": "0,1"}, ["column 0"]),
        ("a.csv", 'a,b\n"c,d\n', {}, ["quotation mark"]),
        ("a.tsv", "\tb\n", {}, ["row 1", "child"]),
        ("a.tsv", "", {}, ["no edges"]),
        ("a.tsv", "\n\n", {}, ["no edges"]),
        ("a.txt", "# comments\n", {}, ["no edges"]),
        ("a.csv", "a,b\n", {"columns": "a,b"}, ["no edges"]),
        ("a.tsv", "a\ta\n", {}, ["no edges", "a.tsv", "nodes: 1", "self-loops: 1"]),
        ("a.tsv", f"a\t{'b' * 5000}\n", {}, ["row 1", "5,000", "4,096"]),
        ("a.tsv", "a\tb\n" * 2000 + f"a\t{'b' * 5000}\n", {}, ["row 2001"]),
        ("a.txt", "a" * 300_000, {}, ["262,144"]),
        ("a.tsv", "a\t\0\n", {}, ["NUL"]),
        ("a", "PAR1", {}, ["Parquet", "pandas.read_parquet(path)"]),
        ("a.jsonl", "[1]\n", {}, ["line 1", "[1]"]),
        ("a.jsonl", "\n7\n", {}, ["line 2", "7"]),
        ("a.jsonl", '["a", true]\n', {}, ["line 1", "True", "bool"]),
        ("a.jsonl", '["a", 1.5]\n', {}, ["line 1", "1.5"]),
        ("a.jsonl", '["a", ["b"]]\n', {}, ["line 1", "['b']"]),
        ("a.jsonl", '["a", "\\ud800"]\n', {}, ["line 1", "surrogate"]),
        ("a.jsonl", '{"a": 1}\n', {}, ["line 1", "`columns`", "'a'"]),
        ("a.jsonl", '{"a": 1}\n', {"columns": "a,b"}, ["line 1", "'b'"]),
        ("a.jsonl", '["a", "b"]\n', {"delimiter": ","}, ["`delimiter`"]),
        ("a.jsonl", '["a", "b"]\n', {"weighted": True}, ["line 1", "weight"]),
        ("a.tree", TREE, {"columns": "1,2"}, ["`columns`"]),
        ("a.tree", TREE, {"delimiter": ","}, ["`delimiter`"]),
        ("a.tree", "a\n\t\tb\n\tc\n", {}, ["line 3", "'c'", "`format`"]),
        ("a.tree", "a\n    b\n\tc\n", {}, ["line 3", "'c'"]),
        ("a.tree", "  a\n  b\n c\n", {}, ["line 3", "'c'"]),
        ("a.tree", "a\nb\n", {}, ["no edges"]),
        ("a.mtx", "%%MatrixMarket matrix array real general\n", {}, ["matrix array real general"]),
        ("a.mtx", "%%MatrixMarket matrix coordinate complex general\n", {}, ["complex"]),
        ("a.mtx", "%%MatrixMarket\n", {}, ["coordinate"]),
        ("a.mtx", "1 2\n", {"format": "mtx"}, ["coordinate"]),
    ],
)
def test_errors_name_the_place(
    tmp_path: Path, name: str, content: str, options: dict[str, Any], facts: list[str]
) -> None:
    path = written(tmp_path, name, content)
    place = [] if "no edges" in facts or "column 0" in facts else [path]
    with pytest.raises(CorpusError, match=naming(*place, *facts)):
        read_graph(path, **options)


def test_missing_and_damaged_files(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=naming(tmp_path / "none.tsv")):
        read_graph(tmp_path / "none.tsv")
    path = tmp_path / "cut.tsv.gz"
    path.write_bytes(gzip.compress(table("\t").encode())[:-9])
    with pytest.raises(CorpusError, match=naming(path)):
        read_graph(path)
    path.write_bytes(b"a\t\xff\n")
    with pytest.raises(CorpusError, match=naming(path, "0xff", "`encoding_errors='replace'`")):
        read_graph(path)
    assert edges_of(read_graph(path, encoding_errors="replace")) == [("a", "�")]


def test_a_file_that_changes_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "a.tsv", table("\t"))

    def find(rows: Any, name: str, columns: Any, *, option: str) -> tables.Table:
        path.write_text("more")
        return tables.find_columns(rows, name, columns, option=option)

    monkeypatch.setattr("hyperskip.graphs.reading.files.find_columns", find)
    with pytest.raises(CorpusError, match=naming(path, "changed")):
        read_graph(path)


# -- trees


def test_a_name_that_occurs_twice_is_one_node(tmp_path: Path) -> None:
    path = written(tmp_path, "a.tree", "pet\n dog\nmammal\n dog\n  puppy\n cat\n")
    expected = [("cat", "mammal"), ("dog", "mammal"), ("dog", "pet"), ("puppy", "dog")]
    assert edges_of(read_graph(path)) == expected


@st.composite
def trees(draw: st.DrawFn) -> tuple[str, list[tuple[str, str]]]:
    """A tree as text, and its edges."""
    depths = [0]
    for _ in range(draw(st.integers(1, 20))):
        depths.append(draw(st.integers(0, depths[-1] + 1)))
    indentation = draw(st.sampled_from(["\t", " ", "    ", "\t "]))
    path: list[int] = []
    lines, edges = [], []
    for number, depth in enumerate(depths):
        lines.append(f"{indentation * depth}node {number}\n")
        path[depth:] = [number]
        if depth:
            edges.append((f"node {number}", f"node {path[-2]}"))
    return "".join(lines), sorted(edges)


@given(trees())
def test_any_tree(tmp_path_factory: pytest.TempPathFactory, tree: tuple[str, Any]) -> None:
    text, edges = tree
    path = written(tmp_path_factory.getbasetemp(), "any.tree", text)
    if edges:
        assert edges_of(read_graph(path)) == edges


# -- Matrix Market


@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_matrices_of_scipy(tmp_path: Path, symmetric: bool, weighted: bool) -> None:
    rows, columns, values = [0, 1, 4, 4], [1, 4, 0, 2], [1.0, 2.0, 0.5, 4.0]
    matrix = scipy.sparse.coo_array((values, (rows, columns)), shape=(5, 5)).tocsr()
    if symmetric:
        matrix = matrix + matrix.T
    path = tmp_path / "a.mtx"
    scipy.io.mmwrite(path, matrix, symmetry="symmetric" if symmetric else "general")
    for directed in (True, False):
        ours = read_graph(path, weighted=weighted, directed=directed)
        theirs = read_graph(scipy.io.mmread(path), weighted=weighted, directed=directed)
        assert [(int(a) - 1, int(b) - 1) for a, b in edges_of(ours)] == [
            (int(a), int(b)) for a, b in edges_of(theirs)
        ] or not directed
        assert ours.edge_count == theirs.edge_count
        assert (ours.weights is not None) == weighted
        if weighted and ours.weights is not None and theirs.weights is not None:
            assert sorted(ours.weights) == sorted(theirs.weights)


def test_the_size_of_a_matrix_does_not_matter(tmp_path: Path) -> None:
    header = "%%MatrixMarket matrix coordinate pattern general\n% a comment\n"
    path = written(tmp_path, "a.mtx", header + "10000000000 10000000000 2\n1 7\n\n9999999999 1\n")
    assert read_graph(path).names == ("1", "7", "9999999999")


@pytest.mark.parametrize("entries", ["5 5 2\n1 2\n", "5 5 1\n1 2 3\n", "5 5 1\n0 1\n", "1 2\n", ""])
def test_wrong_entries_of_a_matrix(tmp_path: Path, entries: str) -> None:
    path = written(tmp_path, "a", "%%MatrixMarket matrix coordinate pattern general\n" + entries)
    with pytest.raises(GraphError, match=naming(path)):
        read_graph(path)


# -- what is written can be read

names = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=5
).map(lambda name: f"<{name}>")
pairs = st.lists(st.tuples(names, names), min_size=1, max_size=10)


@given(pairs, st.sampled_from(["tsv", "csv", "jsonl", "txt"]))
def test_written_edges_are_read(
    tmp_path_factory: pytest.TempPathFactory, edges: list[tuple[str, str]], kind: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"any.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(pair) + "\n" for pair in edges))
    else:
        delimiter = {"tsv": "\t", "csv": ",", "txt": " "}[kind]
        quoted = [[name.replace('"', '""') for name in pair] for pair in edges]
        rows = [[f'"{name}"' for name in pair] for pair in quoted] if kind == "csv" else edges
        path.write_text("".join(delimiter.join(row) + "\n" for row in rows), encoding="utf-8")
    expected = sorted({pair for pair in edges if pair[0] != pair[1]})
    options = {"delimiter": " "} if kind == "txt" else {}
    if not expected:
        with pytest.raises(GraphError, match=naming("no edges")):
            read_graph(path, **options)  # type: ignore[arg-type]
        return
    graph = read_graph(path, **options)  # type: ignore[arg-type]
    assert edges_of(graph) == expected
    assert graph.self_loops == sum(a == b for a, b in edges)
    assert graph.duplicates == len(edges) - graph.self_loops - len(expected)


def test_edge_lists_of_networkx(tmp_path: Path) -> None:
    graph = nx.karate_club_graph()
    nx.write_edgelist(graph, tmp_path / "a.edgelist", data=["weight"])
    ours = read_graph(tmp_path / "a.edgelist", directed=False, weighted=True)
    assert (len(ours), ours.edge_count) == (34, 78)
    assert ours.weights is not None
    assert ours.weights.sum() == sum(weight for _, _, weight in graph.edges(data="weight"))
    for _, _, attributes in graph.edges(data=True):
        attributes["since"] = "a, b"
    nx.write_edgelist(graph, tmp_path / "b.edgelist")
    assert read_graph(tmp_path / "b.edgelist", directed=False).edge_count == 78


# -- options


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"columns": "a"}, ["`columns`", "two or three", "'a'"]),
        ({"columns": "a,a"}, ["`columns`", "different", "'a,a'"]),
        ({"columns": ["a", "b"]}, ["`columns`", "one string", "['a', 'b']"]),
        ({"columns": "a,b,c,d"}, ["`columns`"]),
        ({"columns": "a,b", "weighted": True}, ["`weighted=True`", "'a,b'"]),
        ({"closure": True, "directed": False}, ["`closure=True`", "`directed=False`"]),
        ({"closure": True, "weighted": True}, ["`closure=True`", "`weighted=True`"]),
        ({"delimiter": '"'}, ["`delimiter`"]),
        ({"order": "up"}, ["`order`", "child-parent", "parent-child"]),
        ({"format": "xml"}, ["`format`", "tree"]),
        ({"direction": True}, ["direction", "`directed`"]),
    ],
)
def test_wrong_options(options: dict[str, Any], facts: list[str]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        read_graph("nothing is read", **options)
