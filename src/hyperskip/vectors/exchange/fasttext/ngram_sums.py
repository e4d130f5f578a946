"""The n-grams of words as fastText counts them, and the sums of their vectors.

In fastText, the vector of a word is the mean of its own row and of the rows of its n-grams.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats
from hyperskip.subwords.hashes import fnv1a
from hyperskip.subwords.ngrams import BEGIN, END
from hyperskip.subwords.scheme import SubwordScheme, WordBuckets
from hyperskip.vectors.exchange.coordinates import block_rows
from hyperskip.vectors.exchange.fasttext.layout import END_OF_SENTENCE
from hyperskip.vectors.subword_table import SubwordTable

MOST_NGRAMS = 1 << 20  # that are listed together
LONGEST_WORD_BYTES = 1 << 20

_CHARACTER = re.compile(rb"[^\x80-\xbf][\x80-\xbf]*")


class NgramSums(NamedTuple):
    """The n-grams of some words."""

    sums: Floats  # (words, dimension): of the vectors of the n-grams that are in the table
    counts: npt.NDArray[np.int64]  # (words,): numbers of n-grams, in the table or not


def longest_word(scheme: SubwordScheme | None) -> int:
    """Return the number of bytes of the longest words that are read and written."""
    if scheme is None:
        return LONGEST_WORD_BYTES
    return min(LONGEST_WORD_BYTES, MOST_NGRAMS // _lengths(scheme) - 2)


def ngram_sums(table: SubwordTable, spellings: Sequence[bytes]) -> Iterator[NgramSums]:
    """Sum the vectors of the n-grams of each word, and yield blocks of words.

    Args:
        table: The vectors of n-grams; the others are zeros.
        spellings: The words in UTF-8. Invalid bytes are hashed as they are.
    """
    step = block_rows(table.coordinates.shape[1])
    for part in _parts(table.scheme, spellings):
        ngrams = _listed(table.scheme, spellings[part])
        for begin in range(0, len(ngrams.starts) - 1, step):
            starts = ngrams.starts[begin : begin + step + 1]
            buckets = ngrams.buckets[starts[0] : starts[-1]]
            counts = np.diff(starts)
            sums = np.zeros((len(counts), table.coordinates.shape[1]))
            _add_rows(table, buckets, np.repeat(np.arange(len(counts)), counts), sums)
            yield NgramSums(sums, counts)


def _listed(scheme: SubwordScheme, spellings: Sequence[bytes]) -> WordBuckets:
    """List the n-grams of words as fastText does, also of invalid UTF-8."""
    words = [spelling.decode("utf-8", "replace") for spelling in spellings]
    starts, buckets = scheme.buckets_of(words)
    others = {
        row: _buckets_of_bytes(scheme, spelling)
        for row, (spelling, word) in enumerate(zip(spellings, words, strict=True))
        if spelling == END_OF_SENTENCE or spelling != word.encode()
    }
    if not others:
        return WordBuckets(starts, buckets)
    by_word = np.split(buckets, starts[1:-1])
    by_word = [others.get(row, own) for row, own in enumerate(by_word)]
    starts = np.cumsum([0, *map(len, by_word)], dtype=np.int64)
    return WordBuckets(starts, np.concatenate(by_word))


def _parts(scheme: SubwordScheme, spellings: Sequence[bytes]) -> Iterator[slice]:
    """Divide words into parts with a limited number of n-grams."""
    begin, listed = 0, 0
    for row, spelling in enumerate(spellings):
        count = (len(spelling) + 2) * _lengths(scheme)  # or fewer
        if row > begin and listed + count > MOST_NGRAMS:
            yield slice(begin, row)
            begin, listed = row, 0
        listed += count
    yield slice(begin, len(spellings))


def _lengths(scheme: SubwordScheme) -> int:
    return scheme.longest - scheme.shortest + 1


def _add_rows(
    table: SubwordTable,
    buckets: npt.NDArray[np.int64],  # (n-grams,)
    words: npt.NDArray[np.int64],  # (n-grams,): the word of each n-gram, ascending
    sums: Floats,  # (words, dimension), changed
) -> None:
    if len(table) == 0:
        return
    step = block_rows(table.coordinates.shape[1])
    for begin in range(0, len(buckets), step):
        block = buckets[begin : begin + step]
        if len(table) == table.scheme.buckets:  # all of them
            rows, is_known = block, np.ones(len(block), dtype=np.bool_)
        else:
            rows = np.minimum(np.searchsorted(table.buckets, block), len(table) - 1)
            is_known = table.buckets[rows] == block
        known = words[begin : begin + step][is_known]
        firsts = np.flatnonzero(np.diff(known, prepend=-1))
        if len(firsts):
            vectors = table.coordinates.take(rows[is_known], axis=0).astype(np.float64)
            sums[known[firsts]] += np.add.reduceat(vectors, firsts, axis=0)


def _buckets_of_bytes(scheme: SubwordScheme, spelling: bytes) -> npt.NDArray[np.int64]:
    """The buckets of a word that is not valid UTF-8, or has no n-grams."""
    if spelling == END_OF_SENTENCE:
        return np.zeros(0, dtype=np.int64)
    characters = _CHARACTER.findall(BEGIN.encode() + spelling + END.encode())
    ngrams = (
        b"".join(characters[begin:end])
        for begin in range(len(characters))
        for end in range(begin + scheme.shortest, begin + scheme.longest + 1)
        if end <= len(characters)
        and not (end == begin + 1 and (begin == 0 or end == len(characters)))
    )
    return np.array([fnv1a(ngram) % scheme.buckets for ngram in ngrams], dtype=np.int64)
