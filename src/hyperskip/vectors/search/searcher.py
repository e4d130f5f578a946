"""Searches for words by their similarity to points: rows of words in, rows and scores out.

The keys of all words are multiplied with a few queries at a time. This gives a shortlist, which is
then ordered by float64 distances, so that every device gives the same answers.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip import devices
from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.geometry.measures import Measure, measure_named
from hyperskip.geometry.names import PRODUCT
from hyperskip.geometry.spaces import Space
from hyperskip.kernel_cache import compiler_is_off
from hyperskip.vectors.search.products import WORTH_A_GPU, NumpySearch, ProductSearch, TorchSearch


class Nearest(NamedTuple):
    """The words nearest to a point, nearest first."""

    rows: Rows  # (found,)
    distances: Floats  # (found,)
    similarities: Floats  # (found,)

    def first(self, count: int) -> "Nearest":
        """Return the nearest of them, at most `count`."""
        return Nearest(self.rows[:count], self.distances[:count], self.similarities[:count])


@dataclass(frozen=True, eq=False)
class Searcher:
    """Finds the rows of words by similarity, on a device and by a measure.

    The index is built by the first search.

    Args:
        words: Named in errors.
        coordinates: (words, dimension).
        space: The space of the coordinates.
        device: `cpu` or `cuda`.
        measure_name: A measure of the space.
        is_compact: Whether the processor searches a compact index.
    """

    words: Sequence[str] = field(repr=False)
    coordinates: npt.NDArray[np.float32] = field(repr=False)
    space: Space
    device: str = devices.CPU
    measure_name: str = PRODUCT
    is_compact: bool = False

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the index: it can be built again, and may be on a device."""
        return {name: value for name, value in self.__dict__.items() if name != "_index"}

    def on(self, device: str, *, questions: int | None) -> "Searcher":
        """Return a searcher on a device; see `WordVectors.on`."""
        devices.check_device(device)
        if device == devices.AUTO:
            worth = questions is None or questions * self.coordinates.size >= WORTH_A_GPU
            there = worth and devices.why_no_gpu() is None
            device = devices.CUDA if there else devices.CPU
        return self if device == self.device else dataclasses.replace(self, device=device)

    def measured_by(self, name: str) -> "Searcher":
        """Return a searcher by a measure; see `WordVectors.measured_by`."""
        measure_named(name, self.space.measures)
        return self if name == self.measure_name else dataclasses.replace(self, measure_name=name)

    def compacted(self, *, at_least: int) -> "Searcher":
        """Return a searcher of a compact index; see `WordVectors.compacted`."""
        if self.is_compact or self.coordinates.size < at_least or compiler_is_off():
            return self
        return dataclasses.replace(self, is_compact=True)

    @property
    def measure(self) -> Measure:
        """The measure of similarity."""
        return measure_named(self.measure_name, self.space.measures)

    def nearest(self, points: Floats, count: int, excluded: Rows) -> list[Nearest]:
        """Find the nearest words to each of many points.

        Args:
            points: (points, n).
            count: The largest number of words for each point.
            excluded: (points, rows): rows that are left out.
        """
        if not len(self.coordinates):
            nothing = np.empty(0)
            return [Nearest(np.empty(0, dtype=np.int64), nothing, nothing) for _ in points]
        shortlists = self._index.shortlists(self.measure.queries(points), count, excluded)
        return [
            self._in_order(point, shortlist, count)
            for point, shortlist in zip(points, shortlists, strict=True)
        ]

    def most_similar(self, points: Floats, excluded: Rows) -> Rows:
        """Return the row of the most similar word to each point (points,).

        Of words whose products are equal up to rounding, any may be returned.

        Args:
            points: (points, n).
            excluded: (points, rows): rows that are left out.

        Raises:
            InputError: There are no words.
        """
        if not len(self.coordinates):
            raise InputError("the vocabulary is empty, so no word is similar to a point")
        return self._index.greatest(self.measure.queries(points), excluded)

    def similarities(self, points: Floats) -> Matrix:
        """Return the similarity of each point with every word (points, words)."""
        return self.measure.of_products(self._index.products(self.measure.queries(points)))

    @cached_property
    def _index(self) -> ProductSearch:
        keys = self.measure.keys(self.coordinates)
        check_finite(keys, self.words)
        if self.device == devices.CUDA:
            return TorchSearch(keys, devices.gpu())
        if self.is_compact and keys.dtype == np.float32:  # farther out, rounding loses too much
            from hyperskip.vectors.search.compact import CompactSearch

            measure, coordinates = self.measure, self.coordinates
            return CompactSearch(keys, lambda rows: measure.keys(coordinates[rows]))
        return NumpySearch(keys)

    def _in_order(self, point: Floats, shortlist: Rows, count: int) -> Nearest:
        """Order a shortlist by float64 distances, and cut it."""
        candidates = self.space.points(self.coordinates[shortlist])
        order = np.argsort(self.measure.dissimilarity(point, candidates), kind="stable")[:count]
        found = candidates[order]
        return Nearest(
            shortlist[order],
            self.space.distance(point, found),
            self.measure.similarity(point, found),
        )


def check_finite(values: Matrix, words: Sequence[str]) -> None:
    """Check that what was computed from the vectors, one row for each word, is finite.

    Raises:
        InputError: It is not.
    """
    damaged = np.flatnonzero(~np.isfinite(values).all(axis=1))
    if len(damaged):
        first = repr(words[damaged[0]])
        others = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        raise InputError(
            f"the coordinates of {first}{others} are not finite",
            hint="the model is damaged: train it again",
        )
