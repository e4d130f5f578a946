"""The data of word vectors: words, their points and counts, and how they were trained."""

from __future__ import annotations  # help() shows Rows and Floats, not what they expand to

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

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
from hyperskip.vectors.search.searcher import check_finite
from hyperskip.vectors.subword_table import SubwordTable

if TYPE_CHECKING:
    import pandas

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
        subwords: SubwordTable | None = None,
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
        self._subwords = _checked_subwords(subwords, self.dimension)

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
    def is_of_graph(self) -> bool:
        """Whether the model was trained on the edges of a graph, and not on text."""
        return "edge_count" in self._options

    @property
    def subwords(self) -> SubwordTable | None:
        """The vectors of n-grams, if the model was trained with subwords."""
        return self._subwords

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


def _checked_subwords(subwords: object, dimension: int) -> SubwordTable | None:
    if subwords is None:
        return None
    if not isinstance(subwords, SubwordTable):
        raise InputError(
            f"`subwords` must be hyperskip.SubwordTable, got {shown(subwords)}",
            hint="leave it out, or train with `subwords=True`",
        )
    if subwords.coordinates.shape[1] != dimension:
        raise InputError(
            f"`subwords` has {subwords.coordinates.shape[1]} dimensions, but the words have "
            f"{dimension}",
            hint="pass n-grams and words of the same model",
        )
    return subwords
