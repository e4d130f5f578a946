"""How much of a corpus is read, or held in memory, at once."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """The usual sizes; tests pass smaller ones."""

    piece_bytes: int = 1 << 20
    longest_word_bytes: int = 1 << 22  # longer runs of text without a blank are cut
    # Less text than this is tokenized by Python: a small corpus does not wait for the compiler.
    small_bytes: int = 1 << 20
    tokens_in_memory: int = 1 << 20


USUAL_SIZES = Sizes()
