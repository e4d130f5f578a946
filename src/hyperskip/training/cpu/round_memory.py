"""The memory of the window kernel: what a thread has for itself, and what its team shares."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.training.cpu.lanes import LANES
from hyperskip.training.cpu.layout import aligned, rounded_up
from hyperskip.training.cpu.thread_team import Team

TILE = LANES  # centers: the scores of a row fill one register
# Of the words of a round, and of the text of a block: more than most teams have threads.
_PARTS = 64


class RoundShape(NamedTuple):
    """The numbers that the sizes of all arrays follow from."""

    tokens: int  # of the longest block
    window: int
    shared_negatives: int
    row: int  # length
    tiles: int = 1  # of a round
    factors: int = 1

    @property
    def rows(self) -> int:
        """Rows to allocate for a tile."""
        return rows_of_a_tile(self.window, self.shared_negatives)

    @property
    def parts(self) -> int:
        """Parts that the threads of a team share; a round of one tile is for one thread."""
        return 1 if self.tiles == 1 else _PARTS


class Workspace(NamedTuple):
    """Memory of one thread for a tile; its rows are words of the text, then negative samples."""

    member: int  # number of the thread in its team
    computed: npt.NDArray[np.int64]  # (2,): the current phase, and tiles computed in it
    positions: npt.NDArray[np.float32]  # (rows, row), at the start of the round
    scores: npt.NDArray[np.float32]  # (factors * rows, TILE): products with the centers, by factor
    pulls: npt.NDArray[np.float32]  # (rows, TILE): weight * (label - sigma(score))
    center_lanes: npt.NDArray[np.int32]  # (4, TILE)
    turned_centers: npt.NDArray[np.float32]  # (row, TILE): transposed, time negative
    center_positions: npt.NDArray[np.float32]  # (TILE, row), unless tied
    # The words of a share: a hash table of their numbers from 1 (0: free), the words, a row of each
    # with the sum of its gradients, and <position, gradient>, by factor.
    places: npt.NDArray[np.int32]
    own_words: npt.NDArray[np.int32]  # (rows of a round,)
    own_rows: npt.NDArray[np.int64]  # (rows of a round,)
    own_products: npt.NDArray[np.float32]  # (factors, rows of a round)
    rates: npt.NDArray[np.float32]  # (1, rows of a round): learning rates of these words
    keeps: npt.NDArray[np.float32]  # (1, rows of a round): coefficients of the moves
    adds: npt.NDArray[np.float32]  # (1, rows of a round)


class Gradients(NamedTuple):
    """Gradients from the tiles of a round for one layer; each tile has a slot of adjacent rows."""

    words: npt.NDArray[np.int32]  # (slots, rows)
    gradients: npt.NDArray[np.float32]  # (slots * rows, row): ambient
    products: npt.NDArray[np.float32]  # (slots * factors, rows): <position, gradient>
    used: npt.NDArray[np.int32]  # (slots,): number of rows
    # The rows of a tile again, share by share, if there are several shares.
    listed: npt.NDArray[np.int64]  # (slots, rows): the word, and its row in the lower 32 bits
    listed_products: npt.NDArray[np.float32]  # (slots * factors, rows)
    ends: npt.NDArray[np.int32]  # (slots, shares): where a share ends


class Round(NamedTuple):
    """Memory that the threads of a team share."""

    contexts: Gradients
    centers: Gradients  # not used with tied layers
    slots: npt.NDArray[np.int64]  # (tiles,): the slot of each tile
    pairs: npt.NDArray[np.int64]  # (tiles,)
    weights: npt.NDArray[np.float64]  # (tiles,): of the pairs
    losses: npt.NDArray[np.float64]  # (tiles,)
    theta_gradients: npt.NDArray[np.float64]  # (tiles,)
    pair_sum: npt.NDArray[np.int64]  # (1,): of the block so far
    weight_sum: npt.NDArray[np.float64]  # (1,)
    loss_sum: npt.NDArray[np.float64]  # (1,)
    # The tokens of a block that are kept, and the first and last position of each window: part by
    # part with gaps between the parts, and without gaps. With one part, there are no gaps.
    kept_counts: npt.NDArray[np.int64]  # (parts,)
    kept_parts: npt.NDArray[np.int32]  # (3, tokens)
    kept: npt.NDArray[np.int32]  # (3, tokens), or (3, 0) with one part

    @property
    def mean_pair_loss(self) -> float:
        """The weighted mean loss of a pair, in the block so far."""
        return float(self.loss_sum[0]) / max(float(self.weight_sum[0]), 1e-300)


def rows_of_a_tile(window: int, shared_negatives: int) -> int:
    """The number of rows to allocate for a tile."""
    return rounded_up(TILE + 2 * window + shared_negatives) + TILE


def workspace(shape: RoundShape, member: int = 0) -> Workspace:
    """Allocate the memory of one thread, the one with this number in its team."""
    rows, row, most = shape.rows, shape.row, shape.tiles * shape.rows
    return Workspace(
        member=member,
        computed=aligned((2,), np.int64),
        positions=aligned((rows, row)),
        scores=aligned((shape.factors * rows, TILE)),
        pulls=aligned((rows, TILE)),
        center_lanes=aligned((4, TILE), np.int32),
        turned_centers=aligned((row, TILE)),
        center_positions=aligned((TILE, row)),
        places=aligned((1 << (2 * most).bit_length(),), np.int32),
        own_words=aligned((most,), np.int32),
        own_rows=aligned((most,), np.int64),
        own_products=aligned((shape.factors, rounded_up(most))),
        rates=aligned((1, rounded_up(most))),
        keeps=aligned((1, rounded_up(most))),
        adds=aligned((1, rounded_up(most))),
    )


def shared_round(shape: RoundShape, members: int = 1) -> Round:
    """Allocate the memory that a team of this number of threads shares.

    A thread computes tiles in slots of its own, so that their memory stays in its cache. One thread
    may compute all tiles. Memory that is never used takes no space.
    """
    tiles, parts, factors = shape.tiles, shape.parts, shape.factors
    slots = members * tiles

    def gradients(rows: int) -> Gradients:
        listed = rows if parts > 1 else 0
        return Gradients(
            words=aligned((slots, rows), np.int32),
            gradients=aligned((slots * rows, shape.row)),
            products=aligned((slots * factors, rows)),
            used=aligned((slots,), np.int32),
            listed=aligned((slots, listed), np.int64),
            listed_products=aligned((slots * factors, listed)),
            ends=aligned((slots, parts), np.int32),
        )

    return Round(
        contexts=gradients(shape.rows),
        centers=gradients(TILE),
        slots=aligned((tiles,), np.int64),
        pairs=aligned((tiles,), np.int64),
        weights=aligned((tiles,), np.float64),
        losses=aligned((tiles,), np.float64),
        theta_gradients=aligned((tiles,), np.float64),
        pair_sum=aligned((1,), np.int64),
        weight_sum=aligned((1,), np.float64),
        loss_sum=aligned((1,), np.float64),
        kept_counts=aligned((parts,), np.int64),
        kept_parts=aligned((3, shape.tokens), np.int32),
        kept=aligned((3, shape.tokens if parts > 1 else 0), np.int32),
    )


def begin_block(round_: Round, team: Team) -> None:
    """Reset the counters for a new block; all threads must have finished the last one."""
    for counter in (round_.pair_sum, round_.weight_sum, round_.loss_sum, team.claims, team.done):
        counter[0] = 0
    team.taken[:] = 0
