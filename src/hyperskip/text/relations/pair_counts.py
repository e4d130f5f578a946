"""Counting pairs of terms in memory of a limited size."""

import numpy as np

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
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._numbers: dict[str, int] = {}  # of terms
        self._counts: dict[int, int] = {}
        self._patterns: dict[int, int] = {}  # bits
        self._phrases: dict[str, int] = {}  # how often a phrase, not a name, was a term
        self.pruned = PrunedPairs()
        self.total = 0

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, narrower: list[Terms], broader: Terms, pattern: int) -> None:
        """Count the pairs that a pattern has found in a sentence."""
        numbers, counts, patterns = self._numbers, self._counts, self._patterns
        bit, found = 1 << pattern, 0
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
                        counts[key] = counts.get(key, 0) + 1
                        patterns[key] = patterns.get(key, 0) | bit
                        found += 1
        self.total += found

    def prune(self) -> bool:
        """Drop the rarest pairs if there are too many; returns whether any were dropped.

        All pairs with the same count are dropped or kept together, so that nothing depends on their
        order. Half of the limit, or less, remains.
        """
        if len(self._counts) <= self._limit:
            return False
        counts = np.fromiter(self._counts.values(), np.int64, len(self._counts))
        highest = int(np.sort(counts)[::-1][self._limit // 2])
        dropped = counts <= highest
        self.pruned = PrunedPairs(
            self.pruned.pairs + int(dropped.sum()),
            self.pruned.occurrences + int(counts[dropped].sum()),
            max(self.pruned.highest_count, highest),
        )
        kept = [key for key, count in self._counts.items() if count > highest]
        self._renumber(kept)
        return True

    def _renumber(self, kept: list[int]) -> None:
        """Keep some pairs, and the terms in them."""
        terms = list(self._numbers)
        numbers: dict[str, int] = {}
        new_counts: dict[int, int] = {}
        new_patterns: dict[int, int] = {}
        for key in kept:
            narrower, broader = terms[key >> _HALF], terms[key & _LOW]
            new = numbers.setdefault(narrower, len(numbers)) << _HALF
            new |= numbers.setdefault(broader, len(numbers))
            new_counts[new], new_patterns[new] = self._counts[key], self._patterns[key]
        self._numbers, self._counts, self._patterns = numbers, new_counts, new_patterns
        self._phrases = {term: count for term, count in self._phrases.items() if term in numbers}

    def relations(self, min_count: int, pattern_names: tuple[str, ...]) -> Relations:
        """The pairs with at least this count, the most frequent first.

        A phrase that was found once is rarely a term, and its last word was counted, too.
        """
        terms = list(self._numbers)
        rare = {
            self._numbers[term]
            for term, count in self._phrases.items()
            if count < _FEWEST_PHRASES and term in self._numbers
        }
        rows = sorted(
            (-count, terms[key >> _HALF], terms[key & _LOW], self._patterns[key])
            for key, count in self._counts.items()
            if count >= min_count and key >> _HALF not in rare and key & _LOW not in rare
        )
        names: dict[int, tuple[str, ...]] = {}
        for *_, bits in rows:
            if bits not in names:
                names[bits] = tuple(
                    name for number, name in enumerate(pattern_names) if bits >> number & 1
                )
        return Relations.of_rows((a, b, -count, names[bits]) for count, a, b, bits in rows)
