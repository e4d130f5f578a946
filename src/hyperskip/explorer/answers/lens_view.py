"""The lens: a word and its nearest words, laid out around it, as the API describes them."""

import math
from typing import Any

import numpy as np

from hyperskip.errors import InputError
from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.names import ANGLE
from hyperskip.geometry.spaces import Space
from hyperskip.projection.lens import DistanceScale, lens_of

_RINGS = 4  # about as many are drawn
_ROUND = 1.0, 2.0, 2.5, 5.0  # first digits of steps between rings


def lens_view(
    points: Floats, space: Space, measure: str, described: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return places on the lens, and the rings of its scale.

    Args:
        points: (words, n): the word in the middle, and the others.
        space: Their space.
        measure: Name of what their distances are measured by.
        described: The words, with their places on the map.

    Raises:
        InputError: A distance is not finite.
    """
    dissimilarities = np.stack(
        [space.measures[measure].dissimilarity(points, point) for point in points]
    )
    if not np.isfinite(dissimilarities).all():
        raise InputError(
            "the distances of these words are too large for floating-point numbers",
            hint="choose another word, or fewer words",
        )
    np.fill_diagonal(dissimilarities, 0.0)
    lens = lens_of(dissimilarities, np.array([[word["x"], word["y"]] for word in described]))
    is_cosine = measure == ANGLE
    is_distance = space.factors == 1
    return {
        "x": lens.places[:, 0].tolist(),
        "y": lens.places[:, 1].tolist(),
        "kept": lens.kept,
        "shown": "cosine" if is_cosine else "distance" if is_distance else "dissimilarity",
        "rings": [
            {
                "value": round(1.0 - value, 9) if is_cosine else value,
                "radius": float(lens.scale.on_disc(np.array([value]))[0]),
            }
            for value in ring_values(lens.scale)
        ],
    }


def ring_values(scale: DistanceScale) -> list[float]:
    """Round distances between the nearest and the farthest word; one if they are equal."""
    span = scale.farthest - scale.nearest
    if not span > 0:
        return [scale.farthest] if scale.farthest > 0 else []
    wanted = span / _RINGS
    size = 10.0 ** math.floor(math.log10(wanted))
    step = size * min((digit for digit in _ROUND if digit * size >= wanted), default=10.0)
    first = math.ceil(scale.nearest / step)
    last = math.floor(scale.farthest / step)
    return [round(number * step, 9) for number in range(first, last + 1)]
