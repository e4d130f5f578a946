"""A piece of text as numbered words: a Numba kernel that runs without the GIL.

It reads UTF-8 by a table over all code points, which `rules.py` makes from the very rules that
`tokens.py` states; that is its slow, literal twin.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import kept_on_disk

# An entry of the table: the code point as words have it, and whether a word may start with it. A
# code point that stands in no word has 0.
POINT, STARTS = 0x1FFFFF, 1 << 24

_NEWLINE = 10
# FNV-1a (Fowler, Noll, Vo): over the code points of a piece, and over the bytes of a lexicon.
_HASH_SEED, _HASH_FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x00000100000001B3)
# A slot of the hash table: the hash above, the word's number from 1 below; 0 is a free one.
_HASH, _NUMBER = np.uint64(0xFFFFFFFF00000000), np.uint64(0x00000000FFFFFFFF)
_ONE, _HALF = np.uint64(1), np.uint64(32)
_FEWEST_SLOTS = 1 << 10


@njit
def _six_bits(byte: Any) -> Any:
    """What a byte that continues a code point adds to it."""
    return np.uint32(byte) & np.uint32(0x3F)


@njit
def _decoded(piece: Any, at: Any) -> Any:
    """The code point of several bytes that starts there, in valid UTF-8, and where it ends."""
    first, point = np.uint32(piece[at]), _six_bits(piece[at + 1])
    if first < 0xE0:
        return (first & 0x1F) << 6 | point, at + 2
    point = point << 6 | _six_bits(piece[at + 2])
    if first < 0xF0:
        return (first & 0x0F) << 12 | point, at + 3
    return (first & 0x07) << 18 | point << 6 | _six_bits(piece[at + 3]), at + 4


@njit
def _encoded(point: Any, letters: Any, at: Any) -> Any:
    """Write a code point that takes several bytes as UTF-8, and return where it ends."""
    if point < 0x800:
        letters[at] = 0xC0 | point >> 6
    elif point < 0x10000:
        letters[at] = 0xE0 | point >> 12
        letters[at + 1] = 0x80 | point >> 6 & 0x3F
        at += 1
    else:
        letters[at] = 0xF0 | point >> 18
        letters[at + 1] = 0x80 | point >> 12 & 0x3F
        letters[at + 2] = 0x80 | point >> 6 & 0x3F
        at += 2
    letters[at + 1] = 0x80 | point & 0x3F
    return at + 2


@njit
def _hashed(letters: Any, begin: Any, end: Any) -> Any:
    """A word's hash, where a slot has it."""
    bits = _HASH_SEED
    for i in range(begin, end):
        bits = (bits ^ np.uint64(letters[i])) * _HASH_FACTOR
    return (bits ^ bits >> _HALF) << _HALF


@njit
def _slot_of(
    slots: Any, mark: Any, known: Any, starts: Any, letters: Any, begin: Any, end: Any
) -> Any:
    """The slot of a word of that hash, in letters: its own, or the free one where it belongs."""
    mask = np.uint64(len(slots) - 1)
    at = mark >> _HALF & mask
    while slots[at] != 0:
        if slots[at] & _HASH == mark:
            number = np.int64(slots[at] & _NUMBER) - 1
            start = starts[number]
            left = end - begin if starts[number + 1] - start == end - begin else -1
            while left > 0 and known[start + left - 1] == letters[begin + left - 1]:
                left -= 1
            if left == 0:
                break
        at = (at + _ONE) & mask
    return at


@njit
def _scan(
    piece: Any,
    table: Any,
    least: Any,
    slots: Any,  # a power of two, all zero
    tokens: Any,
    breaks: Any,
    letters: Any,
    starts: Any,
    counts: Any,
) -> Any:
    """Fill the arrays; returns how far they are filled, or -1 if there are too few slots."""
    token_count, break_count, word_count = 0, 0, 0
    last_break = -1
    # The word that is being read; it stands where it will stay, if it is a new one.
    begin, end, characters, bits = 0, 0, 0, _HASH_SEED
    starts_well = False
    starts[0] = 0
    at = 0
    while at <= len(piece):
        if at == len(piece):  # as if a blank followed, to end the last word
            point = np.uint32(0x20)
            at += 1
        elif piece[at] < 0x80:
            point = np.uint32(piece[at])
            at += 1
        else:
            point, at = _decoded(piece, at)
        entry = table[point]
        if entry != 0:
            if characters == 0:
                starts_well = entry >= STARTS
            characters += 1
            entry &= POINT
            bits = (bits ^ np.uint64(entry)) * _HASH_FACTOR
            if entry < 0x80:
                letters[end] = entry
                end += 1
            else:
                end = _encoded(entry, letters, end)
            continue
        if starts_well and characters >= least:
            mark = (bits ^ bits >> _HALF) << _HALF
            slot = _slot_of(slots, mark, letters, starts, letters, begin, end)
            number = np.int64(slots[slot] & _NUMBER) - 1
            if number < 0:
                number = word_count
                word_count += 1
                if 2 * word_count > len(slots):
                    return -1, 0, 0
                slots[slot] = mark | np.uint64(word_count)
                counts[number] = 0
                starts[word_count] = end
                begin = end
            counts[number] += 1
            tokens[token_count] = number
            token_count += 1
        end, characters, bits = begin, 0, _HASH_SEED
        if point == _NEWLINE and token_count != last_break:
            last_break = token_count
            breaks[break_count] = token_count
            break_count += 1
    return token_count, break_count, word_count


@kept_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def scan(
    piece: Any,  # (bytes,) uint8: valid UTF-8, though surrogates may be in it
    table: Any,  # (code points,) int32
    least: Any,  # the fewest characters of a word
) -> Any:
    """Find, lower and number the words of a piece; returns the arrays of a `Scan`."""
    most = len(piece) // 2 + 2  # words: a word has a letter, and a blank behind it
    tokens = np.empty(most, dtype=np.int32)
    breaks = np.empty(most, dtype=np.int64)
    letters = np.empty(2 * len(piece) + 4, dtype=np.uint8)  # a lower-case letter may be longer
    starts = np.empty(most, dtype=np.int64)
    counts = np.empty(most, dtype=np.int64)
    slot_count = _FEWEST_SLOTS
    while slot_count < len(piece) // 16:  # about what ordinary text takes
        slot_count *= 2
    token_count, break_count, word_count = -1, 0, 0
    while token_count < 0:
        slots = np.zeros(slot_count, dtype=np.uint64)
        token_count, break_count, word_count = _scan(
            piece, table, least, slots, tokens, breaks, letters, starts, counts
        )
        slot_count *= 4
    return (
        tokens[:token_count].copy(),  # what was set aside for the worst case is let go
        breaks[:break_count].copy(),
        letters[: starts[word_count]].copy(),
        starts[: word_count + 1].copy(),
        counts[:word_count].copy(),
    )


@kept_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def index(
    slots: Any,  # a power of two, more than there are words, all zero
    letters: Any,
    starts: Any,
    word_count: Any,
) -> None:
    """Enter words, all of them different, into a hash table."""
    mask = np.uint64(len(slots) - 1)
    for word in range(word_count):
        mark = _hashed(letters, starts[word], starts[word + 1])
        at = mark >> _HALF & mask
        while slots[at] != 0:
            at = (at + _ONE) & mask
        slots[at] = mark | np.uint64(word + 1)


@kept_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def gather(
    letters: Any,
    starts: Any,
    ids: Any,  # of the words to copy
    to_letters: Any,  # these two may be the arrays above, if the ids rise: words only move down
    to_starts: Any,
) -> None:
    """Copy the letters of some words, one word after another."""
    at = 0
    for word in range(len(ids)):
        begin, end = starts[ids[word]], starts[ids[word] + 1]
        for i in range(end - begin):
            to_letters[at + i] = letters[begin + i]
        to_starts[word] = at
        at += end - begin
    to_starts[len(ids)] = at


@kept_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def merge(
    letters: Any,  # of words, one after another
    starts: Any,  # (words + 1,), in letters
    known: Any,  # letters of the words that are known, with room for all of `letters`
    known_starts: Any,  # with room for all of `starts`
    slots: Any,  # of the known words: a power of two, more than all words together
    known_count: Any,
    ids: Any,  # (words,) int32
) -> Any:
    """Give every word its number among the known ones; returns how many are known then."""
    for word in range(len(ids)):
        begin, end = starts[word], starts[word + 1]
        mark = _hashed(letters, begin, end)
        slot = _slot_of(slots, mark, known, known_starts, letters, begin, end)
        number = np.int64(slots[slot] & _NUMBER) - 1
        if number < 0:
            number = known_count
            known_count += 1
            slots[slot] = mark | np.uint64(known_count)
            at = known_starts[number]
            for i in range(end - begin):
                known[at + i] = letters[begin + i]
            known_starts[known_count] = at + end - begin
        ids[word] = number
    return known_count
