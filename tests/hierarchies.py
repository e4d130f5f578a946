"""Models with a hierarchy whose radii and relations are known."""

import numpy as np

from hyperskip import HierarchyPoints, WordVectors


def with_hierarchy(vectors: WordVectors, kinds: dict[str, str]) -> WordVectors:
    """Add a hierarchy in which each word of `kinds` is a kind of its value, and nothing else.

    Each broader word and its kinds are in the direction of an axis of their own, near the base
    point and farther out. All other words share one more axis and are the farthest out. The text
    states nothing about them, nor about the last kind.
    """
    broader = list(dict.fromkeys(kinds.values()))
    directions = np.zeros((len(vectors), len(broader) + 1))
    directions[:, -1] = 1.0
    radii = np.linspace(4.0, 5.0, len(vectors))
    evidence = np.zeros(len(vectors), dtype=np.int64)
    for axis, word in enumerate(broader):
        members = [word, *(kind for kind, other in kinds.items() if other == word)]
        rows = vectors.rows_of(members)
        directions[rows] = np.eye(len(broader) + 1)[axis]
        radii[rows] = [1.0 + 0.1 * axis, *np.linspace(3.0, 3.5, len(rows) - 1)]
        evidence[rows] = 2
    evidence[vectors.index_of(list(kinds)[-1])] = 0
    hierarchy = HierarchyPoints(
        np.sinh(radii)[:, None] * directions, slope=4.0, offset=-6.0, evidence=evidence
    )
    return WordVectors(
        vectors.words,
        vectors.coordinates,
        counts=vectors.counts,
        geometry=vectors.geometry,
        hierarchy=hierarchy,
        subwords=vectors.subwords,
    )
