"""Models with a hierarchy whose radii and relations are known."""

import numpy as np

from hyperskip import HierarchyPoints, WordVectors
from hyperskip.geometry.arrays import Floats, Rows


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
    return _with_points(vectors, radii, directions, evidence)


def with_chain(vectors: WordVectors, chain: list[str]) -> WordVectors:
    """Add a hierarchy in which each word of a chain is a kind of the one before, and nothing else.

    The chain has at most eight words. Consecutive words have an axis in common, and all other words
    share one more axis and are the farthest out.
    """
    rows = vectors.rows_of(chain)
    steps = np.arange(len(chain))
    directions = np.zeros((len(vectors), len(chain) + 2))
    directions[:, -1] = 1.0
    directions[rows] = 0.0
    directions[rows, steps] = directions[rows, steps + 1] = np.sqrt(0.5)
    radii = np.linspace(9.0, 10.0, len(vectors))
    radii[rows] = 1.0 + 0.5 * steps
    evidence = np.zeros(len(vectors), dtype=np.int64)
    evidence[rows] = 2
    return _with_points(vectors, radii, directions, evidence)


def _with_points(
    vectors: WordVectors, radii: Floats, directions: Floats, evidence: Rows
) -> WordVectors:
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
