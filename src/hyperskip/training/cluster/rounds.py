"""Rounds of a cluster: how much text lies between two merges, and which node trains what.

A cycle is a number of whole blocks. It is cut into parts, which the nodes share in each of its
rounds. Every part has its own random numbers, so that any node can train it.
"""

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from hyperskip.training.blocks import Block, SentenceStarts
from hyperskip.training.ranking_options import FEWEST_STEPS
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.shared_plan import Plan

ROUNDS = 2  # of a cycle: frequent words are merged after each, and all words after the last
# Tokens of a part. Small parts cost time and some quality; large ones keep threads waiting.
_LARGEST_PART, _SMALLEST_PART = 1 << 16, 1 << 13
_PARTS_PER_THREAD = 2
_FIXED_PART = 1 << 14  # if it must not depend on the number of threads
# Merges in a whole training, for each node, at one dimension; from the study in docs/scaling.md.
_MERGES = 12.0
# Steps that each node needs to learn a graph as well as one machine does; in the plane, where nodes
# of the graph can hardly pass each other, as many as one machine.
_FEWEST_STEPS_OF_A_NODE = 500


def round_words(plan: Plan, tokens: int, nodes: int, chosen: int | None) -> int:
    """Number of tokens of a round, all nodes together.

    Args:
        plan: The plan of the training.
        tokens: Number of tokens in the text.
        nodes: Number of nodes.
        chosen: What the user chose for each node, if anything.
    """
    if chosen is not None:
        return chosen * nodes
    epochs = plan.burn_in_epochs + plan.epochs
    return int(epochs * tokens / (_MERGES * nodes * math.sqrt(plan.dimension)))


def cycle_blocks(blocks: Sequence[Block], first: int, tokens: int) -> list[Block]:
    """The blocks of a cycle: as many as this number of tokens has room for, but at least one.

    Args:
        blocks: All blocks of an epoch.
        first: The number of the first block.
        tokens: Number of tokens.
    """
    last = first
    while last < len(blocks) and (
        last == first or blocks[last].end - blocks[first].begin <= tokens
    ):
        last += 1
    return list(blocks[first:last])


def part_tokens(round_tokens: int, threads: int | None) -> int:
    """Number of tokens in a part: small enough for all threads of all nodes to have work.

    Args:
        round_tokens: Number of tokens in a round.
        threads: Number of threads of all nodes; None if the result must not depend on it.
    """
    if threads is None:
        return _FIXED_PART
    wanted = -(-round_tokens // (_PARTS_PER_THREAD * threads))
    return min(max(wanted, _SMALLEST_PART), _LARGEST_PART)


def cut_into_parts(blocks: Sequence[Block], largest: int, block_count: int) -> list[Block]:
    """Cut blocks into parts of equal size, each a block of its own.

    A part that is a whole block keeps its number. Others get numbers that no block has, so that
    their random numbers differ.

    Args:
        blocks: The blocks.
        largest: Number of tokens in the largest part.
        block_count: Number of blocks in an epoch.
    """
    parts: list[Block] = []
    for block in blocks:
        size = block.end - block.begin
        count = -(-size // largest)
        limits = [block.begin + size * number // count for number in range(count + 1)]
        for number, (begin, end) in enumerate(pairwise(limits)):
            # Numbers from block_count on, in steps of it: distinct for each block and part.
            own = block.number + block_count * number
            parts.append(Block(own, begin, end))
    return parts


def epochs_needed(plan: RankingPlan, lists: int, nodes: int) -> int | None:
    """Number of epochs that nodes need to learn a graph; None if the plan has enough of them.

    Each node takes fewer steps than one machine would. If one machine would also take too few
    steps, the cluster is not the reason.

    Args:
        plan: The plan of the training.
        lists: Number of sources that are trained in an epoch, each with its targets.
        nodes: Number of nodes of the cluster.
    """
    in_plane = plan.space.is_curved and plan.dimension <= 2
    fewest = FEWEST_STEPS if in_plane else _FEWEST_STEPS_OF_A_NODE
    alone, of_node = (-(-lists // (plan.batch * count)) for count in (1, nodes))
    if plan.epochs * of_node >= fewest or plan.epochs * alone < fewest:
        return None
    return -(-fewest // of_node)


def cut_at_sentences(
    blocks: Sequence[Block], nodes: int, sentence_starts: SentenceStarts, block_count: int
) -> list[Block]:
    """Cut each block into a part for each node, at sentence starts; numbered as other parts are.

    Args:
        blocks: The blocks.
        nodes: Number of nodes.
        sentence_starts: Starts of all sentences of the text.
        block_count: Number of blocks in an epoch.
    """
    parts: list[Block] = []
    for block in blocks:
        size = block.end - block.begin
        limits = [block.begin]
        for number in range(1, nodes):
            wanted = block.begin + size * number // nodes
            start = int(sentence_starts[bisect_right(sentence_starts, wanted) - 1])
            limits.append(max(start, limits[-1]))
        limits.append(block.end)
        for number, (begin, end) in enumerate(pairwise(limits)):
            if begin < end:
                parts.append(Block(block.number + block_count * number, begin, end))
    return parts


def rounds_of(parts: Sequence[Block], rounds: int) -> Iterator[Sequence[Block]]:
    """Divide the parts of a cycle among its rounds."""
    for number in range(rounds):
        begin, end = (len(parts) * limit // rounds for limit in (number, number + 1))
        yield parts[begin:end]


def shares_of(parts: Sequence[Block], speeds: Sequence[float]) -> list[tuple[Block, ...]]:
    """Divide the parts of a round among nodes, in proportion to their speeds."""
    total = sum(speeds)
    limits = [0.0]
    for speed in speeds:
        limits.append(limits[-1] + speed / total)
    ends = [round(limit * len(parts)) for limit in limits]
    return [tuple(parts[begin:end]) for begin, end in pairwise(ends)]
