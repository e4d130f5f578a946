"""The corpus cut into blocks: what one thread trains on in one go, with its own random numbers."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_SMALLEST = 2048  # tokens, unless blocks shall be smaller


class Block(NamedTuple):
    """A stretch of the corpus."""

    number: int
    begin: int
    end: int


class BlockSize(NamedTuple):
    """How large blocks shall be."""

    largest: int  # tokens
    wanted: int  # blocks an epoch, if that makes them smaller


FOR_THREADS = BlockSize(largest=65536, wanted=64)  # which take them one by one


def cut_into_blocks(sentence_starts: npt.NDArray[np.int64], size: BlockSize) -> Iterator[Block]:
    """Cut a corpus, at sentence starts wherever a sentence is shorter than a block.

    The cut depends on the corpus only, never on the threads. A sentence that is longer than a
    block is cut inside, and loses no more than the few pairs across the cut.
    """
    total = int(sentence_starts[-1])
    tokens = min(max(total // size.wanted, _SMALLEST), size.largest)
    number, begin = 0, 0
    while begin < total:
        left = total - begin
        if tokens == size.largest:  # all of about the same size, then, and no short one at the end
            left = -(-left // -(-left // tokens))
        end = begin + min(tokens, left)
        if end < total:
            sentence = np.searchsorted(sentence_starts, end, side="right") - 1
            last_start = int(sentence_starts[sentence])
            end = last_start if last_start > begin else end
        yield Block(number, begin, end)
        number, begin = number + 1, end


def sentence_limits(
    block: Block, starts_inside: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:  # (sentences + 1,)
    """Where the sentences of a block start, and its end, counted from the block's begin.

    `starts_inside` are those behind its first token.
    """
    limits = np.concatenate(([block.begin], starts_inside, [block.end]))
    return np.asarray(limits - block.begin, dtype=np.int64)


def block_seed(seed: int, epoch: int, block: int) -> np.uint64:
    """Random bits, the same for the same seed, epoch and block, and else in practice never."""
    sequence = np.random.SeedSequence((seed, epoch, block))
    return np.uint64(sequence.generate_state(1, np.uint64)[0])
