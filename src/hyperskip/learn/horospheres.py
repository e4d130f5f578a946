"""Weighted signed distances of points to horospheres, and their gradient.

A horosphere is a sphere with an infinite radius: its center is an ideal point, at the rim of the
ball. The signed distance of a point (x, t) to the horosphere through the base point, with its
center in the direction of z, is -log(t - ⟨z, x⟩/|z|), the negative Busemann function. It is
positive inside of the horosphere. The score of the point is

    -|z| log(t - ⟨z, x⟩/|z|)

for any vector z of Rᵈ. For points near the base point it is ⟨z, x⟩, the score of a linear
classifier.
"""

from typing import NamedTuple

import numpy as np

from hyperskip.geometry.arrays import Floats


class Scores(NamedTuple):
    """Scores (points, horospheres), and what their gradient consists of."""

    values: Floats
    by_product: Floats  # derivative by ⟨z, x⟩, with |z| held constant
    by_length: Floats  # derivative by |z|, with ⟨z, x⟩ held constant

    def gradient(self, points: Floats, directions: Floats, weights: Floats) -> Floats:
        """Return the gradient of the weighted sum of all scores by z (horospheres, d).

        Args:
            points: (points, d + 1), time last.
            directions: The vectors z (horospheres, d).
            weights: (points, horospheres).
        """
        radial = (weights * self.by_length).sum(axis=0)[:, None] * _units(directions)[0]
        gradient: Floats = (weights * self.by_product).T @ points[:, :-1] + radial
        return gradient


def horosphere_scores(points: Floats, directions: Floats) -> Scores:
    """Compute the scores of points (points, d + 1) for the vectors z (horospheres, d).

    The relative error near the base point is a few u; at distance r from it, the error is
    u·e^2r·|z|.
    """
    units, lengths = _units(directions)
    time = points[:, -1:]
    along = points[:, :-1] @ units.T  # (points, horospheres)
    squared = np.vecdot(points[:, :-1], points[:, :-1])[:, None]
    # (time + along)(time - along) = 1 + |x across z|², and one of the factors has no cancellation.
    across = np.maximum(squared - along**2, 0.0)
    less_one = squared / (1.0 + time) + np.abs(along)  # of time + |along|
    larger = 1.0 + less_one
    toward = along > 0
    room = np.where(toward, (1.0 + across) / larger, larger)  # e^-distance
    room_less_one = np.where(toward, (across - less_one) / larger, less_one)
    distance = -np.where(room > 0.5, np.log1p(np.maximum(room_less_one, -0.5)), np.log(room))
    return Scores(lengths * distance, 1.0 / room, distance - along / room)


def _units(directions: Floats) -> tuple[Floats, Floats]:
    """Return the vectors with length 1, and their lengths (horospheres,); 0 stays 0."""
    lengths = np.linalg.norm(directions, axis=1)
    return directions / np.where(lengths > 0, lengths, 1.0)[:, None], lengths
