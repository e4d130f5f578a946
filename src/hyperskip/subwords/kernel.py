"""The buckets of the n-grams of many words: a Numba kernel.

`ngrams.py` and `hashes.py` are its slow twin.

Words are UTF-8. A character begins at every byte that does not continue another one, so that the
kernel needs no decoding.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

_BEGIN, _END = np.uint8(0x3C), np.uint8(0x3E)  # the marks "<" and ">"
_FNV_BASIS, _FNV_PRIME = np.uint32(2166136261), np.uint32(16777619)
_MURMUR_SEED = np.uint64(2166136261)
_C1, _C2 = np.uint64(0x87C37B91114253D5), np.uint64(0x4CF5AD432745937F)
_MASK_32 = np.uint64(0xFFFFFFFF)

u32, u64 = np.uint32, np.uint64


@njit(nogil=True)
def _rotated(value: Any, bits: Any) -> Any:
    return value << u64(bits) | value >> u64(64 - bits)


@njit(nogil=True)
def _finished(value: Any) -> Any:
    value = (value ^ value >> u64(33)) * u64(0xFF51AFD7ED558CCD)
    value = (value ^ value >> u64(33)) * u64(0xC4CEB9FE1A85EC53)
    return value ^ value >> u64(33)


@njit(nogil=True)
def _word_at(text: Any, begin: Any, end: Any) -> Any:
    """Up to eight bytes as a little-endian number."""
    value = u64(0)
    for i in range(min(8, end - begin)):
        value |= u64(text[begin + i]) << u64(8 * i)
    return value


@njit(nogil=True)
def _murmur3(text: Any, begin: Any, end: Any) -> Any:
    """MurmurHash3 x64 of 128 bits of a part of the text, as two numbers."""
    length = u64(end - begin)
    first = second = _MURMUR_SEED
    while end - begin >= 16:
        first ^= _rotated(_word_at(text, begin, end) * _C1, 31) * _C2
        first = (_rotated(first, 27) + second) * u64(5) + u64(0x52DCE729)
        second ^= _rotated(_word_at(text, begin + 8, end) * _C2, 33) * _C1
        second = (_rotated(second, 31) + first) * u64(5) + u64(0x38495AB5)
        begin += 16
    first ^= _rotated(_word_at(text, begin, end) * _C1, 31) * _C2
    second ^= _rotated(_word_at(text, begin + 8, end) * _C2, 33) * _C1
    first ^= length
    second ^= length
    first += second
    second += first
    first, second = _finished(first), _finished(second)
    first += second
    second += first
    return first, second


@njit(nogil=True)
def _put(out: Any, count: Any, text: Any, begin: Any, end: Any, buckets: Any, hashes: Any) -> Any:
    """Append the buckets of an n-gram by the hashes of floret; returns the new count."""
    first, second = _murmur3(text, begin, end)
    for i in range(hashes):
        value = first if i < 2 else second
        part = value >> u64(32) if i % 2 == 1 else value & _MASK_32
        if count < len(out):
            out[count] = part % u64(buckets)
        count += 1
    return count


@cached_on_disk
@njit(nogil=True)
def fill_buckets(
    letters: Any,  # (bytes,) uint8: UTF-8 of the words, concatenated
    starts: Any,  # (words + 1,) int64: offsets in letters
    shortest: Any,
    longest: Any,
    buckets: Any,
    hashes: Any,  # 0: the hash of fastText
    text: Any,  # (bytes of the longest word + 2,) uint8: a word with its marks
    ends: Any,  # (words,) int64: number of buckets up to the end of each word
    out: Any,  # (buckets of all words,) int64; if it is too short, the rest is only counted
) -> Any:
    """List the buckets of all words, one word after the other; returns their number."""
    count = 0
    for word in range(len(starts) - 1):
        length = starts[word + 1] - starts[word] + 2
        text[0], text[length - 1] = _BEGIN, _END
        for i in range(length - 2):
            text[i + 1] = letters[starts[word] + i]
        if hashes > 0:
            count = _put(out, count, text, 0, length, buckets, hashes)
        for begin in range(length):
            if text[begin] & 0xC0 == 0x80:
                continue
            end, characters, value = begin, 0, _FNV_BASIS
            while end < length and characters < longest:
                while True:
                    byte = u32(text[end])
                    if byte >= u32(0x80):
                        byte |= u32(0xFFFFFF00)
                    value = u32((value ^ byte) * _FNV_PRIME)
                    end += 1
                    if end == length or text[end] & 0xC0 != 0x80:
                        break
                characters += 1
                is_mark = characters == 1 and (begin == 0 or end == length)
                if characters < shortest or is_mark:
                    continue
                if hashes > 0:
                    count = _put(out, count, text, begin, end, buckets, hashes)
                else:
                    if count < len(out):
                        out[count] = value % u32(buckets)
                    count += 1
        ends[word] = count
    return count
