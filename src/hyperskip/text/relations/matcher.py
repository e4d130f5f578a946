"""Finding pairs of a narrower and a broader term in documents."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from hyperskip.text.pieces import Piece
from hyperskip.text.relations.pattern_file import (
    BROADER,
    BROADERS,
    KIND,
    NARROWER,
    Language,
    Pattern,
)
from hyperskip.text.relations.phrases import Phrase, Sentence, Terms, tokens_of
from hyperskip.text.relations.word_classes import Words

# Called with the terms of each narrower phrase, those of the broader one, and the number of the
# pattern.
Emit = Callable[[list[Terms], Terms, int], None]

_SENTENCE_END = re.compile(r"[.!?]\s+(?=[^a-z\s])")
_QUOTES = re.compile('["“”„«»]')
_LAST_SUBJECT = 40  # words before the verb of a definition


class Found(NamedTuple):
    """What a piece of text says."""

    words: int
    sentences: int  # that may contain a pattern
    matches: list[tuple[list[Terms], Terms, int]]  # as for `Emit`


class _Node:
    """The words of patterns as a tree: the next words, and the patterns that end here."""

    def __init__(self) -> None:
        self.next: dict[str, _Node] = {}
        self.patterns: list[tuple[int, Pattern]] = []  # with their order in the file

    def insert(self, order: int, pattern: Pattern) -> None:
        """Add a pattern below this node."""
        node = self
        for word in pattern.words:
            node = node.next.setdefault(word, _Node())
        node.patterns.append((order, pattern))

    def found(self, sentence: Sentence, at: int) -> list[tuple[int, Pattern, int]]:
        """The patterns whose words start here: their order, and the end of the words."""
        matches = [(order, pattern, at) for order, pattern in self.patterns]
        if at < len(sentence.words):
            following = self.next.get(sentence.words[at])
            if following is not None:
                matches += following.found(sentence, at + 1)
            if KIND in self.next:
                end = sentence.end_of_kind(at)
                if end >= 0:
                    matches += self.next[KIND].found(sentence, end)
        return matches


class Matcher:
    """Finds the patterns of a language."""

    def __init__(self, language: Language) -> None:
        self._rules = Words(language)
        self._numbers = {name: number for number, name in enumerate(language.pattern_names)}
        self._first, self._others = _Node(), _Node()
        for order, pattern in enumerate(language.patterns):
            (self._first if pattern.is_first else self._others).insert(order, pattern)
        others = [pattern for pattern in language.patterns if not pattern.is_first]
        self._cues = _Cues(others, self._rules.kinds)
        self._verb = _any_of(self._first.next)
        self._sentences = 0

    def find(self, piece: Piece) -> Found:
        """Find the pairs in a piece of whole documents."""
        matches: list[tuple[list[Terms], Terms, int]] = []
        self._sentences = 0

        def emit(narrower: list[Terms], broader: Terms, pattern: int) -> None:
            matches.append((narrower, broader, pattern))

        documents: Iterable[str]
        if isinstance(piece, bytes):
            words = len(piece.split())
            documents = piece.decode("utf-8", "surrogatepass").split("\n")
        else:
            words = sum(map(len, piece))
            documents = (" ".join(map(str, tokens)) for tokens in piece)
        for document in documents:
            self.match(document, emit)
        return Found(words, self._sentences, matches)

    def match(self, document: str, emit: Emit) -> None:
        """Find the pairs of a document, which may have several sentences."""
        if not self._cues.may_match(document):
            end = _SENTENCE_END.search(document)
            first = document[: end.start()] if end else document
            if self._verb.search(first) is not None:
                self._match(first, True, emit)
            return
        for number, text in enumerate(_SENTENCE_END.split(document)):
            if number == 0 or self._cues.may_match(text):
                self._match(text, number == 0, emit)

    def _match(self, text: str, is_first: bool, emit: Emit) -> None:
        self._sentences += 1
        tokens = tokens_of(_QUOTES.sub("", text))
        words = list(map(str.lower, tokens))
        first, others = self._first.next, self._others.next
        starts = [at for at, word in enumerate(words) if word in others or word in first]
        if not starts:
            return
        sentence = Sentence(tokens, words, self._rules)
        for at in starts:
            word = words[at]
            is_found = word in others and self._match_any(others[word], sentence, at, emit)
            if is_first and word in first and at <= _LAST_SUBJECT:
                is_first = False
                if not is_found:
                    self._match_any(first[word], sentence, at, emit)

    def _match_any(self, node: _Node, sentence: Sentence, at: int, emit: Emit) -> bool:
        """Emit the pairs of the first pattern that fits here; returns whether one does."""
        for _, pattern, end in sorted(node.found(sentence, at + 1), key=lambda found: found[0]):
            broader, narrower = self._phrases(pattern, sentence, at, end)
            broader_terms = sentence.terms(broader)
            narrower_terms = [terms for each in narrower if (terms := sentence.terms(each))]
            if broader_terms and narrower_terms:
                emit(narrower_terms, broader_terms, self._numbers[pattern.name])
                if pattern.is_first:
                    for phrase in sentence.phrases_after(broader[1]):
                        if more := sentence.terms(phrase):
                            emit(narrower_terms, more, self._numbers[pattern.name])
                return True
        return False

    def _phrases(
        self, pattern: Pattern, sentence: Sentence, at: int, end: int
    ) -> tuple[Phrase, list[Phrase]]:
        """The broader phrase, and the narrower ones; nothing if one of them does not fit."""
        nothing = (0, 0), list[Phrase]()
        if pattern.left in (BROADER, BROADERS):
            broader = sentence.broader_before(at)
            first = broader[0]
            narrower = list(sentence.phrases_from(end))
            if pattern.right == NARROWER:
                del narrower[1:]
        else:
            broader = sentence.broader_from(end)
            if pattern.is_first:
                narrower = _subject(sentence, at)
            else:
                narrower = list(sentence.phrases_before(sentence.before_cue(at)))
            if pattern.left == NARROWER:
                del narrower[1:]
            first = narrower[-1][0] if narrower else 0
        if broader[0] == broader[1]:
            return nothing
        if BROADERS in (pattern.left, pattern.right) and not sentence.is_plural(broader[1] - 1):
            return nothing
        count = len(pattern.before)
        if count and tuple(sentence.words[max(0, first - count) : first]) != pattern.before:
            return nothing
        return broader, narrower


def _subject(sentence: Sentence, verb: int) -> list[Phrase]:
    """The phrase at the start, if the verb or a parenthesis or a comma follows."""
    begin, end = sentence.phrase_from(0)
    is_subject = begin < end <= verb and (end == verb or sentence.words[end] in ("(", ","))
    return [(begin, end)] if is_subject else []


class _Cues:
    """A fast test whether a text may contain a pattern.

    Searching for a word is much faster than a regular expression with all patterns.
    """

    def __init__(self, patterns: Iterable[Pattern], kinds: Iterable[str]) -> None:
        sequences = {
            tuple(kind if word == KIND else word for word in words)
            for pattern in patterns
            for words in [_rarest_words(pattern)]
            for kind in (sorted(kinds) if KIND in words else [""])
        }
        self._cues = [
            (max(words, key=len), re.compile(r"\s+".join(map(re.escape, words)) + r"(?!\w)"))
            for words in sorted(sequences)
        ]

    def may_match(self, text: str) -> bool:
        """Whether the words of a pattern are in the text."""
        return any(word in text and expression.search(text) for word, expression in self._cues)


def _rarest_words(pattern: Pattern) -> tuple[str, ...]:
    """The words of a pattern that are rarest: those before its slots, or from KIND on."""
    words = pattern.before or pattern.words
    return words[words.index(KIND) :] if KIND in words else words


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Match any of the words; nothing if there are none."""
    found = "|".join(sorted(map(re.escape, words)))
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)" if found else "(?!)")
