"""The corpus in provisional ids, on disk, while it is read; and its final ids, once it is.

Memory holds the words and never the corpus; and where there are more distinct words than the
options allow, the rarest of them are dropped on the way.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OutputError
from hyperskip.files.failures import reason_of
from hyperskip.text.encoding.events import Pruned
from hyperskip.text.encoding.integers import Number
from hyperskip.text.pieces import USUAL_SIZES
from hyperskip.text.words.lexicon import Lexicon, PlainLexicon
from hyperskip.text.words.scan import Scan

TOKENS_NAME, STARTS_NAME = "tokens.i32", "sentence-starts.i64"

_DROPPED = -1
_LETTERS_A_WORD = 32  # bytes, on average: far more than words have, but for text without blanks


class ProvisionalCorpus:
    """The lexicon, and the corpus as its ids, a limited number of which are in memory at once."""

    def __init__(self, folder: Path, tokens_in_memory: int) -> None:
        self.lexicon: Lexicon = PlainLexicon()
        self.token_count = 0
        self.pruned = Pruned()
        self._folder = folder
        self._at_once = tokens_in_memory
        self._last_start = 0
        self._tokens_path = folder / "provisional-tokens.i32"
        self._starts_path = folder / "provisional-starts.i64"
        with writing_to(folder), contextlib.ExitStack() as opened:
            self._tokens_file: IO[bytes] = opened.enter_context(self._tokens_path.open("wb"))
            self._starts_file: IO[bytes] = opened.enter_context(self._starts_path.open("wb"))
            self._starts_file.write(bytes(8))  # the first sentence starts at 0
            opened.pop_all()  # from here on, `__exit__` closes them

    def __enter__(self) -> "ProvisionalCorpus":
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._tokens_file, self._starts_file):
            with contextlib.suppress(OSError):  # what could not be written was said by `finish`
                file.close()

    def append(self, scan: Scan) -> None:
        """Add the words of a piece."""
        ids = self.lexicon.add(scan)
        starts = self.token_count + scan.breaks
        if len(starts) and starts[0] == self._last_start:
            starts = starts[1:]
        if len(starts):
            self._last_start = int(starts[-1])
        self.token_count += len(scan.tokens)
        with writing_to(self._folder):
            self._tokens_file.write(ids[scan.tokens].data)
            self._starts_file.write(starts.data)

    def prune(self, limit: int) -> bool:
        """Drop the rarer words if there are more than `limit`; the most frequent half of it stays.

        Where counts are equal, the words that came first stay. A word that comes back is a new one.
        Words of megabytes, as text without blanks has them, count for as many as have their bytes.
        """
        counts = self.lexicon.counts
        most_bytes = _LETTERS_A_WORD * limit
        if len(counts) <= limit and self.lexicon.letter_bytes <= most_bytes:
            return False
        order = np.argsort(-counts, kind="stable")
        lengths = self.lexicon.lengths[order[: limit // 2]]
        stay = int(np.searchsorted(np.cumsum(lengths), most_bytes // 2, "right"))
        kept, first_dropped = np.sort(order[:stay]), order[stay]
        del order, lengths  # which take a third of the memory here
        renumbered = np.full(len(counts) + 1, _DROPPED, dtype=np.int32)  # and -1 stays -1
        renumbered[kept] = np.arange(len(kept), dtype=np.int32)
        self.pruned = Pruned(
            self.pruned.words + len(counts) - len(kept),
            self.pruned.tokens + int(counts.sum() - counts[kept].sum()),
            max(self.pruned.highest_count, int(counts[first_dropped])),
        )
        self.lexicon.keep(kept)
        with writing_to(self._folder):
            self._tokens_file.flush()
            with self._tokens_path.open("rb+") as file:
                for block in numbers_in(file, np.int32, self._at_once):
                    file.seek(-block.nbytes, os.SEEK_CUR)
                    file.write(renumbered[block].data)
        return True

    def finish(self) -> None:
        """End the last sentence, and write what is still in memory."""
        with writing_to(self._folder):
            if self._last_start != self.token_count:
                self._starts_file.write(np.int64(self.token_count).tobytes())
            self._tokens_file.flush()
            self._starts_file.flush()

    def finalize(self, final_ids: npt.NDArray[np.int32]) -> None:
        """Leave the corpus in final ids in the folder, without the words that have none (-1)."""
        final_ids = np.append(final_ids, np.int32(_DROPPED))  # and -1 stays -1
        block_begin, kept_before_block, previous_start = 0, 0, -1
        with (
            writing_to(self._folder),
            self._tokens_path.open("rb") as provisional_tokens,
            self._starts_path.open("rb") as provisional_starts,
            (self._folder / TOKENS_NAME).open("wb") as tokens_file,
            (self._folder / STARTS_NAME).open("wb") as starts_file,
        ):
            starts = _Rising(provisional_starts, self._at_once)
            for block in numbers_in(provisional_tokens, np.int32, self._at_once):
                ids = final_ids[block]
                kept = np.flatnonzero(ids >= 0)
                tokens_file.write(ids[kept].data)
                block_starts = starts.below(block_begin + len(block)) - block_begin
                moved = kept_before_block + np.searchsorted(kept, block_starts)
                # A sentence whose words were all dropped starts where the next one does.
                distinct = np.diff(moved, prepend=previous_start) > 0
                starts_file.write(moved[distinct].data)
                if len(moved):
                    previous_start = int(moved[-1])
                kept_before_block += len(kept)
                block_begin += len(block)
            if previous_start != kept_before_block:
                starts_file.write(np.int64(kept_before_block).tobytes())
        with writing_to(self._folder):
            self._tokens_path.unlink()
            self._starts_path.unlink()


class _Rising:
    """A file of rising numbers, taken from its beginning as far as is asked for."""

    def __init__(self, file: IO[bytes], at_once: int) -> None:
        self._blocks = numbers_in(file, np.int64, at_once)
        self._ahead = np.zeros(0, dtype=np.int64)

    def below(self, limit: int) -> npt.NDArray[np.int64]:
        """The numbers below the limit that were not taken yet."""
        while not len(self._ahead) or self._ahead[-1] < limit:
            block = next(self._blocks, None)
            if block is None:
                break
            self._ahead = np.concatenate((self._ahead, block))
        taken, self._ahead = np.split(self._ahead, [np.searchsorted(self._ahead, limit)])
        return taken


def numbers_in(
    file: IO[bytes], kind: type[Number], at_once: int = USUAL_SIZES.tokens_in_memory
) -> Iterator[npt.NDArray[Number]]:
    """The numbers of a file, in blocks. Read and not mapped: mapped ones would count as memory."""
    size = at_once * np.dtype(kind).itemsize
    while data := file.read(size):
        yield np.frombuffer(data, dtype=kind)


@contextlib.contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Say of an error in the block that there is no place for this folder.

    The folder itself is a temporary one, which nobody knows by name.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot keep the encoded corpus in {folder.parent}: {reason_of(error)}",
            hint="it takes about 8 bytes a word; choose a folder with room (for train, by TMPDIR)",
        ) from error
