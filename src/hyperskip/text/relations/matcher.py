"""Finding pairs of a narrower and a broader term in documents."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import compress
from typing import NamedTuple

import numpy as np

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

_SENTENCE_END = re.compile(r"[.!?] (?=[^a-z\s])")  # in text with single blanks
_QUOTES = re.compile('["“”„«»]')
# What "\s" matches, except a blank and a newline.
_BLANKS = (
    "\t\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
_ASCII_BLANKS = bytes(code in b" \t\n\v\f\r" for code in range(256))
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

    def may_continue(self, word: str) -> bool:
        """Whether a pattern may go on with a word, or ends here."""
        return word in self.next or bool(self.patterns) or KIND in self.next

    def found(self, sentence: Sentence, at: int) -> list[tuple[int, Pattern, int]]:
        """The patterns whose words start here: their order, and the end of the words."""
        matches = [(order, pattern, at) for order, pattern in self.patterns]
        if at < len(sentence.words):
            following = self.next.get(sentence.words[at])
            if following is not None:
                matches += following.found(sentence, at + 1)
            if sentence.has_kind and KIND in self.next:
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
        self._starts = {*self._first.next, *self._others.next}
        self._sentences = 0

    def find(self, piece: Piece) -> Found:
        """Find the pairs in a piece of whole documents."""
        matches: list[tuple[list[Terms], Terms, int]] = []
        self._sentences = 0

        def emit(narrower: list[Terms], broader: Terms, pattern: int) -> None:
            matches.append((narrower, broader, pattern))

        if isinstance(piece, bytes):
            words = _word_count(piece)
            text = piece.decode("utf-8", "surrogatepass")
        else:
            words = sum(map(len, piece))
            text = "\n".join(" ".join(map(str, each)).replace("\n", " ") for each in piece)
        self._match_documents(_with_single_blanks(text), emit)
        return Found(words, self._sentences, matches)

    def _match_documents(self, text: str, emit: Emit) -> None:
        """Find the pairs of documents, with a newline between them."""
        cues = self._cues.positions(text)
        cue = next(cues, len(text))
        begin = 0
        for document in text.split("\n"):
            end = begin + len(document)
            if cue < end:
                self._match_sentences(document, emit)
                while cue < end:
                    cue = next(cues, len(text))
            elif document:
                stop = _SENTENCE_END.search(document)
                length = stop.start() if stop else len(document)
                if self._verb.search(document, 0, length) is not None:
                    self._match(document[:length], True, emit)
            begin = end + 1

    def _match_sentences(self, document: str, emit: Emit) -> None:
        for number, text in enumerate(_SENTENCE_END.split(document)):
            if number == 0 or self._cues.may_match(text):
                self._match(text, number == 0, emit)

    def _match(self, text: str, is_first: bool, emit: Emit) -> None:
        self._sentences += 1
        rules = self._rules
        tokens = tokens_of(_QUOTES.sub("", text))
        words = list(map(rules.lowered.__getitem__, tokens))
        sentence = None  # until a word is found that may start a pattern
        for at in compress(range(len(words)), map(self._starts.__contains__, words)):
            word = words[at]
            following = words[at + 1] if at + 1 < len(words) else ""
            is_found = False
            node = self._others.next.get(word)
            if node is not None and node.may_continue(following):
                sentence = sentence or Sentence(tokens, words, rules)
                is_found = self._match_any(node, sentence, at, emit)
            if is_first and at <= _LAST_SUBJECT and word in self._first.next:
                is_first = False
                node = self._first.next[word]
                if not is_found and node.may_continue(following):
                    sentence = sentence or Sentence(tokens, words, rules)
                    self._match_any(node, sentence, at, emit)

    def _match_any(self, node: _Node, sentence: Sentence, at: int, emit: Emit) -> bool:
        """Emit the pairs of the first pattern that fits here; returns whether one does."""
        found = node.found(sentence, at + 1)
        if len(found) > 1:
            found.sort(key=lambda match: match[0])
        for _, pattern, end in found:
            if pattern.before and pattern.before[0] not in sentence.words:
                continue
            broader, narrower = self._phrases(pattern, sentence, at, end)
            broader_terms = sentence.terms(broader)
            if not broader_terms:
                continue
            narrower_terms = [terms for each in narrower if (terms := sentence.terms(each))]
            if narrower_terms:
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
        broader_is_left = pattern.left in (BROADER, BROADERS)
        broader = sentence.broader_before(at) if broader_is_left else sentence.broader_from(end)
        if broader[0] == broader[1]:
            return nothing
        if BROADERS in (pattern.left, pattern.right) and not sentence.is_plural(broader[1] - 1):
            return nothing
        if broader_is_left:
            first = broader[0]
            narrower = sentence.phrases_from(end)
            if pattern.right == NARROWER:
                del narrower[1:]
        else:
            if pattern.is_first:
                narrower = _subject(sentence, at)
            else:
                narrower = sentence.phrases_before(sentence.before_cue(at))
            if pattern.left == NARROWER:
                del narrower[1:]
            first = narrower[-1][0] if narrower else 0
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
    """A fast test whether a text with single blanks may contain a pattern.

    Searching for strings is much faster than a regular expression with all patterns.
    """

    def __init__(self, patterns: Iterable[Pattern], kinds: Iterable[str]) -> None:
        cues = {
            " ".join(kind if word == KIND else word for word in words)
            for pattern in patterns
            for words in [_rarest_words(pattern)]
            for kind in (kinds if KIND in words else [""])
        }
        by_last_word: dict[str, list[str]] = {}
        for cue in sorted(cues):
            if not any(cue.startswith(other + " ") for other in cues):
                start, blank, word = cue.rpartition(" ")
                by_last_word.setdefault(blank + word, []).append(start)
        self._cues = [(last, tuple(starts)) for last, starts in by_last_word.items()]

    def positions(self, text: str) -> Iterator[int]:
        """Where the last word of each cue is in the text, in ascending order."""
        found: list[int] = []
        for last, starts in self._cues:
            at = text.find(last)
            while at >= 0:
                if text.endswith(starts, 0, at):
                    after = text[at + len(last) : at + len(last) + 1]
                    if not (after.isalnum() or after == "_"):
                        found.append(at)
                at = text.find(last, at + 1)
        return iter(sorted(found))

    def may_match(self, text: str) -> bool:
        """Whether the words of a pattern are in the text."""
        return any(True for _ in self.positions(text))


def _rarest_words(pattern: Pattern) -> tuple[str, ...]:
    """The words of a pattern that are rarest: those before its slots, or from KIND on."""
    words = pattern.before or pattern.words
    return words[words.index(KIND) :] if KIND in words else words


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    """Match any of the words; nothing if there are none."""
    found = "|".join(sorted(map(re.escape, words)))
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)" if found else "(?!)")


def _with_single_blanks(text: str) -> str:
    """Replace all white space within lines by single blanks."""
    for blank in _BLANKS:
        text = text.replace(blank, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def _word_count(text: bytes) -> int:
    """The same as `len(text.split())`, but faster."""
    if not text:
        return 0
    is_blank = np.frombuffer(text.translate(_ASCII_BLANKS), np.bool_)
    return int(np.count_nonzero(is_blank[:-1] > is_blank[1:])) + int(not is_blank[0])
