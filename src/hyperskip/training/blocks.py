"""Blocks of the text: the units of training, each with its own random numbers."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

SentenceStarts = npt.NDArray[np.int64] | range  # and the number of tokens

_SMALLEST = 2048  # tokens, unless the largest size is smaller


class Block(NamedTuple):
    """A range of tokens."""

    number: int
    begin: int
    end: int


class BlockSize(NamedTuple):
    """The size of blocks."""

    largest: int  # tokens
    wanted: int  # number of blocks in an epoch, if that makes them smaller


FOR_THREADS = BlockSize(largest=65536, wanted=64)
# Threads that wait for each other some times in each epoch: with small blocks, they wait less.
FOR_THREADS_THAT_MEET = BlockSize(largest=16384, wanted=640)
_TEAM_TOKENS, _TEAM_DIMENSION = 1 << 19, 100


def for_a_team(dimension: int) -> BlockSize:
    """Large blocks: a team spreads the tiles of a round over a block.

    Training can pause between two blocks only, so they are smaller in many dimensions.
    """
    largest = _TEAM_TOKENS * _TEAM_DIMENSION // max(dimension, _TEAM_DIMENSION)
    return BlockSize(largest=max(largest, FOR_THREADS.largest), wanted=32)


def cut_into_blocks(sentence_starts: SentenceStarts, size: BlockSize) -> Iterator[Block]:
    """Cut a text into blocks at sentence starts; only sentences longer than a block are split.

    The blocks depend on the text and on their size only, not on threads. A split sentence loses
    only the few pairs across the cut.
    """
    total = int(sentence_starts[-1])
    tokens = min(max(total // size.wanted, _SMALLEST), size.largest)
    number, begin = 0, 0
    while begin < total:
        left = total - begin
        if tokens == size.largest:  # then make all about the same size
            left = -(-left // -(-left // tokens))
        end = begin + min(tokens, left)
        if end < total:
            last_start = int(sentence_starts[bisect_right(sentence_starts, end) - 1])
            end = last_start if last_start > begin else end
        yield Block(number, begin, end)
        number, begin = number + 1, end


def sentence_limits(
    block: Block, starts_inside: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:  # (sentences + 1,)
    """Starts of the sentences in a block, and its end, relative to its beginning.

    `starts_inside` are the starts after its first token.
    """
    limits = np.concatenate(([block.begin], starts_inside, [block.end]))
    return np.asarray(limits - block.begin, dtype=np.int64)


def block_seed(seed: int, epoch: int, block: int) -> np.uint64:
    """The seed of a block, different for each seed, epoch and block."""
    sequence = np.random.SeedSequence((seed, epoch, block))
    return np.uint64(sequence.generate_state(1, np.uint64)[0])
