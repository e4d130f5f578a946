"""Counting and joining phrases in plain Python: the slow twin of the kernels, and for small texts.

Spellings are strings here. The kernels compare keys of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from hyperskip.text.phrase_rules import DELIMITER, PhraseRules
from hyperskip.text.phrases.blocks import DROPPED, LONGEST, Block, Candidates
from hyperskip.text.phrases.phrase_events import PrunedCandidates
from hyperskip.text.phrases.phrase_tree import PhraseTree
from hyperskip.text.words.lexicon import Lexicon
from hyperskip.text.words.scan import words_of


class PlainCounter:
    """Counts candidates: two words, and the connector words between them.

    Args:
        lexicon: The words of the text.
        connectors: The ids of connector words.
        limit: Maximum number of different candidates; above it, the rarest are dropped.
    """

    def __init__(self, lexicon: Lexicon, connectors: npt.NDArray[np.int32], limit: int) -> None:
        self.pruned = PrunedCandidates()
        self._words = list(words_of(*lexicon.spelled(np.arange(len(lexicon.counts)))))
        self._connectors = set(connectors.tolist())
        self._limit = limit
        self._word_counts: Counter[str] = Counter()
        self._counts: dict[str, int] = {}

    def count(self, blocks: Iterable[Block]) -> None:
        """Count the candidates of a text."""
        for ids in self._candidates(blocks, counting=True):
            spelling = self._spelled(ids)
            if spelling not in self._counts and len(self._counts) == self._limit:
                self._prune()
            self._counts[spelling] = self._counts.get(spelling, 0) + 1

    def candidates(self, blocks: Iterable[Block], rules: PhraseRules, _: int) -> Candidates:
        """Collect the candidates of the text that occur often enough."""
        totals = self._word_counts + Counter(self._counts)
        found = {
            ids: totals[self._spelled(ids)]
            for ids in self._candidates(blocks)
            if len(ids) <= LONGEST and self._spelled(ids) in self._counts
        }
        sequences = [ids for ids, count in found.items() if count >= rules.min_count]
        counts = [
            [found[ids], totals[self._words[ids[0]]], totals[self._words[ids[-1]]]]
            for ids in sequences
        ]
        both, first, last = np.array(counts, dtype=np.int64).reshape(-1, 3).T

        def select(selected: list[int]) -> list[tuple[int, ...]]:
            return [sequences[i] for i in selected]

        return Candidates(select, both, first, last, len(totals))

    def _spelled(self, ids: Sequence[int]) -> str:
        return DELIMITER.join(self._words[i] for i in ids)

    def _candidates(
        self, blocks: Iterable[Block], *, counting: bool = False
    ) -> Iterator[tuple[int, ...]]:
        ids: list[int] = []  # from the first word of a candidate on
        for tokens, starts in blocks:
            for token, is_start in zip(tokens.tolist(), starts.tolist(), strict=True):
                if is_start or token == DROPPED:
                    ids = []
                if token in self._connectors:
                    if ids:
                        ids.append(token)
                elif token != DROPPED:
                    if counting:
                        self._word_counts[self._words[token]] += 1
                    if ids:
                        yield (*ids, token)
                    ids = [token]

    def _prune(self) -> None:
        """Drop the rarest candidates; all with the same count are dropped or kept together."""
        highest = sorted(self._counts.values(), reverse=True)[self._limit // 2]
        kept = {spelling: count for spelling, count in self._counts.items() if count > highest}
        self.pruned = PrunedCandidates(
            self.pruned.candidates + len(self._counts) - len(kept),
            max(self.pruned.highest_count, highest),
        )
        self._counts = kept


class PlainJoiner:
    """Replaces phrases by words, from left to right, the longest at each place.

    Args:
        sequences: The ids of the words of each phrase.
        phrases: The id of the word for each phrase.
        counts: The count of each word, which is updated.
    """

    def __init__(
        self,
        sequences: Sequence[tuple[int, ...]],
        phrases: npt.NDArray[np.int32],
        counts: npt.NDArray[np.int64],
    ) -> None:
        self._tree = PhraseTree(zip(sequences, phrases.tolist(), strict=True))
        self._counts = counts

    def joined(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Join the phrases of a text."""
        sentence: list[int] = []
        for tokens, starts in blocks:
            for token, is_start in zip(tokens.tolist(), starts.tolist(), strict=True):
                if is_start and sentence:
                    yield self._block(sentence)
                    sentence = []
                sentence.append(token)
        if sentence:
            yield self._block(sentence)

    def _block(self, sentence: list[int]) -> Block:
        """The block of a sentence."""
        tokens: list[int] = []
        for phrase, words in self._tree.split(sentence):
            if phrase is not None:
                np.subtract.at(self._counts, words, 1)
                self._counts[phrase] += 1
            tokens.extend(words if phrase is None else [phrase])
        starts = np.zeros(len(tokens), dtype=np.bool_)
        starts[0] = True
        return Block(np.array(tokens, dtype=np.int32), starts)
