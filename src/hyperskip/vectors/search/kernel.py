"""Bounds of the products of queries with rounded keys: a Numba kernel that runs without the GIL.

Keys take a byte a number, a quarter of float32: multiplying all of them with a query takes as long
as reading them from memory. Its slow, literal twin is in the tests.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk

BLOCK = 256  # keys, of which the greatest product is found

# Without `fastmath` sums stay in order, and no vector registers are used: 8 times as slow.


@njit(nogil=True, fastmath={"reassoc", "contract", "nsz", "nnan"})
def bounds(
    rounded: Any,  # (words, width) int8
    scales: Any,  # (words,)
    errors: Any,  # (words,): how far a rounded key is from the key
    wide: Any,  # (words, columns): what of a key is not rounded
    queries: Any,  # (queries, width)
    wide_queries: Any,  # (queries, columns)
    lengths: Any,  # (queries,) of the queries without the wide columns
    slacks: Any,  # (queries,): what float32 may be off
    most: Any,  # (queries, words): no product is greater
    best: Any,  # (queries, blocks): each block has a product that is at least this
) -> None:
    """How great each product may be at most, and how great one of each block is at least."""
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
