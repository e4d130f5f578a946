"""The gradients of a tile: sixteen consecutive centers that share their negative samples.

The rows of a tile are the words around its centers and the negative samples. The products of all
rows with all centers, the gradients of the rows and the gradients of the centers are three small
matrix products; in between, a row of sixteen scores is one register.
"""

from typing import Any

import numpy as np

from hyperskip.kernel_parts import kernel_part
from hyperskip.random_draws import NEXT, negative
from hyperskip.training.cpu.formulas import (
    logarithm,
    logarithm_below_two,
    shift_of_scores,
    sigmoid,
)
from hyperskip.training.cpu.kept_text import FIRST, LAST, WORDS
from hyperskip.training.cpu.lanes import (
    FAST,
    LANES,
    WIDE,
    at_least,
    at_most,
    choose,
    everywhere,
    load,
    prefetch,
    spread,
    store,
    total,
)
from hyperskip.training.cpu.round_memory import TILE
from hyperskip.training.cpu.row_operations import FAR_PRODUCT, copy, far_product
from hyperskip.training.cpu.thread_team import share_of

_ROWS_AHEAD = 16  # rows that are fetched in advance
_NORMALIZERS_AT_ONCE = 64  # of the loss: the product of 64 numbers below 2 does not overflow

# Rows of `Workspace.center_lanes`, with one number for each center of the tile.
_REACH_BEGIN, _REACH_END, _ITSELF, _WORD = 0, 1, 2, 3

f32, i32 = np.float32, np.int32


@kernel_part(forceinline=True)
def _multiply_eight(
    a: Any, i: Any, first: Any, b: Any, out: Any, depth: Any, column: Any, adding: Any
) -> Any:
    """Eight rows and sixteen columns of a product."""
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
def _multiply_four(
    a: Any, i: Any, first: Any, b: Any, out: Any, depth: Any, column: Any, adding: Any
) -> Any:
    """Four rows and sixteen columns of a product."""
    s0 = s1 = s2 = s3 = everywhere(f32(0.0))
    if adding:
        s0, s1 = load(out, i, column), load(out, i + 1, column)
        s2, s3 = load(out, i + 2, column), load(out, i + 3, column)
    for k in range(depth):
        factor = load(b, k, column)
        s0 += spread(a, i, first + k) * factor
        s1 += spread(a, i + 1, first + k) * factor
        s2 += spread(a, i + 2, first + k) * factor
        s3 += spread(a, i + 3, first + k) * factor
    store(out, i, column, s0)
    store(out, i + 1, column, s1)
    store(out, i + 2, column, s2)
    store(out, i + 3, column, s3)


# As many sums at a time as there are registers for.
_multiply_some, _ROWS_AT_ONCE = (_multiply_eight, 8) if WIDE else (_multiply_four, 4)


@kernel_part()
def multiply(
    a: Any, first: Any, b: Any, out: Any, rows: Any, depth: Any, columns: Any, adding: Any
) -> Any:
    """out[:rows, :columns] = a[:rows, first : first + depth] @ b[:depth, :columns], or added to it.

    Columns are taken 16 at a time, and rows 8 or, without wide registers, 4 at a time: beyond
    `rows`, up to 7 more are written.
    """
    for i in range(0, rows, _ROWS_AT_ONCE):
        for column in range(0, columns, LANES):
            _multiply_some(a, i, first, b, out, depth, column, adding)


@kernel_part(forceinline=True)
def _draw(words: Any, noise: Any, random: Any) -> Any:
    """Draw negative samples into `words`."""
    for i in range(len(words)):
        random += NEXT
        words[i] = negative(noise, random)


@kernel_part(forceinline=True)
def _sort_by_share(words: Any, ends: Any, listed: Any) -> Any:
    """List words and their rows, share by share, and where each share ends."""
    ends[:] = 0
    for i in range(len(words)):
        ends[share_of(words[i], len(ends))] += 1
    for share in range(1, len(ends)):
        ends[share] += ends[share - 1]
    for i in range(len(words) - 1, -1, -1):  # backward: ends become starts
        share = share_of(words[i], len(ends))
        ends[share] -= 1
        listed[ends[share]] = np.int64(words[i]) << 32 | i
    for share in range(len(ends) - 1):  # and starts become ends
        ends[share] = ends[share + 1]
    ends[len(ends) - 1] = len(words)


@kernel_part(forceinline=True)
def _list_by_share(gradients: Any, slot: Any, factors: Any) -> Any:
    """List the rows of a tile share by share, so that each share finds its rows together."""
    words = gradients.words[slot, : gradients.used[slot]]
    listed = gradients.listed[slot]
    _sort_by_share(words, gradients.ends[slot], listed)
    for factor in range(slot * factors, (slot + 1) * factors):
        for j in range(len(words)):
            row = listed[j] & 0xFFFFFFFF
            gradients.listed_products[factor, j] = gradients.products[factor, row]


@kernel_part(forceinline=True)
def _gather(
    work: Any,
    words: Any,
    layers: Any,
    settings: Any,
    kept: Any,
    begin: Any,
    c: Any,
    in_shares: Any,
) -> Any:
    """Copy the positions of the rows, and the centers from c; the text begins at `begin`.

    In the rounds of a team, no word moves at this time, so rows can be fetched in advance.
    Otherwise, another thread may be about to write them.
    """
    for i in range(len(words)):
        if in_shares and i + _ROWS_AHEAD < len(words):
            for column in range(0, layers.contexts.shape[1], LANES):
                prefetch(layers.contexts, np.int64(words[i + _ROWS_AHEAD]), column)
        copy(layers.contexts, np.int64(words[i]), work.positions, i)
    for lane in range(TILE):
        work.center_lanes[_REACH_BEGIN, lane] = 0
        work.center_lanes[_REACH_END, lane] = -1  # after the end: a center without contexts
        work.center_lanes[_ITSELF, lane] = lane + c - begin
        work.center_lanes[_WORD, lane] = -1
        if c + lane < kept.shape[1]:
            work.center_lanes[_REACH_BEGIN, lane] = kept[FIRST, c + lane] - begin
            work.center_lanes[_REACH_END, lane] = kept[LAST, c + lane] - begin
            work.center_lanes[_WORD, lane] = kept[WORDS, c + lane]
            if not settings.tied:
                copy(layers.centers, np.int64(kept[WORDS, c + lane]), work.center_positions, lane)


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
    gap_weights: Any,
    first_gap: Any,
) -> Any:
    """Compute pulls, and the products of rows and centers with their gradients.

    A score is sharpness * (sum of products over factors) + shift. The weight of a pair depends on
    its distance: those of row i are gap_weights[first_gap + i]. Returns the number of pairs, their
    weight, their loss, and the sum over centers of the mean derivative of a pair's log-likelihood
    by theta.
    """
    rows = len(words)
    sharpness = f32(settings.sharpness)
    zero, one = everywhere(f32(0.0)), everywhere(f32(1.0))
    # A product of points is at most -1; more is possible only by rounding.
    highest = f32(-1.0) if settings.hyperbolic else f32(np.inf)
    first, last = load(work.center_lanes, _REACH_BEGIN, 0), load(work.center_lanes, _REACH_END, 0)
    itself, word = load(work.center_lanes, _ITSELF, 0), load(work.center_lanes, _WORD, 0)
    contexts = weights = loss = pulls = zero

    for i in range(span):
        here = (first <= i32(i)) & (last >= i32(i)) & (itself != i32(i))
        if settings.tied:
            here = here & (word != words[i])
        score = _similarity(work, i, settings, highest) * sharpness + shift
        _, unlikely, normalizer = sigmoid(score)
        weight = choose(here, load(gap_weights, first_gap + i, 0), zero)
        pull = unlikely * weight
        contexts += choose(here, one, zero)
        weights += weight
        loss += (at_least(zero - score, f32(0.0)) + logarithm_below_two(normalizer)) * weight
        store(work.pulls, i, 0, pull)
        pulls += pull

    # The shared samples represent the `negatives` of each pair of the center.
    weight = weights * f32(settings.negatives / (rows - span))
    negative_loss, normalizers = zero, one  # one logarithm of the product of normalizers
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
    means = choose(weights > f32(0.0), pulls / weights, zero)
    loss += negative_loss * weight
    return np.int64(total(contexts)), total(weights), total(loss), total(means)


@kernel_part(forceinline=True)
def compute_tile(
    tile: Any,
    slot: Any,
    round_: Any,
    work: Any,
    kept: Any,
    c: Any,
    layers: Any,
    tables: Any,
    settings: Any,
    random: Any,
) -> Any:
    """Compute the gradients of a tile of centers from c; no word moves."""
    row = layers.centers.shape[1]
    begin = max(0, c - settings.window)
    end = min(kept.shape[1], c + TILE + settings.window)
    span, offset = end - begin, c - begin
    rows = span + settings.shared_negatives
    room, factors = len(work.positions), settings.factors
    words = round_.contexts.words[slot, :rows]
    gradients = round_.contexts.gradients[slot * room : (slot + 1) * room]
    products = round_.contexts.products[slot * factors : (slot + 1) * factors]
    center_gradients = round_.centers.gradients[slot * TILE : (slot + 1) * TILE]
    center_products = round_.centers.products[slot * factors : (slot + 1) * factors]
    in_shares = round_.contexts.ends.shape[1] > 1

    for i in range(span):
        words[i] = kept[WORDS, begin + i]
    _draw(words[span:], tables.noise, random)
    if in_shares:  # then the gradients of a share are adjacent
        listed = round_.contexts.listed[slot]
        _sort_by_share(words[span:], round_.contexts.ends[slot], listed)
        for i in range(span, rows):
            words[i] = listed[i - span] >> 32
    _gather(work, words, layers, settings, kept, begin, c, in_shares)
    centers = work.positions[offset : offset + TILE] if settings.tied else work.center_positions
    _score(work, centers, settings, rows)
    shift = shift_of_scores(settings, layers.theta[0])
    pairs, weight, loss, theta_gradient = _pull(
        *(work, words, products, center_products, settings, shift, span),
        *(tables.gap_weights, settings.window - offset),
    )
    round_.pairs[tile], round_.weights[tile], round_.losses[tile] = pairs, weight, loss
    round_.theta_gradients[tile] = theta_gradient

    multiply(work.pulls, 0, centers, gradients, rows, TILE, row, False)
    if settings.tied:  # a center is also a row: its two gradients add up
        center_gradients = gradients[offset : offset + TILE]
        for factor in range(factors):
            for lane in range(TILE):
                products[factor, offset + lane] += center_products[factor, lane]
    multiply(work.pulls.T, 0, work.positions, center_gradients, TILE, rows, row, settings.tied)

    round_.contexts.used[slot] = rows
    round_.centers.used[slot] = min(TILE, kept.shape[1] - c)
    for lane in range(TILE):
        round_.centers.words[slot, lane] = work.center_lanes[_WORD, lane]
    if in_shares:
        _list_by_share(round_.contexts, slot, factors)
        if not settings.tied:
            _list_by_share(round_.centers, slot, factors)
