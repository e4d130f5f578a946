"""What a word can be in a noun phrase, and its singular: each different word is examined once."""

import sys
from enum import IntEnum

from hyperskip.text.relations.pattern_file import (
    ADJECTIVES,
    CONJUNCTIONS,
    DETERMINERS,
    KINDS,
    NEVER_TERMS,
    NOUNS,
    PARTICIPLES,
    PREPOSITIONS,
    STOP_WORDS,
    Language,
)

_MOST_WORDS = 1 << 19  # examined words that are remembered
_SHORTEST_SINGULAR = 3


class WordClass(IntEnum):
    """What a word can be in a noun phrase; the first three can be a part of a term."""

    NOUN = 0
    ADJECTIVE = 1  # never the last word of a term
    PARTICIPLE = 2  # never the last word of a term, and never after a noun
    DETERMINER = 3
    CONJUNCTION = 4
    PREPOSITION = 5
    STOP = 6  # also punctuation


_SECTIONS = {  # earlier sections take precedence
    NOUNS: WordClass.NOUN,
    CONJUNCTIONS: WordClass.CONJUNCTION,
    PREPOSITIONS: WordClass.PREPOSITION,
    DETERMINERS: WordClass.DETERMINER,
    STOP_WORDS: WordClass.STOP,
    PARTICIPLES: WordClass.PARTICIPLE,
    ADJECTIVES: WordClass.ADJECTIVE,
}


# The bits of a token's traits above its class, which is in the lowest three.
CLASS = 7
NAME = 8  # it has a capital letter, and the language marks names with them
PLURAL = 16  # of a word that is not a name; if the singulars are unknown, it may be one
LAST = 32  # it is the last word of its phrase in most cases, because it is a plural
TERM = 64  # it can be the last word of a term


class Lowered(dict[str, str]):
    """Each token in lower case, always as the same object, so that it is hashed only once."""

    def __missing__(self, token: str) -> str:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[token] = found = sys.intern(token.lower())
        return found


class TokenTraits(dict[str, int]):
    """The class of each token and what else matters in a noun phrase, as bits of an integer.

    Args:
        language: The words and endings of each class.
        singulars: The singulars of the language.
        names: Whether a token with a capital letter is a name.
    """

    def __init__(self, language: Language, singulars: "Singulars", *, names: bool) -> None:
        super().__init__()
        self._exact = {
            word: kind
            for section, kind in reversed(_SECTIONS.items())
            for word in language.words[section]
        }
        self._suffixes = [
            (language.suffixes[section], kind)
            for section, kind in _SECTIONS.items()
            if language.suffixes[section]
        ]
        self._never_terms = language.words[NEVER_TERMS]
        self._nouns_are_capitalized = language.nouns_are_capitalized
        self._singulars = singulars
        self._names = names

    def __missing__(self, token: str) -> int:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[token] = found = self._examine(token, token.lower())
        return found

    def _examine(self, token: str, word: str) -> int:
        kind = self._classify(word)
        traits = int(kind)
        is_capitalized = token[0].isupper()
        is_name = self._names and is_capitalized
        if is_name:
            traits |= NAME
        elif kind <= WordClass.PARTICIPLE and self._singulars.is_plural(word):
            traits |= PLURAL | LAST if self._singulars.are_known else PLURAL
        if (
            (is_name or kind == WordClass.NOUN)
            and (is_capitalized or not self._nouns_are_capitalized)
            and (len(word) > 1 and word[0].isalpha() and word not in self._never_terms)
        ):
            traits |= TERM
        return traits

    def _classify(self, word: str) -> WordClass:
        exact = self._exact.get(word)
        if exact is not None:
            return exact
        if not word[0].isalnum():
            return WordClass.STOP
        if word[0].isdigit():
            return WordClass.ADJECTIVE
        for suffixes, kind in self._suffixes:
            if word.endswith(suffixes):
                return kind
        return WordClass.NOUN


class Singulars(dict[str, str]):
    """The singular of each word in lower case; the word itself if it is not a plural."""

    def __init__(self, language: Language) -> None:
        super().__init__()
        self._irregular = language.singulars
        self._suffixes = language.singular_suffixes
        self._endings = tuple(self._suffixes)
        self.are_known = bool(self._irregular or self._suffixes)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = found = self._singular(word)
        return found

    def _singular(self, word: str) -> str:
        if word in self._irregular:
            return self._irregular[word]
        if not word.endswith(self._endings):  # most words; one test for all endings
            return word
        for plural, singular in self._suffixes.items():
            if word.endswith(plural):
                changed = word[: len(word) - len(plural)] + singular
                if len(changed) >= _SHORTEST_SINGULAR:
                    return changed
        return word

    def is_plural(self, word: str) -> bool:
        """Whether a word is a plural; if the language has no rules, every word may be one."""
        return not self.are_known or self[word] != word


class Words:
    """All that the matcher knows about words.

    Attributes:
        lowered: The tokens in lower case.
        traits: The traits of tokens.
        traits_at_start: The same for the first token of a sentence, whose capital letter does not
            make it a name.
    """

    def __init__(self, language: Language) -> None:
        self.singulars = Singulars(language)
        self.lowered = Lowered()
        names = not language.nouns_are_capitalized
        self.traits = TokenTraits(language, self.singulars, names=names)
        self.traits_at_start = TokenTraits(language, self.singulars, names=False)
        self.kinds = language.words[KINDS]
        self.never_terms = language.words[NEVER_TERMS]
        self.conjunctions = language.words[CONJUNCTIONS]
