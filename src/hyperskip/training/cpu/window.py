"""The `window` schedule: sixteen consecutive centres at once, with negatives that they share.

The words around a tile of centres and one set of negatives are the tile's rows. Products of all
rows with all centres, the gradients of the rows and those of the centres are three small matrix
products; in between, a row of sixteen scores is one register. Everything is computed from where
words stood when the tile began, and then each word moves once. In expectation the gradient is that
of `pairwise`, but for draws that hit a context: those are kept here. `reference.py` is the same
algorithm, slow and literal.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from hyperskip.kernel_cache import kept_on_disk
from hyperskip.training.cpu.draws import NEXT, is_kept, mixed, negative, scaled_down
from hyperskip.training.cpu.formulas import logarithm, sigmoid, step_coefficients
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
from hyperskip.training.cpu.rows import (
    FAR_PRODUCT,
    FAR_TIME,
    add,
    copy,
    far_product,
    far_slope,
    move,
    product,
)

TILE = LANES  # centres at once: the scores of a row fill one register

_ROWS_AT_ONCE = 8  # of a matrix product: as many sums as it takes to keep both multipliers busy
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads words over slots
_FACTORS = 64  # of the loss: a product of so many numbers below 2 is far from overflowing

# Lines of `Workspace.centre_lanes`, each a number for every centre of the tile.
_FIRST, _LAST, _ITSELF, _WORD = 0, 1, 2, 3

f32, i32 = np.float32, np.int32


class Workspace(NamedTuple):
    """What one thread needs for a tile; its rows are the stretch of text, then the negatives."""

    words: npt.NDArray[np.int32]  # (rows,)
    positions: npt.NDArray[np.float32]  # (rows, row), when the tile began
    scores: npt.NDArray[np.float32]  # (rows, TILE): products with the centres
    pulls: npt.NDArray[np.float32]  # (rows, TILE): weight * (label - sigma(score))
    gradients: npt.NDArray[np.float32]  # (rows, row): ambient
    products: npt.NDArray[np.float32]  # (1, rows): <position, gradient>
    keeps: npt.NDArray[np.float32]  # (1, rows): coefficients of the moves
    adds: npt.NDArray[np.float32]  # (1, rows)
    slots: npt.NDArray[np.int32]  # a hash table of the tile's words: their rows from 1, or 0
    centre_lanes: npt.NDArray[np.int32]  # (4, TILE)
    turned_centres: npt.NDArray[np.float32]  # (row, TILE): transposed, time negative
    centre_positions: npt.NDArray[np.float32]  # (TILE, row), unless tied
    centre_gradients: npt.NDArray[np.float32]  # (TILE, row), unless tied
    centre_products: npt.NDArray[np.float32]  # (1, TILE)


def workspace(window: int, shared_negatives: int, row: int) -> Workspace:
    """Room for tiles of this size."""
    rows = rounded_up(TILE + 2 * window + shared_negatives) + TILE
    return Workspace(
        words=aligned((rows,), np.int32),
        positions=aligned((rows, row)),
        scores=aligned((rows, TILE)),
        pulls=aligned((rows, TILE)),
        gradients=aligned((rows, row)),
        products=aligned((1, rows)),
        keeps=aligned((1, rows)),
        adds=aligned((1, rows)),
        slots=aligned((1 << (2 * rows).bit_length(),), np.int32),
        centre_lanes=aligned((4, TILE), np.int32),
        turned_centres=aligned((row, TILE)),
        centre_positions=aligned((TILE, row)),
        centre_gradients=aligned((TILE, row)),
        centre_products=aligned((1, TILE)),
    )


@njit(fastmath=FAST, error_model="numpy", boundscheck=False)
def multiply(a: Any, b: Any, out: Any, rows: Any, depth: Any, columns: Any, adding: Any) -> Any:
    """out[:rows, :columns] = a[:rows, :depth] @ b[:depth, :columns], or added to what is there.

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
                s0 += spread(a, i, k) * factor
                s1 += spread(a, i + 1, k) * factor
                s2 += spread(a, i + 2, k) * factor
                s3 += spread(a, i + 3, k) * factor
                s4 += spread(a, i + 4, k) * factor
                s5 += spread(a, i + 5, k) * factor
                s6 += spread(a, i + 6, k) * factor
                s7 += spread(a, i + 7, k) * factor
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
            kept[count] = tokens[t]
            count += is_kept(tokens[t], keep, random)
        for c in range(begin, count):
            reach = settings.window
            if settings.shrink_window:
                random += NEXT
                reach = 1 + scaled_down(mixed(random), settings.window)
            reaches[0, c] = max(begin, c - reach)
            reaches[1, c] = min(count - 1, c + reach)
    return count, random


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _draw(words: Any, noise: Any, random: Any) -> Any:
    """Draw negatives into `words`."""
    for i in range(len(words)):
        random += NEXT
        words[i] = negative(noise, random)
    return random


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _gather(
    work: Any, layers: Any, settings: Any, kept: Any, reaches: Any, begin: Any, c: Any, rows: Any
) -> Any:
    """Fill in positions of the tile's rows, and the centres from c; its text begins at `begin`."""
    for i in range(rows):
        copy(layers.contexts, np.int64(work.words[i]), work.positions, i)
    for lane in range(TILE):
        work.centre_lanes[_FIRST, lane] = 0
        work.centre_lanes[_LAST, lane] = -1  # beyond the end: a centre without contexts
        work.centre_lanes[_ITSELF, lane] = lane + c - begin
        work.centre_lanes[_WORD, lane] = -1
        if c + lane < len(kept):
            work.centre_lanes[_FIRST, lane] = reaches[0, c + lane] - begin
            work.centre_lanes[_LAST, lane] = reaches[1, c + lane] - begin
            work.centre_lanes[_WORD, lane] = kept[c + lane]
            if not settings.tied:
                copy(layers.centres, np.int64(kept[c + lane]), work.centre_positions, lane)


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _score(work: Any, centres: Any, settings: Any, rows: Any) -> Any:
    """Fill in <v, u> for every row v and centre u."""
    time = settings.dimension
    furthest = f32(0.0)
    for lane in range(TILE):
        for d in range(time):
            work.turned_centres[d, lane] = centres[lane, d]
        work.turned_centres[time, lane] = -centres[lane, time]
        furthest = max(furthest, centres[lane, time])
    multiply(work.positions, work.turned_centres, work.scores, rows, time + 1, TILE, False)
    for i in range(rows):
        if furthest * work.positions[i, time] > FAR_PRODUCT:
            for lane in range(TILE):
                if centres[lane, time] * work.positions[i, time] > FAR_PRODUCT:
                    work.scores[i, lane] = far_product(work.positions, i, centres, lane, time)


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _note(work: Any, i: Any, pull: Any, similarity: Any) -> Any:
    """Write the pulls on a row and their product with it; returns the centres' shares of that."""
    weighted = pull * similarity
    store(work.pulls, i, 0, pull)
    work.products[0, i] = total(weighted)
    return weighted


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _pull(work: Any, settings: Any, theta: Any, span: Any, rows: Any) -> Any:
    """Fill in pulls, products and centre products.

    Returns the number of pairs, their loss, and the sum over centres of the mean derivative of a
    pair's log-likelihood by theta.
    """
    zero, one = everywhere(f32(0.0)), everywhere(f32(1.0))
    # A product of points is -1 at most; more is possible by rounding only.
    highest = f32(-1.0) if settings.hyperbolic else f32(np.inf)
    first, last = load(work.centre_lanes, _FIRST, 0), load(work.centre_lanes, _LAST, 0)
    itself, word = load(work.centre_lanes, _ITSELF, 0), load(work.centre_lanes, _WORD, 0)
    contexts = loss = pulls = centre_products = zero
    normalisers = one  # their logarithm is taken once, of a product

    for i in range(span):
        here = (first <= i32(i)) & (last >= i32(i)) & (itself != i32(i))
        if settings.tied:
            here = here & (word != work.words[i])
        similarity = at_most(load(work.scores, i, 0), highest)
        score = similarity + theta
        _, unlikely, normaliser = sigmoid(score)
        pull = choose(here, unlikely, zero)
        contexts += choose(here, one, zero)
        loss += choose(here, at_least(zero - score, f32(0.0)), zero)
        normalisers *= choose(here, normaliser, one)
        if i % _FACTORS == _FACTORS - 1:
            loss += logarithm(normalisers)
            normalisers = one
        centre_products += _note(work, i, pull, similarity)
        pulls += pull
    loss += logarithm(normalisers)

    # The draws stand for `negatives` of each pair of the centre.
    weight = contexts * f32(settings.negatives / (rows - span))
    negative_loss, normalisers = zero, one
    for i in range(span, rows):
        similarity = at_most(load(work.scores, i, 0), highest)
        score = similarity + theta
        likely, _, normaliser = sigmoid(score)
        excess = at_least(score, f32(0.0))
        if settings.tied:
            other = word != work.words[i]
            likely = choose(other, likely, zero)
            excess = choose(other, excess, zero)
            normaliser = choose(other, normaliser, one)
        negative_loss += excess
        normalisers *= normaliser
        if (i - span) % _FACTORS == _FACTORS - 1:
            negative_loss += logarithm(normalisers)
            normalisers = one
        pull = zero - likely * weight
        centre_products += _note(work, i, pull, similarity)
        pulls += pull
    negative_loss += logarithm(normalisers)

    store(work.centre_products, 0, 0, centre_products)
    means = choose(contexts > f32(0.0), pulls / contexts, zero)
    return np.int64(total(contexts)), total(loss + negative_loss * weight), total(means)


@njit(fastmath=FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _step(
    work: Any,
    positions: Any,
    gradients: Any,
    products: Any,
    rows: Any,
    rate: Any,
    settings: Any,
    metric: Any,
) -> Any:
    """Fill in the coefficients by which rows move along grad = G + <v, G> v; or v + G."""
    time = settings.dimension
    for i in range(rows):
        work.adds[0, i] = product(gradients, i, gradients, i, metric)
    for i in range(0, rows, LANES):
        squares = load(work.adds, 0, i)
        if settings.hyperbolic:  # |grad|² = <G, G> + <v, G>²
            squares += load(products, 0, i) * load(products, 0, i)
        store(work.adds, 0, i, square_root(at_least(squares, f32(0.0))))
    if settings.hyperbolic:
        for i in range(rows):
            if positions[i, time] > FAR_TIME:
                work.adds[0, i] = far_slope(positions, i, gradients, i, products[0, i], time)
    for i in range(0, rows, LANES):
        keep, pull = step_coefficients(
            settings.hyperbolic,
            everywhere(rate),
            load(work.adds, 0, i),
            load(products, 0, i),
            f32(settings.max_step),
        )
        store(work.keeps, 0, i, keep)
        store(work.adds, 0, i, pull)


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _unite(words: Any, gradients: Any, products: Any, slots: Any) -> Any:
    """Add what a word gets in several rows to its first one; the others get the word -1.

    So a word moves once, and no farther than the longest step.
    """
    slots[:] = 0
    mask = np.uint64(len(slots) - 1)
    for i in range(len(words)):
        slot = (np.uint64(words[i]) * _SCATTER >> np.uint64(32)) & mask
        while slots[slot] != 0 and words[slots[slot] - 1] != words[i]:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] == 0:
            slots[slot] = i + 1
        else:
            first = np.int64(slots[slot] - 1)
            add(gradients, first, i)
            products[0, first] += products[0, i]
            words[i] = -1


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _move(work: Any, table: Any, words: Any, gradients: Any, layers: Any) -> Any:
    """Move these words by their gradients."""
    for i in range(len(words)):
        if words[i] >= 0:
            word, keep, pull = np.int64(words[i]), work.keeps[0, i], work.adds[0, i]
            move(table, word, keep, pull, gradients, i, layers.spatial, layers.metric)


@kept_on_disk
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
) -> Any:
    """Train on every centre of a block of sentences; returns pairs and their loss."""
    row = layers.centres.shape[1]
    kept = np.empty(len(tokens), dtype=np.int32)
    reaches = np.empty((2, len(tokens)), dtype=np.int32)
    count, random = _subsample(tokens, sentence_starts, chances.keep, settings, seed, kept, reaches)
    kept = kept[:count]
    pairs, loss = 0, 0.0

    for c in range(0, count, TILE):
        if stop[0] != 0:
            break
        begin, end = max(0, c - settings.window), min(count, c + TILE + settings.window)
        span, offset = end - begin, c - begin
        rows = span + settings.shared_negatives
        rate = f32(start_rate + (end_rate - start_rate) * (c / count))
        work.words[:span] = kept[begin:end]
        random = _draw(work.words[span:rows], chances.noise, random)
        _gather(work, layers, settings, kept, reaches, begin, c, rows)
        tile = work.positions[offset : offset + TILE] if settings.tied else work.centre_positions
        _score(work, tile, settings, rows)
        theta = f32(layers.theta[0])
        tile_pairs, tile_loss, theta_gradient = _pull(work, settings, theta, span, rows)
        pairs += tile_pairs
        loss += tile_loss

        multiply(work.pulls, tile, work.gradients, rows, TILE, row, False)
        if settings.tied:  # a centre is a row: both of its gradients move it at once
            tile_gradients = work.gradients[offset : offset + TILE]
            multiply(work.pulls.T, work.positions, tile_gradients, TILE, rows, row, True)
            for lane in range(TILE):
                work.products[0, offset + lane] += work.centre_products[0, lane]
        else:
            centres, gradients = work.centre_positions, work.centre_gradients
            products = work.centre_products
            words = work.centre_lanes[_WORD, : min(TILE, count - c)]
            multiply(work.pulls.T, work.positions, gradients, TILE, rows, row, False)
            _unite(words, gradients, products, work.slots)
            _step(work, centres, gradients, products, TILE, rate, settings, layers.metric)
            _move(work, layers.centres, words, gradients, layers)
        words = work.words[:rows]
        _unite(words, work.gradients, work.products, work.slots)
        _step(
            work, work.positions, work.gradients, work.products, rows, rate, settings, layers.metric
        )
        _move(work, layers.contexts, words, work.gradients, layers)
        if settings.learn_theta:
            layers.theta[0] += rate * theta_gradient
    return pairs, loss
