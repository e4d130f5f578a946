"""Where words are on the Poincaré disc, and how faithful that is to the space they come from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from hyperskip.geometry.spaces import Floats
from hyperskip.vectors.search.products import Rows

_LONGEST = 1.0 - 1e-12  # which is a distance of 28 from the middle


@dataclass(frozen=True)
class Fidelity:
    """What of the space survives on the disc: 1 is all of it."""

    neighbors: float  # share of words' nearest words in space that are nearest on the disc, too
    radii: float  # rank correlation of the distances from the middle, in space and on the disc

    def __str__(self) -> str:
        return f"{100 * self.neighbors:.0f} of 100 nearest neighbors are still nearest"


@dataclass(frozen=True)
class DiscMap:
    """Places of words on the disc."""

    rows: Rows  # (mapped words,) of the vectors
    places: Floats  # (mapped words, 2), inside the unit circle
    method: str  # a name in methods.py
    fidelity: Fidelity
    tried: Mapping[str, Fidelity] = field(default_factory=dict)  # every method that was measured


def inside(places: Floats) -> Floats:
    """The places; those that have been rounded to the rim stand a little before it."""
    lengths = np.linalg.norm(places, axis=1, keepdims=True)
    return np.asarray(places * (_LONGEST / np.maximum(lengths, _LONGEST)))
