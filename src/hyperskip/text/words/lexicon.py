"""All words met so far, in order of first appearance, with their counts; by plain Python."""

from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.text.words.scan import Numbering, Scan, spelled, words_of


class Lexicon(Protocol):
    """Words and counts, to which the words of a piece are added; a word's id is its place."""

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each word was met."""

    @property
    def letter_bytes(self) -> int:
        """How many bytes of UTF-8 the words take, all together."""

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How many bytes each word takes."""

    def add(self, scan: Scan) -> npt.NDArray[np.int32]:
        """Add the words of a piece; returns the id of each."""

    def spelled(
        self, ids: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
        """The words of these ids: letters and starts, as `Scan` has them."""

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Forget the words except these; ids rise, and a place among them is the new id."""


class PlainLexicon:
    """A lexicon that is a dictionary."""

    def __init__(self) -> None:
        self._numbering = Numbering()
        self._counts = np.zeros(0, dtype=np.int64)
        self._lengths = np.zeros(0, dtype=np.int64)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each word was met."""
        return self._counts

    @property
    def letter_bytes(self) -> int:
        """How many bytes of UTF-8 the words take, all together."""
        return int(self._lengths.sum())

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How many bytes each word takes."""
        return self._lengths

    def add(self, scan: Scan) -> npt.NDArray[np.int32]:
        """Add the words of a piece; returns the id of each."""
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
        """The words of these ids: letters and starts, as `Scan` has them."""
        return spelled(self._words(ids))

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Forget the words except these; ids rise, and a place among them is the new id."""
        self._numbering = Numbering(zip(self._words(ids), range(len(ids)), strict=True))
        self._counts, self._lengths = self._counts[ids], self._lengths[ids]

    def _words(self, ids: npt.NDArray[np.int64]) -> list[str]:
        words = list(self._numbering)
        return [words[i] for i in ids]
