"""Places of words on the Poincaré disc, and how faithful they are to the space of the vectors."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from hyperskip.geometry.arrays import Floats, Rows

_LONGEST = 1.0 - 1e-12  # a distance of 28 from the center
_WIDEST, _QUANTILE = 3.8, 0.9  # most words are within this distance if they are moved


@dataclass(frozen=True)
class Fidelity:
    """How much of the space the disc keeps; 1 is all of it."""

    neighbors: float  # share of the nearest words in space that are also nearest on the disc
    radii: float  # rank correlation of radii (`radii_on_map`) and distances from the center

    def __str__(self) -> str:
        return f"{100 * self.neighbors:.0f}% of the nearest neighbors are kept"


@dataclass(frozen=True)
class DiscMap:
    """Places of words on the disc."""

    rows: Rows  # (mapped words,): their rows in the vectors
    places: Floats  # (mapped words, 2), inside the unit circle
    method: str  # a name in methods.py
    fidelity: Fidelity
    tried: Mapping[str, Fidelity] = field(default_factory=dict)  # of every method that was tried
    center: Floats | None = None  # of an exact map: the point in the middle; None: the centroid
    scale: float = 1.0  # distances from the center, relative to those that the method gave
    by_hierarchy: bool = False  # whether they are in the order of the radii in the hierarchy


def away_from_rim(disc_map: DiscMap) -> DiscMap:
    """Move words closer to the center if most of them are near the rim, where nobody can see them.

    The distances of all words from the center are multiplied by the same scale.
    """
    distances = 2.0 * np.arctanh(np.linalg.norm(disc_map.places, axis=1))
    scale = min(1.0, _WIDEST / max(float(np.quantile(distances, _QUANTILE)), _WIDEST))
    return replace(disc_map, places=scaled(disc_map.places, scale), scale=scale * disc_map.scale)


def scaled(places: Floats, scale: float) -> Floats:
    """Places whose hyperbolic distances from the center are multiplied by a scale."""
    if scale == 1.0:
        return places
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    nonzero = np.maximum(lengths, np.finfo(np.float64).tiny)
    return np.asarray(places / nonzero * np.tanh(scale * np.arctanh(lengths)))


def inside(places: Floats) -> Floats:
    """Places inside the disc: those that were rounded to the rim are moved a little inward."""
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    return np.asarray(places * (_LONGEST / np.maximum(lengths, _LONGEST)))
