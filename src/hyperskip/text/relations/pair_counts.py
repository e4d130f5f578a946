"""Counting pairs of terms in memory of a limited size."""

import numpy as np
import numpy.typing as npt

from hyperskip.text.relations.phrases import Terms
from hyperskip.text.relations.relation_events import PrunedPairs
from hyperskip.text.relations.relations import Relations

_FEWEST_PHRASES = 2
_HALF = 32
_LOW = (1 << _HALF) - 1


class PairCounts:
    """The count of each pair, and the patterns that found it.

    Args:
        limit: Maximum number of different pairs; above it, the rarest are dropped.
        pattern_names: The names of the patterns, in the order of their numbers.
    """

    def __init__(self, limit: int, pattern_names: tuple[str, ...]) -> None:
        self._limit = limit
        self._pattern_names = pattern_names
        self._shift = len(pattern_names)
        self._numbers: dict[str, int] = {}  # of terms
        # The count of each pair, and below it one bit for each pattern.
        self._pairs: dict[int, int] = {}
        self._phrases: dict[str, int] = {}  # how often a phrase, not a name, was a term
        self.pruned = PrunedPairs()
        self.total = 0

    def __len__(self) -> int:
        return len(self._pairs)

    def add(self, narrower: list[Terms], broader: Terms, pattern: int) -> None:
        """Count the pairs that a pattern has found in a sentence."""
        numbers, pairs = self._numbers, self._pairs
        one, bit, found = 1 << self._shift, 1 << pattern, 0
        for term in broader[1:]:
            self._phrases[term] = self._phrases.get(term, 0) + 1
        ends = [numbers.setdefault(term, len(numbers)) for term in broader]
        for terms in narrower:
            for term in terms[1:]:
                self._phrases[term] = self._phrases.get(term, 0) + 1
            for term in terms:
                number = numbers.setdefault(term, len(numbers))
                for end in ends:
                    if number != end:
                        key = number << _HALF | end
                        pairs[key] = pairs.get(key, 0) + one | bit
                        found += 1
        self.total += found

    def prune(self) -> bool:
        """Drop the rarest pairs if there are too many; returns whether any were dropped.

        All pairs with the same count are dropped or kept together, so that nothing depends on their
        order. Half of the limit, or less, remains.
        """
        if len(self._pairs) <= self._limit:
            return False
        counts = self._counts()
        highest = int(np.sort(counts)[::-1][self._limit // 2])
        dropped = counts <= highest
        self.pruned = PrunedPairs(
            self.pruned.pairs + int(dropped.sum()),
            self.pruned.occurrences + int(counts[dropped].sum()),
            max(self.pruned.highest_count, highest),
        )
        lowest = (highest + 1) << self._shift
        self._renumber([key for key, value in self._pairs.items() if value >= lowest])
        return True

    def _counts(self) -> npt.NDArray[np.int64]:
        shifted = (value >> self._shift for value in self._pairs.values())
        return np.fromiter(shifted, np.int64, len(self._pairs))

    def _renumber(self, kept: list[int]) -> None:
        """Keep some pairs, and the terms in them."""
        terms = list(self._numbers)
        numbers: dict[str, int] = {}
        pairs: dict[int, int] = {}
        for key in kept:
            narrower, broader = terms[key >> _HALF], terms[key & _LOW]
            new = numbers.setdefault(narrower, len(numbers)) << _HALF
            new |= numbers.setdefault(broader, len(numbers))
            pairs[new] = self._pairs[key]
        self._numbers, self._pairs = numbers, pairs
        self._phrases = {term: count for term, count in self._phrases.items() if term in numbers}

    def relations(self, min_count: int) -> Relations:
        """The pairs with at least this count, the most frequent first.

        A phrase that was found once is rarely a term, and its last word was counted, too.
        """
        terms = list(self._numbers)
        is_rare = np.zeros(len(terms), np.bool_)
        for term, count in self._phrases.items():
            if count < _FEWEST_PHRASES and term in self._numbers:
                is_rare[self._numbers[term]] = True
        keys = np.fromiter(self._pairs, np.int64, len(self._pairs))
        counts = self._counts()
        narrower, broader = keys >> _HALF, keys & _LOW
        kept = np.flatnonzero((counts >= min_count) & ~is_rare[narrower] & ~is_rare[broader])
        ranks = np.empty(len(terms), np.int64)  # in alphabetical order
        ranks[sorted(range(len(terms)), key=terms.__getitem__)] = np.arange(len(terms))
        kept = kept[np.lexsort((ranks[broader[kept]], ranks[narrower[kept]], -counts[kept]))]
        used, ends = _numbered(np.stack([narrower[kept], broader[kept]], axis=1))
        return Relations(
            [terms[number] for number in used],
            ends[:, 0],
            ends[:, 1],
            counts[kept],
            self._names_of(keys[kept].tolist()),
        )

    def _names_of(self, keys: list[int]) -> list[tuple[str, ...]]:
        """The names of the patterns that found each pair."""
        names: dict[int, tuple[str, ...]] = {}
        found = []
        for key in keys:
            bits = self._pairs[key] & ((1 << self._shift) - 1)
            if bits not in names:
                names[bits] = tuple(
                    name for number, name in enumerate(self._pattern_names) if bits >> number & 1
                )
            found.append(names[bits])
        return found


def _numbered(
    values: npt.NDArray[np.int64],
) -> tuple[list[int], npt.NDArray[np.int64]]:
    """Number different values as they appear; returns them, and the number of each value."""
    used, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    numbers = np.empty(len(used), np.int64)
    numbers[order] = np.arange(len(used))
    return used[order].tolist(), numbers[inverse.reshape(values.shape)]
