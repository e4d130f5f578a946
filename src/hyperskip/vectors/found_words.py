"""Words that were looked up: rows of the vocabulary, and words composed from n-grams."""

from __future__ import annotations  # help() shows Rows and Floats, not what they expand to

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.spaces import Space
from hyperskip.vectors.subword_table import Composed, SubwordTable

Flags = npt.NDArray[np.bool_]

UNKNOWN = -1


@dataclass(frozen=True, eq=False, repr=False)
class FoundWords:
    """Words as points: words of the vocabulary, and others that are composed from n-grams.

    `vectors.find` returns them, and methods of vectors that take rows take them instead of rows.
    """

    # (words,): rows of `vocabulary`; from its length on, of `composed`; -1 for unknown words.
    rows: Rows
    vocabulary: npt.NDArray[np.float32]  # (rows, dimension): coordinates
    space: Space
    composed: Composed | None = None  # different words, which all have n-grams

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        counts = (
            f"{int(flags.sum())} {name}"
            for name, flags in (
                ("of the vocabulary", self.in_vocabulary),
                ("composed", self.is_composed),
                ("unknown", ~self.is_known),
            )
            if flags.any()
        )
        return f"<FoundWords: {', '.join(counts) or 'none'}>"

    def __getitem__(self, chosen: slice | Rows | Flags) -> FoundWords:
        """Return some of the words."""
        return replace(self, rows=self.rows[chosen])

    @property
    def is_known(self) -> Flags:
        """Whether each word has a point (words,)."""
        return self.rows >= 0

    @property
    def in_vocabulary(self) -> Flags:
        """Whether each word is in the vocabulary (words,)."""
        return self.is_known & ~self.is_composed

    @property
    def is_composed(self) -> Flags:
        """Whether each word is outside the vocabulary and composed from n-grams (words,)."""
        return self.rows >= len(self.vocabulary)

    @property
    def ngram_counts(self) -> npt.NDArray[np.int64]:
        """Number of n-gram vectors that each composed word is the mean of (words,); otherwise 0."""
        counts = np.zeros(len(self), dtype=np.int64)
        if self.composed is not None:
            is_composed = self.is_composed
            counts[is_composed] = self.composed.counts[self.rows[is_composed] - self._words]
        return counts

    @property
    def points(self) -> Floats:
        """The points of the words (words, n).

        Raises:
            InputError: A word is unknown.
        """
        return self.space.points(self.coordinates_of(self.rows))

    @property
    def row_count(self) -> int:
        """Number of rows: words of the vocabulary and composed words."""
        return self._words + (0 if self.composed is None else len(self.composed.counts))

    def coordinates_of(self, rows: Rows) -> npt.NDArray[np.floating]:
        """Return the coordinates of rows (rows, dimension).

        Raises:
            InputError: A row is that of an unknown word.
        """
        if (rows < 0).any():
            raise InputError(
                "an unknown word has no point", hint="leave it out: found[found.is_known]"
            )
        is_composed = rows >= self._words
        if self.composed is None or not is_composed.any():
            return self.vocabulary[rows]
        coordinates = np.empty((len(rows), self.vocabulary.shape[1]))
        coordinates[~is_composed] = self.vocabulary[rows[~is_composed]]
        coordinates[is_composed] = self.composed.coordinates[rows[is_composed] - self._words]
        return coordinates

    def with_composed(self, words: Sequence[str], table: SubwordTable) -> FoundWords:
        """Compose the unknown ones of all words; those without known n-grams stay unknown."""
        unknown = np.flatnonzero(~self.is_known)
        spellings = [words[i] for i in unknown.tolist()]
        distinct = [word for word in dict.fromkeys(spellings) if word.strip()]
        composed = table.compose(distinct)
        with_ngrams = (distinct[i] for i in np.flatnonzero(composed.is_known).tolist())
        row_of_word = {word: self._words + i for i, word in enumerate(with_ngrams)}
        rows = self.rows.copy()
        rows[unknown] = [row_of_word.get(word, UNKNOWN) for word in spellings]
        return replace(self, rows=rows, composed=composed.only_known())

    @property
    def _words(self) -> int:
        return len(self.vocabulary)
