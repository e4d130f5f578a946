"""A graph on the words of a model."""

import numpy as np
import pytest
from facts import naming

from hyperskip.errors import GraphError
from hyperskip.graphs.graph_reading import read_graph
from hyperskip.graphs.word_graph import WordGraph

WORDS = ("animal", "mammal", "dog", "cat", "stone")
PAIRS = [("dog", "mammal"), ("mammal", "animal"), ("cat", "mammal"), ("dog", "animal")]


def graph_of(pairs: list[tuple[str, str]], *, directed: bool = True) -> WordGraph:
    graph = read_graph(pairs, directed=directed)
    rows = [WORDS.index(name) if name in WORDS else -1 for name in graph.names]
    return WordGraph(graph, np.array(rows), WORDS)


def edges_of(graph: WordGraph) -> set[tuple[str, str]]:
    ends = zip(graph.edges.sources.tolist(), graph.edges.targets.tolist(), strict=True)
    return {(WORDS[source], WORDS[target]) for source, target in ends}


def test_nodes_are_rows_and_edges_are_direct() -> None:
    graph = graph_of([*PAIRS, ("fox", "animal")])
    assert graph.left_out == ("fox",)
    assert graph.edges.names == WORDS
    assert edges_of(graph) == set(PAIRS[:3])
    assert graph.weights.tolist() == [3, 2, 0, 0, 0]
    assert graph.importance.tolist() == pytest.approx([1, np.log(3) / np.log(4), 0, 0, 0])
    assert graph.by_importance[:2].tolist() == [0, 1]
    assert graph.main_root == 0


def test_an_undirected_graph_has_degrees() -> None:
    graph = graph_of(PAIRS, directed=False)
    assert graph.taxonomy is None
    assert graph.main_root is None
    assert graph.edges.edge_count == 4
    assert graph.weights.tolist() == [2, 3, 2, 1, 0]


def test_two_nodes_of_one_word_are_joined() -> None:
    graph = read_graph([("Dog", "mammal"), ("dog", "mammal"), ("dog", "Dog")])
    rows = np.array([WORDS.index(name.lower()) for name in graph.names])
    assert edges_of(WordGraph(graph, rows, WORDS)) == {("dog", "mammal")}


def test_trees_of_equal_size_have_no_main_root() -> None:
    assert graph_of([("dog", "mammal"), ("cat", "animal")]).main_root is None


def test_edges_of_other_words_are_refused() -> None:
    pairs = [(f"node{i}", "dog") for i in range(1200)]
    with pytest.raises(GraphError, match=naming("node0", "node2", "1,197")):
        graph_of(pairs)
