"""Word vectors: an embedding that answers questions about distances, neighbors and analogies."""

from __future__ import annotations  # help() shows WordOrPoint and Rows, not what they expand to

import copy
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.geometry.spaces import check_route
from hyperskip.options import named_arguments
from hyperskip.vectors import argument_checks
from hyperskip.vectors.embedding import WORDS_AT_ONCE, Embedding
from hyperskip.vectors.listed_words import COUNT, Generality, Neighbor
from hyperskip.vectors.search.products import WORTH_COMPACTING
from hyperskip.vectors.search.searcher import Nearest, Searcher

if TYPE_CHECKING:
    from hyperskip.pictures.picture import Picture
    from hyperskip.vectors.sharing.model_card import Scores

WordOrPoint = str | npt.ArrayLike


class WordVectors(Embedding):
    """Words as points of hyperbolic or Euclidean space. They cannot be changed.

    `hyperskip.train` and `hyperskip.load` return word vectors:

    >>> import hyperskip
    >>> vectors = hyperskip.WordVectors(
    ...     ["animal", "dog", "cat", "car"], [[0.1, 0.2], [1.0, 0.5], [1.1, 0.7], [-1.0, 0.3]]
    ... )
    >>> vectors
    <WordVectors: 4 words, hyperboloid, dimension 2>
    >>> [neighbor.word for neighbor in vectors.neighbors("dog", 2)]
    ['cat', 'animal']
    >>> round(vectors.distance("dog", "cat"), 3)
    0.172
    >>> [item.word for item in vectors.generality()]  # by radius, smallest first
    ['animal', 'car', 'dog', 'cat']
    >>> "dog" in vectors, len(vectors), vectors["dog"].shape
    (True, 4, (3,))

    Methods take words, or points like `vectors["dog"]`. Methods with rows in their name take
    positions in `words`; they are faster for many words at once.

    Args:
        words: Distinct words, most frequent first.
        coordinates: (words, dimension): on the hyperboloid, spatial coordinates without time.
        counts: (words,): number of occurrences of each word; zeros if unknown.
        geometry: "hyperboloid" or "euclidean".
        factors: Number of hyperboloids in the product space. It must divide the dimension.
        options: The training options, as plain values.
        history: One dict of plain values for each epoch.

    Raises:
        InputError: The arguments have the wrong types or shapes.
        OptionError: There is no such geometry.
    """

    def __repr__(self) -> str:
        space = self.geometry if self.factors == 1 else f"{self.factors} hyperboloids"
        words = "1 word" if len(self) == 1 else f"{len(self)} words"
        return f"<WordVectors: {words}, {space}, dimension {self.dimension}>"

    # -- the same vectors, searched in another way

    @property
    def device(self) -> str:
        """The device that searches: "cpu", or "cuda" for a GPU."""
        return self._searcher.device

    @property
    def measure(self) -> str:
        """The measure of similarity: "product", unless `measured_by` chose another."""
        return self._searcher.measure_name

    def on(self, device: str, *, questions: int | None = None) -> WordVectors:
        """Return the same vectors, with their neighbors, analogies and similarities on a device.

        Args:
            device: "cpu"; "cuda" for a GPU, which requires PyTorch; "auto" for a GPU if there is
                one.
            questions: The number of searches to expect. With "auto", few searches run on the
                processor, because loading PyTorch would take longer.

        Raises:
            OptionError: There is no such device.
        """
        if questions is not None:
            questions = argument_checks.checked_number(
                "questions", questions, at_least=0, help="number of searches to expect"
            )
        return self._searched_by(self._searcher.on(device, questions=questions))

    def measured_by(self, name: str) -> WordVectors:
        """Return the same vectors, with similarities, neighbors and analogies by another measure.

        Args:
            name: "product", the paper's measure: the Minkowski product, or the cosine for
                Euclidean vectors; "distance": the negative hyperbolic or Euclidean distance;
                "angle": the cosine of the angle at the base point.

        Raises:
            OptionError: This space has no such measure.
        """
        argument_checks.check_string("name", name, "a measure of similarity")
        return self._searched_by(self._searcher.measured_by(name))

    def compacted(self, *, at_least: int = WORTH_COMPACTING) -> WordVectors:
        """Return the same vectors, with a faster search on the processor for many words.

        The answers are the same. The first search takes a moment longer, and the index takes a
        quarter of the memory of the coordinates.

        Args:
            at_least: With fewer coordinates (words × dimension), return the vectors unchanged.
        """
        at_least = argument_checks.checked_number(
            "at_least", at_least, at_least=0, help="number of coordinates (words × dimension)"
        )
        return self._searched_by(self._searcher.compacted(at_least=at_least))

    def subset(self, rows: Rows) -> WordVectors:
        """Return the words in these rows, in this order, with the same device and measure.

        For words, use `vectors.subset(vectors.rows_of(words))`.

        Raises:
            InputError: There is no such row.
        """
        rows = argument_checks.checked_rows(rows, len(self))
        chosen = WordVectors(
            [self._words[row] for row in rows.tolist()],
            self.coordinates[rows],
            counts=self.counts[rows],
            geometry=self.geometry,
            factors=self.factors,
            options=self.options,
            history=self.history,
        )
        measured = chosen.measured_by(self.measure)
        searcher = measured._searcher.on(self.device, questions=None)
        if self._searcher.is_compact:
            searcher = searcher.compacted(at_least=WORTH_COMPACTING)
        return measured._searched_by(searcher)

    # -- distances and positions

    def distance(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """Return the hyperbolic distance of two words or points; 1 - cosine if Euclidean."""
        return float(self.space.distance(self._point(a), self._point(b)))

    def similarity(self, a: WordOrPoint, b: WordOrPoint) -> float:
        """Return the similarity of two words or points by `measure`."""
        return float(self._searcher.measure.similarity(self._point(a), self._point(b)))

    def distance_of_rows(self, first: Rows, second: Rows) -> Floats:
        """Return the distances of many pairs of words (pairs,), given by their rows.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
        """
        return self._of_pairs(self.space.distance, first, second)

    def similarity_of_rows(self, first: Rows, second: Rows) -> Floats:
        """Return the similarities of many pairs of words (pairs,), given by their rows.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
        """
        return self._of_pairs(self._searcher.measure.similarity, first, second)

    def radius(self, word: WordOrPoint) -> float:
        """Return the distance from the base point, a weak sign of how specific a word is."""
        return float(self.space.radius(self._point(word)))

    def generality(self, words: Iterable[str] | None = None) -> list[Generality]:
        """Return words ordered by radius, smallest first: a weak sign of how general they are.

        Args:
            words: Some words; by default, the whole vocabulary.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
        """
        rows = np.arange(len(self)) if words is None else np.unique(self.rows_of(words))
        rows = rows[np.argsort(self.ranks[rows])]
        columns = rows.tolist(), self.radii[rows].tolist(), self.ranks[rows].tolist()
        return [
            Generality(self._words[row], radius, rank)
            for row, radius, rank in zip(*columns, strict=True)
        ]

    def centroid(self, words: Iterable[WordOrPoint]) -> Floats:
        """Return the centroid of words or points: on the hyperboloid, the Lorentzian centroid."""
        if isinstance(words, str):
            raise InputError(
                f"`words` must be a list of words, got {words!r}",
                hint=f"the centroid of one word is its point: vectors[{words!r}]",
            )
        points = [self._point(word) for word in argument_checks.listed_items("words", words)]
        if not points:
            raise InputError("`words` is empty", hint="give at least one word or point")
        return self.space.centroid(np.stack(points))

    def path(self, a: WordOrPoint, b: WordOrPoint, count: int) -> Floats:
        """Return points (count, n) at equal distances on the geodesic from a to b.

        The first is a and the last is b. In Euclidean space the geodesic is a straight line.
        """
        count = argument_checks.checked_number(
            "count", count, at_least=2, help="number of points, with both ends"
        )
        return self.space.geodesic(self._point(a), self._point(b), np.linspace(0.0, 1.0, count))

    # -- neighbors and analogies

    @named_arguments
    def neighbors(self, word: WordOrPoint, count: int = 10) -> list[Neighbor]:
        """Return the nearest words to a word (without the word itself) or to a point."""
        excluded = [self.index_of(word)] if isinstance(word, str) else []
        return self.nearest_words(self._point(word)[None], count, _rows([excluded]))[0]

    @named_arguments
    def neighbors_of(self, words: Iterable[str], count: int = 10) -> dict[str, list[Neighbor]]:
        """Return the nearest words to each of many words, in a few matrix products."""
        words = argument_checks.checked_words(words)
        rows = self.rows_of(words)
        found = self.nearest_words(self._points_of(rows), count, rows[:, None])
        return dict(zip(words, found, strict=True))

    @named_arguments
    def analogy(
        self, a: WordOrPoint, b: WordOrPoint, c: WordOrPoint, *, route: str = "Z", count: int = 10
    ) -> list[Neighbor]:
        """Return the words d that best complete a : b = c : d, without a, b and c.

        Args:
            a: A word or point.
            b: A word or point.
            c: A word or point.
            route: "Z" transports the relation of a and b to c: log_a(b), along the geodesic from a
                to c. "Z'" transports the relation of a and c to b. For Euclidean vectors both give
                b - a + c.
            count: The largest number of words.
        """
        _check_route(route)
        answer = self.space.analogy(self._point(a), self._point(b), self._point(c), route)
        excluded = [self.index_of(item) for item in (a, b, c) if isinstance(item, str)]
        return self.nearest_words(answer[None], count, _rows([excluded]))[0]

    def analogy_points(self, a: Rows, b: Rows, c: Rows, route: str) -> Floats:
        """Return the points d (analogies, n) of many analogies a : b = c : d.

        Args:
            a: (analogies,): rows of words.
            b: (analogies,).
            c: (analogies,).
            route: See `analogy`.

        Raises:
            InputError: There is no such row, or the numbers of rows differ.
        """
        _check_route(route)
        rows = argument_checks.checked_rows_together(len(self), a, b, c)
        first, second, third = map(self._points_of, rows)
        return self.space.analogy(first, second, third, route)

    def nearest(
        self, points: Floats, count: int = 10, excluded: Rows | None = None
    ) -> list[Nearest]:
        """Return the rows of the nearest words to each of many points.

        Args:
            points: (points, n).
            count: The largest number of words for each point.
            excluded: (points, rows): rows that are left out for each point; by default, none.

        Returns:
            For each point: rows, distances and similarities, nearest first.

        Raises:
            InputError: A point is not finite, or there is no such row.
        """
        points = argument_checks.checked_points(points, self.space, self.dimension)
        if not np.isfinite(points).all():
            raise InputError(
                "a point is not finite, so it has no neighbors",
                hint="words so far apart may exceed the range of float64: choose nearer ones",
            )
        count = COUNT.checked("count", count)
        return self._searcher.nearest(points, count, self._excluded(excluded, len(points)))

    def nearest_words(
        self, points: Floats, count: int = 10, excluded: Rows | None = None
    ) -> list[list[Neighbor]]:
        """Return the nearest words to each of many points; see `nearest`."""
        return [
            [
                Neighbor(self._words[row], distance, similarity)
                for row, distance, similarity in zip(
                    *(column.tolist() for column in nearest), strict=True
                )
            ]
            for nearest in self.nearest(points, count, excluded)
        ]

    def nearest_rows(self, points: Floats, excluded: Rows | None = None) -> Rows:
        """Return the row of the most similar word to each of many points (points,).

        This is faster than `nearest`. If two words are equally similar up to rounding, either may
        be returned.

        Args:
            points: (points, n).
            excluded: (points, rows): rows that are left out for each point; by default, none.
        """
        points = argument_checks.checked_points(points, self.space, self.dimension)
        return self._searcher.most_similar(points, self._excluded(excluded, len(points)))

    def similarities(self, points: Floats) -> Matrix:
        """Return the similarity of each point with every word (points, words)."""
        points = argument_checks.checked_points(points, self.space, self.dimension)
        return self._searcher.similarities(points)

    # -- files and pictures

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the vectors to one model file. An error leaves an existing file unchanged.

        Raises:
            OutputError: The file cannot be written.
        """
        from hyperskip.vectors.model_file import save

        save(self, path)

    @named_arguments
    def save_pretrained(
        self,
        folder: str | os.PathLike[str],
        *,
        scores: Scores | None = None,
        replace_card: bool = False,
    ) -> None:
        """Write the model, a small config.json and a model card to a folder.

        `hyperskip.from_pretrained` reads it. Other files in the folder stay as they are.

        Args:
            folder: The folder, which is created if necessary.
            scores: What `hyperskip.evaluate` returned, for the card.
            replace_card: Whether to replace a README.md that is already there.

        Raises:
            OutputError: The folder cannot be written.
        """
        from hyperskip.vectors.sharing.pretrained import save_pretrained

        save_pretrained(self, folder, scores=scores, replace_card=replace_card)

    @named_arguments
    def push_to_hub(
        self,
        repository: str,
        *,
        token: str | bool | None = None,
        private: bool | None = None,
        revision: str | None = None,
        message: str = "Upload word vectors",
        scores: Scores | None = None,
        replace_card: bool = False,
    ) -> str:
        """Upload the files of `save_pretrained` to the Hugging Face Hub, in one commit.

        Args:
            repository: The name of the repository, such as "user/name". It is created if necessary.
            token: An access token; by default, the one that was saved.
            private: Whether a new repository is private.
            revision: A branch; by default, the main one.
            message: The message of the commit.
            scores: What `hyperskip.evaluate` returned, for the card.
            replace_card: Whether to replace a README.md that is already there.

        Returns:
            The address of the repository.

        Raises:
            OutputError: The repository cannot be written or reached.
            MissingPackageError: The extra `hub` is not installed.
        """
        from hyperskip.vectors.sharing.pretrained import push_to_hub

        return push_to_hub(
            self, repository, token=token, private=private, revision=revision, message=message,
            scores=scores, replace_card=replace_card,
        )  # fmt: skip

    @staticmethod
    def from_pretrained(
        name: str | os.PathLike[str],
        *,
        revision: str | None = None,
        token: str | bool | None = None,
    ) -> WordVectors:
        """Load a model from a folder or the Hugging Face Hub; see `hyperskip.from_pretrained`."""
        from hyperskip.vectors.sharing.pretrained import from_pretrained

        return from_pretrained(name, revision=revision, token=token)

    @named_arguments
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
    ) -> Picture:
        """Draw words on the Poincaré disc; by default, the most frequent ones.

        Args:
            words: Draw these words.
            near: Draw this word, or each of these words, and the words nearest to it.
            analogy: Three words a, b and c: draw them and the words nearest to the two answers
                of a : b = c : ?.
            categories: Color words by category: a dict from words to categories, the path of a
                file with lines `word<TAB>category` or `word<TAB>category<TAB>parent`, or
                "builtin" for the built-in taxonomy.
            count: The number of frequent words (default 150), neighbors of each word (20),
                answers by each route (8), or words with a category (all).
            title: A line above the picture.
            projection: The method that maps points to the disc; "auto" tries several.
            dark: Whether images have a dark background.
            path: A file to write.
            format: "png", "svg" or "html", for the file and for notebooks. By default the file's
                suffix decides, and a notebook shows the interactive picture.

        Returns:
            The picture. A notebook displays it; it can also be saved.

        Raises:
            OptionError: The arguments contradict each other, or choose fewer than two words.
            UnknownWordError: A word is not in the vocabulary.
            GeometryError: The projection is not possible for these vectors.
            OutputError: The file cannot be written.
        """
        from hyperskip.pictures.picture import draw
        from hyperskip.pictures.request.request import PictureRequest

        request = PictureRequest(
            words=words, near=near, analogy=analogy, categories=categories, count=count,
            title=title, projection=projection, dark=dark, path=path, format=format,
        )  # fmt: skip
        return draw(self, request)

    # -- details

    @cached_property
    def _searcher(self) -> Searcher:
        return Searcher(self.words, self.coordinates, self.space)

    def _searched_by(self, searcher: Searcher) -> WordVectors:
        """Return the same vectors with another searcher; they share all arrays."""
        if searcher is self._searcher:
            return self
        view = copy.copy(self)
        view._searcher = searcher
        return view

    def _point(self, item: WordOrPoint) -> Floats:
        if isinstance(item, str):
            return self[item]
        return argument_checks.checked_point(item, self.space, self.dimension)

    def _excluded(self, rows: Rows | None, points: int) -> Rows:
        if rows is None:
            return np.empty((points, 0), dtype=np.int64)
        return argument_checks.checked_rows(rows, len(self), points=points)

    def _of_pairs(
        self, function: Callable[[Floats, Floats], Floats], first: Rows, second: Rows
    ) -> Floats:
        first, second = argument_checks.checked_rows_together(len(self), first, second)
        values = np.empty(len(first))
        for begin in range(0, len(first), WORDS_AT_ONCE):
            block = slice(begin, begin + WORDS_AT_ONCE)
            values[block] = function(self._points_of(first[block]), self._points_of(second[block]))
        return values


def _check_route(route: str) -> None:
    argument_checks.check_string("route", route, "how to compute the answer of an analogy")
    check_route(route)


def _rows(rows: Sequence[int] | Sequence[Sequence[int]]) -> Rows:
    return np.array(rows, dtype=np.int64)
