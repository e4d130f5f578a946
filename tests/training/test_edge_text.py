"""The edges of a graph as a text: sentences, directions, weights, roots and blocks."""

from typing import Any

import numpy as np
import pytest

from hyperskip.graphs.graph import Graph
from hyperskip.training.blocks import BlockSize, cut_into_blocks, sentence_limits
from hyperskip.training.edge_text import MOST_TARGETS, EdgeText, node_levels
from hyperskip.training.target_lists import TargetLists

NAMES = ("alone", "cat", "dog", "mammal", "animal")
SOURCES = np.array([1, 2, 3, 1], dtype=np.int32)
TARGETS = np.array([3, 3, 4, 4], dtype=np.int32)
FORWARD = [("cat", "animal"), ("cat", "mammal"), ("dog", "mammal"), ("mammal", "animal")]


def graph(**changes: Any) -> Graph:
    return Graph(NAMES, SOURCES, TARGETS, **changes)


def star(children: int, weights: Any = None) -> Graph:
    """A node with many targets, and each of them with one."""
    others = np.arange(1, children + 1, dtype=np.int32)
    sources = np.concatenate((np.zeros_like(others), others))
    targets = np.concatenate((others, np.full_like(others, children + 1)))
    return Graph(tuple(map(str, range(children + 2))), sources, targets, weights)


def lists_in(text: EdgeText, begin: int = 0, end: int | None = None, epoch: int = 0) -> TargetLists:
    """The lists of a range of tokens, as a backend loads them."""
    end = text.token_count if end is None else end
    now = text.in_epoch(epoch)
    limits = np.concatenate(([begin], now.starts_within(begin + 1, end), [end])) - begin
    return TargetLists.of(now.stretch(begin, end), limits, weighted=text.weights is not None)


def edges_in(text: EdgeText, lists: TargetLists) -> list[tuple[str, str]]:
    words = text.vocabulary.words
    sources = np.repeat(lists.sources, np.diff(lists.starts))
    return sorted(
        (words[source], words[target])
        for source, target in zip(sources, lists.targets, strict=True)
    )


def test_nodes_are_words_and_their_edges_are_counted() -> None:
    text = EdgeText(graph(), {"closure": False}, seed=1)
    counts = dict(zip(text.vocabulary.words, text.vocabulary.counts.tolist(), strict=True))
    assert counts == {"mammal": 3, "cat": 2, "animal": 2, "dog": 1, "alone": 0}
    assert list(counts.values()) == sorted(counts.values(), reverse=True)
    assert edges_in(text, lists_in(text)) == FORWARD
    assert text.options.as_dict() == {"closure": False}


def test_undirected_edges_are_trained_in_both_directions() -> None:
    text = EdgeText(graph(directed=False), {}, seed=1)
    assert edges_in(text, lists_in(text)) == sorted(FORWARD + [(b, a) for a, b in FORWARD])
    assert text.vocabulary.counts[0] == 3
    assert text.roots is None
    assert text.depths is None
    assert node_levels(text.depths) is None


@pytest.mark.parametrize("directed", [True, False])
def test_weights_survive_as_tokens(directed: bool) -> None:
    weights = np.array([1.0, 2.0, 6.0, 3.0])
    text = EdgeText(graph(weights=weights, directed=directed), {}, seed=1)
    lists, words = lists_in(text), text.vocabulary.words
    sources = np.repeat(lists.sources, np.diff(lists.starts))
    found = {
        frozenset((words[source], words[target])): weight
        for source, target, weight in zip(sources, lists.targets, lists.weights, strict=True)
    }
    names = [frozenset((NAMES[a], NAMES[b])) for a, b in zip(SOURCES, TARGETS, strict=True)]
    assert found == {
        edge: np.float32(weight / 3) for edge, weight in zip(names, weights, strict=True)
    }
    assert len(lists_in(EdgeText(graph(), {}, seed=1)).weights) == 0


def test_the_sum_of_weights_may_be_too_large_for_a_float() -> None:
    text = EdgeText(graph(weights=np.full(4, 1e308), directed=True), {}, seed=1)
    assert (lists_in(text).weights == 1).all()


def test_roots_and_depths() -> None:
    text = EdgeText(graph(), {}, seed=1)
    words = text.vocabulary.words
    assert text.roots is not None
    assert text.depths is not None
    assert [words[root] for root in text.roots] == ["animal"]
    by_word = dict(zip(words, text.depths.tolist(), strict=True))
    assert by_word == {"animal": 0, "mammal": 1, "cat": 2, "dog": 2, "alone": 0}
    levels = node_levels(text.depths)
    assert levels is not None
    assert levels[words.index("animal")] < levels[words.index("mammal")] < 1.0
    assert levels[words.index("dog")] == 1.0


def test_the_seed_determines_the_order() -> None:
    text, same, other = (EdgeText(star(500), {}, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(lists_in(text).sources, lists_in(same).sources)
    assert text.checksum() == same.checksum() != other.checksum()
    assert edges_in(text, lists_in(text)) == edges_in(other, lists_in(other))


@pytest.mark.parametrize("weights", [None, np.arange(1.0, 1001.0)])
def test_each_epoch_has_another_order_of_the_same_lists(weights: Any) -> None:
    text = EdgeText(star(500, weights), {}, seed=1)
    first, second = (lists_in(text, epoch=epoch) for epoch in (0, 1))
    assert (first.sources != second.sources).mean() > 0.9
    assert edges_in(text, first) == edges_in(text, second)
    assert sorted(first.weights) == sorted(second.weights)
    np.testing.assert_array_equal(lists_in(text, epoch=0).sources, first.sources)
    np.testing.assert_array_equal(
        text.in_epoch(0).starts_within(0, text.token_count),
        text.in_epoch(1).starts_within(0, text.token_count),
    )


def test_a_source_with_many_targets_has_several_sentences() -> None:
    text = EdgeText(star(500), {}, seed=1)
    assert np.diff(text.sentence_starts).max() == 1 + MOST_TARGETS
    counts = np.bincount(lists_in(text).sources)
    assert counts.max() == -(-500 // MOST_TARGETS)
    assert text.tokens_of_an_edge == text.token_count / 1000


@pytest.mark.parametrize("weights", [None, np.arange(1.0, 1001.0)])
def test_blocks_never_split_a_sentence(weights: Any) -> None:
    text = EdgeText(star(500, weights), {}, seed=1)
    size = BlockSize(largest=300, wanted=1)
    found: list[tuple[str, str]] = []
    for block in cut_into_blocks(text.sentence_starts, size):
        inside = text.in_epoch(0).starts_within(block.begin + 1, block.end)
        assert sentence_limits(block, inside)[-1] == block.end - block.begin
        found += edges_in(text, lists_in(text, block.begin, block.end))
    assert sorted(found) == edges_in(text, lists_in(text))


def test_shuffled_lists_keep_their_targets_and_weights() -> None:
    text = EdgeText(star(40, np.arange(1.0, 81.0)), {}, seed=1)
    lists = lists_in(text)
    shuffled = lists.shuffled(np.uint64(7))
    assert edges_in(text, shuffled) == edges_in(text, lists)
    assert (shuffled.sources != lists.sources).any()

    def weight_of_edge(of: TargetLists) -> dict[tuple[int, int], float]:
        sources = np.repeat(of.sources, np.diff(of.starts))
        edges = zip(sources.tolist(), of.targets.tolist(), strict=True)
        return dict(zip(edges, of.weights.tolist(), strict=True))

    assert weight_of_edge(shuffled) == weight_of_edge(lists)
    again = lists.shuffled(np.uint64(7))
    np.testing.assert_array_equal(shuffled.targets, again.targets)
    np.testing.assert_array_equal(shuffled.weights, again.weights)


def test_huge_weights_keep_their_ratios() -> None:
    text = EdgeText(graph(weights=np.array([1e308, 1.5e308, 1e308, 0.5e308])), {}, seed=1)
    assert text.weights is not None
    assert sorted(text.weights.tolist()) == [0.5, 1.0, 1.0, 1.5]
