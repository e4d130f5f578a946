"""Rows of numbers in files of other programs: conversion to and from vectors, and checks.

A file holds hyperboloid points (time last or first), their spatial coordinates, points of the
Poincaré ball, or Euclidean vectors. Rows are converted in blocks, to save memory.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GeometryError, OutputError, VectorFileError, alternatives, shown
from hyperskip.geometry.arrays import Floats, Scalar
from hyperskip.geometry.charts import from_ball, to_ball
from hyperskip.geometry.names import ANGLE, EUCLIDEAN, HYPERBOLOID, PRODUCT
from hyperskip.vectors.exchange.names import (
    AUTO,
    BALL,
    KEEP_TIME,
    MINKOWSKI,
    PLAIN,
    POINTS,
    READ_COORDINATES,
    SPATIAL,
    TIME_FIRST,
    WRITTEN_COORDINATES,
)
from hyperskip.vectors.exchange.stored_rows import StoredRows
from hyperskip.vectors.subword_table import SubwordTable
from hyperskip.vectors.word_vectors import WordVectors

GEOMETRY_OF = dict.fromkeys(WRITTEN_COORDINATES, HYPERBOLOID) | {PLAIN: EUCLIDEAN}

MOST_COLUMNS = 1_000_000  # of a row that is read

_BLOCK_NUMBERS = 1 << 17
_GREATEST = float(np.finfo(np.float32).max)
_CONVINCING = 10  # after this number of points, the file certainly holds points


def block_rows(columns: int) -> int:
    """Return the number of rows in a block, for rows of this many numbers."""
    return max(1, _BLOCK_NUMBERS // columns)


# -- writing


def column_count(vectors: WordVectors, coordinates: str) -> int:
    """Return the number of columns.

    Raises:
        GeometryError: The space of the vectors does not have these coordinates.
    """
    if vectors.factors > 1 and coordinates != SPATIAL:
        raise GeometryError(
            f"a product of {vectors.factors} hyperboloids cannot be exported with "
            f"`coordinates={coordinates!r}`",
            hint=f"use `coordinates={SPATIAL!r}`: the coordinates on each, in order",
        )
    if not vectors.space.is_curved:
        if coordinates != POINTS:
            raise GeometryError(
                f"Euclidean vectors cannot be exported with `coordinates={coordinates!r}`",
                hint=f"use `coordinates={POINTS!r}`: their plain coordinates",
            )
        return vectors.dimension
    return vectors.dimension + (coordinates in (POINTS, TIME_FIRST))


def default_coordinates(vectors: WordVectors, format_name: str) -> str:
    """Return the coordinates to write in a format, if none are chosen.

    Other programs compare vectors by their cosine. That of spatial coordinates is the measure
    `angle`; that of points with their time is no measure at all.
    """
    if not vectors.space.is_curved or format_name == MINKOWSKI:
        return POINTS
    return POINTS if format_name in KEEP_TIME and vectors.factors == 1 else SPATIAL


def cosine_measure(vectors: WordVectors, coordinates: str) -> str | None:
    """Return the measure that the cosine of coordinates is equal to, or None."""
    if not vectors.space.is_curved:
        return PRODUCT
    return ANGLE if coordinates in (SPATIAL, BALL) else None


def written_rows(vectors: WordVectors, coordinates: str) -> Iterator[tuple[Sequence[str], Floats]]:
    """Yield blocks of words and of the numbers (words, columns) to write for them.

    Raises:
        OutputError: A number is not finite, or too large for float32.
    """

    def converted(stored: npt.NDArray[np.float32]) -> Floats:
        if coordinates == SPATIAL:
            return stored.astype(np.float64)
        points = vectors.space.points(stored)
        if coordinates == TIME_FIRST:
            return np.roll(points, 1, axis=1)
        return to_ball(points) if coordinates == BALL else points

    return finite_rows(vectors, converted, column_count(vectors, coordinates))


def finite_rows(
    vectors: WordVectors,
    converted: Callable[[npt.NDArray[np.float32]], npt.NDArray[Scalar]],
    columns: int,
) -> Iterator[tuple[Sequence[str], npt.NDArray[Scalar]]]:
    """Yield blocks of words and of what their stored coordinates are converted to.

    Args:
        vectors: The vectors.
        converted: Returns rows of numbers (words, columns) for coordinates (words, dimension).
        columns: How many numbers there are in a row.

    Raises:
        OutputError: A number is not finite, or too large for float32.
    """
    step = block_rows(columns)
    for begin in range(0, len(vectors), step):
        words = vectors.words[begin : begin + step]
        values = converted(vectors.coordinates[begin : begin + step])
        bad = not_finite(values)
        if bad.any():
            raise OutputError(
                f"the vector of {shown(words[int(bad.argmax())])} is not finite",
                hint="train again with a lower learning rate",
            )
        yield words, values


# -- reading


class RowCollector:
    """Collects the rows of a file, checks them, and makes vectors of them.

    Args:
        path: The file, named in errors.
        coordinates: What the numbers are, one of READ_COORDINATES. With "auto" they are
            hyperboloid points if time² = 1 + |x|² in every row, and Euclidean otherwise.
        tolerance: The largest difference of time² and 1 + |x|², relative to time².
        row_name: The word for a row in errors.
    """

    def __init__(
        self, path: Path, coordinates: str, tolerance: float, *, row_name: str = "line"
    ) -> None:
        self.factors = 1  # of the space
        self.subwords: SubwordTable | None = None
        self.repeated = 0
        self.repaired = 0
        self.unended_row: int | None = None  # the last row, if its line has no newline
        self._path = path
        self._coordinates = coordinates
        self._tolerance = tolerance
        self._row_name = row_name
        self._possible = [POINTS, TIME_FIRST]
        self._counts: dict[str, int] = {}
        self._rows = StoredRows()

    def decoded(self, word: bytes) -> str:
        """Decode a word; if it is not valid UTF-8, replace the invalid bytes and count the word."""
        try:
            return word.decode()
        except UnicodeDecodeError:
            self.repaired += 1
            return word.decode("utf-8", "replace")

    def add(
        self,
        words: Sequence[str],
        row_numbers: Sequence[int],
        values: Floats,
        counts: Sequence[int] | None = None,
    ) -> None:
        """Add a block of rows (words, columns). Rows of words that were added before are skipped.

        Raises:
            VectorFileError: A row is not finite, or does not have the coordinates.
        """

        def refuse(bad: npt.NDArray[np.bool_], reason: str, hint: str | None = None) -> None:
            if bad.any():
                row = int(bad.argmax())
                raise VectorFileError(
                    f"{self._path}, {self._row_name} {row_numbers[row]} ({shown(words[row])}): "
                    f"{reason}",
                    hint=hint,
                )

        refuse(
            not_finite(values),
            "a value is NaN, infinite or too large for float32",
            "vectors must be finite: export them again, or remove the row",
        )
        if self._coordinates == AUTO:
            if row_numbers[-1] == self.unended_row and len(self._counts) + len(words) > _CONVINCING:
                refuse(
                    self._only_last_differs(values),
                    "it is not a point of the hyperboloid, unlike all rows before it, and its line "
                    "has no newline",
                    f"the file is cut off: download it again; or set {_choice_without(AUTO)}",
                )
            self._possible = [kind for kind in self._possible if self._looks_like(kind, values)]
        elif self._coordinates in (POINTS, TIME_FIRST):
            refuse(
                ~self._on_sheet(self._coordinates, values),
                "it is not a point of the hyperboloid, where time² = 1 + |x|²",
                f"time is expected {'last' if self._coordinates == POINTS else 'first'}; "
                f"set {_choice_without(self._coordinates)}",
            )
        elif self._coordinates == BALL:
            length: Floats = np.linalg.norm(values, axis=1)
            refuse(
                ~(length < 1),
                "it is not a point of the Poincaré ball, where |x| < 1",
                f"set {_choice_without(BALL)}",
            )
            values = from_ball(values)[:, :-1]
        self._keep_new(words, values, counts)

    def vectors(self) -> WordVectors:
        """Return the collected rows as vectors, without the time. This empties the collector.

        Raises:
            VectorFileError: There was no row.
        """
        if not self._counts:
            raise VectorFileError(
                f"{self._path} contains no words", hint="check that it is the right file"
            )
        kind = self._coordinates
        if kind == AUTO:
            kind = self._possible[0] if self._possible else PLAIN
        spatial = {POINTS: slice(0, -1), TIME_FIRST: slice(1, None)}.get(kind, slice(None))
        return WordVectors(
            tuple(self._counts),
            self._rows.take(len(self._rows), spatial),
            counts=np.fromiter(self._counts.values(), np.int64, len(self._counts)),
            geometry=GEOMETRY_OF[kind],
            factors=self.factors,
            subwords=self.subwords,
        )

    def _keep_new(self, words: Sequence[str], values: Floats, counts: Sequence[int] | None) -> None:
        new = []
        for row, word in enumerate(words):
            if word not in self._counts:
                self._counts[word] = 0 if counts is None else counts[row]
                new.append(row)
        if len(new) < len(words):
            self.repeated += len(words) - len(new)
            values = values[new]
        self._rows.add(values)

    def _on_sheet(self, kind: str, values: Floats) -> npt.NDArray[np.bool_]:
        """Whether time² = 1 + |x|² in each row (rows,), which implies a time of at least 1."""
        time, spatial = _split(kind, values)
        if spatial.shape[1] == 0:
            return np.zeros(len(values), dtype=np.bool_)
        squared = time * time
        off = np.abs(squared - 1.0 - np.vecdot(spatial, spatial))
        on_sheet: npt.NDArray[np.bool_] = (off <= self._tolerance * squared) & (time > 0)
        return on_sheet

    def _only_last_differs(self, values: Floats) -> npt.NDArray[np.bool_]:
        """Mark the last row (rows,) if all rows except it are points."""
        kinds = [kind for kind in self._possible if self._looks_like(kind, values[:-1])]
        differs = np.zeros(len(values), dtype=np.bool_)
        differs[-1] = bool(kinds) and not any(self._looks_like(kind, values) for kind in kinds)
        return differs

    def _looks_like(self, kind: str, values: Floats) -> bool:
        if not self._on_sheet(kind, values).all():
            return False
        # Far out, the 1 is smaller than the tolerance, and a large spatial coordinate looks like a
        # time. But the time is the greatest number of a row, up to rounding.
        time, spatial = _split(kind, values)
        return bool((time * (1.0 + 1e-6) >= np.abs(spatial).max(axis=1)).all())


def _choice_without(refused: str) -> str:
    others = (repr(name) for name in READ_COORDINATES if name != refused)
    return f"`coordinates` to {alternatives(others)}"


def _split(kind: str, values: Floats) -> tuple[Floats, Floats]:
    if kind == POINTS:
        return values[:, -1], values[:, :-1]
    return values[:, 0], values[:, 1:]


def not_finite(values: npt.NDArray[Scalar]) -> npt.NDArray[np.bool_]:
    """Whether a number of each row (rows,) is NaN, or infinite in float32."""
    return np.asarray(~(np.abs(values) <= _GREATEST).all(axis=1))
