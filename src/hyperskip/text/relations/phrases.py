"""Noun phrases in a sentence: single ones, lists of them, and the terms that they stand for."""

import re

from hyperskip.text.relations.word_classes import (
    CLASS,
    LAST,
    NAME,
    PLURAL,
    TERM,
    WordClass,
    Words,
)

Phrase = tuple[int, int]  # the first word, and the one after the last
Terms = tuple[str, ...]  # its last word and then the whole phrase, or only one of them

_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,}"  # e.g., U.S.
    r"|[^\W_]+(?:[-'’.][^\W_]+)*"  # words
    r"|[.,;:()!?–—]"
)
_SENTENCE_ENDS = frozenset(".!?")
_BEFORE_CUE = frozenset(",(:–—")
_AFTER_CUE = frozenset(",:.")
_MOST_WORDS = 5  # in a phrase
_LONGEST_TERM = 4
_MOST_PHRASES = 30  # in a list
_MOST_IN_PARENTHESES = 40  # words
_MOST_HOPS = 2

_NOUN, _PARTICIPLE = int(WordClass.NOUN), int(WordClass.PARTICIPLE)
_DETERMINER, _PREPOSITION = int(WordClass.DETERMINER), int(WordClass.PREPOSITION)


def tokens_of(text: str) -> list[str]:
    """Split a sentence into words and punctuation marks, without the mark at its end."""
    tokens: list[str] = _TOKEN.findall(text)
    while tokens and tokens[-1] in _SENTENCE_ENDS:
        tokens.pop()
    return tokens


class Sentence:
    """The words and punctuation of a sentence, in lower case.

    Args:
        tokens: The words and punctuation marks.
        words: The same in lower case.
        rules: The traits and singulars of words.

    Attributes:
        words: As given.
        has_kind: Whether a word for kinds is in it.
    """

    def __init__(self, tokens: list[str], words: list[str], rules: Words) -> None:
        self.words = words
        self._traits = traits = list(map(rules.traits.__getitem__, tokens))
        # A capital letter at the start makes a name only if the next word has one, too.
        if traits[0] & NAME and not (len(traits) > 1 and traits[1] & NAME):
            traits[0] = rules.traits_at_start[tokens[0]]
        self._rules = rules
        self.has_kind = not rules.kinds.isdisjoint(words)

    def __len__(self) -> int:
        return len(self.words)

    def is_plural(self, at: int) -> bool:
        """Whether a word is in the plural, and not a part of a name."""
        return self._traits[at] & PLURAL != 0

    def phrase_before(self, end: int) -> Phrase:
        """The noun phrase that ends before a word; it may be empty."""
        traits = self._traits
        begin = end
        lowest = max(0, end - _MOST_WORDS)
        while begin > lowest and traits[begin - 1] & CLASS <= _PARTICIPLE:
            if begin < end and traits[begin - 1] & LAST:
                break
            begin -= 1
        return begin, end

    def phrase_from(self, begin: int) -> Phrase:
        """The noun phrase that starts at a word, or after determiners; it may be empty."""
        traits = self._traits
        count = len(traits)
        while begin < count and traits[begin] & CLASS == _DETERMINER:
            begin += 1
        end = begin
        highest = min(count, begin + _MOST_WORDS)
        while end < highest:
            trait = traits[end]
            kind = trait & CLASS
            if kind > _PARTICIPLE:
                break
            if end > begin and not trait & NAME:
                before = traits[end - 1]
                if kind == _PARTICIPLE or before & LAST or (before & NAME and kind != _NOUN):
                    break
            end += 1
        return begin, end

    def phrases_from(self, begin: int) -> list[Phrase]:
        """A list of noun phrases: A, B and C."""
        words, count, conjunctions = self.words, len(self.words), self._rules.conjunctions
        if begin < count and words[begin] in _AFTER_CUE:
            begin += 1
        phrases: list[Phrase] = []
        while len(phrases) < _MOST_PHRASES:
            begin, end = self.phrase_from(begin)
            if begin == end:
                break
            if end < count and self._traits[end - 1] & NAME:
                end = self._end_of_name(end)
            phrases.append((begin, end))
            begin = self._after_parentheses(end)
            if begin >= count:
                break
            is_comma = words[begin] == ","
            begin += is_comma
            if begin < count and words[begin] in conjunctions:
                begin += 1
            elif not is_comma:
                break
        return phrases

    def phrases_after(self, end: int) -> list[Phrase]:
        """The rest of a list: noun phrases without determiners, after a comma or conjunction."""
        words = self.words
        phrases: list[Phrase] = []
        while len(phrases) < _MOST_PHRASES:
            begin = end
            begin += begin < len(words) and words[begin] == ","
            begin += begin < len(words) and words[begin] in self._rules.conjunctions
            if begin == end:
                break
            after, end = self.phrase_from(begin)
            if after != begin or begin == end:
                break
            phrases.append((begin, end))
        return phrases

    def phrases_before(self, end: int) -> list[Phrase]:
        """A list of noun phrases before a word, the last one first."""
        words, traits = self.words, self._traits
        phrases: list[Phrase] = []
        while len(phrases) < _MOST_PHRASES:
            begin, end = self.phrase_before(self._before_parentheses(end))
            if begin == end:
                break
            phrases.append((begin, end))
            while begin > 0 and traits[begin - 1] & CLASS == _DETERMINER:
                begin -= 1
            end = begin - 1
            if end < 1:
                break
            if words[end] in self._rules.conjunctions:
                end -= words[end - 1] == ","
            elif words[end] != ",":
                break
        return phrases

    def _end_of_name(self, end: int) -> int:
        """Extend a name by a preposition and another name: Republic of Ireland."""
        if self._traits[end] & CLASS != _PREPOSITION:
            return end
        begin, other = self.phrase_from(end + 1)
        return other if other > begin and self._traits[begin] & NAME and begin <= end + 2 else end

    def broader_before(self, end: int) -> Phrase:
        """The phrase before words such as "such as".

        In "institutions of higher education such as", it is not the nearest one, but the plural
        before a preposition.
        """
        end = self.before_cue(end)
        begin, end = nearest = self.phrase_before(end)
        if begin == end or not self._rules.singulars.are_known or self.is_plural(end - 1):
            return nearest
        for _ in range(_MOST_HOPS):
            while begin > 0 and self._traits[begin - 1] & CLASS == _DETERMINER:
                begin -= 1
            if begin == 0 or self._traits[begin - 1] & CLASS != _PREPOSITION:
                break
            begin, end = self.phrase_before(begin - 1)
            if begin == end or self._is_empty_noun(end - 1):
                break
            if self.is_plural(end - 1):
                return begin, end
        return nearest

    def broader_from(self, begin: int) -> Phrase:
        """The phrase that starts at a word; in "kinds of birds", it is "birds"."""
        begin, end = self.phrase_from(begin)
        if (
            begin < end < len(self)
            and self.words[end - 1] in self._rules.kinds
            and self._traits[end] & CLASS == _PREPOSITION
        ):
            return self.phrase_from(end + 1)
        return begin, end

    def _is_empty_noun(self, at: int) -> bool:
        return self.words[at] in self._rules.kinds or self.words[at] in self._rules.never_terms

    def end_of_kind(self, begin: int) -> int:
        """The end of a phrase such as "common kind"; -1 if it does not end with such a word."""
        begin, end = self.phrase_from(begin)
        return end if begin < end and self.words[end - 1] in self._rules.kinds else -1

    def before_cue(self, end: int) -> int:
        """Skip a comma, an opening parenthesis or a dash before a word, and parentheses."""
        if end > 0 and self.words[end - 1] in _BEFORE_CUE:
            end -= 1
        return self._before_parentheses(end)

    def _before_parentheses(self, end: int) -> int:
        if end > 0 and self.words[end - 1] == ")":
            for at in range(end - 2, max(-1, end - _MOST_IN_PARENTHESES), -1):
                if self.words[at] == "(":
                    return at
        return end

    def _after_parentheses(self, begin: int) -> int:
        if begin < len(self) and self.words[begin] == "(":
            for at in range(begin + 1, min(len(self), begin + _MOST_IN_PARENTHESES)):
                if self.words[at] == ")":
                    return at + 1
        return begin

    def terms(self, phrase: Phrase) -> Terms:
        """The terms of a phrase: its last word, and all of it; for a name, all of it only.

        There are none if the last word cannot be a term.
        """
        begin, end = phrase
        last = end - 1
        traits = self._traits
        if begin >= end or not traits[last] & TERM:
            return ()
        if traits[last] & NAME:
            while last > begin and (traits[last - 1] & NAME or self._joins_names(begin, last - 1)):
                last -= 1
            return (" ".join(self.words[last:end]),)
        head = self._rules.singulars[self.words[last]]
        if head in self._rules.never_terms:
            return ()
        if end - begin == 1 or end - begin > _LONGEST_TERM:
            return (head,)
        return head, " ".join([*self.words[begin:last], head])

    def _joins_names(self, begin: int, at: int) -> bool:
        """Whether a word is between two parts of a name: "of", or "of the"."""
        traits = self._traits
        if traits[at] & CLASS == _DETERMINER:
            at -= 1
        return at > begin and traits[at] & CLASS == _PREPOSITION and traits[at - 1] & NAME != 0
