"""Rounds of a cluster: nothing is left out, and nothing is trained twice."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plans import planned

from hyperskip.training.blocks import FOR_THREADS, Block, block_seed, cut_into_blocks
from hyperskip.training.cluster.rounds import (
    cut_at_sentences,
    cut_into_parts,
    cycle_blocks,
    epochs_needed,
    part_tokens,
    round_words,
    rounds_of,
    shares_of,
)
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import plan_ranking


def blocks_of(sizes: list[int]) -> list[Block]:
    limits = np.cumsum([0, *sizes]).tolist()
    return [Block(number, *within) for number, within in enumerate(pairwise(limits))]


BLOCKS = st.lists(st.integers(1, 5000), min_size=1, max_size=30).map(blocks_of)


@given(BLOCKS, st.integers(1, 20_000))
def test_cycles_cover_an_epoch(blocks: list[Block], tokens: int) -> None:
    covered: list[Block] = []
    while len(covered) < len(blocks):
        cycle = cycle_blocks(blocks, len(covered), tokens)
        assert cycle
        assert len(cycle) == 1 or cycle[-1].end - cycle[0].begin <= tokens
        covered += cycle
    assert covered == blocks


@given(BLOCKS, st.integers(1, 6000))
def test_parts_cover_their_blocks(blocks: list[Block], largest: int) -> None:
    parts = cut_into_parts(blocks, largest, len(blocks))
    assert [parts[0].begin, parts[-1].end] == [blocks[0].begin, blocks[-1].end]
    assert all(before.end == after.begin for before, after in pairwise(parts))
    assert all(0 < part.end - part.begin <= largest for part in parts)
    assert len({part.number for part in parts}) == len(parts)
    # Blocks that are not cut are trained as without a cluster.
    assert {block for block in blocks if block.end - block.begin <= largest} <= set(parts)


@given(BLOCKS, st.integers(1, 9), st.integers(1, 64))
def test_graphs_are_cut_at_sentence_starts(blocks: list[Block], nodes: int, words: int) -> None:
    starts = np.unique([*range(0, blocks[-1].end, words), *(block.end for block in blocks)])
    parts = cut_at_sentences(blocks, nodes, starts, len(blocks))
    assert [parts[0].begin, parts[-1].end] == [blocks[0].begin, blocks[-1].end]
    assert all(before.end == after.begin for before, after in pairwise(parts))
    assert {part.begin for part in parts} <= set(starts)
    assert len(parts) <= nodes * len(blocks)
    assert len({part.number for part in parts}) == len(parts)
    largest = -(-max(block.end - block.begin for block in blocks) // nodes)
    assert all(0 < part.end - part.begin <= largest + words for part in parts)


def test_nodes_of_a_cluster_need_enough_steps() -> None:
    """As measured with the mammals of WordNet, which have 1,181 sources."""

    def needed(nodes: int, **options: Any) -> int | None:
        plan = plan_ranking(RankingOptions(**options), "cpu", nodes=1182, lists=1181)
        return epochs_needed(plan, 1181, nodes)

    assert [needed(nodes, dimension=5) for nodes in (1, 2, 4, 9)] == [None, None, None, 250]
    assert [needed(nodes, dimension=2) for nodes in (1, 2, 4)] == [None, 400, 667]
    assert needed(2, dimension=2, epochs=400) is None
    assert needed(2, dimension=2, epochs=20) is None  # too few for one machine, too
    assert needed(2, dimension=2, geometry="euclidean") is None


def test_parts_of_an_epoch_have_distinct_random_numbers() -> None:
    blocks = blocks_of([65_536] * 40)
    numbers = [part.number for block in blocks for part in cut_into_parts([block], 2048, 40)]
    assert len({int(block_seed(1, 0, number)) for number in numbers}) == 40 * 32


@given(BLOCKS, st.integers(1, 4), st.lists(st.floats(1, 1e6), min_size=1, max_size=9))
def test_shares_cover_rounds(blocks: list[Block], rounds: int, speeds: list[float]) -> None:
    divided = list(rounds_of(blocks, rounds))
    assert len(divided) == rounds
    assert [block for within in divided for block in within] == blocks
    for within in divided:
        shares = shares_of(within, speeds)
        assert len(shares) == len(speeds)
        assert [block for share in shares for block in share] == list(within)


def test_faster_nodes_get_more() -> None:
    assert [len(share) for share in shares_of(blocks_of([10] * 40), [1.0, 3.0])] == [10, 30]
    assert [len(share) for share in shares_of(blocks_of([10] * 4), [1.0] * 3)] == [1, 2, 1]
    assert sorted(len(share) for share in shares_of(blocks_of([10]), [1.0] * 3)) == [0, 0, 1]


def test_words_between_merges() -> None:
    plan, flatter = (planned(dimension=dimension, epochs=5) for dimension in (100, 25))
    assert round_words(plan, 10**6, 4, 5000) == 20_000
    by_rule = round_words(plan, 10**6, 4, None)
    assert round_words(plan, 2 * 10**6, 4, None) == pytest.approx(2 * by_rule, abs=1)
    assert round_words(plan, 10**6, 8, None) == pytest.approx(by_rule / 2, abs=1)
    assert round_words(flatter, 10**6, 4, None) == pytest.approx(2 * by_rule, abs=1)


@pytest.mark.parametrize("tokens", [100, 50_000, 10**9])
def test_parts_do_not_depend_on_threads_in_deterministic_training(tokens: int) -> None:
    fixed = part_tokens(tokens, None)
    assert fixed <= FOR_THREADS.largest
    sizes = [part_tokens(tokens, threads) for threads in (1, 4, 64)]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) > 0


def test_blocks_are_those_of_one_process() -> None:
    """A single node trains whole blocks, so that positions of checkpoints mean the same."""
    starts = np.arange(0, 300_001, 30)
    blocks = list(cut_into_blocks(starts, FOR_THREADS))
    assert cycle_blocks(blocks, 0, 10**9) == blocks
