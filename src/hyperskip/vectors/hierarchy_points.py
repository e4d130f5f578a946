"""A second point for each word, in a hyperbolic space whose radius means generality."""

from __future__ import annotations  # help() shows Rows and Floats, not what they expand to

import contextlib
import math
from functools import cached_property
from numbers import Real
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, shown
from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats, Rows, ranks_by, read_only
from hyperskip.vectors import argument_checks

Float = TypeVar("Float", np.float32, np.float64)
Selection = Rows | int | slice  # of words, by their rows

_ROUNDING = 1e-6  # of radii, which other machines may compute with other last digits


class HierarchyPoints:
    """Points of words on a hyperboloid of curvature 1: the broader a word, the smaller its radius.

    They cannot be changed.

    Args:
        coordinates: (words, dimension): spatial coordinates, without time.
        slope: Of the calibration: `is_a` is sigmoid(slope · score + offset), with a slope above 0.
        offset: Of the calibration.
        evidence: (words,): number of relations that the text states about each word, as the
            narrower or the broader one. If it is 0, the point was inferred from similar words.
        edge: The radius of height 0; by default, the greatest radius of a word.

    Raises:
        InputError: The arguments have the wrong types or shapes, or are not finite.
    """

    def __init__(
        self,
        coordinates: npt.ArrayLike,
        *,
        slope: float,
        offset: float,
        evidence: npt.ArrayLike,
        edge: float | None = None,
    ) -> None:
        numbers = argument_checks.checked_array(
            "coordinates",
            coordinates,
            "fiu",
            ("words", "dimension"),
            hint="pass one row of coordinates for each word",
        )
        with np.errstate(over="ignore"):  # reported below
            self._coordinates = read_only(numbers.astype(np.float32, copy=False))
        if not np.isfinite(self._coordinates).all():
            raise InputError(
                "`coordinates` of a hierarchy must be finite in float32",
                hint="check how they were computed",
            )
        whole_numbers = argument_checks.checked_array(
            "evidence",
            evidence,
            "iu",
            (len(self._coordinates),),
            hint="pass one number of relations for each word",
        )
        if (whole_numbers < 0).any():
            raise InputError(
                f"`evidence` contains {whole_numbers.min()}",
                hint="use 0 for words without relations",
            )
        self._evidence = read_only(whole_numbers.astype(np.int64, copy=False))
        self._slope, self._offset = _checked("slope", slope), _checked("offset", offset)
        if self._slope <= 0:
            raise InputError(
                f"`slope` must be greater than 0, got {slope}",
                hint="a greater score must mean a greater probability",
            )
        outermost = float(self.radii.max(initial=0.0))
        self._edge = outermost if edge is None else _checked("edge", edge)
        if self._edge < outermost * (1.0 - _ROUNDING):
            raise InputError(
                f"`edge` must be at least the greatest radius, {outermost:g}, got {edge}",
                hint="leave it out",
            )

    @property
    def coordinates(self) -> npt.NDArray[np.float32]:
        """Spatial coordinates (words, dimension)."""
        return self._coordinates

    @property
    def evidence(self) -> npt.NDArray[np.int64]:
        """Number of relations that the text states about each word (words,)."""
        return self._evidence

    @property
    def slope(self) -> float:
        """Slope of the calibration."""
        return self._slope

    @property
    def offset(self) -> float:
        """Offset of the calibration."""
        return self._offset

    @property
    def edge(self) -> float:
        """The radius of height 0."""
        return self._edge

    @property
    def dimension(self) -> int:
        """Dimension of the space."""
        return int(self._coordinates.shape[1])

    @cached_property
    def radii(self) -> Floats:
        """Distance of each word from the base point (words,)."""
        return read_only(np.arcsinh(self._lengths))

    @cached_property
    def heights(self) -> Floats:
        """How far each word is inside of the edge (words,): the greater, the broader."""
        return read_only(self._edge - self.radii)

    @cached_property
    def ranks(self) -> Rows:
        """Rank of each word by its radius (words,): 1 for the broadest."""
        return ranks_by(self.radii)

    def __len__(self) -> int:
        return len(self._coordinates)

    def __repr__(self) -> str:
        words = "1 word" if len(self) == 1 else f"{len(self)} words"
        return f"<HierarchyPoints: {words}, dimension {self.dimension}>"

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make arrays read-only again: pickles are writable."""
        self.__dict__.update(
            (name, read_only(value) if isinstance(value, np.ndarray) else value)
            for name, value in state.items()
        )

    def __deepcopy__(self, memo: object) -> Self:
        return self  # it cannot be changed

    def scores(self, narrower: Selection, broader: Selection) -> Floats:
        """Return scores of "the first words are a kind of the second"; see `is_a_score`.

        Both are broadcast: one word and `slice(None)` give the scores of one word with all words.
        """
        first, second = self.directions[narrower], self.directions[broader]
        cosines = np.einsum("...i,...i->...", first, second, dtype=np.float64)
        return is_a_score(self.heights[narrower], self.heights[broader], cosines)

    def score_matrix(self, narrower: Rows, broader: Rows) -> npt.NDArray[np.float32]:
        """Return the scores of every first word with every second one (narrower, broader).

        They are computed in float32, with an error below 1e-5.
        """
        cosines: npt.NDArray[np.float32] = self.directions[narrower] @ self.directions[broader].T
        heights = self.heights.astype(np.float32)
        return is_a_score(heights[narrower, None], heights[broader], cosines)

    def probabilities(self, scores: npt.NDArray[Float]) -> npt.NDArray[Float]:
        """Return the probabilities that belong to scores: both are in the same order."""
        with np.errstate(over="ignore"):
            return _sigmoid(self._slope * scores + self._offset)

    def distance(self, first: Selection, second: Selection) -> Floats:
        """Return the distances of words; they are broadcast as for `scores`."""
        points = (hyperboloid.from_spatial(self._coordinates[rows]) for rows in (first, second))
        return hyperboloid.distance(*points)

    def subset(self, rows: Rows) -> HierarchyPoints:
        """Return the points of some words; their probabilities stay the same."""
        return HierarchyPoints(
            self._coordinates[rows],
            slope=self._slope,
            offset=self._offset,
            evidence=self._evidence[rows],
            edge=self._edge,
        )

    # -- details

    @cached_property
    def _lengths(self) -> Floats:
        return read_only(np.linalg.norm(self._coordinates.astype(np.float64), axis=1))

    @cached_property
    def directions(self) -> npt.NDArray[np.float32]:
        """Unit vectors (words, dimension); zeros for a word at the base point."""
        lengths = np.where(self._lengths > 0, self._lengths, 1.0)
        return read_only((self._coordinates / lengths[:, None]).astype(np.float32))


def is_a_score(
    narrower_heights: npt.NDArray[Float],
    broader_heights: npt.NDArray[Float],
    cosines: npt.NDArray[Float],
) -> npt.NDArray[Float]:
    """Score of "the first word is a kind of the second", before its calibration.

    With the heights g (the greater, the broader) and the angle θ of two words at the base point,
    it is g₂ · cos θ · sigmoid(g₂ - g₁): the second word is broad, lies in the same direction,
    and is broader than the first.

    Args:
        narrower_heights: g₁.
        broader_heights: g₂.
        cosines: cos θ.
    """
    is_broader = _sigmoid(broader_heights - narrower_heights)
    return np.asarray(broader_heights * cosines * is_broader)


def _sigmoid(x: npt.NDArray[Float]) -> npt.NDArray[Float]:
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


def _checked(name: str, value: object) -> float:
    number = math.nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):
            number = float(value)
    if not math.isfinite(number):
        raise InputError(
            f"`{name}` must be a finite number, got {shown(value)}",
            hint="pass what the calibration gave",
        )
    return number
