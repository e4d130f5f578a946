"""Counting and joining phrases in a text of word ids: Numba kernels that run without the GIL.

A candidate for a phrase is two words, and the connector words between them. It is counted by the
key of its spelling, because different words can have the same spelling when they are joined: "new"
and "york_city", "new_york" and "city". The slow twin is in `reference.py`.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk
from hyperskip.kernel_parts import kernel_part

# The key of a spelling is a polynomial of its bytes modulo a prime (Karp and Rabin), between 1 and
# the prime, which stands for 0. Keys of words give the key of the words joined by the delimiter.
_PRIME = np.uint64((1 << 61) - 1)
_BASE = np.uint64(0x14C2A5D1E7B39F63)
_DELIMITER = np.uint8(ord("_"))
_BITS, _HALF, _QUARTER = np.uint64(61), np.uint64(31), np.uint64(30)
_LOW_HALF, _LOW_QUARTER = np.uint64((1 << 31) - 1), np.uint64((1 << 30) - 1)
_ONE = np.uint64(1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # spreads keys over the slots of a table


@kernel_part()
def _remainder(value: Any) -> Any:
    """A number below 2^64 modulo the prime, between 1 and the prime."""
    value = (value & _PRIME) + (value >> _BITS)
    if value > _PRIME:
        value -= _PRIME
    return value if value != 0 else _PRIME


@kernel_part()
def _product(first: Any, second: Any) -> Any:
    """The product of two numbers up to the prime, modulo the prime."""
    first_high, first_low = first >> _HALF, first & _LOW_HALF
    second_high, second_low = second >> _HALF, second & _LOW_HALF
    middle = first_low * second_high + first_high * second_low
    high = (first_high * second_high << _ONE) + (middle >> _QUARTER)
    return _remainder(high + ((middle & _LOW_QUARTER) << _HALF) + first_low * second_low)


@kernel_part()
def _slot(key: Any, slot_count: Any) -> Any:
    """The slot at which the search for a key starts; the number of slots is a power of two."""
    mixed = np.uint64(key) * _GOLDEN
    return np.int64((mixed ^ mixed >> np.uint64(32)) & np.uint64(slot_count - 1))


@kernel_part()
def _find(table: Any, key: Any) -> Any:
    """The slot of a key, or the free slot to insert it into; a free slot has the value 0."""
    slot_count = len(table)
    at = _slot(key, slot_count)
    while table[at, 1] != 0 and table[at, 0] != key:
        at = (at + 1) & (slot_count - 1)
    return at


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def spell(
    letters: Any,  # of words, concatenated
    starts: Any,  # (words + 1,), offsets in letters
    spellings: Any,  # (words, 2) uint64: key of delimiter and word, and factor of the key before
    has_delimiter: Any,  # (words,) bool
) -> None:
    """Compute the key of each word."""
    for word in range(len(spellings)):
        key, power = _remainder(np.uint64(_DELIMITER) + _ONE), _BASE
        found = False
        for i in range(starts[word], starts[word + 1]):
            key = _remainder(_product(key, _BASE) + np.uint64(letters[i]) + _ONE)
            power = _product(power, _BASE)
            found |= letters[i] == _DELIMITER
        spellings[word, 0], spellings[word, 1] = key, power
        has_delimiter[word] = found


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def find_candidates(
    tokens: Any,  # (tokens,) int32; -1 is a word that was dropped
    starts: Any,  # (tokens,) bool: whether a sentence starts here
    is_connector: Any,  # (words,) bool
    spellings: Any,  # as in `spell`
    opened: Any,  # key of the candidate that the text before has opened; 0: none
    keys: Any,  # (tokens,) int64: key of the candidate that ends here; 0: none
) -> Any:
    """Find all candidates; returns the key of the one that is still open."""
    for i in range(len(tokens)):
        word = tokens[i]
        keys[i] = 0
        if starts[i] or word < 0:
            opened = np.uint64(0)
        if word < 0:
            continue
        key = spellings[word, 0]
        if opened != 0:
            longer = _remainder(_product(opened, spellings[word, 1]) + key)
            if is_connector[word]:
                opened = longer
            else:
                keys[i] = np.int64(longer)
        if not is_connector[word]:
            opened = key
    return opened


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def count(
    keys: Any,  # (candidates,) int64, 0: none
    begin: Any,
    table: Any,  # (slots, 2) int64: keys and counts
    used: Any,  # number of used slots
    most: Any,  # maximum number of used slots
) -> Any:
    """Count keys from `begin` on; returns where it stopped, and the used slots.

    It stops at the end, or before a new key that has no room.
    """
    for i in range(begin, len(keys)):
        if keys[i] != 0:
            at = _find(table, keys[i])
            if table[at, 1] == 0:
                if used == most:
                    return i, used
                used += 1
                table[at, 0] = keys[i]
            table[at, 1] += 1
    return len(keys), used


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def copy_entries(
    table: Any,
    fewest: Any,  # the lowest count that is copied
    copy: Any,  # another table, with room
) -> Any:
    """Copy the entries of a table; returns the number of entries."""
    copied = 0
    for i in range(len(table)):
        if table[i, 1] != 0 and table[i, 1] >= fewest:
            at = _find(copy, table[i, 0])
            copy[at, 0], copy[at, 1] = table[i, 0], table[i, 1]
            copied += 1
    return copied


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def merge_words(
    table: Any,  # of candidates
    words: Any,  # ids of words that contain the delimiter
    spellings: Any,
    counts: Any,  # (words,) int64, of all words
) -> Any:
    """Add up the counts of words and candidates that are spelled alike; returns how many are."""
    alike = 0
    for word in words:
        at = _find(table, np.int64(spellings[word, 0]))
        if table[at, 1] != 0:
            table[at, 1] += counts[word]
            counts[word] = table[at, 1]
            alike += 1
    return alike


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def collect(
    tokens: Any,  # (tokens,) int32
    keys: Any,  # (tokens,) int64, of the candidates that end there
    begin: Any,
    longest: Any,  # maximum number of words of a candidate
    is_connector: Any,
    word_counts: Any,  # (words,) int64
    table: Any,  # of the candidates that are frequent enough
    products: Any,  # (counts,) float64: greatest product of the counts of first and last word, by
    # the count of the candidate; the last is for all higher counts
    trie: Any,  # (slots, 2) int64: a node and a word, and the node that follows
    nodes: Any,  # (nodes, 3) int32: first word, node before, last word
    counts: Any,  # (nodes,) int64, of the candidate that ends at a node; 0: none
    node_count: Any,
) -> Any:
    """Add candidates to a trie if their words are rare enough.

    Returns where it stopped, and the number of nodes. It stops at the end, or before a candidate
    that has no room. A node is a sequence of words. Its number is that of a word if it is only this
    word, and otherwise follows the numbers of words.
    """
    for end in range(begin, len(tokens)):
        if keys[end] == 0:
            continue
        at = _find(table, keys[end])
        if table[at, 1] == 0:
            continue
        start = end - 1
        while start >= 0 and is_connector[tokens[start]]:
            start -= 1
        if start < 0 or end - start >= longest:
            continue
        first, last = word_counts[tokens[start]], word_counts[tokens[end]]
        greatest = products[min(table[at, 1], len(products) - 1)]
        if np.float64(first) * np.float64(last) > greatest:
            continue
        if node_count + end - start > len(nodes):
            return end, node_count
        node, node_count = _insert(
            tokens, start, end + 1, trie, nodes, node_count, len(is_connector)
        )
        counts[node - len(is_connector)] = table[at, 1]
    return len(tokens), node_count


@kernel_part()
def _insert(
    words: Any, begin: Any, end: Any, trie: Any, nodes: Any, node_count: Any, word_count: Any
) -> Any:
    """Insert a sequence of words into a trie; returns its node, and the number of nodes."""
    node = np.int64(words[begin])
    for i in range(begin + 1, end):
        key = node << 32 | np.int64(words[i])
        at = _find(trie, key)
        if trie[at, 1] == 0:
            nodes[node_count, 0] = words[begin]
            nodes[node_count, 1] = node
            nodes[node_count, 2] = words[i]
            trie[at, 0], trie[at, 1] = key, word_count + node_count
            node_count += 1
        node = trie[at, 1]
    return node, node_count


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def insert(
    words: Any,  # of sequences of two or more words, concatenated
    starts: Any,  # (sequences + 1,), offsets in words
    trie: Any,  # as in `collect`, with room for all
    nodes: Any,
    word_count: Any,  # of the vocabulary
    ends: Any,  # (sequences,) int64: the node of each sequence
) -> Any:
    """Insert sequences of words into a trie; returns the number of nodes."""
    node_count = 0
    for i in range(len(ends)):
        ends[i], node_count = _insert(
            words, starts[i], starts[i + 1], trie, nodes, node_count, word_count
        )
    return node_count


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def join(
    tokens: Any,  # (tokens,) int32; -1 is a word that was dropped
    starts: Any,  # (tokens,) bool: whether a sentence starts here
    is_last: Any,  # whether the text ends here
    trie: Any,  # as in `collect`
    phrases: Any,  # (nodes,) int32: the word for the phrase that ends at a node; -1: none
    is_first: Any,  # (vocabulary,) bool: whether a phrase starts with the word
    counts: Any,  # (vocabulary,) int64: counts of words, which are updated
    joined_tokens: Any,  # (tokens,) int32
    joined_starts: Any,  # (tokens,) bool
) -> Any:
    """Replace phrases by words, from left to right, the longest at each place.

    Returns the number of tokens read, and of those written. A phrase that may continue behind the
    end is not read.
    """
    vocabulary = len(is_first)
    at, written = 0, 0
    while at < len(tokens):
        word = tokens[at]
        after = at + 1
        if word >= 0 and is_first[word]:
            node, end = np.int64(word), at + 1
            while True:
                if end == len(tokens):
                    if not is_last:
                        return at, written
                    break
                if starts[end] or tokens[end] < 0:
                    break
                node = trie[_find(trie, node << 32 | np.int64(tokens[end])), 1]
                if node == 0:
                    break
                end += 1
                if phrases[node - vocabulary] >= 0:
                    word, after = phrases[node - vocabulary], end
            if after > at + 1:
                for i in range(at, after):
                    counts[tokens[i]] -= 1
                counts[word] += 1
        joined_tokens[written] = word
        joined_starts[written] = starts[at]
        written += 1
        at = after
    return at, written
