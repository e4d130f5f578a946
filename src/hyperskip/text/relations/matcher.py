"""Finding pairs of a narrower and a broader term in documents."""

import re
from collections.abc import Callable, Iterable

from hyperskip.text.relations.pattern_file import (
    BROADER,
    BROADERS,
    KIND,
    NARROWER,
    Language,
    Pattern,
)
from hyperskip.text.relations.phrases import Phrase, Sentence
from hyperskip.text.relations.word_classes import Words

# Called with the narrower term, the broader term, and the index of the pattern.
Emit = Callable[[str, str, int], None]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[^a-z\s])")
_QUOTES = re.compile('["“”„«»]')
_LAST_SUBJECT = 40  # words before the verb of a definition


class Matcher:
    """Finds the patterns of a language."""

    def __init__(self, language: Language) -> None:
        self._rules = Words(language)
        self._numbers = {name: number for number, name in enumerate(language.pattern_names)}
        self._first: dict[str, list[Pattern]] = {}
        self._others: dict[str, list[Pattern]] = {}
        for pattern in language.patterns:
            patterns = self._first if pattern.is_first else self._others
            patterns.setdefault(pattern.words[0], []).append(pattern)
        others = [pattern for pattern in language.patterns if not pattern.is_first]
        self._cue = _any_of({_cue(pattern, self._rules.kinds) for pattern in others})
        self._verb = _any_of({re.escape(word) for word in self._first})
        self.sentences = 0

    def match(self, document: str, emit: Emit) -> None:
        """Find the pairs of a document, which may have several sentences."""
        has_cue = self._cue.search(document) is not None
        end = None if has_cue else _SENTENCE_END.search(document)
        sentences = [document[: end.start()]] if end else _SENTENCE_END.split(document)
        for number, text in enumerate(sentences):
            is_first = number == 0 and self._verb.search(text) is not None
            has_cue = self._cue.search(text) is not None
            if is_first or has_cue:
                self.sentences += 1
                self._match(Sentence(_QUOTES.sub("", text), self._rules), is_first, emit)

    def _match(self, sentence: Sentence, is_first: bool, emit: Emit) -> None:
        for at, word in enumerate(sentence.words):
            if word in self._others and self._match_any(self._others[word], sentence, at, emit):
                is_first = is_first and word not in self._first
            elif is_first and word in self._first and at <= _LAST_SUBJECT:
                self._match_any(self._first[word], sentence, at, emit)
                is_first = False

    def _match_any(
        self, patterns: Iterable[Pattern], sentence: Sentence, at: int, emit: Emit
    ) -> bool:
        """Emit the pairs of the first pattern whose words are here; returns whether one was."""
        for pattern in patterns:
            end = _end_of_words(pattern, sentence, at)
            if end < 0:
                continue
            broader, narrower = self._phrases(pattern, sentence, at, end)
            terms = sentence.terms(broader)
            if terms and narrower:
                number = self._numbers[pattern.name]
                for phrase in narrower:
                    for term in sentence.terms(phrase):
                        for other in terms:
                            if term != other:
                                emit(term, other, number)
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


def _end_of_words(pattern: Pattern, sentence: Sentence, at: int) -> int:
    """The end of the words of a pattern, which start here; -1 if other words do."""
    for word in pattern.words:
        if at >= len(sentence):
            return -1
        if word == KIND:
            at = sentence.end_of_kind(at)
            if at < 0:
                return -1
        elif sentence.words[at] == word:
            at += 1
        else:
            return -1
    return at


def _cue(pattern: Pattern, kinds: Iterable[str]) -> str:
    """A regular expression for the rarest words of a pattern."""
    words = pattern.before or pattern.words
    if KIND in words:
        following = words[words.index(KIND) + 1 :]
        kind = f"(?:{'|'.join(sorted(map(re.escape, kinds)))})"
        return r"\s+".join([kind, *map(re.escape, following)])
    return r"\s+".join(map(re.escape, words))


def _any_of(expressions: set[str]) -> re.Pattern[str]:
    """Match any of the expressions as whole words; nothing if there are none."""
    if not expressions:
        return re.compile("(?!)")
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(expressions))})(?!\w)")
