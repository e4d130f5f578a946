"""Passes over a text of word ids: each finds phrases, and joins them for the next one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.text.phrase_rules import PhraseRules
from hyperskip.text.phrases.blocks import Block, Candidates, IntegerText
from hyperskip.text.phrases.phrase_events import (
    CompilingPhrases,
    PhraseProgress,
    PhraseReport,
    PhrasesFound,
    PrunedCandidates,
)
from hyperskip.text.phrases.phrases import Phrase, Phrases
from hyperskip.text.phrases.scoring import scores_of
from hyperskip.text.words.lexicon import Lexicon, ids_of
from hyperskip.text.words.scan import words_of

_FEW_TOKENS = 100_000  # a smaller text does not wait for the compiler


class Counter(Protocol):
    """Counts candidates."""

    pruned: PrunedCandidates

    def count(self, blocks: Iterable[Block]) -> None:
        """Count the candidates of a text."""

    def candidates(self, blocks: Iterable[Block], rules: PhraseRules, total: int) -> Candidates:
        """Collect the candidates of the text that may be phrases; `total` is its words."""


class Joiner(Protocol):
    """Replaces phrases by words."""

    def joined(self, blocks: Iterable[Block]) -> Iterable[Block]:
        """Join the phrases of a text."""


class Tools(NamedTuple):
    """What counts and joins: plain or compiled."""

    counter: Callable[[Lexicon, npt.NDArray[np.int32], int], Counter]
    joiner: Callable[
        [Sequence[tuple[int, ...]], npt.NDArray[np.int32], npt.NDArray[np.int64]], Joiner
    ]


def tools_for(text: IntegerText, report: PhraseReport) -> Tools:
    """What counts and joins the phrases of a text."""
    if text.token_count <= _FEW_TOKENS:
        from hyperskip.text.phrases.reference import PlainCounter, PlainJoiner

        return Tools(PlainCounter, PlainJoiner)
    report(CompilingPhrases())
    from hyperskip.text.phrases.compiled import (  # loads the compiler
        CompiledCounter,
        CompiledJoiner,
        compile_phrases,
    )

    compile_phrases()
    return Tools(CompiledCounter, CompiledJoiner)


class Pass(NamedTuple):
    """One of several passes over a text."""

    text: IntegerText
    number: int
    passes: int
    steps: int  # how often the text is read
    report: PhraseReport

    def blocks(self, step: int) -> Iterator[Block]:
        """Read the text, and report how much of the pass is done."""
        done, total = 0, self.text.token_count
        for block in self.text.blocks():
            yield block
            done += len(block.tokens)
            share = (step + done / total) / self.steps
            self.report(PhraseProgress(self.number, self.passes, share))


def find_in(
    text: IntegerText, rules: PhraseRules, report: PhraseReport, *, join_all: bool
) -> Phrases:
    """Find the phrases of a text in several passes.

    Args:
        text: The text, in which the phrases of each pass are joined for the next one.
        rules: How phrases are found.
        report: Called with progress events.
        join_all: Whether to join those of the last pass, too.
    """
    tools = tools_for(text, report)
    found: list[Phrase] = []
    for number in range(1, rules.passes + 1):
        is_joined = join_all or number < rules.passes
        this = Pass(text, number, rules.passes, 3 if is_joined else 2, report)
        sequences, phrases = _found(this, rules, tools)
        found += phrases
        report(PhrasesFound(number, rules.passes, len(phrases)))
        if not phrases:
            break
        if is_joined:
            _join(this, sequences, phrases, tools, step=2)
    return Phrases(found)


def join_in(text: IntegerText, phrases: Phrases, report: PhraseReport) -> int:
    """Join phrases that were found before, pass by pass; returns how many of them occur."""
    tools = tools_for(text, report)
    passes = list(phrases.passes())
    occurring = 0
    for number, each in enumerate(passes, start=1):
        words = list(dict.fromkeys(word for phrase in each for word in phrase.words))
        ids = dict(zip(words, ids_of(text.lexicon, words).tolist(), strict=True))
        sequences = [tuple(ids[word] for word in phrase.words) for phrase in each]
        this = Pass(text, number, len(passes), 1, report)
        occurring += _join(this, sequences, each, tools, step=0)
    return occurring


def _found(
    this: Pass, rules: PhraseRules, tools: Tools
) -> tuple[list[tuple[int, ...]], list[Phrase]]:
    """The phrases of one pass, as ids and as strings."""
    lexicon, total = this.text.lexicon, this.text.token_count
    connectors = ids_of(lexicon, sorted(rules.connectors))
    counter = tools.counter(lexicon, connectors, rules.limit)
    counter.count(this.blocks(step=0))
    if counter.pruned.candidates:
        this.report(counter.pruned)
    candidates = counter.candidates(this.blocks(step=1), rules, total)
    scores = scores_of(candidates, rules, total)
    selected = np.flatnonzero(scores > rules.threshold).tolist()
    sequences = candidates.select(selected)
    used = np.unique(np.fromiter((i for ids in sequences for i in ids), np.int64))
    words = dict(zip(used.tolist(), words_of(*lexicon.spelled(used)), strict=True))
    return sequences, [
        Phrase(
            tuple(words[i] for i in ids),
            float(scores[at]),
            int(candidates.counts[at]),
            this.number,
        )
        for at, ids in zip(selected, sequences, strict=True)
    ]


def _join(
    this: Pass,
    sequences: Sequence[tuple[int, ...]],
    phrases: Sequence[Phrase],
    tools: Tools,
    *,
    step: int,
) -> int:
    """Join phrases in a text; their spellings become words of the lexicon.

    Returns:
        How many of the phrases occur.
    """
    lexicon = this.text.lexicon
    ids = ids_of(lexicon, [phrase.joined for phrase in phrases])
    counts = lexicon.counts.copy()
    this.text.replace(tools.joiner(sequences, ids, counts).joined(this.blocks(step)))
    occurring = int((counts > lexicon.counts)[ids].sum())
    lexicon.recount(counts)
    return occurring
