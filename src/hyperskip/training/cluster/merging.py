"""Merging what several nodes learned: one point for each word that any of them moved.

A word goes to the centroid of its points on the nodes, each weighted with the number of moves
there, and beyond it by a gain. All nodes make their steps from the same start. If the steps are
small, the result of all of them in sequence is their sum, but the centroid is their mean. If the
steps are large, each node has already reached the resting place of the word, and the sum would go
too far. The gain is between these two. Moments of an optimizer go to their weighted mean.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats
from hyperskip.training.cluster import kernels
from hyperskip.training.cluster.moves import Moves
from hyperskip.training.shared_plan import Plan


class Moved(NamedTuple):
    """Words that a node moved since the last merge."""

    words: npt.NDArray[np.int64]  # ascending ids
    coordinates: npt.NDArray[np.float32]  # (layers, words, columns), as those of a backend
    moves: Moves
    theta: float
    tokens: int  # trained on since the last merge

    @property
    def size(self) -> int:
        """Number of bytes."""
        arrays = (self.words, self.coordinates, *self.moves)
        return sum(array.nbytes for array in arrays)


class Merged(NamedTuple):
    """Words that were moved by any node, at their new points."""

    words: npt.NDArray[np.int64]  # ascending ids
    coordinates: npt.NDArray[np.float32]  # (layers, words, columns)
    theta: float

    @property
    def size(self) -> int:
        """Number of bytes."""
        return self.words.nbytes + self.coordinates.nbytes


def gains(moves: Floats, relaxation: Floats) -> Floats:
    """How far beyond the centroid words are moved; 1 is the centroid.

    Steps of relaxation r go 1 - exp(-r) of the way to the resting place of a word. The steps of n
    nodes in sequence go 1 - exp(-n r) of the way; the gain is the ratio of the two.

    Args:
        moves: (nodes, words): number of moves; 0 on nodes that did not move a word.
        relaxation: (nodes, words): how far each node's moves take the word.
    """
    total = moves.sum(axis=0)
    shares = total**2 / np.maximum((moves**2).sum(axis=0), 1e-30)  # number of equal shares
    mean = np.maximum((moves * relaxation).sum(axis=0) / np.maximum(total, 1e-30), 1e-9)
    return np.asarray(np.expm1(-shares * mean) / np.expm1(-mean))


def merge(pieces: Sequence[Moved], base: npt.NDArray[np.float32], plan: Plan) -> Merged:
    """Merge the words of some pieces, one from each node, in their order.

    Args:
        pieces: What the nodes moved.
        base: (layers, all words, columns): where all words were at the last merge.
        plan: The plan of the training.
    """
    words = np.unique(np.concatenate([piece.words for piece in pieces]))
    layers, _, columns = base.shape
    found = np.zeros((layers, len(pieces), len(words), columns), dtype=np.float32)
    moves = np.zeros((len(pieces), len(words)))
    relaxation = np.zeros_like(moves)
    for node, piece in enumerate(pieces):
        at = np.searchsorted(words, piece.words)
        found[:, node, at] = piece.coordinates
        moves[node, at] = np.maximum(piece.moves.number, 1e-6)  # it did move
        relaxation[node, at] = piece.moves.relaxation
    by_factor = plan.factors, plan.factor_dimension
    gained = gains(moves, relaxation)
    points = np.ascontiguousarray(found[..., : plan.dimension])
    old = np.ascontiguousarray(base[:, words, : plan.dimension])
    merged = np.empty((layers, len(words), *by_factor), dtype=np.float32)
    for layer in range(layers):
        kernels.merge_points(
            old[layer].reshape(-1, *by_factor),
            points[layer].reshape(len(pieces), -1, *by_factor),
            moves,
            gained,
            plan.space.is_curved,
            merged[layer],
        )
    coordinates = merged.reshape(layers, -1, plan.dimension)
    if columns > plan.dimension:
        shares = moves / moves.sum(axis=0)
        mean = np.einsum("nw,lnwm->lwm", shares, found[..., plan.dimension :]).astype(np.float32)
        coordinates = np.concatenate((coordinates, mean), axis=2)
    return Merged(words, coordinates, _theta(pieces))


def _theta(pieces: Sequence[Moved]) -> float:
    """The mean theta of nodes, weighted with the number of tokens they trained on."""
    tokens = sum(piece.tokens for piece in pieces)
    if tokens == 0:  # a round may have fewer parts than nodes, or none
        return pieces[0].theta
    return sum(piece.theta * piece.tokens for piece in pieces) / tokens
