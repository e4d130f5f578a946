"""A part of the text as numbered words, made by a task; and its pieces, restored from it."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.text.pieces import Piece, size_of
from hyperskip.text.word_rules import WordRules
from hyperskip.text.words.lexicon import Lexicon, PlainLexicon
from hyperskip.text.words.scan import Scan, Scanner


class PartWords(NamedTuple):
    """The distinct words of a part, in order of first appearance."""

    letters: npt.NDArray[np.uint8]  # UTF-8, concatenated
    starts: npt.NDArray[np.int64]  # (words + 1,), offsets in letters
    counts: npt.NDArray[np.int64]  # (words,)
    tokens: int
    bytes_read: int


class PartText(NamedTuple):
    """The text of a part as indices of its words."""

    tokens: npt.NDArray[np.int32]  # (tokens,)
    breaks: npt.NDArray[np.int64]  # tokens before the end of each document; ascending, distinct
    piece_ends: npt.NDArray[np.int64]  # tokens before the end of each piece


@cache  # once for each process of a node: loading the compiler takes a second
def scanner_for(
    rules: WordRules, *, compiled: bool
) -> tuple[Callable[[Piece], Scan], Callable[[], Lexicon]]:
    """Return a function that scans a piece, and one that makes an empty lexicon."""
    if not compiled:
        return Scanner(rules).scan, PlainLexicon
    from hyperskip.text.words.compiled import CompiledLexicon
    from hyperskip.text.words.compiled import compiled as compile_words

    scanner, _ = compile_words(rules, PlainLexicon())
    return (scanner or Scanner(rules)).scan, lambda: CompiledLexicon(PlainLexicon())


def scanned(
    pieces: Iterable[Piece],
    scan: Callable[[Piece], Scan],
    new_lexicon: Callable[[], Lexicon],
    largest_bytes: int,
    bytes_read: Callable[[], int],
) -> Iterator[tuple[PartWords, PartText]]:
    """Number the words of a part; a large file that cannot be cut becomes several parts.

    Args:
        pieces: The text.
        scan: Finds the words of a piece.
        new_lexicon: Makes an empty lexicon.
        largest_bytes: Bytes of text after which a part ends.
        bytes_read: Returns the number of bytes of the files that were read so far.
    """
    before = 0
    scans: list[Scan] = []
    size = 0
    for piece in pieces:
        if size >= largest_bytes:
            read = bytes_read()
            yield _joined(scans, new_lexicon(), read - before)
            scans, size, before = [], 0, read
        scans.append(scan(piece))
        size += size_of(piece)
    yield _joined(scans, new_lexicon(), bytes_read() - before)


def _joined(scans: list[Scan], lexicon: Lexicon, bytes_read: int) -> tuple[PartWords, PartText]:
    tokens = [np.zeros(0, dtype=np.int32)]
    breaks = [np.zeros(0, dtype=np.int64)]
    ends = np.zeros(len(scans), dtype=np.int64)
    count = 0
    for number, scan in enumerate(scans):
        tokens.append(lexicon.add(scan)[scan.tokens])
        breaks.append(count + scan.breaks)
        count += len(scan.tokens)
        ends[number] = count
    letters, starts = lexicon.spelled(np.arange(len(lexicon.counts)))
    words = PartWords(letters, starts, lexicon.counts, count, bytes_read)
    return words, PartText(np.concatenate(tokens), np.unique(np.concatenate(breaks)), ends)


def restored_scans(words: PartWords, text: PartText) -> Iterator[Scan]:
    """Restore the scans of the pieces of a part."""
    begin, first_break = 0, 0
    for end in text.piece_ends.tolist():
        distinct, first, tokens = np.unique(
            text.tokens[begin:end], return_index=True, return_inverse=True
        )
        order = np.argsort(first)  # in order of first appearance
        numbers = np.empty(len(order), dtype=np.int32)
        numbers[order] = np.arange(len(order), dtype=np.int32)
        next_break = int(np.searchsorted(text.breaks, end, "right"))
        numbered = numbers[tokens]
        yield Scan(
            numbered,
            text.breaks[first_break:next_break] - begin,
            *_spelled(words, distinct[order]),
            np.bincount(numbered, minlength=len(order)).astype(np.int64),
        )
        begin, first_break = end, next_break


def _spelled(
    words: PartWords, ids: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    lengths = words.starts[ids + 1] - words.starts[ids]
    starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
    offsets = np.repeat(words.starts[ids] - starts[:-1], lengths)
    return words.letters[offsets + np.arange(starts[-1])], starts


def finished(
    text: PartText, final_ids: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Replace the words of a part by their final ids, and drop those whose final id is -1.

    Args:
        text: The text.
        final_ids: The final id of each word of the part.

    Returns:
        The ids, and the number of them before the end of each document; ascending and distinct.
    """
    ids = final_ids[text.tokens]
    kept = np.flatnonzero(ids >= 0)
    return ids[kept], np.unique(np.searchsorted(kept, text.breaks)).astype(np.int64)
