"""The edges of a graph as a text: order, directions, weights, roots and blocks."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.graphs.graph import Graph
from hyperskip.training.blocks import BlockSize, cut_into_blocks, sentence_limits
from hyperskip.training.cpu.ranking_backend import Edges, edges_of
from hyperskip.training.edge_text import EdgeText

NAMES = ("alone", "cat", "dog", "mammal", "animal")
SOURCES = np.array([1, 2, 3], dtype=np.int32)
TARGETS = np.array([3, 3, 4], dtype=np.int32)


def graph(**changes: Any) -> Graph:
    return Graph(NAMES, SOURCES, TARGETS, **changes)


def edges_in(text: EdgeText, edges: npt.NDArray[np.int32]) -> list[tuple[str, str]]:
    words = text.vocabulary.words
    return sorted((words[source], words[target]) for source, target in edges)


def block_of(text: EdgeText) -> Edges:
    """All edges, as a backend loads them."""
    return edges_of(text.stretch(0, text.token_count), text.edge_count)


FORWARD = [("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")]


def test_nodes_are_words_and_their_edges_are_counted() -> None:
    text = EdgeText(graph(), {"closure": False}, seed=1)
    words = text.vocabulary.words
    assert words[0] == "mammal"
    assert dict(zip(words, text.vocabulary.counts.tolist(), strict=True)) == {
        "mammal": 3,
        "cat": 1,
        "dog": 1,
        "animal": 1,
        "alone": 0,
    }
    assert edges_in(text, text.edges) == FORWARD
    assert text.options.as_dict() == {"closure": False}


def test_undirected_edges_are_trained_in_both_directions() -> None:
    text = EdgeText(graph(directed=False), {}, seed=1)
    assert edges_in(text, text.edges) == sorted(FORWARD + [(b, a) for a, b in FORWARD])
    assert text.vocabulary.counts[0] == 3
    assert text.roots is None


def test_weights_survive_as_tokens() -> None:
    weights = np.array([1.0, 2.0, 6.0])
    for directed in (True, False):
        text = EdgeText(graph(weights=weights, directed=directed), {}, seed=1)
        assert text.token_count == 3 * text.edge_count
        block = block_of(text)
        words = text.vocabulary.words
        found = {
            frozenset((words[a], words[b])): weight
            for (a, b), weight in zip(block.nodes, block.weights, strict=True)
        }
        by_edge = zip(map(frozenset, FORWARD), weights, strict=True)
        assert found == {edge: np.float32(weight / 3) for edge, weight in by_edge}
    assert len(block_of(EdgeText(graph(), {}, seed=1)).weights) == 0


def test_roots_have_children_and_no_parents() -> None:
    text = EdgeText(graph(), {}, seed=1)
    assert text.roots is not None
    assert [text.vocabulary.words[root] for root in text.roots] == ["animal"]


def test_the_seed_determines_the_order() -> None:
    chain = np.arange(1000, dtype=np.int32)
    long = Graph(tuple(map(str, range(1001))), chain, chain + 1)
    text, same, other = (EdgeText(long, {}, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(text.edges, same.edges)
    assert text.checksum() == same.checksum() != other.checksum()
    assert edges_in(text, text.edges) == edges_in(other, other.edges)


def test_blocks_never_split_an_edge() -> None:
    chain = np.arange(1000, dtype=np.int32)
    weights = np.ones(1000)
    for given in (None, weights):
        text = EdgeText(Graph(tuple(map(str, range(1001))), chain, chain + 1, given), {}, seed=1)
        blocks = list(cut_into_blocks(text.sentence_starts, BlockSize(largest=64, wanted=1)))
        read = []
        for block in blocks:
            inside = text.in_epoch(0).starts_within(block.begin + 1, block.end)
            limits = sentence_limits(block, inside)
            read.append(edges_of(text.stretch(block.begin, block.end), len(limits) - 1).nodes)
        np.testing.assert_array_equal(np.concatenate(read), text.edges)
