"""A piece of text as numbered words: a Numba kernel that runs without the GIL.

It reads UTF-8 with a table of all code points, which `unicode_rules.py` computes from the rules of
`tokens.py`. Its slow twin is the scanner in `scan.py`.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk
from hyperskip.kernel_parts import kernel_part

# An entry of the table: the code point in its final case, and whether a word may start with it; 0
# for a code point that never occurs in a word. A negative entry is a joiner, minus the ASCII
# character that is written: it belongs to a word between two characters of words, or only between
# two digits.
POINT, STARTS = 0x1FFFFF, 1 << 24
BETWEEN_DIGITS = 1 << 8

_NEWLINE = 10
# FNV-1a (Fowler, Noll, Vo): of code points in a piece, and of bytes in a lexicon.
_HASH_SEED, _HASH_FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x00000100000001B3)
# A slot of the hash table: the upper half is the hash, the lower half the number of the word, from
# 1; 0 is a free slot.
_HASH, _NUMBER = np.uint64(0xFFFFFFFF00000000), np.uint64(0x00000000FFFFFFFF)
_ONE, _HALF = np.uint64(1), np.uint64(32)
_FEWEST_SLOTS = 1 << 10


@kernel_part()
def _six_bits(byte: Any) -> Any:
    """The payload of a UTF-8 continuation byte."""
    return np.uint32(byte) & np.uint32(0x3F)


@kernel_part()
def _decoded(piece: Any, at: Any) -> Any:
    """Decode a code point of several bytes of valid UTF-8; returns it and its end."""
    first, point = np.uint32(piece[at]), _six_bits(piece[at + 1])
    if first < 0xE0:
        return (first & 0x1F) << 6 | point, at + 2
    point = point << 6 | _six_bits(piece[at + 2])
    if first < 0xF0:
        return (first & 0x0F) << 12 | point, at + 3
    return (first & 0x07) << 18 | point << 6 | _six_bits(piece[at + 3]), at + 4


@kernel_part()
def _encoded(point: Any, letters: Any, at: Any) -> Any:
    """Encode a code point of several bytes as UTF-8; returns its end."""
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


@kernel_part()
def _hashed(letters: Any, begin: Any, end: Any) -> Any:
    """The hash of a word, in the upper half as in a slot."""
    bits = _HASH_SEED
    for i in range(begin, end):
        bits = (bits ^ np.uint64(letters[i])) * _HASH_FACTOR
    return (bits ^ bits >> _HALF) << _HALF


@kernel_part()
def _slot_of(
    slots: Any, mark: Any, known: Any, starts: Any, letters: Any, begin: Any, end: Any
) -> Any:
    """The slot of a word with this hash, or the free slot to insert it into."""
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


@kernel_part()
def _joins(joiner: Any, piece: Any, at: Any, table: Any, letters: Any, end: Any) -> Any:
    """Whether the joiner before `at` joins the word so far, up to `end`, to the next character."""
    if at == len(piece):
        return False
    if joiner >= BETWEEN_DIGITS:
        return 0x30 <= letters[end - 1] <= 0x39 and 0x30 <= piece[at] <= 0x39
    point = np.uint32(piece[at])
    if point >= 0x80:
        point, _ = _decoded(piece, at)
    return table[point] > 0


@kernel_part()
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
    """Fill the arrays; returns their lengths, or -1 if there are too few slots."""
    token_count, break_count, word_count = 0, 0, 0
    last_break = -1
    # The current word; it is written to its final position in case it is new.
    characters, bits = 0, _HASH_SEED
    starts_well = False
    starts[0] = 0
    # Not plain zeros: functions would be compiled once for the constant and once for any integer.
    begin = end = at = np.int64(0)
    while at <= len(piece):
        if at == len(piece):  # a blank ends the last word
            point = np.uint32(0x20)
            at += 1
        elif piece[at] < 0x80:
            point = np.uint32(piece[at])
            at += 1
        else:
            point, at = _decoded(piece, at)
        entry = table[point]
        if entry < 0:
            joins = characters > 0 and _joins(-entry, piece, at, table, letters, end)
            entry = np.int32(-entry & 0x7F) if joins else np.int32(0)
        if entry > 0:
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


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def scan(
    piece: Any,  # (bytes,) uint8: valid UTF-8, except that surrogates may occur
    table: Any,  # (code points,) int32
    least: Any,  # minimum number of characters of a word
) -> Any:
    """Find and number the words of a piece; returns the arrays of a `Scan`."""
    most = len(piece) // 2 + 2  # words: each has at least a letter and a blank
    tokens = np.empty(most, dtype=np.int32)
    breaks = np.empty(most, dtype=np.int64)
    letters = np.empty(2 * len(piece) + 4, dtype=np.uint8)  # lower case may be longer
    starts = np.empty(most, dtype=np.int64)
    counts = np.empty(most, dtype=np.int64)
    slot_count = _FEWEST_SLOTS
    while slot_count < len(piece) // 16:  # about the need of ordinary text
        slot_count *= 2
    token_count, break_count, word_count = -1, 0, 0
    while token_count < 0:
        slots = np.zeros(slot_count, dtype=np.uint64)
        token_count, break_count, word_count = _scan(
            piece, table, least, slots, tokens, breaks, letters, starts, counts
        )
        slot_count *= 4
    return (
        tokens[:token_count].copy(),  # frees the memory for the worst case
        breaks[:break_count].copy(),
        letters[: starts[word_count]].copy(),
        starts[: word_count + 1].copy(),
        counts[:word_count].copy(),
    )


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def index(
    slots: Any,  # a power of two, more than the words; all zero
    letters: Any,
    starts: Any,
    word_count: Any,
) -> None:
    """Insert distinct words into a hash table."""
    mask = np.uint64(len(slots) - 1)
    for word in range(word_count):
        mark = _hashed(letters, starts[word], starts[word + 1])
        at = mark >> _HALF & mask
        while slots[at] != 0:
            at = (at + _ONE) & mask
        slots[at] = mark | np.uint64(word + 1)


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def gather(
    letters: Any,
    starts: Any,
    ids: Any,  # of the words to copy
    to_letters: Any,  # these two may be the arrays above if the ids ascend: words only move down
    to_starts: Any,
) -> None:
    """Copy the letters of some words, concatenated."""
    at = 0
    for word in range(len(ids)):
        begin, end = starts[ids[word]], starts[ids[word] + 1]
        for i in range(end - begin):
            to_letters[at + i] = letters[begin + i]
        to_starts[word] = at
        at += end - begin
    to_starts[len(ids)] = at


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def merge(
    letters: Any,  # of the words, concatenated
    starts: Any,  # (words + 1,), offsets in letters
    known: Any,  # letters of the known words, with room for all of `letters`
    known_starts: Any,  # with room for all of `starts`
    slots: Any,  # of the known words; a power of two, more than all words
    known_count: Any,
    ids: Any,  # (words,) int32
) -> Any:
    """Look up every word, or add it to the known ones; returns the new number of known words."""
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
