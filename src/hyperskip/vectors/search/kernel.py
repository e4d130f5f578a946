"""Bounds of the products of queries and rounded keys: a Numba kernel that runs without the GIL.

A rounded key has one byte for each number, a quarter of float32. Multiplying all keys with a query
takes as long as reading them from memory. The slow, literal twin is in the tests.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

BLOCK = 256  # keys whose greatest product is bounded together

# Without `fastmath`, sums keep their order and use no vector registers, which is 8 times slower.


@njit(nogil=True, fastmath={"reassoc", "contract", "nsz", "nnan"})
def bounds(
    rounded: Any,  # (words, width) int8
    scales: Any,  # (words,)
    errors: Any,  # (words,): distance of the rounded key from the key
    wide: Any,  # (words, columns): the columns that are not rounded
    queries: Any,  # (queries, width)
    wide_queries: Any,  # (queries, columns)
    lengths: Any,  # (queries,): length of the query without the wide columns
    slacks: Any,  # (queries,): largest rounding error of float32
    most: Any,  # (queries, words): upper bound of each product
    best: Any,  # (queries, blocks): lower bound of the greatest product of each block
) -> None:
    """Write an upper bound of each product, and a lower bound of the greatest of each block."""
    words, width = rounded.shape
    for block in range(best.shape[1]):
        first = block * BLOCK
        for query in range(len(queries)):
            greatest = np.float32(-np.inf)
            for word in range(first, min(words, first + BLOCK)):
                total = np.float32(0.0)
                for i in range(width):
                    total += np.float32(rounded[word, i]) * queries[query, i]
                total *= scales[word]
                for column in range(wide.shape[1]):
                    total += wide[word, column] * wide_queries[query, column]
                margin = errors[word] * lengths[query] + slacks[query]
                most[query, word] = total + margin
                greatest = max(greatest, total - margin)
            best[query, block] = greatest


cached_on_disk(bounds)
