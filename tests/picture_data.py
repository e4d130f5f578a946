"""The data of an interactive picture of some words."""

from typing import Any

import numpy as np

WORDS = ["animal", "dog", "cat", "place", "paris", "france", "italy", "rome"]
NEAREST = 3


def picture_of(words: list[str], **changed: object) -> dict[str, Any]:
    angles = np.linspace(0, 2 * np.pi, len(words), endpoint=False)
    radii = 0.5 + 2.0 * np.arange(len(words)) / max(len(words), 1)
    places = np.tanh(radii / 2)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    others = [
        [[j, abs(i - j) / 4] for j in range(len(words)) if j != i][:NEAREST]
        for i in range(len(words))
    ]
    picture = {
        "title": "Eight words", "words": words, "labels": words, "x": places[:, 0].tolist(),
        "y": places[:, 1].tolist(), "counts": list(range(len(words), 0, -1)),
        "radii": radii.tolist(), "groups": [i * 2 // max(len(words), 1) for i in range(len(words))],
        "group_names": ["animals", "places"], "edges": [[1, 0], [2, 0]] if len(words) > 2 else [],
        "neighbors": others, "analogy": None, "method": "exact", "fidelity": None, "scale": 1,
        "importance": None, "depths": None, "by_depth": False, "has_hierarchy": False,
        "by_hierarchy": False,
    }  # fmt: skip
    return picture | changed
