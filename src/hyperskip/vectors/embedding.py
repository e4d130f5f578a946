"""The data of word vectors: words, their points and counts, and how they were trained."""

from __future__ import annotations  # help() shows Rows and Floats, not what they expand to

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, UnknownWordError
from hyperskip.geometry.arrays import Floats, Rows, Scalar
from hyperskip.geometry.names import HYPERBOLOID
from hyperskip.geometry.spaces import Space
from hyperskip.spelling import close_matches
from hyperskip.vectors import argument_checks
from hyperskip.vectors.search.searcher import check_finite

WORDS_AT_ONCE = 1 << 14  # words, or pairs of words, whose points are in memory together


class Embedding:
    """Words and their points, which cannot be changed; see `WordVectors` for the arguments."""

    def __init__(
        self,
        words: Sequence[str],
        coordinates: npt.ArrayLike,
        *,
        counts: npt.ArrayLike | None = None,
        geometry: str = HYPERBOLOID,
        factors: int = 1,
        options: Mapping[str, Any] | None = None,
        history: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self._words = tuple(argument_checks.checked_words(words))
        numbers = argument_checks.checked_array(
            "coordinates",
            coordinates,
            "fiu",
            (len(self._words), "dimension"),
            hint="pass one row of coordinates for each word",
        )
        with np.errstate(over="ignore"):  # the search reports numbers that are not finite
            self._coordinates = _read_only(numbers.astype(np.float32, copy=False))
        if counts is None:
            counts = np.zeros(len(self._words), dtype=np.int64)
        whole_numbers = argument_checks.checked_array(
            "counts", counts, "iu", (len(self._words),), hint="pass one count for each word"
        )
        if (whole_numbers < 0).any():
            raise InputError(
                f"`counts` contains {whole_numbers.min()}", hint="use 0 if a count is unknown"
            )
        self._counts = _read_only(whole_numbers.astype(np.int64, copy=False))
        self._space = argument_checks.checked_space(geometry, factors, self.dimension)
        self._options = argument_checks.checked_mapping(
            "options", {} if options is None else options
        )
        self._history = tuple(
            argument_checks.checked_mapping("history", epoch)
            for epoch in argument_checks.listed_items("history", history)
        )

    @property
    def words(self) -> tuple[str, ...]:
        """All words, most frequent first."""
        return self._words

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Number of occurrences of each word (words,); zeros if unknown."""
        return self._counts

    @property
    def coordinates(self) -> npt.NDArray[np.float32]:
        """Stored coordinates (words, dimension): on the hyperboloid, the spatial ones."""
        return self._coordinates

    @cached_property
    def points(self) -> Floats:
        """Points (words, n) of the space.

        On the hyperboloid n is dimension + 1, with the time last. On a product of hyperboloids n
        is dimension + factors: the points on each factor, in order. Euclidean points have their
        plain coordinates.
        """
        return _read_only(self.space.points(self._coordinates))

    @property
    def ball(self) -> Floats:
        """Coordinates (words, dimension) in the Poincaré ball.

        Raises:
            GeometryError: The vectors are Euclidean.
        """
        return self.space.ball(self.points)

    @property
    def dimension(self) -> int:
        """Dimension of the space."""
        return int(self._coordinates.shape[1])

    @property
    def geometry(self) -> str:
        """Name of the geometry: "hyperboloid" or "euclidean"."""
        return self.space.name

    @property
    def factors(self) -> int:
        """Number of hyperboloids in the product space; 1 for any other space."""
        return self.space.factors

    @property
    def space(self) -> Space:
        """The space that the words are points of."""
        return self._space

    @property
    def options(self) -> Mapping[str, Any]:
        """The training options."""
        return MappingProxyType(self._options)

    @property
    def history(self) -> tuple[Mapping[str, Any], ...]:
        """The epochs of the training, one mapping each."""
        return tuple(MappingProxyType(epoch) for epoch in self._history)

    @property
    def compared_measures(self) -> tuple[str, ...]:
        """Measures worth comparing in this space, the paper's first."""
        return self.space.compared_measures

    @cached_property
    def radii(self) -> Floats:
        """Distance of each word from the base point (words,); the length if Euclidean."""
        radii = np.empty(len(self))
        for begin in range(0, len(self), WORDS_AT_ONCE):
            block = slice(begin, begin + WORDS_AT_ONCE)
            radii[block] = self.space.radius(self.space.points(self._coordinates[block]))
        check_finite(radii[:, None], self._words)
        return _read_only(radii)

    @cached_property
    def ranks(self) -> Rows:
        """Rank of each word by its radius (words,): 1 for the most general."""
        ranks = np.empty(len(self), dtype=np.int64)
        ranks[np.argsort(self.radii, kind="stable")] = np.arange(1, len(self) + 1)
        return _read_only(ranks)

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word in self._row_of_word

    def __getitem__(self, word: str) -> Floats:
        return self.space.points(self._coordinates[self.index_of(word)])

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make arrays read-only again: pickles and deep copies are writable."""
        self.__dict__.update(
            (name, _read_only(value) if isinstance(value, np.ndarray) else value)
            for name, value in state.items()
        )

    def __deepcopy__(self, memo: object) -> Self:
        return self  # it cannot be changed; scikit-learn copies the parameters of estimators

    # -- words and rows

    def index_of(self, word: str) -> int:
        """Return the row of a word: its position in `words`.

        Raises:
            UnknownWordError: The word is not in the vocabulary. The error suggests similar words.
        """
        argument_checks.check_word(word)
        row = self._row_of_word.get(word)
        if row is None:
            raise UnknownWordError(word, suggestions=close_matches(word, self._row_of_word))
        return row

    def rows_of(self, words: Iterable[str]) -> Rows:
        """Return the row of each word (words,).

        Raises:
            UnknownWordError: A word is not in the vocabulary.
        """
        return np.array(
            [self.index_of(word) for word in argument_checks.checked_words(words)], dtype=np.int64
        )

    def known_form(self, word: str) -> str | None:
        """Return the word as it is or in lower case, whichever is in the vocabulary, or None."""
        argument_checks.check_word(word)
        for form in (word, word.lower()):
            if form in self._row_of_word:
                return form
        return None

    def known_rows(self, words: Iterable[str]) -> Rows:
        """Return the row of each word (words,), also in lower case; -1 for unknown words.

        Methods that take rows do not accept -1: leave these words out first.
        """
        forms = map(self.known_form, argument_checks.checked_words(words))
        return np.array(
            [-1 if form is None else self._row_of_word[form] for form in forms], dtype=np.int64
        )

    def points_of_rows(self, rows: Rows) -> Floats:
        """Return the points (rows, n) of words by their rows.

        Raises:
            InputError: There is no such row.
        """
        return self._points_of(argument_checks.checked_rows(rows, len(self)))

    # -- details

    @cached_property
    def _row_of_word(self) -> dict[str, int]:
        row_of_word = {word: row for row, word in enumerate(self._words)}
        if len(row_of_word) != len(self._words):
            repeated = next(
                word for row, word in enumerate(self._words) if row_of_word[word] != row
            )
            raise InputError(
                f"the word {repeated!r} occurs more than once in the vocabulary",
                hint="give each word once",
            )
        return row_of_word

    def _points_of(self, rows: Rows) -> Floats:
        return self.space.points(self._coordinates[rows])


def _read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view
