"""What a word that is not in the vocabulary may have been meant to be."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from hyperskip.explorer.answers.prefixes import PrefixIndex
from hyperskip.vectors.word_vectors import WordVectors

_SUGGESTED = 5
_LEARNED_FROM = 20_000  # words, the most frequent, whose letters are the alphabet
_LETTERS = 48
_LONGEST = 32  # of a word whose slips are tried: some three thousand look-ups
_SHORTEST_BEGINNING = 3


class Spelling:
    """Suggests words that are one slip away, or else begin alike.

    Other than a comparison with every word, it takes a time that does not depend on how many words
    there are.

    Args:
        vectors: Whose words they are.
        prefixes: Finds them by their beginnings.
    """

    def __init__(self, vectors: WordVectors, prefixes: PrefixIndex) -> None:
        self._vectors, self._prefixes = vectors, prefixes
        letters = Counter(
            letter for word in islice(vectors.words, _LEARNED_FROM) for letter in word
        )
        self._alphabet = tuple(letter for letter, _ in letters.most_common(_LETTERS))

    def suggestions(self, word: str) -> list[str]:
        """At most five words, the likeliest first: none is the word itself."""
        folded = word.casefold()
        same = self._known({word.lower(), word.upper(), word.title(), folded})
        likely = dict.fromkeys(same)
        if len(word) <= _LONGEST:
            # Two letters that changed places are the commonest slip.
            likely |= dict.fromkeys(self._known(set(_swaps(folded))))
            likely |= dict.fromkeys(self._known(set(_slips(folded, self._alphabet))))
        return list(likely)[:_SUGGESTED] or self._beginning_alike(folded)

    def _known(self, forms: set[str]) -> list[str]:
        """Those that are in the vocabulary, the most frequent first."""
        return sorted((form for form in forms if form in self._vectors), key=self._vectors.index_of)

    def _beginning_alike(self, word: str) -> list[str]:
        words = self._vectors.words
        for length in range(min(len(word), _LONGEST), _SHORTEST_BEGINNING - 1, -1):
            rows = self._prefixes.rows(word[:length], _SUGGESTED)
            if rows:
                return [words[row] for row in rows]
        return []


def _swaps(word: str) -> Iterator[str]:
    """Two letters that changed places."""
    return (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1))


def _slips(word: str, alphabet: Sequence[str]) -> Iterator[str]:
    """A letter too many, another letter, or one that is missing."""
    for i in range(len(word) + 1):
        before, after = word[:i], word[i:]
        if after:
            yield before + after[1:]
        for letter in alphabet:
            yield before + letter + after
            yield before + letter + after[1:]
