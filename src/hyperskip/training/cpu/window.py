"""The `window` schedule: rounds of tiles of sixteen consecutive centers.

A tile is computed from the positions at the start of its round (tiles.py), and at the end of the
round each word moves once (word_moves.py). The expected gradient is that of `pairwise`, except for
draws that hit a context, which are kept here. `reference.py` is the same algorithm, slow and
literal.

Independent threads have rounds of one tile each. A team of threads shares longer rounds: its
threads compute the tiles, and when all are done, they move the words, each by the sum of its
gradients in the order of the tiles. The result does not depend on the number of threads. The n
tiles of a round come from n equal parts of the block, one from each part, as if n threads read
these parts. Neighboring tiles repeat the words of their topic, and a word that many tiles push from
the same position moves too far.
"""

from typing import Any

import numpy as np
from numba import njit

from hyperskip.kernel_cache import cached_on_disk
from hyperskip.random_draws import NEXT
from hyperskip.training.cpu.kept_text import join, kept_before, subsample
from hyperskip.training.cpu.round_memory import TILE
from hyperskip.training.cpu.thread_team import claim, finish, preferred, wait_for_next
from hyperskip.training.cpu.tiles import compute_tile
from hyperskip.training.cpu.word_moves import move_share

_TEXT_PHASES = 2  # of a block: subsampling, and joining its parts; then two phases for each round

_NOT_KNOWN = np.int64(1) << 40  # number of rounds, before the text is subsampled

f32 = np.float32


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def train_tiles(
    tokens: Any,  # (tokens,) int32
    sentence_starts: Any,  # (sentences + 1,) int64, relative to the block
    layers: Any,
    tables: Any,
    settings: Any,
    start_rate: Any,
    end_rate: Any,
    seed: Any,  # uint64
    most_tiles: Any,  # of a round
    work: Any,
    stop: Any,  # (1,) uint8: nonzero to stop early
    round_: Any,
    team: Any,
) -> Any:
    """Train on all centers of a block of sentences, after `begin_block`.

    All threads of a team may call it for the same block. When all have returned, the sums of the
    round hold the number of pairs, their weight and their loss.
    """
    parts = len(round_.kept_counts)
    kept = round_.kept_parts if parts == 1 else round_.kept
    draws = seed + np.uint64(len(tokens)) * NEXT  # one draw for each token comes first
    count, rounds = 0, _NOT_KNOWN
    work.computed[0] = -1

    while stop[0] == 0:
        phase, item = claim(team)
        if phase >= _TEXT_PHASES and count == 0:
            count = kept_before(parts, round_)
            block_tiles = (count + TILE - 1) // TILE
            rounds = (block_tiles + most_tiles - 1) // most_tiles
        number, is_move = (phase - _TEXT_PHASES) // 2, phase % 2 == 1
        if number >= rounds:
            break
        tiles = (block_tiles - number + rounds - 1) // rounds if count > 0 else 0
        items = tiles if phase >= _TEXT_PHASES and not is_move else parts
        if item >= items:
            wait_for_next(team, phase, stop)
            continue
        if phase == 0:
            subsample(item, tokens, sentence_starts, tables.keep, settings, seed, round_)
        elif phase == 1:
            join(item, sentence_starts, round_)
        elif not is_move:
            if work.computed[0] != phase:
                work.computed[0], work.computed[1] = phase, 0
            slot = work.member * len(round_.pairs) + work.computed[1]
            work.computed[1] += 1
            round_.slots[item] = slot
            tile = item * rounds + number
            before = np.uint64(tile) * np.uint64(settings.shared_negatives)
            compute_tile(
                *(item, slot, round_, work, kept[:, :count], tile * TILE),
                *(layers, tables, settings, draws + before * NEXT),
            )
        else:
            rate = f32(start_rate + (end_rate - start_rate) * (number / rounds))
            item = preferred(team, phase, items, work.member)
            move_share(item, round_, tiles, rate, work, layers, tables, settings)
            if item == 0:
                for tile in range(tiles):
                    round_.pair_sum[0] += round_.pairs[tile]
                    round_.weight_sum[0] += round_.weights[tile]
                    round_.loss_sum[0] += round_.losses[tile]
                    if settings.learn_theta:
                        layers.theta[0] += rate * round_.theta_gradients[tile] / tiles
        finish(team, phase, items)
