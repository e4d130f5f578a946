"""The immutable result of training: words, their points, and the questions one asks of them."""

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from numbers import Integral
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip import devices
from hyperskip.errors import InputError, OptionError, UnknownWordError
from hyperskip.geometry.measures import PRODUCT, Floats, Matrix, Measure, measure_named
from hyperskip.geometry.names import HYPERBOLOID
from hyperskip.geometry.spaces import Space, check_route, space_named
from hyperskip.kernel_cache import compiler_is_off
from hyperskip.spelling import close_matches
from hyperskip.vectors.search.products import (
    WORTH_A_GPU,
    WORTH_COMPACTING,
    NumpySearch,
    Rows,
    Search,
    TorchSearch,
)

if TYPE_CHECKING:
    from hyperskip.pictures.picture import Picture

WordOrPoint = str | npt.ArrayLike
Scalar = TypeVar("Scalar", bound=np.generic)

_WORDS_AT_ONCE = 1 << 14  # or pairs of words, whose points are in memory together


class Neighbor(NamedTuple):
    """A word near a query."""

    word: str
    distance: float
    similarity: float


class Generality(NamedTuple):
    """How far from the base point a word lies, and its place among all words by that."""

    word: str
    radius: float
    rank: int  # 1 for the most general word of the vocabulary


class WordVectors:
    """Words as points of hyperbolic (or Euclidean) space.

    Args:
        words: Distinct words, most frequent first.
        coordinates: (words, dimension) float32: spatial coordinates on the hyperboloid.
        counts: How often each word occurred; zeros where that is not known.
        geometry: `hyperboloid` or `euclidean`.
        factors: Of how many hyperboloids the space is a product; they share the coordinates evenly.
        options: What they were trained with, as plain values.
        history: One entry an epoch, as plain values.
    """

    def __init__(
        self,
        words: Sequence[str],
        coordinates: npt.NDArray[np.float32],
        *,
        counts: npt.NDArray[np.int64] | None = None,
        geometry: str = HYPERBOLOID,
        factors: int = 1,
        options: Mapping[str, Any] | None = None,
        history: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self._words = tuple(words)
        self._coordinates = _read_only(np.asarray(coordinates, dtype=np.float32))
        if self._coordinates.ndim != 2 or len(self._coordinates) != len(self._words):
            raise InputError(
                f"{len(self._words)} words and coordinates of shape {self._coordinates.shape} "
                "do not go together",
                hint="coordinates are an array of (words, dimension)",
            )
        if counts is None:
            counts = np.zeros(len(self._words), dtype=np.int64)
        self._counts = _read_only(np.asarray(counts, dtype=np.int64))
        if self._counts.shape != (len(self._words),):
            raise InputError(
                f"{len(self._words)} words and counts of shape {self._counts.shape} "
                "do not go together",
                hint="counts are an array of (words,)",
            )
        self._space = _checked_space(geometry, factors, self._coordinates.shape[1])
        self._options = dict(options or {})
        self._history = tuple(dict(epoch) for epoch in history)
        self._device = devices.CPU
        self._is_compact = False
        self._measure_name = PRODUCT

    # -- what it holds

    @property
    def words(self) -> tuple[str, ...]:
        """All words, most frequent first."""
        return self._words

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each word occurred in the corpus; zeros where that is not known."""
        return self._counts

    @property
    def coordinates(self) -> npt.NDArray[np.float32]:
        """(words, dimension): the stored coordinates, spatial on the hyperboloid."""
        return self._coordinates

    @cached_property
    def points(self) -> Floats:
        """(words, dimension + 1) on the hyperboloid, time last; (words, dimension) if Euclidean.

        On a product of hyperboloids (words, dimension + factors): the points of one behind those
        of the other.
        """
        return _read_only(self._space.points(self._coordinates))

    @property
    def ball(self) -> Floats:
        """(words, dimension): coordinates in the Poincaré ball."""
        return self._space.ball(self.points)

    @property
    def dimension(self) -> int:
        """Dimension of the space."""
        return int(self._coordinates.shape[1])

    @property
    def geometry(self) -> str:
        """`hyperboloid` or `euclidean`."""
        return self._space.name

    @property
    def factors(self) -> int:
        """Of how many hyperboloids the space is a product; 1 if Euclidean."""
        return self._space.factors

    @property
    def space(self) -> Space:
        """The space that the words are points of."""
        return self._space

    @property
    def options(self) -> Mapping[str, Any]:
        """What the vectors were trained with."""
        return MappingProxyType(self._options)

    @property
    def history(self) -> tuple[Mapping[str, Any], ...]:
        """What happened in training, epoch by epoch."""
        return tuple(MappingProxyType(epoch) for epoch in self._history)

    @property
    def device(self) -> str:
        """What answers questions: `cpu`, or `cuda` for a GPU."""
        return self._device

    @property
    def measure(self) -> str:
        """What similarity goes by: `product`, unless `measured_by` chose another."""
        return self._measure_name

    @property
    def compared_measures(self) -> tuple[str, ...]:
        """Measures worth comparing in this space, the paper's first."""
        return self._space.compared_measures

    @cached_property
    def radii(self) -> Floats:
        """(words,): the distance of each word from the base point; the length if Euclidean."""
        radii = np.empty(len(self))
        for begin in range(0, len(self), _WORDS_AT_ONCE):
            some = slice(begin, begin + _WORDS_AT_ONCE)
            radii[some] = self._space.radius(self._space.points(self._coordinates[some]))
        self._check_finite(radii[:, None])
        return _read_only(radii)

    @cached_property
    def ranks(self) -> Rows:
        """(words,): the place of each word by its radius, 1 for the most general."""
        ranks = np.empty(len(self), dtype=np.int64)
        ranks[np.argsort(self.radii, kind="stable")] = np.arange(1, len(self) + 1)
        return _read_only(ranks)

    def __len__(self) -> int:
        return len(self._words)

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __contains__(self, word: object) -> bool:
        return word in self._index

    def __getitem__(self, word: str) -> Floats:
        return self._space.points(self._coordinates[self.index_of(word)])

    def __repr__(self) -> str:
        space = self.geometry if self.factors == 1 else f"{self.factors} hyperboloids"
        return f"<WordVectors: {len(self)} words, {space}, dimension {self.dimension}>"

    def __getstate__(self) -> dict[str, Any]:
        """All but what can be made again, which may lie on a device."""
        return {name: value for name, value in self.__dict__.items() if name != "_search"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Arrays come out of a pickle, or a deep copy, writable."""
        self.__dict__.update(
            (name, _read_only(value) if isinstance(value, np.ndarray) else value)
            for name, value in state.items()
        )

    def on(self, device: str, *, questions: int | None = None) -> "WordVectors":
        """The same vectors, whose neighbors, analogies and similarities a device finds.

        Args:
            device: `cpu`; `cuda` for a GPU, which takes PyTorch; `auto` for a GPU where there is
                one.
            questions: How many will be asked; `auto` chooses the processor for so few that PyTorch
                would take longer to load.

        Raises:
            OptionError: There is no such device.
        """
        devices.check_device(device)
        if device == devices.AUTO:
            worth = questions is None or questions * self._coordinates.size >= WORTH_A_GPU
            there = worth and devices.why_no_gpu() is None
            device = devices.CUDA if there else devices.CPU
        if device == self._device:
            return self
        moved = copy.copy(self)
        moved._device = device
        return moved

    def measured_by(self, name: str) -> "WordVectors":
        """The same vectors, whose similarities, neighbors and analogies go by another measure.

        Args:
            name: `product`, the paper's: the Minkowski product, and the cosine for Euclidean
                vectors; `distance`: the hyperbolic or Euclidean distance, negated; `angle`: the
                cosine of the angle at the base point.

        Raises:
            OptionError: There is no such measure.
        """
        measure_named(name, self._space.measures)
        if name == self._measure_name:
            return self
        measured = copy.copy(self)
        measured._measure_name = name
        return measured

    def compacted(self, *, at_least: int = WORTH_COMPACTING) -> "WordVectors":
        """The same vectors, whose neighbors the processor finds faster where there are many words.

        The answers are the same. It takes a moment to begin, and another quarter of the memory
        that the coordinates take.

        Args:
            at_least: For how many coordinates (words × dimension) that is worth it.
        """
        if self._is_compact or self._coordinates.size < at_least or compiler_is_off():
            return self
        compact = copy.copy(self)
        compact._is_compact = True
        return compact

    def subset(self, rows: Rows) -> "WordVectors":
        """The words in these rows alone, in their order; device and measure stay.

        Raises:
            InputError: There is no such row.
        """
        rows = self._checked_rows(rows)
        chosen = WordVectors(
            [self._words[row] for row in rows],
            self._coordinates[rows],
            counts=self._counts[rows],
            geometry=self.geometry,
            factors=self.factors,
            options=self._options,
            history=self._history,
        )
        chosen._device, chosen._measure_name = self._device, self._measure_name
        return chosen.compacted() if self._is_compact else chosen

    # -- questions

    def index_of(self, word: str) -> int:
        """The row of a word.

        Raises:
            UnknownWordError: With the words that look most like it.
        """
        if not isinstance(word, str):
            raise InputError(
                f"{word!r} is not a word but of type {type(word).__name__}",
                hint="words are strings; a word's place in `words` is its row in `points`",
            )
        index = self._index.get(word)
        if index is None:
            raise UnknownWordError(word, suggestions=close_matches(word, self._index))
        return index

    def known_form(self, word: str) -> str | None:
        """The word as it is, else in lower case, whichever is in the vocabulary; else None."""
        for form in (word, word.lower()):
            if form in self._index:
                return form
        return None

    def known_rows(self, words: Iterable[str]) -> Rows:
        """The rows of words, each in the form that is known; -1 where there is none.

        What takes rows refuses -1: leave such words out first.
        """
        forms = map(self.known_form, words)
        return _rows([-1 if form is None else self._index[form] for form in forms])

    def distance(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """Hyperbolic distance (hyperbolic_dist); 1 - cosine for Euclidean vectors."""
        return float(self._space.distance(self._point(a), self._point(b)))

    def similarity(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """By `measure`: if nobody chose, the Minkowski product, or the cosine if Euclidean."""
        return float(self._measure.similarity(self._point(a), self._point(b)))

    def similarity_of_rows(self, first: Rows, second: Rows) -> Floats:
        """(pairs,): similarities of many pairs of words, given by their rows.

        Raises:
            InputError: There is no such row, or one has no partner.
        """
        return self._of_pairs(self._measure.similarity, first, second)

    def distance_of_rows(self, first: Rows, second: Rows) -> Floats:
        """(pairs,): distances of many pairs of words, given by their rows.

        Raises:
            InputError: There is no such row, or one has no partner.
        """
        return self._of_pairs(self._space.distance, first, second)

    def radius(self, word: WordOrPoint) -> float:
        """Distance from the base point: small for general words, large for special ones."""
        return float(self._space.radius(self._point(word)))

    def generality(self, words: Iterable[str] | None = None) -> list[Generality]:
        """Words (or all of the vocabulary) from the most general to the most special, by radius."""
        if isinstance(words, str):
            raise InputError(
                f"{words!r} is one word", hint="give a list of words, or take `radius`"
            )
        if words is None:
            return [self._placed(row) for row in np.argsort(self.ranks).tolist()]
        rows = [self.index_of(word) for word in dict.fromkeys(words)]
        return sorted((self._placed(row) for row in rows), key=lambda word: word.rank)

    def centroid(self, words: Iterable[WordOrPoint]) -> Floats:
        """The point in the middle of words or points (Lorentzian centroid)."""
        if isinstance(words, str):
            raise InputError(
                f"the centroid of one word, {words!r}, is the word", hint="give a list of words"
            )
        points = [self._point(word) for word in words]
        if not points:
            raise InputError("the centroid of no words does not exist", hint="give at least one")
        return self._space.centroid(np.stack(points))

    def neighbors(self, word: WordOrPoint, count: int = 10) -> list[Neighbor]:
        """The nearest words to a word (itself left out) or to a point."""
        excluded = [self.index_of(word)] if isinstance(word, str) else []
        return self.nearest_words(self._point(word)[None], count, _rows([excluded]))[0]

    def neighbors_of(self, words: Iterable[str], count: int = 10) -> dict[str, list[Neighbor]]:
        """The nearest words to each of many words, in a few matrix products."""
        if isinstance(words, str):
            raise InputError(
                f"{words!r} is one word", hint="give a list of words, or take `neighbors`"
            )
        words = list(words)
        rows = _rows([self.index_of(word) for word in words])
        points = self._space.points(self._coordinates[rows])
        return dict(zip(words, self.nearest_words(points, count, rows[:, None]), strict=True))

    def analogy(
        self, a: WordOrPoint, b: WordOrPoint, c: WordOrPoint, *, route: str = "Z", count: int = 10
    ) -> list[Neighbor]:
        """Words d with a : b = c : d, the query's own words left out.

        Route Z carries log_a(b) along the geodesic from a to c and follows it from there; route Z'
        does the same with b and c exchanged. For Euclidean vectors both are b - a + c.
        """
        check_route(route)
        answer = self._space.analogy(self._point(a), self._point(b), self._point(c), route)
        excluded = [self.index_of(item) for item in (a, b, c) if isinstance(item, str)]
        return self.nearest_words(answer[None], count, _rows([excluded]))[0]

    def analogy_points(self, a: Rows, b: Rows, c: Rows, route: str) -> Floats:
        """The answers' points for many analogies at once, words given by their rows.

        Raises:
            InputError: There is no such row, or an analogy lacks one.
        """
        check_route(route)
        one, two, three = (
            self._space.points(self._coordinates[rows]) for rows in self._checked_together(a, b, c)
        )
        return self._space.analogy(one, two, three, route)

    def path(self, a: WordOrPoint, b: WordOrPoint, count: int) -> Floats:
        """So many points at even distances on the geodesic from one word or point to another.

        Both ends are among them. Those of Euclidean vectors lie on a straight line.
        """
        _check_count(count, at_least=2)
        return self._space.geodesic(self._point(a), self._point(b), np.linspace(0.0, 1.0, count))

    def nearest_words(self, points: Floats, count: int, excluded: Rows) -> list[list[Neighbor]]:
        """For each of many points, the nearest words.

        Rows in excluded (points, any number) are left out.
        """
        _check_count(count, at_least=1)
        excluded = self._checked_rows(excluded, points=len(points))
        if not self._words:
            return [[] for _ in points]
        shortlists = self._search.shortlists(self._measure.queries(points), int(count), excluded)
        return [
            self._in_order(point, shortlist, count)
            for point, shortlist in zip(points, shortlists, strict=True)
        ]

    def similarities(self, points: Floats) -> Matrix:
        """(points, words): similarity of each point with every word, in one matrix product."""
        return self._measure.of_products(self._search.products(self._measure.queries(points)))

    def nearest_rows(self, points: Floats, excluded: Rows) -> Rows:
        """(points,): for each point, the row of the word with the greatest similarity.

        Rows in excluded (points, any number) are left out.
        """
        excluded = self._checked_rows(excluded, points=len(points))
        return self._search.greatest(self._measure.queries(points), excluded)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the vectors to one file, whole or not at all."""
        from hyperskip.vectors.model_file import save

        save(self, path)

    def plot(
        self,
        words: Iterable[str] | None = None,
        *,
        near: str | Iterable[str] | None = None,
        analogy: Iterable[str] | None = None,
        categories: Mapping[str, str] | str | os.PathLike[str] | None = None,
        count: int | None = None,
        title: str = "",
        projection: str = "auto",
        dark: bool = False,
        path: str | os.PathLike[str] | None = None,
        format: str | None = None,  # noqa: A002
    ) -> "Picture":
        """Draw words on the Poincaré disc; without any choice, the most frequent ones.

        Args:
            words: Draw these.
            near: Draw this word, or each of these, with its nearest words.
            analogy: Draw a : b = c : ? by its three words, and the words nearest to both answers.
            categories: Colors: a category for each word, or a file of lines `word<TAB>category`,
                perhaps with a tab and a parent's word behind, or `builtin`.
            count: How many frequent words (150), neighbors (20 each), answers (8 by each route),
                or words of the categories (all).
            title: A line above the picture.
            projection: How words come onto the disc; `auto` tries several ways.
            dark: Whether images have a dark ground.
            path: A file to write.
            format: `png`, `svg` or `html`: of the file, by default as its ending says, and of what
                a notebook shows.

        Returns:
            The picture, which a notebook shows, and which can be saved.

        Raises:
            OptionError: What was asked for contradicts itself, or is fewer than two words.
            UnknownWordError: A word is not in the vocabulary.
            GeometryError: The projection does not exist for these vectors.
            OutputError: The file cannot be written.
        """
        from hyperskip.pictures.picture import draw
        from hyperskip.pictures.request.request import PictureRequest

        request = PictureRequest(
            words=words, near=near, analogy=analogy, categories=categories, count=count,
            title=title, projection=projection, dark=dark, path=path, format=format,
        )  # fmt: skip
        return draw(self, request)

    # -- how they are answered

    @cached_property
    def _index(self) -> dict[str, int]:
        index = {word: i for i, word in enumerate(self._words)}
        if len(index) != len(self._words):
            raise InputError(
                "a word occurs more than once in the vocabulary", hint="give each word once"
            )
        return index

    @property
    def _measure(self) -> Measure:
        return measure_named(self._measure_name, self._space.measures)

    @cached_property
    def _search(self) -> Search:
        keys = self._measure.keys(self._coordinates)
        self._check_finite(keys)
        if self._device == devices.CUDA:
            return TorchSearch(keys, devices.gpu())
        if self._is_compact and keys.dtype == np.float32:  # farther out, rounding loses too much
            from hyperskip.vectors.search.compact import CompactSearch

            measure = self._measure
            return CompactSearch(keys, lambda rows: measure.keys(self._coordinates[rows]))
        return NumpySearch(keys)

    def _check_finite(self, rows: Matrix) -> None:
        """Refuse what was computed of words, one row each, if it is not finite."""
        damaged = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(damaged):
            raise InputError(
                f"the vectors of {len(damaged)} words are not finite, the first of them "
                f"{self._words[damaged[0]]!r}",
                hint="the model is damaged: train it again",
            )

    def _point(self, item: WordOrPoint) -> Floats:
        if isinstance(item, str):
            return self[item]
        point = np.asarray(item, dtype=np.float64)
        expected = self._space.points(self._coordinates[:1]).shape[1:]
        if point.shape != expected:
            raise InputError(
                f"a point of shape {point.shape} was given",
                hint=f"points of these vectors have shape {expected}; see the `points` property",
            )
        if not self._space.contains(point):
            raise InputError(
                f"{item!r} is not a point of the {self.geometry} space",
                hint="on the hyperboloid, time² = 1 + |x|²; see hyperskip.geometry.from_spatial",
            )
        return point

    def _in_order(self, point: Floats, shortlist: Rows, count: int) -> list[Neighbor]:
        """The most similar of a few words, told apart in float64."""
        candidates = self._space.points(self._coordinates[shortlist])
        order = np.argsort(self._measure.apartness(point, candidates), kind="stable")[:count]
        shown = candidates[order]
        distances = self._space.distance(point, shown)
        similarities = self._measure.similarity(point, shown)
        return [
            Neighbor(self._words[row], float(distance), float(similarity))
            for row, distance, similarity in zip(
                shortlist[order], distances, similarities, strict=True
            )
        ]

    def _of_pairs(
        self, measured: Callable[[Floats, Floats], Floats], first: Rows, second: Rows
    ) -> Floats:
        first, second = self._checked_together(first, second)
        values = np.empty(len(first))
        for begin in range(0, len(first), _WORDS_AT_ONCE):
            part = slice(begin, begin + _WORDS_AT_ONCE)
            values[part] = measured(
                self._space.points(self._coordinates[first[part]]),
                self._space.points(self._coordinates[second[part]]),
            )
        return values

    def _checked_together(self, *of_each: Rows) -> list[Rows]:
        """Rows that are taken one of each at a time."""
        checked = [self._checked_rows(rows) for rows in of_each]
        lengths = [len(rows) for rows in checked]
        if len(set(lengths)) > 1:
            raise InputError(
                f"{' and '.join(map(str, lengths))} rows were given",
                hint="give as many of each: they are taken together, one by one",
            )
        return checked

    def _checked_rows(self, rows: npt.ArrayLike, *, points: int | None = None) -> Rows:
        """Rows of words, (rows,), or several for each point, (points, any number); all are checked.

        NumPy would take -1 for the last row, and numbers with a fraction or a mask for others.
        """
        expected = "(rows,)" if points is None else f"({points}, any number)"
        hint = f"rows are whole numbers from 0 to {len(self) - 1}, in an array of {expected}"
        try:
            array = np.asarray(rows)
        except ValueError as error:  # lists of different lengths
            raise InputError(f"{rows!r} are not rows"[:200], hint=hint) from error
        fits = array.ndim == 1 if points is None else array.shape[:-1] == (points,)
        if not fits or (array.size and array.dtype.kind not in "iu"):
            raise InputError(
                f"an array of {array.dtype} of shape {array.shape} was given as rows", hint=hint
            )
        wrong = array[(array < 0) | (array >= len(self))]
        if len(wrong):
            raise InputError(f"there is no row {wrong[0]}", hint=hint)
        return array.astype(np.int64)

    def _placed(self, row: int) -> Generality:
        return Generality(self._words[row], float(self.radii[row]), int(self.ranks[row]))


def _check_count(count: object, at_least: int) -> None:
    if not isinstance(count, Integral) or int(count) < at_least:
        hint = f"count takes a whole number from {at_least} on"
        raise OptionError(f"count is {count!r}", hint=hint)


def _checked_space(geometry: str, factors: object, dimension: int) -> Space:
    if not isinstance(factors, Integral) or int(factors) < 1:
        raise InputError(f"`factors` must be a whole number of at least 1, got {factors!r}")
    space = space_named(geometry, int(factors))
    if space.factors != factors or dimension % space.factors:
        raise InputError(
            f"`factors={factors}` does not fit {geometry} vectors of dimension {dimension}",
            hint="only hyperboloids have several factors, and these must divide the dimension",
        )
    return space


def _read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def _rows(indices: Sequence[int] | Sequence[Sequence[int]]) -> Rows:
    return np.array(indices, dtype=np.int64)
