"""The vectors of n-grams, from which words outside the vocabulary get their coordinates."""

from __future__ import annotations  # help() shows Rows and Floats, not what they expand to

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, shown
from hyperskip.geometry.arrays import Floats, Rows, read_only
from hyperskip.subwords.scheme import SubwordScheme
from hyperskip.vectors import argument_checks
from hyperskip.vectors.stretches import stretches

_NUMBERS_AT_ONCE = 1 << 21  # float64 numbers of n-grams that are in memory at the same time


@dataclass(frozen=True, eq=False)
class Composed:
    """Words as means of their n-grams."""

    coordinates: Floats  # (words, dimension); zeros for words that are not known
    counts: npt.NDArray[np.int64]  # (words,): number of rows of the table that the mean is of

    @property
    def is_known(self) -> npt.NDArray[np.bool_]:
        """Whether an n-gram of each word is in the table (words,)."""
        return self.counts > 0

    def only_known(self) -> Composed:
        """Leave out the words without n-grams in the table."""
        return Composed(self.coordinates[self.is_known], self.counts[self.is_known])


class SubwordTable:
    """Vectors of n-grams, in the coordinates of the word vectors. They cannot be changed.

    A word outside the vocabulary is the mean of its n-grams that are in the table. On the
    hyperboloid, the mean of spatial coordinates is the spatial part of a point.

    Args:
        scheme: How words are divided into n-grams.
        buckets: (rows,): the buckets that have a row, ascending. N-grams of other buckets occur in
            no word that the model was trained on.
        coordinates: (rows, dimension): stored coordinates, as those of words.

    Raises:
        InputError: The arguments have the wrong types or shapes, or are not finite.
    """

    def __init__(
        self, scheme: SubwordScheme, buckets: npt.ArrayLike, coordinates: npt.ArrayLike
    ) -> None:
        if not isinstance(scheme, SubwordScheme):
            raise InputError(
                f"`scheme` must be hyperskip.SubwordScheme, got {shown(scheme)}",
                hint="pass the scheme that the table was trained with",
            )
        self._scheme = scheme
        numbers = argument_checks.checked_array(
            "buckets", buckets, "iu", ("rows",), hint="pass the bucket of each row"
        )
        ascending = (np.diff(numbers) > 0).all()
        if not ascending or (len(numbers) and not 0 <= numbers[0] <= numbers[-1] < scheme.buckets):
            raise InputError(
                f"`buckets` must ascend, from 0 at least to {scheme.buckets - 1} at most",
                hint="give each bucket once, in order",
            )
        self._buckets = read_only(numbers.astype(np.int64, copy=False))
        rows = argument_checks.checked_array(
            "coordinates",
            coordinates,
            "fiu",
            (len(self._buckets), "dimension"),
            hint="pass one row of coordinates for each bucket",
        )
        with np.errstate(over="ignore"):  # reported below
            self._coordinates = read_only(rows.astype(np.float32, copy=False))
        # The least and the greatest number are NaN if there is a NaN, and they need no memory.
        extremes = self._coordinates.min(initial=0.0), self._coordinates.max(initial=0.0)
        if not np.isfinite(extremes).all():
            raise InputError(
                "`coordinates` of subwords must be finite in float32",
                hint="check how they were computed",
            )

    @property
    def scheme(self) -> SubwordScheme:
        """How words are divided into n-grams."""
        return self._scheme

    @property
    def buckets(self) -> npt.NDArray[np.int64]:
        """The buckets that have a row, ascending (rows,)."""
        return self._buckets

    @property
    def coordinates(self) -> npt.NDArray[np.float32]:
        """The coordinates of each row (rows, dimension)."""
        return self._coordinates

    def __len__(self) -> int:
        return len(self._buckets)

    def __repr__(self) -> str:
        rows = "1 row" if len(self) == 1 else f"{len(self)} rows"
        lengths = f"n-grams of {self._scheme.shortest} to {self._scheme.longest} characters"
        return f"<SubwordTable: {rows}, dimension {self._coordinates.shape[1]}, {lengths}>"

    def __deepcopy__(self, memo: object) -> Self:
        return self  # it cannot be changed

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make arrays read-only again: pickles are writable."""
        self.__dict__.update(
            (name, read_only(value) if isinstance(value, np.ndarray) else value)
            for name, value in state.items()
        )

    def compose(self, words: Sequence[str]) -> Composed:
        """The mean of the n-grams of each word, in the vocabulary or not."""
        starts, buckets = self._scheme.buckets_of(words)
        places = np.searchsorted(self._buckets, buckets)
        places[places == len(self._buckets)] = 0
        found = self._buckets[places] == buckets if len(self) else np.zeros(len(buckets), np.bool_)
        ends = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(found)))[starts]
        counts = np.diff(ends)
        known = counts > 0
        sums = self._sums(places[found], ends[np.append(known, True)])
        means = np.zeros((len(words), self._coordinates.shape[1]))
        means[known] = sums / counts[known, None]
        return Composed(means, counts)

    def _sums(self, rows: Rows, starts: Rows) -> Floats:
        """Return the sum of the rows of each word; every word has some.

        A word of a megabyte has millions of rows, so only some of them are copied at a time.
        """
        sums = np.zeros((len(starts) - 1, self._coordinates.shape[1]))
        at_once = max(1, _NUMBERS_AT_ONCE // max(1, self._coordinates.shape[1]))
        for begin, end, words in stretches(starts, at_once):
            first_rows = np.maximum(starts[words], begin) - begin
            block = self._coordinates[rows[begin:end]].astype(np.float64)
            sums[words] += np.add.reduceat(block, first_rows, axis=0)
        return sums
