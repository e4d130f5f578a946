"""The `window` schedule: tiles of sixteen consecutive centers that share their negative samples.

The rows of a tile are the words around its centers and one set of negative samples. The products of
all rows with all centers, the gradients of the rows and the gradients of the centers are three
small matrix products; in between, a row of sixteen scores is one register. A tile is computed from
the positions at its start, and then each word moves once. The expected gradient is that of
`pairwise`, except for draws that hit a context, which are kept here. `reference.py` is the same
algorithm, slow and literal.

A round is a number of tiles that are computed before words move. Independent threads have rounds of
one tile each. A team of threads shares longer rounds: its threads compute the tiles, and when all
are done, they move the words, each by the sum of its gradients in the order of the tiles. The
result does not depend on the number of threads. The n tiles of a round come from n equal parts of
the block, one from each part, as if n threads read these parts. Neighboring tiles repeat the words
of their topic, and a word that many tiles push from the same position moves too far.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from hyperskip.kernel_cache import cached_on_disk
from hyperskip.kernel_parts import kernel_part
from hyperskip.random_draws import NEXT, is_kept, mixed, negative, scaled_down
from hyperskip.training.cpu.formulas import logarithm, shift_of_scores, sigmoid, step_coefficients
from hyperskip.training.cpu.lanes import (
    FAST,
    LANES,
    at_least,
    at_most,
    choose,
    everywhere,
    load,
    spread,
    square_root,
    store,
    total,
)
from hyperskip.training.cpu.layout import aligned, rounded_up
from hyperskip.training.cpu.row_operations import (
    FAR_PRODUCT,
    FAR_TIME,
    add,
    copy,
    far_product,
    far_slope,
    move,
    product,
)
from hyperskip.training.cpu.thread_team import Team, claim, finish, share_of, wait_for_next

TILE = LANES  # centers: the scores of a row fill one register

_ROWS_AT_ONCE = 8  # of a matrix product: enough sums to keep both multipliers busy
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads words over slots
_NORMALIZERS_AT_ONCE = 64  # of the loss: the product of 64 numbers below 2 does not overflow

# Rows of `Workspace.center_lanes`, with one number for each center of the tile.
_FIRST, _LAST, _ITSELF, _WORD = 0, 1, 2, 3

f32, i32 = np.float32, np.int32


class Workspace(NamedTuple):
    """Memory of one thread for a tile; its rows are words of the text, then negative samples."""

    positions: npt.NDArray[np.float32]  # (rows, row), at the start of the round
    scores: npt.NDArray[np.float32]  # (factors * rows, TILE): products with the centers, by factor
    pulls: npt.NDArray[np.float32]  # (rows, TILE): weight * (label - sigma(score))
    center_lanes: npt.NDArray[np.int32]  # (4, TILE)
    turned_centers: npt.NDArray[np.float32]  # (row, TILE): transposed, time negative
    center_positions: npt.NDArray[np.float32]  # (TILE, row), unless tied
    slots: npt.NDArray[np.int32]  # hash table of the words of a round: their rows from 1; 0: free
    own: npt.NDArray[np.int32]  # (rows of a round,): one row for each word of a share
    keeps: npt.NDArray[np.float32]  # (1, rows of a round): coefficients of the moves
    adds: npt.NDArray[np.float32]  # (1, rows of a round)


class Gradients(NamedTuple):
    """Gradients from the tiles of a round for one layer; the rows of a tile are adjacent."""

    words: npt.NDArray[np.int32]  # (rows,): -1 for unused rows of a tile
    gradients: npt.NDArray[np.float32]  # (rows, row): ambient
    products: npt.NDArray[np.float32]  # (factors, rows): <position, gradient>


class Round(NamedTuple):
    """Memory that the threads of a team share."""

    contexts: Gradients
    centers: Gradients  # not used with tied layers
    pairs: npt.NDArray[np.int64]  # (tiles,)
    losses: npt.NDArray[np.float64]  # (tiles,)
    theta_gradients: npt.NDArray[np.float64]  # (tiles,)
    pair_sum: npt.NDArray[np.int64]  # (1,): of the block so far
    loss_sum: npt.NDArray[np.float64]  # (1,)


def rows_of_a_tile(window: int, shared_negatives: int) -> int:
    """The number of rows to allocate for a tile."""
    return rounded_up(TILE + 2 * window + shared_negatives) + TILE


def workspace(
    window: int, shared_negatives: int, row: int, tiles: int = 1, factors: int = 1
) -> Workspace:
    """Allocate the memory of one thread, for rounds of `tiles` tiles of this size."""
    rows = rows_of_a_tile(window, shared_negatives)
    return Workspace(
        positions=aligned((rows, row)),
        scores=aligned((factors * rows, TILE)),
        pulls=aligned((rows, TILE)),
        center_lanes=aligned((4, TILE), np.int32),
        turned_centers=aligned((row, TILE)),
        center_positions=aligned((TILE, row)),
        slots=aligned((1 << (2 * tiles * rows).bit_length(),), np.int32),
        own=aligned((tiles * rows,), np.int32),
        keeps=aligned((1, tiles * rows)),
        adds=aligned((1, tiles * rows)),
    )


def shared_round(
    window: int, shared_negatives: int, row: int, tiles: int = 1, factors: int = 1
) -> Round:
    """Allocate the shared memory for rounds of `tiles` tiles of this size."""

    def gradients(rows: int) -> Gradients:
        return Gradients(aligned((rows,), np.int32), aligned((rows, row)), aligned((factors, rows)))

    return Round(
        contexts=gradients(tiles * rows_of_a_tile(window, shared_negatives)),
        centers=gradients(tiles * TILE),
        pairs=aligned((tiles,), np.int64),
        losses=aligned((tiles,), np.float64),
        theta_gradients=aligned((tiles,), np.float64),
        pair_sum=aligned((1,), np.int64),
        loss_sum=aligned((1,), np.float64),
    )


def begin_block(round_: Round, team: Team) -> None:
    """Reset the counters for a new block; all threads must have finished the last one."""
    for counter in (round_.pair_sum, round_.loss_sum, team.claims, team.done):
        counter[0] = 0


@kernel_part()
def multiply(
    a: Any, first: Any, b: Any, out: Any, rows: Any, depth: Any, columns: Any, adding: Any
) -> Any:
    """out[:rows, :columns] = a[:rows, first : first + depth] @ b[:depth, :columns], or added to it.

    Rows are taken 8 at a time, and columns 16: beyond `rows`, up to 7 more are written.
    """
    for i in range(0, rows, _ROWS_AT_ONCE):
        for column in range(0, columns, LANES):
            s0 = s1 = s2 = s3 = s4 = s5 = s6 = s7 = everywhere(f32(0.0))
            if adding:
                s0, s1 = load(out, i, column), load(out, i + 1, column)
                s2, s3 = load(out, i + 2, column), load(out, i + 3, column)
                s4, s5 = load(out, i + 4, column), load(out, i + 5, column)
                s6, s7 = load(out, i + 6, column), load(out, i + 7, column)
            for k in range(depth):
                factor = load(b, k, column)
                s0 += spread(a, i, first + k) * factor
                s1 += spread(a, i + 1, first + k) * factor
                s2 += spread(a, i + 2, first + k) * factor
                s3 += spread(a, i + 3, first + k) * factor
                s4 += spread(a, i + 4, first + k) * factor
                s5 += spread(a, i + 5, first + k) * factor
                s6 += spread(a, i + 6, first + k) * factor
                s7 += spread(a, i + 7, first + k) * factor
            store(out, i, column, s0)
            store(out, i + 1, column, s1)
            store(out, i + 2, column, s2)
            store(out, i + 3, column, s3)
            store(out, i + 4, column, s4)
            store(out, i + 5, column, s5)
            store(out, i + 6, column, s6)
            store(out, i + 7, column, s7)


@kernel_part(forceinline=True)
def _subsample(
    tokens: Any, starts: Any, keep: Any, settings: Any, random: Any, kept: Any, reaches: Any
) -> Any:
    """Write the kept tokens, and the first and last position of each window."""
    count = 0
    for s in range(len(starts) - 1):
        begin = count
        for t in range(starts[s], starts[s + 1]):
            random += NEXT
            bits = mixed(random)
            kept[count] = tokens[t]
            reaches[0, count] = settings.window
            if settings.shrink_window:
                reaches[0, count] = 1 + scaled_down(bits << np.uint64(32), settings.window)
            count += is_kept(tokens[t], keep, bits)
        for c in range(begin, count):
            reach = reaches[0, c]
            reaches[0, c] = max(begin, c - reach)
            reaches[1, c] = min(count - 1, c + reach)
    return count, random


@kernel_part(forceinline=True)
def _draw(words: Any, noise: Any, random: Any) -> Any:
    """Draw negative samples into `words`."""
    for i in range(len(words)):
        random += NEXT
        words[i] = negative(noise, random)


@kernel_part(forceinline=True)
def _gather(
    work: Any, words: Any, layers: Any, settings: Any, kept: Any, reaches: Any, begin: Any, c: Any
) -> Any:
    """Copy the positions of the rows, and the centers from c; the text begins at `begin`."""
    for i in range(len(words)):
        copy(layers.contexts, np.int64(words[i]), work.positions, i)
    for lane in range(TILE):
        work.center_lanes[_FIRST, lane] = 0
        work.center_lanes[_LAST, lane] = -1  # after the end: a center without contexts
        work.center_lanes[_ITSELF, lane] = lane + c - begin
        work.center_lanes[_WORD, lane] = -1
        if c + lane < len(kept):
            work.center_lanes[_FIRST, lane] = reaches[0, c + lane] - begin
            work.center_lanes[_LAST, lane] = reaches[1, c + lane] - begin
            work.center_lanes[_WORD, lane] = kept[c + lane]
            if not settings.tied:
                copy(layers.centers, np.int64(kept[c + lane]), work.center_positions, lane)


@kernel_part(forceinline=True)
def _score(work: Any, centers: Any, settings: Any, rows: Any) -> Any:
    """Compute <v, u> for each row v and center u, factor by factor."""
    room, row = work.positions.shape
    dimension, width = settings.dimension, row // settings.factors
    for factor in range(settings.factors):
        first = factor * width
        time = first + dimension
        scores = work.scores[factor * room : (factor + 1) * room]
        furthest = f32(0.0)
        for lane in range(TILE):
            for d in range(dimension):
                work.turned_centers[d, lane] = centers[lane, first + d]
            work.turned_centers[dimension, lane] = -centers[lane, time]
            furthest = max(furthest, centers[lane, time])
        multiply(
            *(work.positions, first, work.turned_centers, scores),
            *(rows, dimension + 1, TILE, False),
        )
        for i in range(rows):
            if furthest * work.positions[i, time] > FAR_PRODUCT:
                for lane in range(TILE):
                    if centers[lane, time] * work.positions[i, time] > FAR_PRODUCT:
                        scores[i, lane] = far_product(
                            work.positions, i, centers, lane, first, dimension
                        )


@kernel_part(forceinline=True)
def _similarity(work: Any, i: Any, settings: Any, highest: Any) -> Any:
    """The products of a row with the centers, summed over factors."""
    similarity = at_most(load(work.scores, i, 0), highest)
    for factor in range(1, settings.factors):
        similarity += at_most(load(work.scores, factor * len(work.positions) + i, 0), highest)
    return similarity


@kernel_part(forceinline=True)
def _sum_products(
    work: Any, products: Any, center_products: Any, settings: Any, rows: Any, highest: Any
) -> Any:
    """Compute the products of rows and centers with their gradients, factor by factor."""
    for factor in range(settings.factors):
        shares = everywhere(f32(0.0))
        for i in range(rows):
            score = at_most(load(work.scores, factor * len(work.positions) + i, 0), highest)
            weighted = load(work.pulls, i, 0) * score
            products[factor, i] = total(weighted)
            shares += weighted
        store(center_products, factor, 0, shares)


@kernel_part(fastmath=FAST, forceinline=True)
def _pull(
    work: Any,
    words: Any,
    products: Any,
    center_products: Any,
    settings: Any,
    shift: Any,
    span: Any,
) -> Any:
    """Compute pulls, and the products of rows and centers with their gradients.

    A score is sharpness * (sum of products over factors) + shift. Returns the number of pairs,
    their loss, and the sum over centers of the mean derivative of a pair's log-likelihood by theta.
    """
    rows = len(words)
    sharpness = f32(settings.sharpness)
    zero, one = everywhere(f32(0.0)), everywhere(f32(1.0))
    # A product of points is at most -1; more is possible only by rounding.
    highest = f32(-1.0) if settings.hyperbolic else f32(np.inf)
    first, last = load(work.center_lanes, _FIRST, 0), load(work.center_lanes, _LAST, 0)
    itself, word = load(work.center_lanes, _ITSELF, 0), load(work.center_lanes, _WORD, 0)
    contexts = loss = pulls = zero
    normalizers = one  # one logarithm of their product

    for i in range(span):
        here = (first <= i32(i)) & (last >= i32(i)) & (itself != i32(i))
        if settings.tied:
            here = here & (word != words[i])
        score = _similarity(work, i, settings, highest) * sharpness + shift
        _, unlikely, normalizer = sigmoid(score)
        pull = choose(here, unlikely, zero)
        contexts += choose(here, one, zero)
        loss += choose(here, at_least(zero - score, f32(0.0)), zero)
        normalizers *= choose(here, normalizer, one)
        if i % _NORMALIZERS_AT_ONCE == _NORMALIZERS_AT_ONCE - 1:
            loss += logarithm(normalizers)
            normalizers = one
        store(work.pulls, i, 0, pull)
        pulls += pull
    loss += logarithm(normalizers)

    # The shared samples represent the `negatives` of each pair of the center.
    weight = contexts * f32(settings.negatives / (rows - span))
    negative_loss, normalizers = zero, one
    for i in range(span, rows):
        score = _similarity(work, i, settings, highest) * sharpness + shift
        likely, _, normalizer = sigmoid(score)
        excess = at_least(score, f32(0.0))
        if settings.tied:
            other = word != words[i]
            likely = choose(other, likely, zero)
            excess = choose(other, excess, zero)
            normalizer = choose(other, normalizer, one)
        negative_loss += excess
        normalizers *= normalizer
        if (i - span) % _NORMALIZERS_AT_ONCE == _NORMALIZERS_AT_ONCE - 1:
            negative_loss += logarithm(normalizers)
            normalizers = one
        pull = zero - likely * weight
        store(work.pulls, i, 0, pull)
        pulls += pull
    negative_loss += logarithm(normalizers)

    _sum_products(work, products, center_products, settings, rows, highest)
    means = choose(contexts > f32(0.0), pulls / contexts, zero)
    return np.int64(total(contexts)), total(loss + negative_loss * weight), total(means)


@kernel_part(forceinline=True)
def _compute_tile(
    tile: Any,
    round_: Any,
    work: Any,
    kept: Any,
    reaches: Any,
    c: Any,
    layers: Any,
    chances: Any,
    settings: Any,
    random: Any,
) -> Any:
    """Compute the gradients of a tile of centers from c; no word moves."""
    row = layers.centers.shape[1]
    begin, end = max(0, c - settings.window), min(len(kept), c + TILE + settings.window)
    span, offset = end - begin, c - begin
    rows = span + settings.shared_negatives
    room = len(work.positions)
    first, first_center = tile * room, tile * TILE
    words = round_.contexts.words[first : first + rows]
    gradients = round_.contexts.gradients[first : first + room]
    products = round_.contexts.products[:, first : first + room]
    center_gradients = round_.centers.gradients[first_center : first_center + TILE]
    center_products = round_.centers.products[:, first_center : first_center + TILE]

    for i in range(span):
        words[i] = kept[begin + i]
    _draw(words[span:], chances.noise, random)
    round_.contexts.words[first + rows : first + room] = -1
    _gather(work, words, layers, settings, kept, reaches, begin, c)
    centers = work.positions[offset : offset + TILE] if settings.tied else work.center_positions
    _score(work, centers, settings, rows)
    shift = shift_of_scores(settings, layers.theta[0])
    pairs, loss, theta_gradient = _pull(
        work, words, products, center_products, settings, shift, span
    )
    round_.pairs[tile], round_.losses[tile] = pairs, loss
    round_.theta_gradients[tile] = theta_gradient

    multiply(work.pulls, 0, centers, gradients, rows, TILE, row, False)
    if settings.tied:  # a center is also a row: its two gradients add up
        center_gradients = gradients[offset : offset + TILE]
        for factor in range(settings.factors):
            for lane in range(TILE):
                products[factor, offset + lane] += center_products[factor, lane]
    else:
        for lane in range(TILE):
            round_.centers.words[first_center + lane] = work.center_lanes[_WORD, lane]
    multiply(work.pulls.T, 0, work.positions, center_gradients, TILE, rows, row, settings.tied)


@kernel_part(forceinline=True)
def _sum_gradients(round_: Any, rows: Any, fixed: Any, work: Any, share: Any, shares: Any) -> Any:
    """Add up the gradients of each word of a share, in its first row.

    Then a word moves once, by at most the longest step. Returns the number of words.
    """
    words, slots = round_.words, work.slots
    slots[:] = 0
    mask = np.uint64(len(slots) - 1)
    count = 0
    for i in range(rows):
        scattered = np.uint64(words[i]) * _SCATTER >> np.uint64(32)
        if words[i] < 0 or fixed[words[i]] or share_of(scattered, shares) != share:
            continue
        slot = scattered & mask
        while slots[slot] != 0 and words[slots[slot] - 1] != words[i]:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] == 0:
            slots[slot] = i + 1
            work.own[count] = i
            count += 1
        else:
            first = np.int64(slots[slot] - 1)
            add(round_.gradients, first, i)
            for factor in range(len(round_.products)):
                round_.products[factor, first] += round_.products[factor, i]
    return count


@kernel_part(forceinline=True)
def _move(
    table: Any, round_: Any, count: Any, rate: Any, work: Any, layers: Any, settings: Any
) -> Any:
    """Move words along grad = G + <v, G> v, in each factor; in flat space to v + G."""
    time, factors = settings.dimension, settings.factors
    # The part of a word in a factor is a row of its own.
    width = table.shape[1] // factors
    table = table.reshape((table.shape[0] * factors, width))
    gradients = round_.gradients.reshape((round_.gradients.shape[0] * factors, width))
    products = work.keeps  # overwritten below by the coefficients
    for factor in range(factors):
        for k in range(count):
            i = np.int64(work.own[k])
            products[0, k] = round_.products[factor, i]
            i = i * factors + factor
            work.adds[0, k] = product(gradients, i, gradients, i, layers.metric)
        for k in range(0, count, LANES):
            squares = load(work.adds, 0, k)
            if settings.hyperbolic:  # |grad|² = <G, G> + <v, G>²
                squares += load(products, 0, k) * load(products, 0, k)
            store(work.adds, 0, k, square_root(at_least(squares, f32(0.0))))
        if settings.hyperbolic:
            for k in range(count):
                i = np.int64(work.own[k])
                word = np.int64(round_.words[i]) * factors + factor
                i = i * factors + factor
                if table[word, time] > FAR_TIME:
                    work.adds[0, k] = far_slope(table, word, gradients, i, products[0, k], time)
        for k in range(0, count, LANES):
            keep, pull = step_coefficients(
                settings.hyperbolic,
                everywhere(rate),
                load(work.adds, 0, k),
                load(products, 0, k),
                f32(settings.max_step),
            )
            store(work.keeps, 0, k, keep)
            store(work.adds, 0, k, pull)
        for k in range(count):
            i = np.int64(work.own[k])
            word = np.int64(round_.words[i]) * factors + factor
            i = i * factors + factor
            keep, pull = work.keeps[0, k], work.adds[0, k]
            move(table, word, keep, pull, gradients, i, layers.spatial, layers.metric)


@kernel_part(forceinline=True)
def _move_share(
    share: Any,
    shares: Any,
    round_: Any,
    tiles: Any,
    rate: Any,
    work: Any,
    layers: Any,
    settings: Any,
) -> Any:
    """Move a share of the words by the gradients of a round."""
    # A loop over the layers instead of the code for each: what it calls is inlined, so it would be
    # compiled twice. With tied layers, all gradients are those of contexts.
    for contexts in range(1 if settings.tied else 0, 2):
        table, fixed = layers.centers, layers.fixed_centers
        gradients, rows = round_.centers, tiles * TILE
        if contexts:
            table, fixed = layers.contexts, layers.fixed_contexts
            gradients, rows = round_.contexts, tiles * len(work.positions)
        own = _sum_gradients(gradients, rows, fixed, work, share, shares)
        _move(table, gradients, own, rate, work, layers, settings)


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def train_tiles(
    tokens: Any,  # (tokens,) int32
    sentence_starts: Any,  # (sentences + 1,) int64, relative to the block
    layers: Any,
    chances: Any,
    settings: Any,
    start_rate: Any,
    end_rate: Any,
    seed: Any,  # uint64
    work: Any,
    stop: Any,  # (1,) uint8: nonzero to stop early
    round_: Any,
    team: Any,
) -> Any:
    """Train on all centers of a block of sentences, after `begin_block`.

    All threads of a team may call it for the same block. When all have returned, the sums of the
    round hold the number of pairs and their loss.
    """
    kept = np.empty(len(tokens), dtype=np.int32)
    reaches = np.empty((2, len(tokens)), dtype=np.int32)
    count, random = _subsample(tokens, sentence_starts, chances.keep, settings, seed, kept, reaches)
    kept = kept[:count]
    block_tiles = (count + TILE - 1) // TILE
    rounds = (block_tiles + len(round_.pairs) - 1) // len(round_.pairs)

    while stop[0] == 0:
        phase, item = claim(team)  # a round has two phases: tiles, then moves
        if phase >= 2 * rounds:
            break
        number = phase // 2
        tiles = (block_tiles - number + rounds - 1) // rounds
        items = tiles if phase % 2 == 0 else team.size
        if item >= items:
            wait_for_next(team, phase, stop)
            continue
        if phase % 2 == 0:
            tile = item * rounds + number
            draws = np.uint64(tile) * np.uint64(settings.shared_negatives)
            _compute_tile(
                *(item, round_, work, kept, reaches, tile * TILE),
                *(layers, chances, settings, random + draws * NEXT),
            )
        else:
            rate = f32(start_rate + (end_rate - start_rate) * (number / rounds))
            _move_share(item, team.size, round_, tiles, rate, work, layers, settings)
            if item == 0:
                for tile in range(tiles):
                    round_.pair_sum[0] += round_.pairs[tile]
                    round_.loss_sum[0] += round_.losses[tile]
                    if settings.learn_theta:
                        layers.theta[0] += rate * round_.theta_gradients[tile] / tiles
        finish(team, phase, items)
