"""All words read so far, in order of first appearance, with their counts; in plain Python."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.text.words.scan import Numbering, Scan, spelled, words_of


class Lexicon(Protocol):
    """Words and counts, to which the words of a piece are added; the id of a word is its index."""

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The count of each word."""

    @property
    def letter_bytes(self) -> int:
        """The total length of all words, in bytes of UTF-8."""

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The length of each word, in bytes of UTF-8."""

    def add(self, scan: Scan) -> npt.NDArray[np.int32]:
        """Add the words of a piece, and return the id of each."""

    def spelled(
        self, ids: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """The words with these ids, as letters and starts like in `Scan`."""

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Drop all words except these; the ids ascend, and the index in them is the new id."""

    def recount(self, counts: npt.NDArray[np.int64]) -> None:
        """Replace the count of each word."""


def ids_of(lexicon: Lexicon, words: Sequence[str]) -> npt.NDArray[np.int32]:
    """Return the id of each word; new words are added to the lexicon, with a count of 0."""
    nothing = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
    return lexicon.add(Scan(*nothing, *spelled(words), np.zeros(len(words), dtype=np.int64)))


class PlainLexicon:
    """A lexicon based on a dictionary."""

    def __init__(self) -> None:
        self._numbering = Numbering()
        self._counts = np.zeros(0, dtype=np.int64)
        self._lengths = np.zeros(0, dtype=np.int64)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The count of each word."""
        return self._counts

    @property
    def letter_bytes(self) -> int:
        """The total length of all words, in bytes of UTF-8."""
        return int(self._lengths.sum())

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The length of each word, in bytes of UTF-8."""
        return self._lengths

    def add(self, scan: Scan) -> npt.NDArray[np.int32]:
        """Add the words of a piece, and return the id of each."""
        words = list(words_of(scan.letters, scan.starts))
        ids = np.fromiter(map(self._numbering.__getitem__, words), np.int32, len(words))
        room = np.zeros(len(self._numbering) - len(self._counts), dtype=np.int64)
        self._counts = np.concatenate((self._counts, room))
        self._counts[ids] += scan.counts
        self._lengths = np.concatenate((self._lengths, room))
        self._lengths[ids] = np.diff(scan.starts)
        return ids

    def spelled(
        self, ids: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """The words with these ids, as letters and starts like in `Scan`."""
        return spelled(self._words(ids))

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Drop all words except these; the ids ascend, and the index in them is the new id."""
        self._numbering = Numbering(zip(self._words(ids), range(len(ids)), strict=True))
        self._counts, self._lengths = self._counts[ids], self._lengths[ids]

    def recount(self, counts: npt.NDArray[np.int64]) -> None:
        """Replace the count of each word."""
        self._counts = counts

    def _words(self, ids: npt.NDArray[np.int64]) -> list[str]:
        words = list(self._numbering)
        return [words[i] for i in ids]
