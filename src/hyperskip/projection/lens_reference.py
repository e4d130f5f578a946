"""The slow, literal twin of the kernel of the lens."""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.projection.lens_kernels import SweepRule

Flags = npt.NDArray[np.bool_]


def swept(
    apart: Floats,
    around: Floats,
    sines: Floats,
    pulls: Floats,
    nearest: Flags,
    directions: Rows,
    rule: SweepRule,
) -> Rows:
    """The directions (words,) after each word but the first has taken the best of some."""
    directions = directions.copy()
    for word in range(1, len(directions)):
        tried = [0, *range(rule.offset, rule.offset + len(sines), rule.stride)]
        candidates = [_with(directions, word, turn % len(sines), len(sines)) for turn in tried]
        scores = [
            _score(apart, around, sines, pulls, nearest, candidate, rule)
            for candidate in candidates
        ]
        directions = candidates[int(np.argmax(scores))]
    return directions


def _with(directions: Rows, word: int, turn: int, count: int) -> Rows:
    changed = directions.copy()
    changed[word] = (changed[word] + turn) % count
    return changed


def _score(
    apart: Floats,
    around: Floats,
    sines: Floats,
    pulls: Floats,
    nearest: Flags,
    directions: Rows,
    rule: SweepRule,
) -> float:
    """The number of kept neighbors, times their weight, less the divergence of t-SNE."""
    chords = apart + around * sines[(directions[:, None] - directions) % len(sines)]
    others = ~np.eye(len(directions), dtype=bool)
    similarities = 1.0 / (1.0 + rule.steepness * chords)
    attraction = -np.sum(pulls[others] * np.log(similarities[others]))
    divergence = rule.exaggeration * attraction + np.log(np.sum(similarities[others]))
    order = np.argsort(np.where(others, chords, np.inf), axis=1, kind="stable")
    kept = np.take_along_axis(nearest, order[:, : nearest[0].sum()], axis=1).sum()
    return float(rule.kept_weight * kept - divergence)
