"""The text while phrases are found in it: word ids in blocks, and what can be done with them."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.text.words.lexicon import Lexicon

LONGEST = 256  # words of a phrase that is found; it limits the text held in memory
DROPPED = -1  # a word that is no longer in the lexicon


class Block(NamedTuple):
    """Consecutive words of a text."""

    tokens: npt.NDArray[np.int32]  # (tokens,) ids; DROPPED interrupts phrases like a sentence end
    starts: npt.NDArray[np.bool_]  # (tokens,) whether a sentence starts there


class IntegerText(Protocol):
    """A text of word ids on disk."""

    lexicon: Lexicon
    token_count: int

    def blocks(self) -> Iterator[Block]:
        """Read the text."""

    def replace(self, blocks: Iterable[Block]) -> None:
        """Replace the text by one that is not longer, while it is read."""


class Candidates(NamedTuple):
    """Sequences of words that may be phrases, in order of first appearance."""

    select: Callable[[list[int]], list[tuple[int, ...]]]  # the words of some of them, as ids
    counts: npt.NDArray[np.int64]  # of each sequence, by its spelling
    first_counts: npt.NDArray[np.int64]  # of its first word
    last_counts: npt.NDArray[np.int64]  # of its last word
    distinct: int  # number of different spellings of words and sequences in the text
