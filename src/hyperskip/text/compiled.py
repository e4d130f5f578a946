"""The kernel for Python: a scanner and a lexicon that do what the plain ones do, and faster."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.kernel_cache import made_ready
from hyperskip.text import kernel
from hyperskip.text.lexicon import Lexicon
from hyperskip.text.rules import rule_named, settled
from hyperskip.text.scan import Piece, Scan, Scanner, spelled, words_of

Letters = npt.NDArray[np.uint8]
Starts = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]

_FEWEST_SLOTS = 1 << 16


class CompiledScanner:
    """Finds and numbers words; several threads may at once, since it runs without the GIL."""

    def __init__(self, tokenizer: str) -> None:
        self._rule = rule_named(tokenizer)
        self._plain = Scanner(tokenizer)

    def scan(self, piece: Piece) -> Scan:
        """Find and number the words of one piece."""
        if isinstance(piece, list):
            return self._plain.scan(piece)
        letters = np.frombuffer(settled(piece, self._rule), dtype=np.uint8)
        return Scan(*kernel.scan(letters, self._rule.table, self._rule.least))


class CompiledLexicon:
    """A lexicon that is a hash table in arrays; it goes on from another one."""

    def __init__(self, other: Lexicon) -> None:
        counts = other.counts
        self._build(*spelled(other.words(np.arange(len(counts)))), counts, _FEWEST_SLOTS)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each word was met."""
        return self._counts[: self._size]

    @property
    def letter_bytes(self) -> int:
        """How many bytes of UTF-8 the words take, all together."""
        return int(self._starts[self._size])

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How many bytes each word takes."""
        return np.diff(self._starts[: self._size + 1])

    def add(self, scan: Scan) -> npt.NDArray[np.int32]:
        """Add the words of a piece; returns the id of each."""
        if 2 * (self._size + len(scan.counts)) > len(self._slots):
            letters, starts = self._letters, self._starts[: self._size + 1]
            self._build(letters, starts, self.counts, 4 * len(self._slots))
        return self._merge(scan.letters, scan.starts, scan.counts)

    def words(self, ids: npt.NDArray[np.int64]) -> list[str]:
        """The words of these ids."""
        return words_of(*self._spelled(ids))

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Forget the words but these, whose ids become their places in `ids`."""
        self._build(*self._spelled(ids), self._counts[ids], len(self._slots))

    def _build(self, letters: Letters, starts: Starts, counts: Counts, slot_count: int) -> None:
        """Start anew, with these words."""
        while slot_count < 2 * len(counts):
            slot_count *= 2
        self._size = 0
        self._letters: Letters = np.empty(0, dtype=np.uint8)
        self._starts: Starts = np.zeros(1, dtype=np.int64)
        self._counts: Counts = np.zeros(0, dtype=np.int64)
        self._slots = np.zeros(slot_count, dtype=np.uint64)
        self._merge(letters, starts, counts)

    def _merge(self, letters: Letters, starts: Starts, counts: Counts) -> npt.NDArray[np.int32]:
        size = self._size + len(counts)  # at most
        self._letters = _with_room(self._letters, int(self._starts[self._size]) + len(letters))
        self._starts = _with_room(self._starts, size + 1)
        self._counts = _with_room(self._counts, size)
        ids = np.empty(len(counts), dtype=np.int32)
        self._size = kernel.merge(
            letters, starts, self._letters, self._starts, self._slots, self._size, ids
        )
        self._counts[ids] += counts
        return ids

    def _spelled(self, ids: npt.NDArray[np.int64]) -> tuple[Letters, Starts]:
        lengths = self._starts[ids + 1] - self._starts[ids]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        # Where each letter of these words is: its place among them, moved.
        moved = np.repeat(self._starts[ids] - starts[:-1], lengths)
        return self._letters[moved + np.arange(starts[-1])], starts


def compiled(tokenizer: str, lexicon: Lexicon) -> tuple[CompiledScanner, CompiledLexicon]:
    """The kernel, compiled or taken from the cache on disk, that goes on where Python stopped."""

    def first_call() -> tuple[CompiledScanner, CompiledLexicon]:
        scanner = CompiledScanner(tokenizer)
        scanner.scan(b"")
        return scanner, CompiledLexicon(lexicon)

    return made_ready(first_call, kernel.scan, kernel.merge)


def _with_room(values: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    """The same values with zeros behind, so that there are `size`; often far more, to be quick."""
    if size <= len(values):
        return values
    larger = np.zeros(max(size, len(values) * 3 // 2), dtype=values.dtype)
    larger[: len(values)] = values
    return larger
