"""The `window` schedule: sixteen consecutive centers at once, with negatives that they share.

The words around a tile of centers and one set of negatives are the tile's rows. Products of all
rows with all centers, the gradients of the rows and those of the centers are three small matrix
products; in between, a row of sixteen scores is one register. Everything is computed from where
words stood when the tile began, and then each word moves once. In expectation the gradient is that
of `pairwise`, but for draws that hit a context: those are kept here. `reference.py` is the same
algorithm, slow and literal.

A round is as many tiles as are computed before words move. Threads that run free have rounds of a
tile, each thread its own. A team shares longer rounds: its threads compute the tiles, and when all
are there, they move the words, each by what all tiles say of it in their order. What comes out does
not depend on how many threads the team has. Tile i of the n that a round has is in the i-th n-th of
the block, as if n threads walked through the text, each in a part of its own: neighboring tiles
repeat the words of their topic, and words that many tiles push at once from where they stood are
pushed too far.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from hyperskip.kernel_cache import cached_on_disk
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
from hyperskip.training.cpu.random_draws import NEXT, is_kept, mixed, negative, scaled_down
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

TILE = LANES  # centers at once: the scores of a row fill one register

_ROWS_AT_ONCE = 8  # of a matrix product: as many sums as it takes to keep both multipliers busy
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads words over slots
_NORMALIZERS_AT_ONCE = (
    64  # of the loss: a product of so many numbers below 2 is far from overflowing
)

# Lines of `Workspace.center_lanes`, each a number for every center of the tile.
_FIRST, _LAST, _ITSELF, _WORD = 0, 1, 2, 3

f32, i32 = np.float32, np.int32


class Workspace(NamedTuple):
    """What one thread needs for a tile; its rows are the stretch of text, then the negatives."""

    positions: npt.NDArray[np.float32]  # (rows, row), when the round began
    scores: npt.NDArray[np.float32]  # (factors * rows, TILE): products with the centers, by factor
    pulls: npt.NDArray[np.float32]  # (rows, TILE): weight * (label - sigma(score))
    center_lanes: npt.NDArray[np.int32]  # (4, TILE)
    turned_centers: npt.NDArray[np.float32]  # (row, TILE): transposed, time negative
    center_positions: npt.NDArray[np.float32]  # (TILE, row), unless tied
    slots: npt.NDArray[np.int32]  # a hash table of the round's words: their rows from 1, or 0
    own: npt.NDArray[np.int32]  # (rows of a round,): those of a share of the words, one a word
    keeps: npt.NDArray[np.float32]  # (1, rows of a round): coefficients of the moves
    adds: npt.NDArray[np.float32]  # (1, rows of a round)


class Gradients(NamedTuple):
    """What the tiles of a round say of the words of a layer; the rows of a tile stand together."""

    words: npt.NDArray[np.int32]  # (rows,): -1 where a tile has fewer rows than there is room for
    gradients: npt.NDArray[np.float32]  # (rows, row): ambient
    products: npt.NDArray[np.float32]  # (factors, rows): <position, gradient>


class Round(NamedTuple):
    """What the threads of a team share."""

    contexts: Gradients
    centers: Gradients  # not used with tied layers
    pairs: npt.NDArray[np.int64]  # (tiles,)
    losses: npt.NDArray[np.float64]  # (tiles,)
    theta_gradients: npt.NDArray[np.float64]  # (tiles,)
    pair_sum: npt.NDArray[np.int64]  # (1,): of the block so far
    loss_sum: npt.NDArray[np.float64]  # (1,)


def rows_of_a_tile(window: int, shared_negatives: int) -> int:
    """How many rows there must be room for."""
    return rounded_up(TILE + 2 * window + shared_negatives) + TILE


def workspace(
    window: int, shared_negatives: int, row: int, tiles: int = 1, factors: int = 1
) -> Workspace:
    """Room for one thread to work on tiles of this size, so many a round."""
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
    """Room for what so many tiles of this size say."""

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
    """Let a team begin with another block, when all its threads are done with the last one."""
    for counter in (round_.pair_sum, round_.loss_sum, team.claims, team.done):
        counter[0] = 0


@njit(fastmath=FAST, error_model="numpy", boundscheck=False)
def multiply(
    a: Any, first: Any, b: Any, out: Any, rows: Any, depth: Any, columns: Any, adding: Any
) -> Any:
    """out[:rows, :columns] = a[:rows, first : first + depth] @ b[:depth, :columns], or added.

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


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _subsample(
    tokens: Any, starts: Any, keep: Any, settings: Any, random: Any, kept: Any, reaches: Any
) -> Any:
    """Write the tokens that survive, and the first and last place of each one's window."""
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


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _draw(words: Any, noise: Any, random: Any) -> Any:
    """Draw negatives into `words`."""
    for i in range(len(words)):
        random += NEXT
        words[i] = negative(noise, random)


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _gather(
    work: Any, words: Any, layers: Any, settings: Any, kept: Any, reaches: Any, begin: Any, c: Any
) -> Any:
    """Fill in positions of the tile's rows, and the centers from c; its text begins at `begin`."""
    for i in range(len(words)):
        copy(layers.contexts, np.int64(words[i]), work.positions, i)
    for lane in range(TILE):
        work.center_lanes[_FIRST, lane] = 0
        work.center_lanes[_LAST, lane] = -1  # beyond the end: a center without contexts
        work.center_lanes[_ITSELF, lane] = lane + c - begin
        work.center_lanes[_WORD, lane] = -1
        if c + lane < len(kept):
            work.center_lanes[_FIRST, lane] = reaches[0, c + lane] - begin
            work.center_lanes[_LAST, lane] = reaches[1, c + lane] - begin
            work.center_lanes[_WORD, lane] = kept[c + lane]
            if not settings.tied:
                copy(layers.centers, np.int64(kept[c + lane]), work.center_positions, lane)


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _score(work: Any, centers: Any, settings: Any, rows: Any) -> Any:
    """Fill in <v, u> for every row v and center u, factor by factor."""
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


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _similarity(work: Any, i: Any, settings: Any, highest: Any) -> Any:
    """The sum of the factors' products of a row with the centers."""
    similarity = at_most(load(work.scores, i, 0), highest)
    for factor in range(1, settings.factors):
        similarity += at_most(load(work.scores, factor * len(work.positions) + i, 0), highest)
    return similarity


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _note(
    work: Any, products: Any, center_products: Any, settings: Any, rows: Any, highest: Any
) -> Any:
    """Fill in the products of rows and centers with their gradients, factor by factor."""
    for factor in range(settings.factors):
        shares = everywhere(f32(0.0))
        for i in range(rows):
            score = at_most(load(work.scores, factor * len(work.positions) + i, 0), highest)
            weighted = load(work.pulls, i, 0) * score
            products[factor, i] = total(weighted)
            shares += weighted
        store(center_products, factor, 0, shares)


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _pull(
    work: Any,
    words: Any,
    products: Any,
    center_products: Any,
    settings: Any,
    shift: Any,
    span: Any,
) -> Any:
    """Fill in pulls, and the products of rows and centers with their gradients.

    A score is sharpness * (sum of the factors' products) + shift. Returns the number of pairs,
    their loss, and the sum over centers of the mean derivative of a pair's log-likelihood by theta.
    """
    rows = len(words)
    sharpness = f32(settings.sharpness)
    zero, one = everywhere(f32(0.0)), everywhere(f32(1.0))
    # A product of points is -1 at most; more is possible by rounding only.
    highest = f32(-1.0) if settings.hyperbolic else f32(np.inf)
    first, last = load(work.center_lanes, _FIRST, 0), load(work.center_lanes, _LAST, 0)
    itself, word = load(work.center_lanes, _ITSELF, 0), load(work.center_lanes, _WORD, 0)
    contexts = loss = pulls = zero
    normalizers = one  # their logarithm is taken once, of a product

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

    # The draws stand for `negatives` of each pair of the center.
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

    _note(work, products, center_products, settings, rows, highest)
    means = choose(contexts > f32(0.0), pulls / contexts, zero)
    return np.int64(total(contexts)), total(loss + negative_loss * weight), total(means)


@njit(error_model="numpy", boundscheck=False, forceinline=True)
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
    """Fill in what a tile of centers from c says; nothing moves."""
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

    words[:span] = kept[begin:end]
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
    if settings.tied:  # a center is a row: both of its gradients move it at once
        center_rows = gradients[offset : offset + TILE]
        multiply(work.pulls.T, 0, work.positions, center_rows, TILE, rows, row, True)
        for factor in range(settings.factors):
            for lane in range(TILE):
                products[factor, offset + lane] += center_products[factor, lane]
    else:
        round_.centers.words[first_center : first_center + TILE] = work.center_lanes[_WORD]
        multiply(work.pulls.T, 0, work.positions, center_gradients, TILE, rows, row, False)


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _unite(round_: Any, rows: Any, fixed: Any, work: Any, share: Any, shares: Any) -> Any:
    """Add what several rows say of a word to the first of them, for the words of a share.

    So a word moves once, and no farther than the longest step. Returns how many words they are.
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


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _move(
    table: Any, round_: Any, count: Any, rate: Any, work: Any, layers: Any, settings: Any
) -> Any:
    """Move the words that were united along grad = G + <v, G> v; or v + G."""
    for factor in range(settings.factors):
        _move_in_factor(factor, table, round_, count, rate, work, layers, settings)


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _move_in_factor(
    factor: Any,
    table: Any,
    round_: Any,
    count: Any,
    rate: Any,
    work: Any,
    layers: Any,
    settings: Any,
) -> Any:
    """Move them in one of the factors, where a word and its gradient are a part of their rows."""
    time, factors = settings.dimension, settings.factors
    width = table.shape[1] // factors
    table = table.reshape((table.shape[0] * factors, width))
    gradients = round_.gradients.reshape((round_.gradients.shape[0] * factors, width))
    products = work.keeps  # until coefficients follow
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


@njit(error_model="numpy", boundscheck=False, forceinline=True)
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
    """Move a share of the words by what the tiles of a round say of them."""
    if not settings.tied:
        rows = tiles * TILE
        own = _unite(round_.centers, rows, layers.fixed_centers, work, share, shares)
        _move(layers.centers, round_.centers, own, rate, work, layers, settings)
    rows = tiles * len(work.positions)
    own = _unite(round_.contexts, rows, layers.fixed_contexts, work, share, shares)
    _move(layers.contexts, round_.contexts, own, rate, work, layers, settings)


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
    stop: Any,  # (1,) uint8: not 0 to end early
    round_: Any,
    team: Any,
) -> Any:
    """Train on every center of a block of sentences, after `begin_block`.

    All threads of a team may call it for the same block. How many pairs there were, and their loss,
    is in the sums of the round when all have returned.
    """
    kept = np.empty(len(tokens), dtype=np.int32)
    reaches = np.empty((2, len(tokens)), dtype=np.int32)
    count, random = _subsample(tokens, sentence_starts, chances.keep, settings, seed, kept, reaches)
    kept = kept[:count]
    block_tiles = (count + TILE - 1) // TILE
    rounds = (block_tiles + len(round_.pairs) - 1) // len(round_.pairs)

    while stop[0] == 0:
        phase, item = claim(team)  # each round is a phase of tiles, and one of moves
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
