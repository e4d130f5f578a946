"""How much of a corpus is read, or held in memory, at once."""

from typing import NamedTuple


class Sizes(NamedTuple):
    """The usual sizes; tests pass smaller ones."""

    piece_bytes: int = 1 << 20
    longest_word_bytes: int = 1 << 22  # text without any blank for so long is cut
    # Up to so much text, Python tokenises: a small corpus does not wait for the compiler.
    small_bytes: int = 1 << 20
    tokens_in_memory: int = 1 << 20


USUAL_SIZES = Sizes()
