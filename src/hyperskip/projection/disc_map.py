"""Places of words on the Poincaré disc, and how faithful they are to the space of the vectors."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from hyperskip.geometry.arrays import Floats, Rows

_LONGEST = 1.0 - 1e-12  # a distance of 28 from the center


@dataclass(frozen=True)
class Fidelity:
    """How much of the space the disc keeps; 1 is all of it."""

    neighbors: float  # share of the nearest words in space that are also nearest on the disc
    radii: float  # rank correlation of the distances from the center, in space and on the disc

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


def inside(places: Floats) -> Floats:
    """Places inside the disc: those that were rounded to the rim are moved a little inward."""
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    return np.asarray(places * (_LONGEST / np.maximum(lengths, _LONGEST)))
