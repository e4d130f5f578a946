"""What a word can be in a noun phrase, and its singular: each different word is examined once."""

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

_MOST_WORDS = 1 << 20  # examined words that are remembered
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


class WordClasses(dict[str, int]):
    """The class of each word in lower case."""

    def __init__(self, language: Language) -> None:
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

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = found = int(self._classify(word))
        return found

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
        self.are_known = bool(self._irregular or self._suffixes)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST_WORDS:
            self.clear()
        self[word] = found = self._singular(word)
        return found

    def _singular(self, word: str) -> str:
        if word in self._irregular:
            return self._irregular[word]
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
    """All that the matcher knows about words."""

    def __init__(self, language: Language) -> None:
        self.classes = WordClasses(language)
        self.singulars = Singulars(language)
        self.kinds = language.words[KINDS]
        self.never_terms = language.words[NEVER_TERMS]
        self.conjunctions = language.words[CONJUNCTIONS]
        self.nouns_are_capitalized = language.nouns_are_capitalized
