"""Search for words by a regular expression, in time that grows with the letters of the words.

All words advance together, letter by letter, through one deterministic automaton. Its states are
sets of nodes of the pattern's graph, made when a word first needs them. There is no backtracking.
"""

import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError
from hyperskip.explorer.answers.pattern_syntax import Graph, Letters, graph_of
from hyperskip.geometry.arrays import Rows

_BATCH = 1 << 14  # words
_MOST_STATES = 20_000
_UNKNOWN, _FAILED, _MATCHED, _FIRST = -1, 0, 1, 2  # states

_Codes = npt.NDArray[np.uint32]
_Mask = npt.NDArray[np.bool_]


class Found(NamedTuple):
    """Rows of words that match, most frequent first."""

    rows: list[int]
    searched: int  # number of words that were searched before the time was over


class PatternSearch:
    """Finds words that contain a match of a regular expression, ignoring case.

    Args:
        folded: Words without differences of case, most frequent first.
    """

    def __init__(self, folded: Sequence[str]) -> None:
        lengths = np.fromiter((len(word) for word in folded), np.int64, len(folded))
        self._ends = np.cumsum(lengths)
        self._lengths = lengths
        text = "".join(folded) + "\0"  # never without letters
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        alphabet, letters = np.unique(codes, return_inverse=True)
        self._alphabet = _Alphabet(alphabet)
        self._letters = letters.astype(np.int32)  # of all words, as indices into the alphabet

    def rows(self, pattern: str, limit: int, seconds: float) -> Found:
        """Return the most frequent words that match, as far as they are found in time.

        Raises:
            OptionError: The pattern is not valid or too complicated.
        """
        deadline = time.monotonic() + seconds
        automaton = _Automaton(graph_of(pattern), self._alphabet, deadline)
        rows: list[int] = []
        for begin in range(0, len(self._lengths), _BATCH):
            end = min(begin + _BATCH, len(self._lengths))
            try:
                rows += (begin + np.flatnonzero(self._matches(automaton, begin, end))).tolist()
            except _TimeIsOverError:
                return Found(rows, begin)
            if len(rows) >= limit:
                return Found(rows[:limit], len(self._lengths))
        return Found(rows, len(self._lengths))

    def _matches(self, automaton: "_Automaton", begin: int, end: int) -> _Mask:
        lengths = self._lengths[begin:end]
        starts = self._ends[begin:end] - lengths
        states = np.full(end - begin, _FIRST)
        moving = np.arange(end - begin)
        position = 0
        while len(moving := moving[lengths[moving] > position]):
            classes = automaton.class_of[self._letters[starts[moving] + position]]
            states[moving] = automaton.after(states[moving], classes)
            moving = moving[states[moving] > _MATCHED]
            position += 1
        return automaton.accepts(states)


class _TimeIsOverError(Exception):
    pass


class _Alphabet:
    """The letters of all words, with what regular expressions ask about them."""

    def __init__(self, codes: _Codes) -> None:
        letters = [chr(code) for code in codes.tolist()]
        uppers = [letter.upper() for letter in letters]
        self._cases = (
            codes,
            np.array([ord(one) if len(one) == 1 else 0 for one in uppers], dtype=np.uint32),
        )
        self._categories = {
            "d": np.array([letter.isdigit() for letter in letters], dtype=bool),
            "w": np.array([letter.isalnum() or letter == "_" for letter in letters], dtype=bool),
            "s": np.array([letter.isspace() for letter in letters], dtype=bool),
        }

    def mask(self, letters: Letters) -> _Mask:
        """Return which letters of the alphabet are in a set."""
        found: _Mask = np.zeros(len(self._cases[0]), dtype=bool)
        for first, last in letters.ranges:
            for codes in self._cases:
                found |= (codes >= first) & (codes <= last)
        for name in letters.categories:
            category = self._categories[name.lower()]
            found |= category if name.islower() else ~category
        return ~found if letters.is_negated else found


class _Automaton:
    """A deterministic automaton, whose states are made when they are first needed."""

    def __init__(self, graph: Graph, alphabet: _Alphabet, deadline: float) -> None:
        self._graph, self._deadline = graph, deadline
        kinds = list(dict.fromkeys(letters for letters in graph.reads if letters is not None))
        masks = np.array([alphabet.mask(kind) for kind in (*kinds, Letters())])  # at least one
        # Letters that no set of the pattern distinguishes are one class.
        classes, class_of = np.unique(masks, axis=1, return_inverse=True)
        self.class_of = np.asarray(class_of).reshape(-1)
        readers = {kind: [n for n, one in enumerate(graph.reads) if one == kind] for kind in kinds}
        self._readers = [
            frozenset(node for kind, one in zip(kinds, column, strict=False) if one
                      for node in readers[kind])
            for column in classes.T
        ]  # fmt: skip
        self._restart = self._closure([graph.start], "")
        first = self._closure([graph.start], "^")
        self._sets: list[frozenset[int]] = [frozenset(), frozenset(), first]
        self._numbers: dict[frozenset[int], int] = {}
        self._table = np.full((64, len(self._readers)), _UNKNOWN, dtype=np.int32)
        self._table[_FAILED], self._table[_MATCHED] = _FAILED, _MATCHED
        if graph.end in first:
            self._table[_FIRST] = _MATCHED

    def after(self, states: Rows, classes: Rows) -> npt.NDArray[np.int32]:
        """Return the state of each word after its next letter."""
        self._check_time()
        following = self._table[states, classes]
        missing = np.flatnonzero(following == _UNKNOWN)
        if not len(missing):
            return following
        pairs = np.stack([states[missing], classes[missing]], axis=1)
        for state, kind in np.unique(pairs, axis=0).tolist():
            number = self._step(state, kind)
            self._table[state, kind] = number
        return np.asarray(self._table[states, classes])

    def accepts(self, states: Rows) -> _Mask:
        """Return which states accept a word that ends there."""
        used = np.unique(states)
        accepted = np.array([self._accepts_at_end(state) for state in used.tolist()], dtype=bool)
        return np.asarray(np.isin(states, used[accepted]))

    def _accepts_at_end(self, state: int) -> bool:
        passed = "^$" if state == _FIRST else "$"  # in the first state, the word is empty
        ending = self._closure(self._sets[state], passed)
        return state == _MATCHED or self._graph.end in ending

    def _check_time(self) -> None:
        if time.monotonic() >= self._deadline:
            raise _TimeIsOverError

    def _step(self, state: int, kind: int) -> int:
        self._check_time()
        graph = self._graph
        read = self._sets[state] & self._readers[kind]
        reached = self._closure([after for node in read for after in graph.following[node]], "")
        reached |= self._restart
        return _MATCHED if graph.end in reached else self._number(reached)

    def _number(self, nodes: frozenset[int]) -> int:
        if not nodes:
            return _FAILED
        if nodes not in self._numbers:
            if len(self._sets) >= _MOST_STATES:
                raise OptionError(
                    "the regular expression is too complicated",
                    hint="use fewer repetitions and alternatives",
                )
            self._numbers[nodes] = len(self._sets)
            self._sets.append(nodes)
            if len(self._sets) > len(self._table):
                self._table = np.concatenate([self._table, np.full_like(self._table, _UNKNOWN)])
        return self._numbers[nodes]

    def _closure(self, nodes: Sequence[int] | frozenset[int], passed: str) -> frozenset[int]:
        """Return all nodes that are reached without a letter; assertions in `passed` are true."""
        graph, found, left = self._graph, set(nodes), list(nodes)
        while left:
            node = left.pop()
            asserted = graph.asserts[node]
            if graph.reads[node] is not None or (asserted and asserted not in passed):
                continue
            new = [one for one in graph.following[node] if one not in found]
            found.update(new)
            left += new
        return frozenset(node for node in found if self._is_kept(node))

    def _is_kept(self, node: int) -> bool:
        """Whether a node is of use later: the others only lead to these, or cannot be passed."""
        graph = self._graph
        return graph.reads[node] is not None or graph.asserts[node] == "$" or node == graph.end
