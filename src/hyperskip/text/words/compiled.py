"""The kernel for Python: a scanner and a lexicon that do what the plain ones do, and faster."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.kernel_cache import made_ready
from hyperskip.text.pieces import Piece
from hyperskip.text.words import kernel
from hyperskip.text.words.lexicon import Lexicon
from hyperskip.text.words.scan import Scan, Scanner
from hyperskip.text.words.unicode_rules import rule_named, settled

Letters = npt.NDArray[np.uint8]
Starts = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]
Slots = npt.NDArray[np.uint64]

_FEWEST_SLOTS = 1 << 16
_FULLEST = 0.75  # of the slots: more words than that share too many of them


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
        letters, starts = other.spelled(np.arange(len(counts)))
        self._size = len(counts)
        self._letters: Letters = letters.copy()
        self._starts: Starts = starts.copy()
        self._counts: Counts = counts.copy()
        self._slots: Slots = np.zeros(_FEWEST_SLOTS, dtype=np.uint64)
        self._index(self._size)

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
        size = self._size + len(scan.counts)  # at most
        if _FULLEST * len(self._slots) < size:
            self._index(size)
        _make_room(self._letters, self.letter_bytes + len(scan.letters))
        _make_room(self._starts, size + 1)
        if len(self._counts) < size:  # copied, for `counts` has given views of it away
            self._counts = self._counts.copy()
            _make_room(self._counts, size)
        ids = np.empty(len(scan.counts), dtype=np.int32)
        self._size = kernel.merge(
            scan.letters, scan.starts, self._letters, self._starts, self._slots, self._size, ids
        )
        self._counts[ids] += scan.counts
        return ids

    def spelled(self, ids: npt.NDArray[np.int64]) -> tuple[Letters, Starts]:
        """The words of these ids: letters and starts."""
        letter_count = (self._starts[ids + 1] - self._starts[ids]).sum()
        letters = np.empty(letter_count, dtype=np.uint8)
        starts = np.empty(len(ids) + 1, dtype=np.int64)
        kernel.gather(self._letters, self._starts, ids, letters, starts)
        return letters, starts

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Forget the words except these; ids rise, and a place among them is the new id."""
        kernel.gather(self._letters, self._starts, ids, self._letters, self._starts)
        self._counts = self._counts[ids]
        self._size = len(ids)
        self._index(self._size)

    def _index(self, word_count: int) -> None:
        """Build the hash table again, with room for this number of words."""
        slot_count = len(self._slots)
        while _FULLEST * slot_count < word_count:
            slot_count *= 2
        del self._slots  # the old table goes before the new one is made
        self._slots = np.zeros(slot_count, dtype=np.uint64)
        kernel.index(self._slots, self._letters, self._starts, self._size)


def compiled(tokenizer: str, lexicon: Lexicon) -> tuple[CompiledScanner, CompiledLexicon]:
    """The kernel, compiled or taken from the cache on disk, that goes on where Python stopped."""

    def first_call() -> tuple[CompiledScanner, CompiledLexicon]:
        scanner, fast = CompiledScanner(tokenizer), CompiledLexicon(lexicon)
        fast.add(scanner.scan(b""))
        fast.keep(np.arange(len(fast.counts)))
        return scanner, fast

    return made_ready(first_call, kernel.scan, kernel.merge, kernel.index, kernel.gather)


def _make_room(values: npt.NDArray[Any], size: int) -> None:
    """Lengthen an array by zeros to `size` or more; nothing else may use its memory.

    The system moves large arrays without a copy, so that there are never two of them.
    """
    if size > len(values):
        values.resize(max(size, len(values) * 9 // 8), refcheck=False)
