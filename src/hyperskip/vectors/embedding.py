"""The data of word vectors: words, their points and counts, and how they were trained."""

from __future__ import annotations  # help() shows Rows and Floats, not what they expand to

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, MissingPackageError, shown
from hyperskip.geometry.arrays import Floats, Rows, ranks_by, read_only
from hyperskip.geometry.names import HYPERBOLOID
from hyperskip.geometry.spaces import Space
from hyperskip.options import named_arguments
from hyperskip.vectors import argument_checks
from hyperskip.vectors.foreign_names import no_attribute
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.lookup import Lookup
from hyperskip.vectors.search.searcher import check_finite

if TYPE_CHECKING:
    import pandas

Default = TypeVar("Default")

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
        hierarchy: HierarchyPoints | None = None,
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
            self._coordinates = read_only(numbers.astype(np.float32, copy=False))
        if counts is None:
            counts = np.zeros(len(self._words), dtype=np.int64)
        whole_numbers = argument_checks.checked_array(
            "counts", counts, "iu", (len(self._words),), hint="pass one count for each word"
        )
        if (whole_numbers < 0).any():
            raise InputError(
                f"`counts` contains {whole_numbers.min()}", hint="use 0 if a count is unknown"
            )
        self._counts = read_only(whole_numbers.astype(np.int64, copy=False))
        self._space = argument_checks.checked_space(geometry, factors, self.dimension)
        self._options = argument_checks.checked_mapping(
            "options", {} if options is None else options
        )
        self._history = tuple(
            argument_checks.checked_mapping("history", epoch)
            for epoch in argument_checks.listed_items("history", history)
        )
        self._hierarchy = _checked_hierarchy(hierarchy, len(self._words))

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
        return read_only(self.space.points(self._coordinates))

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
    def hierarchy(self) -> HierarchyPoints | None:
        """The points of the words in the hierarchy that was learned from relations, if any."""
        return self._hierarchy

    @property
    def has_hierarchy(self) -> bool:
        """Whether the model has a hierarchy that was learned from relations."""
        return self._hierarchy is not None

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
        return read_only(radii)

    @cached_property
    def ranks(self) -> Rows:
        """Rank of each word by its radius (words,): 1 for the smallest."""
        return ranks_by(self.radii)

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self._lookup.row(word) is not None

    def __getitem__(self, words: str | Iterable[str]) -> Floats:
        """Return the point of a word (n,), or the points of a list of words (words, n)."""
        if isinstance(words, str) or not isinstance(words, Iterable):
            return self._points_of(np.int64(self.index_of(words)))
        return self._points_of(self.rows_of(words))

    def __array__(
        self, dtype: npt.DTypeLike | None = None, *, copy: bool | None = None
    ) -> npt.NDArray[Any]:
        """Return the points of all words (words, n): `np.asarray(vectors)` is `vectors.points`."""
        return np.array(self.points, dtype=dtype, copy=copy)

    if not TYPE_CHECKING:  # type checkers would accept any attribute

        def __getattr__(self, name: str) -> Any:
            """Name our equivalent of a foreign attribute."""
            raise no_attribute(name, self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make arrays read-only again: pickles and deep copies are writable."""
        self.__dict__.update(
            (name, read_only(value) if isinstance(value, np.ndarray) else value)
            for name, value in state.items()
        )

    def __deepcopy__(self, memo: object) -> Self:
        return self  # it cannot be changed; scikit-learn copies the parameters of estimators

    # -- words and rows
    # If all words of the vocabulary are lower-case, these methods find a word in any case.

    def index_of(self, word: str) -> int:
        """Return the row of a word: its position in `words`.

        Raises:
            UnknownWordError: The word is not in the vocabulary. The error suggests similar words.
        """
        argument_checks.check_word(word)
        row = self._lookup.row(word)
        if row is None:
            raise self._lookup.unknown_word(word)
        return row

    def rows_of(self, words: Iterable[str]) -> Rows:
        """Return the row of each word (words,).

        Raises:
            UnknownWordError: A word is not in the vocabulary.
        """
        listed = argument_checks.checked_words(words)
        rows = self._lookup.rows(listed)
        if (rows < 0).any():
            raise self._lookup.unknown_word(listed[int(np.argmin(rows))])
        return rows

    def get(self, word: str, default: Default = None) -> Floats | Default:  # type: ignore[assignment]
        """Return the point of a word (n,), or a default if the word is not in the vocabulary."""
        argument_checks.check_word(word)
        row = self._lookup.row(word)
        return default if row is None else self._points_of(np.int64(row))

    def known_form(self, word: str) -> str | None:
        """Return the word as it is or in lower case, whichever is in the vocabulary, or None."""
        argument_checks.check_word(word)
        (row,) = self._lookup.rows_in_any_case([word]).tolist()
        return None if row < 0 else self._words[row]

    def known_rows(self, words: Iterable[str], *, any_case: bool = True) -> Rows:
        """Return the row of each word (words,); -1 for unknown words.

        Methods that take rows do not accept -1: leave these words out first.

        Args:
            words: The words.
            any_case: Whether to look for words in lower case, too, if they are not known as they
                are: in any vocabulary.
        """
        listed = argument_checks.checked_words(words)
        argument_checks.check_flag("any_case", any_case, "whether to find words in lower case, too")
        find = self._lookup.rows_in_any_case if any_case else self._lookup.exact_rows
        return find(listed)

    def points_of_rows(self, rows: Rows) -> Floats:
        """Return the points (rows, n) of words by their rows.

        Raises:
            InputError: There is no such row.
        """
        return self._points_of(argument_checks.checked_rows(rows, len(self)))

    @named_arguments
    def to_pandas(self, *, counts: bool = False, radius: bool = False) -> pandas.DataFrame:
        """Return a data frame with a row for each word, and columns x0, x1, ... of `coordinates`.

        Args:
            counts: Whether to add the column `count`: number of occurrences.
            radius: Whether to add the column `radius`: distance from the base point.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        argument_checks.check_flag("counts", counts, "whether to add a column of counts")
        argument_checks.check_flag("radius", radius, "whether to add a column of radii")
        try:
            import pandas
        except ImportError as error:
            raise MissingPackageError("pandas", None, "vectors.to_pandas()") from error
        columns = [f"x{i}" for i in range(self.dimension)]
        words = pandas.Index(self._words, name="word", dtype=object)
        frame = pandas.DataFrame(self._coordinates, index=words, columns=columns, copy=True)
        if counts:
            frame["count"] = self.counts
        if radius:
            frame["radius"] = self.radii
        return frame

    # -- details

    @cached_property
    def _lookup(self) -> Lookup:
        return Lookup(self._words, self._options)

    def _points_of(self, rows: Rows | np.int64) -> Floats:
        return self.space.points(self._coordinates[rows])


def _checked_hierarchy(hierarchy: object, words: int) -> HierarchyPoints | None:
    if hierarchy is None:
        return None
    if not isinstance(hierarchy, HierarchyPoints):
        raise InputError(
            f"`hierarchy` must be hyperskip.HierarchyPoints, got {shown(hierarchy)}",
            hint="leave it out, or train with relations",
        )
    if len(hierarchy) != words:
        raise InputError(
            f"`hierarchy` has points of {len(hierarchy)} words, but there are {words}",
            hint="pass one point for each word",
        )
    return hierarchy
