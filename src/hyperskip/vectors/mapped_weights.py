"""Weights of words, given as a dict."""

from collections.abc import Mapping, Sequence

import numpy as np

from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Floats
from hyperskip.vectors import argument_checks
from hyperskip.vectors.found_words import FoundWords
from hyperskip.vectors.lookup import Lookup


class MappedWeights:
    """The weights of words, divided by the greatest.

    Args:
        weights: A weight of 0 or more for each word, in any case that the vocabulary has it.
        lookup: Finds the rows of words.
        size: Number of words in the vocabulary.

    Raises:
        InputError: A weight is negative or not finite.
    """

    def __init__(self, weights: Mapping[str, float], lookup: Lookup, size: int) -> None:
        words = argument_checks.checked_words(weights)
        numbers = argument_checks.checked_weights(list(weights.values()), len(words))
        self._of_word = dict(zip(words, numbers.tolist(), strict=True))
        self._of_row = np.full(size, np.nan)
        # A weight of the word in exactly its case has priority.
        for rows in (lookup.rows(words), lookup.exact_rows(words)):
            self._of_row[rows[rows >= 0]] = numbers[rows >= 0]

    def of(self, words: Sequence[str], found: FoundWords) -> Floats:
        """Return the weight of each word (words,).

        Raises:
            InputError: A word has no weight.
        """
        weights = np.empty(len(words))
        in_vocabulary = found.in_vocabulary
        weights[in_vocabulary] = self._of_row[found.rows[in_vocabulary]]
        for i in np.flatnonzero(~in_vocabulary).tolist():
            word = words[i]
            weights[i] = self._of_word.get(word, self._of_word.get(word.lower(), np.nan))
        if np.isnan(weights).any():
            word = words[int(np.argmax(np.isnan(weights)))]
            raise InputError(
                f"`weights` has no weight for {word!r}", hint="give every word a weight"
            )
        return weights
