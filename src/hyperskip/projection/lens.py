"""A word in the middle of the disc, and its nearest words around it, at true distances.

The distance of a word from the middle is drawn on a linear scale that starts at the nearest word
and ends at the farthest. So the order of the distances is the true one. In a space of many
dimensions, all words are nearly equally far from a word: without the start at the nearest word,
they would form a ring. The directions are fitted so that words are near their own nearest words.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.kernel_cache import compile_kernels
from hyperskip.projection import lens_kernels
from hyperskip.projection.lens_kernels import SweepRule

KEPT = 10  # nearest words of each word that should be near it on the lens

_INNER, _OUTER = 0.6, 2.5  # distances on the disc of the nearest and of the farthest word
_DIRECTIONS = 256
_SIMILAR = 1.0  # distance on the disc within which words are similar
_GATHERING, _SETTLING, _COUNTING = 3, 2, 8  # sweeps
_EXAGGERATION = 4.0  # while gathering
_STRIDE = 4
_KEPT_WEIGHT = 1.0  # relative to the number of words


@dataclass(frozen=True)
class DistanceScale:
    """How distances from the middle word are drawn: linearly, between two ends."""

    nearest: float  # distance in the space of the nearest word
    farthest: float
    inner: float = _INNER  # distance on the disc of the nearest word
    outer: float = _OUTER

    def on_disc(self, distances: Floats) -> Floats:
        """Hyperbolic distances on the disc from the middle."""
        span = self.farthest - self.nearest
        shares = (distances - self.nearest) / span if span > 0 else np.ones_like(distances)
        return np.asarray(self.inner + (self.outer - self.inner) * shares)


@dataclass(frozen=True)
class Lens:
    """Places of some words on the disc, the first in the middle."""

    places: Floats  # (words, 2), inside the unit circle
    scale: DistanceScale
    kept: float  # share of the nearest words that are nearest on the lens; 1 if there are no others


def lens_of(
    dissimilarities: Floats, on_map: Floats | None = None, scale: DistanceScale | None = None
) -> Lens:
    """Lay words out around the first one.

    Args:
        dissimilarities: (words, words): symmetric, at least 0.
        on_map: (words, 2): places of the words on a map. The lens is turned and mirrored so that
            words are, on the whole, in the same directions from the middle.
        scale: The scale of distances from the middle. Default: from the nearest to the farthest.
    """
    words = len(dissimilarities)
    from_middle = dissimilarities[0, 1:]
    ends = (from_middle.min(), from_middle.max()) if words > 1 else (0.0, 0.0)
    scale = scale or DistanceScale(float(ends[0]), float(ends[1]))
    radii = np.concatenate(([0.0], scale.on_disc(from_middle)))
    if words <= 2:
        angles, kept = np.zeros(words), 1.0
    else:
        nearest = nearest_of(dissimilarities, KEPT)
        angles = _fitted_angles(radii, dissimilarities, nearest)
        kept = share_kept(_at(radii, angles), nearest)
    return Lens(_at(radii, _turned(angles, on_map)), scale, kept)


def prepare() -> None:
    """Compile the kernel, or load it from the cache, so that a lens does not wait for it."""
    pairs = np.empty((0, 0))
    nothing = np.empty(0, dtype=np.int64)
    compile_kernels(
        lambda: lens_kernels.sweep(
            pairs,
            pairs,
            np.ones(1),
            pairs,
            pairs.astype(bool),
            nothing,
            SweepRule(1.0, 1.0, 1.0, 1, 0),
        ),
        lens_kernels.sweep,
    )


def nearest_of(dissimilarities: Floats, count: int) -> npt.NDArray[np.bool_]:
    """(words, words): whether the second word is one of the nearest words of the first."""
    words = len(dissimilarities)
    apart = np.where(np.eye(words, dtype=bool), np.inf, dissimilarities)
    order = np.argsort(apart, axis=1, kind="stable")[:, : min(count, words - 1)]
    nearest = np.zeros((words, words), dtype=bool)
    np.put_along_axis(nearest, order, True, axis=1)
    return nearest


def share_kept(places: Floats, nearest: npt.NDArray[np.bool_]) -> float:
    """Share of the nearest words (words, words) that are also nearest on the disc."""
    room = 1.0 - np.sum(places**2, axis=1)
    apart = np.sum((places[:, None] - places) ** 2, axis=2) / (room[:, None] * room)
    on_disc = nearest_of(apart, int(nearest[0].sum()))
    return float(np.sum(on_disc & nearest) / np.sum(nearest))


def _fitted_angles(
    radii: Floats, dissimilarities: Floats, nearest: npt.NDArray[np.bool_]
) -> Floats:
    """(words,): angles at which words are near their nearest words, from a spectral start."""
    words = len(radii)
    directions = _spectral_directions(dissimilarities)
    apart = np.sinh((radii[:, None] - radii) / 2.0) ** 2
    around = np.outer(np.sinh(radii), np.sinh(radii))
    sines = np.sin(np.arange(_DIRECTIONS) * np.pi / _DIRECTIONS) ** 2
    pulls = (nearest.astype(np.float64) + nearest.T) / (2.0 * nearest.sum())

    def let_choose(exaggeration: float, kept_weight: float, offset: int) -> None:
        rule = SweepRule(4.0 / _SIMILAR**2, exaggeration, kept_weight, _STRIDE, offset)
        lens_kernels.sweep(apart, around, sines, pulls, nearest, directions, rule)

    prepare()
    for step in range(_GATHERING):
        let_choose(_EXAGGERATION, 0.0, step)
    for step in range(_SETTLING):
        let_choose(1.0, 0.0, step)
    for step in range(_COUNTING):
        let_choose(1.0, _KEPT_WEIGHT / words, step)
    return np.asarray(directions * (2.0 * np.pi / _DIRECTIONS))


def _spectral_directions(dissimilarities: Floats) -> Rows:
    """(words,): directions in the plane of greatest spread (classical scaling)."""
    squares = dissimilarities**2
    centered = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    _, vectors = np.linalg.eigh(-centered / 2.0)
    angles = np.arctan2(vectors[:, -2], vectors[:, -1])
    return np.asarray(
        np.round(angles * (_DIRECTIONS / (2.0 * np.pi))).astype(np.int64) % _DIRECTIONS
    )


def _turned(angles: Floats, on_map: Floats | None) -> Floats:
    """Angles turned, and mirrored if that is better, to the directions on the map."""
    if on_map is None:
        return angles
    places = on_map[:, 0] + 1j * on_map[:, 1]
    seen = (places - places[0]) / (1.0 - np.conj(places[0]) * places)
    sums = [np.sum(seen * np.exp(-1j * sign * angles)) for sign in (1.0, -1.0)]
    sign, best = max(zip((1.0, -1.0), sums, strict=True), key=lambda pair: abs(pair[1]))
    return np.asarray(sign * angles + np.angle(best))


def _at(radii: Floats, angles: Floats) -> Floats:
    directions = np.column_stack((np.cos(angles), np.sin(angles)))
    return np.asarray(np.tanh(radii / 2.0)[:, None] * directions + 0.0)  # without -0
