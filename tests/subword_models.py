"""Small models with subwords, whose words are near the means of their n-grams."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hyperskip import SubwordScheme, SubwordTable, WordVectors

WORDS = ("dog", "dogs", "doghouse", "cat", "cats", "cathouse", "house", "houses", "river", "rivers")
# So many buckets that different n-grams have different ones.
SCHEME = SubwordScheme(shortest=3, longest=5, buckets=1 << 30)
FLORET = SubwordScheme(shortest=3, longest=5, buckets=1 << 30, hashes=2)


def table_of(
    words: Sequence[str], scheme: SubwordScheme = SCHEME, dimension: int = 6, seed: int = 3
) -> SubwordTable:
    """A random vector for every n-gram of some words."""
    buckets = np.unique(scheme.buckets_of(words).buckets)
    rows = np.random.default_rng(seed).normal(size=(len(buckets), dimension))
    return SubwordTable(scheme, buckets, rows)


def with_subwords(
    words: Sequence[str] = WORDS,
    scheme: SubwordScheme = SCHEME,
    dimension: int = 6,
    **more: Any,
) -> WordVectors:
    """Vectors of words, which are means of n-grams with some noise, and their n-grams."""
    table = table_of(words, scheme, dimension)
    noise = np.random.default_rng(1).normal(scale=0.05, size=(len(words), dimension))
    coordinates = table.compose(words).coordinates + noise
    counts: Mapping[str, Any] = {"counts": np.arange(len(words), 0, -1) * 10}
    return WordVectors(words, coordinates, subwords=table, **{**counts, **more})
