"""The corpus on disk while it is read, with rare words and in provisional ids; then in final ids.

Memory holds the words, never the corpus. If there are more distinct words than the options allow,
the rarest are dropped during reading.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OutputError
from hyperskip.files.failures import reason_of
from hyperskip.text.encoding.encoding_events import Pruned
from hyperskip.text.encoding.integers import Number
from hyperskip.text.phrases.blocks import DROPPED, Block
from hyperskip.text.pieces import DEFAULT_SIZES
from hyperskip.text.words.lexicon import Lexicon, PlainLexicon
from hyperskip.text.words.scan import Scan

TOKENS_NAME, STARTS_NAME = "tokens.i32", "sentence-starts.i64"

_LETTERS_PER_WORD = 32  # bytes on average; far above the average of text with blanks


class UnfilteredCorpus:
    """A lexicon, and the corpus as ids of its words, in a temporary folder.

    Args:
        folder: An existing folder for the files.
        tokens_in_memory: Maximum number of tokens held in memory at once.
    """

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
            opened.pop_all()  # `__exit__` closes them

    def __enter__(self) -> "UnfilteredCorpus":
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._tokens_file, self._starts_file):
            with contextlib.suppress(OSError):  # `finish` has reported an error of writing
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
        """If there are more than `limit` words, keep the most frequent `limit // 2`.

        Of words with equal counts, the first are kept. A dropped word that occurs again is a new
        word. Very long words, as in text without blanks, count as several.

        Returns:
            Whether words were dropped.
        """
        if not exceeds(self.lexicon, limit):
            return False
        counts = self.lexicon.counts
        most_bytes = _LETTERS_PER_WORD * limit
        order = np.argsort(-counts, kind="stable")
        lengths = self.lexicon.lengths[order[: limit // 2]]
        kept_count = int(np.searchsorted(np.cumsum(lengths), most_bytes // 2, "right"))
        kept, first_dropped = np.sort(order[:kept_count]), order[kept_count]
        del order, lengths  # they take a third of the memory
        renumbered = np.full(len(counts) + 1, DROPPED, dtype=np.int32)  # the last maps -1 to -1
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
        """End the last sentence, and flush the files."""
        with writing_to(self._folder):
            if self._last_start != self.token_count:
                self._starts_file.write(np.int64(self.token_count).tobytes())
            self._tokens_file.flush()
            self._starts_file.flush()

    def blocks(self) -> Iterator[Block]:
        """Read the corpus, after `finish`."""
        begin = 0
        with (
            writing_to(self._folder),
            self._tokens_path.open("rb") as tokens_file,
            self._starts_path.open("rb") as starts_file,
        ):
            starts = _AscendingNumbers(starts_file, self._at_once)
            for tokens in numbers_in(tokens_file, np.int32, self._at_once):
                is_start = np.zeros(len(tokens), dtype=np.bool_)
                is_start[starts.below(begin + len(tokens)) - begin] = True
                yield Block(tokens, is_start)
                begin += len(tokens)

    def replace(self, blocks: Iterable[Block]) -> None:
        """Replace the corpus by blocks with as many sentences and as many words, or fewer.

        The blocks may be made from those that `blocks` reads at the same time: it is ahead.
        """
        begin = 0
        with (
            writing_to(self._folder),
            self._tokens_path.open("rb+") as tokens_file,
            self._starts_path.open("rb+") as starts_file,
        ):
            for tokens, is_start in blocks:
                tokens_file.write(tokens.data)
                starts_file.write((begin + np.flatnonzero(is_start)).data)
                begin += len(tokens)
            tokens_file.truncate()
            starts_file.write(np.int64(begin).tobytes())
        self.token_count = begin

    def finalize(self, final_ids: npt.NDArray[np.int32]) -> None:
        """Write the corpus in final ids to the folder, without words whose final id is -1."""
        final_ids = np.append(final_ids, np.int32(DROPPED))  # the last maps -1 to -1
        block_begin, kept_before_block, previous_start = 0, 0, -1
        with (
            writing_to(self._folder),
            self._tokens_path.open("rb") as provisional_tokens,
            self._starts_path.open("rb") as provisional_starts,
            (self._folder / TOKENS_NAME).open("wb") as tokens_file,
            (self._folder / STARTS_NAME).open("wb") as starts_file,
        ):
            starts = _AscendingNumbers(provisional_starts, self._at_once)
            for block in numbers_in(provisional_tokens, np.int32, self._at_once):
                ids = final_ids[block]
                kept = np.flatnonzero(ids >= 0)
                tokens_file.write(ids[kept].data)
                block_starts = starts.below(block_begin + len(block)) - block_begin
                moved = kept_before_block + np.searchsorted(kept, block_starts)
                # A sentence without remaining words starts at the start of the next one.
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


def exceeds(lexicon: Lexicon, limit: int) -> bool:
    """Whether a lexicon has more than `limit` words; very long words count as several."""
    return len(lexicon.counts) > limit or lexicon.letter_bytes > _LETTERS_PER_WORD * limit


class _AscendingNumbers:
    """A file of ascending numbers, read from its start as far as needed."""

    def __init__(self, file: IO[bytes], at_once: int) -> None:
        self._blocks = numbers_in(file, np.int64, at_once)
        self._buffer = np.zeros(0, dtype=np.int64)

    def below(self, limit: int) -> npt.NDArray[np.int64]:
        """Return the numbers below the limit that were not returned before."""
        while not len(self._buffer) or self._buffer[-1] < limit:
            block = next(self._blocks, None)
            if block is None:
                break
            self._buffer = np.concatenate((self._buffer, block))
        below, self._buffer = np.split(self._buffer, [np.searchsorted(self._buffer, limit)])
        return below


def numbers_in(
    file: IO[bytes], kind: type[Number], at_once: int = DEFAULT_SIZES.tokens_in_memory
) -> Iterator[npt.NDArray[Number]]:
    """Read the numbers of a file in blocks; mapping the file would count as memory."""
    size = at_once * np.dtype(kind).itemsize
    while data := file.read(size):
        yield np.frombuffer(data, dtype=kind)


@contextlib.contextmanager
def writing_to(folder: Path) -> Iterator[None]:
    """Turn an OSError in the block into an OutputError that names the parent of the folder.

    The folder itself is temporary; the user does not know its name.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot write the encoded corpus to {folder.parent}: {reason_of(error)}",
            hint="it takes about 8 bytes per word; choose a folder with enough space (when "
            "training on text, with TMPDIR)",
        ) from error
