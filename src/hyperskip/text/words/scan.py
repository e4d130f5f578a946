"""A piece of text as numbered words, in plain Python: the slow twin of the kernel."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.text.pieces import Piece
from hyperskip.text.word_rules import WordRules
from hyperskip.text.words.tokens import tokenizer_for

_WORDS_AT_ONCE = 1 << 16


class Scan(NamedTuple):
    """The words of a piece, numbered in order of first appearance in it."""

    tokens: npt.NDArray[np.int32]  # (tokens,)
    breaks: npt.NDArray[np.int64]  # number of tokens before the end of each document; ascending
    letters: npt.NDArray[np.uint8]  # UTF-8 of the distinct words, concatenated
    starts: npt.NDArray[np.int64]  # (distinct words + 1,), offsets in letters
    counts: npt.NDArray[np.int64]  # (distinct words,)


class Numbering(dict[str, int]):
    """Numbers words in order of their first lookup."""

    def __missing__(self, word: str) -> int:
        number = len(self)
        self[word] = number
        return number


class Scanner:
    """Finds and numbers words with a tokenizer that follows the rules.

    Raises:
        OptionError: The rules have the name of a function.
        MissingPackageError: The tokenizer requires a package that is not installed.
    """

    def __init__(self, rules: WordRules) -> None:
        self._tokenize = tokenizer_for(rules)

    def scan(self, piece: Piece) -> Scan:
        """Find and number the words of one piece."""
        return scan_of(self._runs(piece))

    def _runs(self, piece: Piece) -> Iterator[tuple[Sequence[str], bool]]:
        if isinstance(piece, list):
            for document in piece:
                yield document, True
            return
        *ended, rest = piece.decode("utf-8", "surrogatepass").split("\n")
        for text in ended:
            yield self._tokenize(text), True
        yield self._tokenize(rest), False


def scan_of(runs: Iterable[tuple[Sequence[str], bool]]) -> Scan:
    """Number words, which come in runs, each with whether it ends a document."""
    numbering = Numbering()
    tokens, breaks = array("i"), array("q")
    for words, ends_document in runs:
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


def spelled(words: Sequence[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Encode words as letters and starts, as in `Scan`."""
    spellings = [word.encode("utf-8", "surrogatepass") for word in words]
    starts = np.zeros(len(words) + 1, dtype=np.int64)
    np.cumsum([len(spelling) for spelling in spellings], out=starts[1:])
    return np.frombuffer(b"".join(spellings), dtype=np.uint8), starts


def words_of(letters: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> Iterator[str]:
    """Decode letters and starts, one word at a time: all at once would take much memory."""
    data = letters.data
    for first in range(0, len(starts) - 1, _WORDS_AT_ONCE):
        limits = starts[first : first + _WORDS_AT_ONCE + 1].tolist()
        for begin, end in pairwise(limits):
            yield str(data[begin:end], "utf-8", "surrogatepass")
