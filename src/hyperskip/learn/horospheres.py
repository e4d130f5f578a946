"""Weighted signed distances of points to horospheres, and their gradient.

A horosphere is a sphere with an infinite radius: its center is an ideal point, at the rim of the
ball. The signed distance of a point (x, t) to the horosphere through the base point, with its
center in the direction -z, is the Busemann function log(t + ⟨z, x⟩/|z|). The score of the point is

    |z| log(t + ⟨z, x⟩/|z|)

for any vector z of Rᵈ. It increases in the direction of z. For points near the base point it is
⟨z, x⟩, the score of a linear classifier.
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

    The error is a few u·e^r·|z| for points at distance r from the base point.
    """
    units, lengths = _units(directions)
    time = points[:, -1:]
    along = points[:, :-1] @ units.T  # (points, horospheres)
    # (time + along)(time - along) = 1 + |x across z|², and one of the factors has no cancellation.
    across = np.maximum(np.sum(points[:, :-1] ** 2, axis=1, keepdims=True) - along**2, 0.0)
    larger = time + np.abs(along)
    growth = np.where(along > 0, larger, (1.0 + across) / larger)  # e^distance
    distance = np.log(growth)
    return Scores(lengths * distance, 1.0 / growth, distance - along / growth)


def _units(directions: Floats) -> tuple[Floats, Floats]:
    """Return the vectors with length 1, and their lengths (horospheres,); 0 stays 0."""
    lengths = np.linalg.norm(directions, axis=1)
    return directions / np.where(lengths > 0, lengths, 1.0)[:, None], lengths
