"""Noun phrases in a sentence: single ones, lists of them, and the terms that they stand for."""

import re
from collections.abc import Iterator

from hyperskip.text.relations.word_classes import WordClass, Words

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
        rules: The classes and singulars of words.

    Attributes:
        words: As given.
        names: Whether each word is a part of a name: it has a capital letter, and not only because
            a sentence starts with it.
    """

    def __init__(self, tokens: list[str], words: list[str], rules: Words) -> None:
        self.words = words
        self._capitals = [token[0].isupper() for token in tokens]
        self.names = self._capitals
        if rules.nouns_are_capitalized:
            self.names = [False] * len(tokens)
        elif self.names:
            self.names[0] = len(tokens) > 1 and self.names[0] and self.names[1]
        self._rules = rules
        self._classes = list(map(rules.classes.__getitem__, words))

    def __len__(self) -> int:
        return len(self.words)

    def is_plural(self, at: int) -> bool:
        """Whether a word is in the plural, and not a part of a name."""
        return not self.names[at] and self._rules.singulars.is_plural(self.words[at])

    def phrase_before(self, end: int) -> Phrase:
        """The noun phrase that ends before a word; it may be empty."""
        begin = end
        lowest = max(0, end - _MOST_WORDS)
        while begin > lowest and self._classes[begin - 1] <= _PARTICIPLE:
            if begin < end and self._ends_phrase(begin - 1):
                break
            begin -= 1
        return begin, end

    def phrase_from(self, begin: int) -> Phrase:
        """The noun phrase that starts at a word, or after determiners; it may be empty."""
        words, names, classes = self.words, self.names, self._classes
        while begin < len(words) and classes[begin] == _DETERMINER:
            begin += 1
        end = begin
        highest = min(len(words), begin + _MOST_WORDS)
        while end < highest and classes[end] <= _PARTICIPLE:
            if end > begin and not names[end]:
                if classes[end] == _PARTICIPLE or self._ends_phrase(end - 1):
                    break
                if names[end - 1] and classes[end] != _NOUN:
                    break
            end += 1
        return begin, end

    def _ends_phrase(self, at: int) -> bool:
        """Whether a word is the last one of its phrase: a plural is, in most cases."""
        known = self._rules.singulars.are_known
        return known and self.is_plural(at)

    def phrases_from(self, begin: int) -> Iterator[Phrase]:
        """A list of noun phrases: A, B and C."""
        words = self.words
        if begin < len(words) and words[begin] in _AFTER_CUE:
            begin += 1
        for _ in range(_MOST_PHRASES):
            begin, end = self.phrase_from(begin)
            if begin == end:
                return
            end = self._end_of_name(end)
            yield begin, end
            begin = self._after_parentheses(end)
            if begin >= len(words):
                return
            is_comma = words[begin] == ","
            begin += is_comma
            if begin < len(words) and words[begin] in self._rules.conjunctions:
                begin += 1
            elif not is_comma:
                return

    def phrases_after(self, end: int) -> Iterator[Phrase]:
        """The rest of a list: noun phrases without determiners, after a comma or conjunction."""
        words = self.words
        for _ in range(_MOST_PHRASES):
            begin = end
            begin += begin < len(words) and words[begin] == ","
            begin += begin < len(words) and words[begin] in self._rules.conjunctions
            if begin == end:
                return
            after, end = self.phrase_from(begin)
            if after != begin or begin == end:
                return
            yield begin, end

    def phrases_before(self, end: int) -> Iterator[Phrase]:
        """A list of noun phrases before a word, the last one first."""
        words = self.words
        for _ in range(_MOST_PHRASES):
            begin, end = self.phrase_before(self._before_parentheses(end))
            if begin == end:
                return
            yield begin, end
            while begin > 0 and self._classes[begin - 1] == _DETERMINER:
                begin -= 1
            end = begin - 1
            if end < 1:
                return
            if words[end] in self._rules.conjunctions:
                end -= words[end - 1] == ","
            elif words[end] != ",":
                return

    def _end_of_name(self, end: int) -> int:
        """Extend a name by a preposition and another name: Republic of Ireland."""
        if not self.names[end - 1] or end >= len(self) or self._classes[end] != _PREPOSITION:
            return end
        begin, other = self.phrase_from(end + 1)
        return other if other > begin and self.names[begin] and begin <= end + 2 else end

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
            while begin > 0 and self._classes[begin - 1] == _DETERMINER:
                begin -= 1
            if begin == 0 or self._classes[begin - 1] != _PREPOSITION:
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
            and self._classes[end] == _PREPOSITION
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
        if begin >= end or not self._can_be_term(last):
            return ()
        names = self.names
        if names[last]:
            while last > begin and (names[last - 1] or self._joins_names(begin, last - 1)):
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
        if self._classes[at] == _DETERMINER:
            at -= 1
        return at > begin and self._classes[at] == _PREPOSITION and self.names[at - 1]

    def _can_be_term(self, at: int) -> bool:
        word = self.words[at]
        if word in self._rules.never_terms or len(word) < 2 or not word[0].isalpha():
            return False
        if self._rules.nouns_are_capitalized and not self._capitals[at]:
            return False
        return self.names[at] or self._classes[at] == _NOUN
