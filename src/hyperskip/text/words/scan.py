"""A piece of text as numbered words, by plain Python: what the kernel is measured against."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.text.pieces import Piece
from hyperskip.text.words.tokens import tokenizer_named

_LIMITS_AT_A_TIME = 1 << 16  # as integers of Python


class Scan(NamedTuple):
    """The words of a piece, numbered in order of first appearance in it."""

    tokens: npt.NDArray[np.int32]  # (tokens,)
    breaks: npt.NDArray[np.int64]  # how many tokens stand before a document's end; none twice
    letters: npt.NDArray[np.uint8]  # UTF-8 of the distinct words, one after another
    starts: npt.NDArray[np.int64]  # (distinct words + 1,), in letters
    counts: npt.NDArray[np.int64]  # (distinct words,)


class Numbering(dict[str, int]):
    """Numbers words in order of first appearance, as they are looked up."""

    def __missing__(self, word: str) -> int:
        number = len(self)
        self[word] = number
        return number


class Scanner:
    """Finds and numbers words by the tokenizer itself."""

    def __init__(self, tokenizer: str) -> None:
        self._tokenize = tokenizer_named(tokenizer)

    def scan(self, piece: Piece) -> Scan:
        """Find and number the words of one piece."""
        numbering = Numbering()
        tokens, breaks = array("i"), array("q")
        for words, ends_document in self._runs(piece):
            tokens.extend(map(numbering.__getitem__, words))
            if ends_document and (not breaks or breaks[-1] != len(tokens)):
                breaks.append(len(tokens))
        numbers = np.array(tokens, dtype=np.int32)
        return Scan(
            numbers,
            np.array(breaks, dtype=np.int64),
            *spelled(list(numbering)),
            np.bincount(numbers, minlength=len(numbering)).astype(np.int64),
        )

    def _runs(self, piece: Piece) -> Iterator[tuple[Sequence[str], bool]]:
        if isinstance(piece, list):
            for document in piece:
                yield document, True
            return
        *ended, rest = piece.decode("utf-8", "surrogatepass").split("\n")
        for text in ended:
            yield self._tokenize(text), True
        yield self._tokenize(rest), False


def spelled(words: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Words as `Scan` has them: letters and starts."""
    spellings = [word.encode("utf-8", "surrogatepass") for word in words]
    starts = np.zeros(len(words) + 1, dtype=np.int64)
    np.cumsum([len(spelling) for spelling in spellings], out=starts[1:])
    return np.frombuffer(b"".join(spellings), dtype=np.uint8), starts


def words_of(letters: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> Iterator[str]:
    """The words that `spelled` spelled, made one after another: all at once take much memory."""
    data = letters.data
    for first in range(0, len(starts) - 1, _LIMITS_AT_A_TIME):
        limits = starts[first : first + _LIMITS_AT_A_TIME + 1].tolist()
        for begin, end in pairwise(limits):
            yield str(data[begin:end], "utf-8", "surrogatepass")
