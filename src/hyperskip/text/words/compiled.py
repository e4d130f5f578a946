"""The scanner and the lexicon with compiled kernels; same results as the plain ones."""

from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.kernel_cache import compile_kernels
from hyperskip.text.pieces import Piece
from hyperskip.text.word_rules import NO_FORM, PAPER, WHITESPACE, WordRules
from hyperskip.text.words import kernel
from hyperskip.text.words.lexicon import Lexicon
from hyperskip.text.words.scan import Scan, Scanner, scan_of
from hyperskip.text.words.tokens import normalized
from hyperskip.text.words.unicode_rules import kernel_rule, lower_contextual

Letters = npt.NDArray[np.uint8]
Starts = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]
Slots = npt.NDArray[np.uint64]

_FEWEST_SLOTS = 1 << 16
_FULLEST = 0.75  # maximum fraction of used slots; beyond it, collisions are too frequent


class CompiledScanner:
    """Finds and numbers words without the GIL; several threads may use it at the same time."""

    def __init__(self, rules: WordRules) -> None:
        self._rules = rules
        self._rule = kernel_rule(rules)
        self._plain = Scanner(rules)

    def scan(self, piece: Piece) -> Scan:
        """Find and number the words of one piece."""
        if isinstance(piece, list):
            return self._plain.scan(piece)
        if self._rules.normalize != NO_FORM and not piece.isascii():
            text = normalized(piece.decode("utf-8", "surrogatepass"), self._rules)
            piece = text.encode("utf-8", "surrogatepass")
        letters = np.frombuffer(lower_contextual(piece, self._rule), dtype=np.uint8)
        return Scan(*kernel.scan(letters, self._rule.table, self._rule.least))


class CompiledLexicon:
    """A lexicon based on a hash table in arrays; starts as a copy of another lexicon."""

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
        """The count of each word."""
        return self._counts[: self._size]

    @property
    def letter_bytes(self) -> int:
        """The total length of all words, in bytes of UTF-8."""
        return int(self._starts[self._size])

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The length of each word, in bytes of UTF-8."""
        return np.diff(self._starts[: self._size + 1])

    def add(self, scan: Scan) -> npt.NDArray[np.int32]:
        """Add the words of a piece, and return the id of each."""
        size = self._size + len(scan.counts)  # upper limit
        if _FULLEST * len(self._slots) < size:
            self._index(size)
        _make_room(self._letters, self.letter_bytes + len(scan.letters))
        _make_room(self._starts, size + 1)
        if len(self._counts) < size:  # copied, because `counts` returns views of it
            self._counts = self._counts.copy()
            _make_room(self._counts, size)
        ids = np.empty(len(scan.counts), dtype=np.int32)
        self._size = kernel.merge(
            scan.letters, scan.starts, self._letters, self._starts, self._slots, self._size, ids
        )
        self._counts[ids] += scan.counts
        return ids

    def spelled(self, ids: npt.NDArray[np.int64]) -> tuple[Letters, Starts]:
        """The words with these ids, as letters and starts."""
        letter_count = (self._starts[ids + 1] - self._starts[ids]).sum()
        letters = np.empty(letter_count, dtype=np.uint8)
        starts = np.empty(len(ids) + 1, dtype=np.int64)
        kernel.gather(self._letters, self._starts, ids, letters, starts)
        return letters, starts

    def keep(self, ids: npt.NDArray[np.int64]) -> None:
        """Drop all words except these; the ids ascend, and the index in them is the new id."""
        kernel.gather(self._letters, self._starts, ids, self._letters, self._starts)
        self._counts = self._counts[ids]
        self._size = len(ids)
        self._index(self._size)

    def recount(self, counts: npt.NDArray[np.int64]) -> None:
        """Replace the count of each word."""
        self._counts = counts

    def _index(self, word_count: int) -> None:
        """Rebuild the hash table with room for this number of words."""
        slot_count = len(self._slots)
        while _FULLEST * slot_count < word_count:
            slot_count *= 2
        del self._slots  # frees its memory before the new table is allocated
        self._slots = np.zeros(slot_count, dtype=np.uint64)
        kernel.index(self._slots, self._letters, self._starts, self._size)


def compiled(rules: WordRules, lexicon: Lexicon) -> tuple[CompiledScanner | None, CompiledLexicon]:
    """Compile the kernels, or load them from the cache; the lexicon continues the given one.

    Returns:
        The scanner, or None if only Python can follow the rules; and the lexicon.
    """

    def first_call() -> tuple[CompiledScanner | None, CompiledLexicon]:
        scanner = CompiledScanner(rules) if rules.tokenizer in (PAPER, WHITESPACE) else None
        fast = CompiledLexicon(lexicon)
        fast.add(scan_of([]) if scanner is None else scanner.scan(b""))
        fast.keep(np.arange(len(fast.counts)))
        return scanner, fast

    return compile_kernels(first_call, kernel.scan, kernel.merge, kernel.index, kernel.gather)


def _make_room(values: npt.NDArray[Any], size: int) -> None:
    """Extend an array by zeros to `size` or more elements; nothing else may use its memory.

    The system moves large arrays without copying them, so that they never take twice the memory.
    """
    if size > len(values):
        values.resize(max(size, len(values) * 9 // 8), refcheck=False)
