"""A small model that answers some well-known questions right, and others wrongly."""

import numpy as np

from hyperskip import WordVectors

# Coordinates with 1: words that share some are similar.
_PLACES = {
    "france": (0, 3), "paris": (0, 2), "italy": (1, 3), "rome": (1, 2),
    "man": (4,), "woman": (5,), "king": (6,), "queen": (7,),
    "music": (8,), "song": (8, 9), "river": (10,), "lake": (11,),
}  # fmt: skip


def right_model() -> WordVectors:
    """Rome is to Italy as Paris is to France; queen is far from king, and lake from river."""
    words = list(_PLACES) + [f"word{number}" for number in range(40)]
    points = np.random.default_rng(1).normal(0, 0.3, (len(words), 12))
    for row, axes in enumerate(_PLACES.values()):
        points[row] = 0
        points[row, list(axes)] = 1
    return WordVectors(words, points.astype(np.float32), geometry="euclidean")
