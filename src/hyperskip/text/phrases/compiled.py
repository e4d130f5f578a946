"""Counting and joining phrases with compiled kernels; same results as the plain twins."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from hyperskip.kernel_cache import compile_kernels
from hyperskip.text.phrase_rules import PhraseRules
from hyperskip.text.phrases import kernels
from hyperskip.text.phrases.blocks import LONGEST, Block, Candidates
from hyperskip.text.phrases.phrase_events import PrunedCandidates
from hyperskip.text.phrases.scoring import greatest_products
from hyperskip.text.words.lexicon import Lexicon, PlainLexicon, ids_of

Table = npt.NDArray[np.int64]  # (slots, 2): keys and values; the number of slots is a power of two

_FEWEST_SLOTS = 1 << 16
_FULLEST = 0.75  # maximum fraction of used slots; beyond it, collisions are too frequent
_FEWEST_NODES = 1 << 14
_WORDS_AT_ONCE = 1 << 16
# The first size of a table, in words of the text for each pair, and its maximum; it grows later.
_WORDS_PER_PAIR, _MOST_AT_FIRST = 8, 3_000_000
_MOST_COUNTS = 1 << 20  # that have a greatest product of their own
_NO_PHRASE = -1


class CompiledCounter:
    """Counts candidates like `PlainCounter`, in a table that grows up to the limit."""

    def __init__(self, lexicon: Lexicon, connectors: npt.NDArray[np.int32], limit: int) -> None:
        self.pruned = PrunedCandidates()
        self._limit = limit
        self._word_counts = lexicon.counts.copy()
        self._is_connector = np.zeros(len(self._word_counts), dtype=np.bool_)
        self._is_connector[connectors] = True
        self._spellings, self._has_delimiter = _spellings(lexicon)
        expected = int(self._word_counts.sum()) // _WORDS_PER_PAIR
        self._table, self._used = _table(min(expected, limit, _MOST_AT_FIRST)), 0

    def count(self, blocks: Iterable[Block]) -> None:
        """Count the candidates of a text."""
        for _, keys in self._keys(blocks):
            done = 0
            while done < len(keys):
                most = min(int(_FULLEST * len(self._table)), self._limit)
                done, self._used = kernels.count(keys, done, self._table, self._used, most)
                if done < len(keys):
                    self._make_room()

    def candidates(self, blocks: Iterable[Block], rules: PhraseRules, total: int) -> Candidates:
        """Collect the candidates of the text whose score may be above the threshold."""
        counts = self._word_counts.copy()
        is_word = ~self._is_connector & (counts > 0)
        mixed = np.flatnonzero(is_word & self._has_delimiter)
        alike = kernels.merge_words(self._table, mixed, self._spellings, counts)
        distinct = self._used + int(is_word.sum()) - alike
        self._keep(rules.min_count)
        most = min(int(self._table[:, 1].max()), _MOST_COUNTS)
        products = greatest_products(np.arange(most + 2), rules, distinct, total)
        products[-1] = np.inf  # for all higher counts
        nodes, node_counts = self._collected(blocks, counts, products)
        ends = np.flatnonzero(node_counts)
        first, last = nodes[ends, 0], nodes[ends, 2]
        return Candidates(
            lambda selected: self._sequences(nodes, ends[selected]),
            *(node_counts[ends], counts[first], counts[last], distinct),
        )

    def _keys(self, blocks: Iterable[Block]) -> Iterator[tuple[Block, npt.NDArray[np.int64]]]:
        """The key of the candidate that ends at each token; 0 if none ends there."""
        opened = np.uint64(0)
        for block in blocks:
            keys = np.empty(len(block.tokens), dtype=np.int64)
            opened = kernels.find_candidates(
                *(*block, self._is_connector, self._spellings, np.uint64(opened), keys)
            )
            yield block, keys

    def _make_room(self) -> None:
        """Double the table; if the limit is reached, drop the rarest candidates instead."""
        if self._used < self._limit:
            larger = np.zeros((2 * len(self._table), 2), dtype=np.int64)
            kernels.copy_entries(self._table, 1, larger)
            self._table = larger
            return
        counts = self._table[:, 1]
        counts = counts[counts > 0]
        rank = self._limit // 2 + 1  # from the highest count down
        counts.partition(-rank)
        highest = int(counts[-rank])
        del counts
        used = self._used
        self._keep(highest + 1)
        self.pruned = PrunedCandidates(
            self.pruned.candidates + used - self._used,
            max(self.pruned.highest_count, highest),
        )

    def _keep(self, fewest: int) -> None:
        """Drop candidates with a lower count; two tables at a time would take more memory."""
        kept = self._table[self._table[:, 1] >= max(fewest, 1)]
        del self._table
        self._table = _table(len(kept))
        self._used = kernels.copy_entries(kept, 1, self._table)

    def _collected(
        self,
        blocks: Iterable[Block],
        word_counts: npt.NDArray[np.int64],
        products: npt.NDArray[np.float64],
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """The candidates as nodes of a trie, and the count of each node."""
        trie = _table(_FEWEST_NODES)
        nodes = np.zeros((_FEWEST_NODES, 3), dtype=np.int32)
        counts = np.zeros(_FEWEST_NODES, dtype=np.int64)
        used = 0
        before = np.zeros(0, dtype=np.int32)
        for block, keys in self._keys(blocks):
            tokens = np.concatenate((before, block.tokens))
            done = len(before)
            keys = np.concatenate((np.zeros(done, dtype=np.int64), keys))
            while done < len(tokens):
                done, used = kernels.collect(
                    *(tokens, keys, done, LONGEST, self._is_connector, word_counts),
                    *(self._table, products, trie, nodes, counts, used),
                )
                if done < len(tokens):
                    larger = _table(2 * len(nodes))
                    kernels.copy_entries(trie, 1, larger)
                    trie = larger
                    nodes = np.concatenate((nodes, np.zeros_like(nodes)))
                    counts = np.concatenate((counts, np.zeros_like(counts)))
            before = tokens[-LONGEST:]
        return nodes[:used], counts[:used]

    def _sequences(
        self, nodes: npt.NDArray[np.int32], ends: npt.NDArray[np.int64]
    ) -> list[tuple[int, ...]]:
        """The words from the root of the trie to each of these nodes."""
        words = len(self._is_connector)
        _, parents, last_words = nodes.T
        pairs = zip(parents[ends].tolist(), last_words[ends].tolist(), strict=True)
        sequences: list[tuple[int, ...]] = []
        for parent, last in pairs:
            sequence = [last]
            while parent >= words:
                sequence.append(int(last_words[parent - words]))
                parent = int(parents[parent - words])
            sequences.append((parent, *reversed(sequence)))
        return sequences


class CompiledJoiner:
    """Replaces phrases by words like `PlainJoiner`."""

    def __init__(
        self,
        sequences: Sequence[tuple[int, ...]],
        phrases: npt.NDArray[np.int32],
        counts: npt.NDArray[np.int64],
    ) -> None:
        lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
        words = np.fromiter(chain.from_iterable(sequences), np.int32, int(lengths.sum()))
        starts = np.concatenate(([0], np.cumsum(lengths)))
        self._counts = counts
        self._is_first = np.zeros(len(counts), dtype=np.bool_)
        self._is_first[words[starts[:-1]]] = True
        self._trie = _table(len(words))
        nodes = np.zeros((len(words), 3), dtype=np.int32)
        ends = np.zeros(len(sequences), dtype=np.int64)
        used = kernels.insert(words, starts, self._trie, nodes, len(counts), ends)
        self._phrases = np.full(used, _NO_PHRASE, dtype=np.int32)
        self._phrases[ends - len(counts)] = phrases

    def joined(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Join the phrases of a text."""
        rest = Block(np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.bool_))
        for block in blocks:
            tokens = np.concatenate((rest.tokens, block.tokens))
            starts = np.concatenate((rest.starts, block.starts))
            read, joined = self._joined(Block(tokens, starts), is_last=False)
            rest = Block(tokens[read:], starts[read:])
            yield joined
        yield self._joined(rest, is_last=True)[1]

    def _joined(self, block: Block, *, is_last: bool) -> tuple[int, Block]:
        tokens, starts = np.empty_like(block.tokens), np.empty_like(block.starts)
        read, written = kernels.join(
            *(*block, is_last, self._trie, self._phrases, self._is_first, self._counts),
            *(tokens, starts),
        )
        return read, Block(tokens[:written], starts[:written])


def compile_phrases() -> None:
    """Compile the kernels, or load them from the cache."""

    def first_call() -> None:
        lexicon = PlainLexicon()
        ids = ids_of(lexicon, ["new", "york", "new_york"])
        block = Block(np.frombuffer(ids[:2].tobytes(), np.int32), np.array([True, False]))
        counter = CompiledCounter(lexicon, ids[:0], _FEWEST_SLOTS)
        counter.count([block])
        candidates = counter.candidates([block], PhraseRules(threshold=1e-9, min_count=0), 2)
        joiner = CompiledJoiner(candidates.select([0]), ids[2:], lexicon.counts)
        list(joiner.joined([block]))

    compile_kernels(
        first_call,
        *(kernels.spell, kernels.find_candidates, kernels.count, kernels.copy_entries),
        *(kernels.merge_words, kernels.collect, kernels.insert, kernels.join),
    )


def _table(entries: int) -> Table:
    """An empty table with room for this number of entries."""
    slots = _FEWEST_SLOTS
    while _FULLEST * slots < entries:
        slots *= 2
    return np.zeros((slots, 2), dtype=np.int64)


def _spellings(lexicon: Lexicon) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
    """The key of each word, and whether it contains the delimiter."""
    count = len(lexicon.counts)
    spellings = np.empty((count, 2), dtype=np.uint64)
    has_delimiter = np.empty(count, dtype=np.bool_)
    for begin in range(0, count, _WORDS_AT_ONCE):
        end = min(begin + _WORDS_AT_ONCE, count)
        letters, starts = lexicon.spelled(np.arange(begin, end))
        kernels.spell(letters.copy(), starts, spellings[begin:end], has_delimiter[begin:end])
    return spellings, has_delimiter
