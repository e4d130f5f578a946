"""Moves words by the gradients of a round, each word once."""

from typing import Any

import numpy as np

from hyperskip.kernel_parts import kernel_part
from hyperskip.training.cpu.formulas import step_coefficients
from hyperskip.training.cpu.lanes import LANES, at_least, load, prefetch, square_root, store
from hyperskip.training.cpu.row_operations import FAR_TIME, add, far_slope, move, product
from hyperskip.training.cpu.thread_team import scattered

_TILES_AHEAD = 4  # whose gradients are fetched in advance
_ROW = 0xFFFFFFFF  # the bits of a row in `Gradients.listed`

f32 = np.float32


@kernel_part(forceinline=True)
def _sum_gradients(
    gradients: Any, slots: Any, tiles: Any, fixed: Any, work: Any, share: Any
) -> Any:
    """Add up the gradients of each word of a share, in its first row.

    Then a word moves once, by at most the longest step. Returns the number of words.
    """
    room, factors = gradients.words.shape[1], len(work.own_products)
    total = 0
    for tile in range(tiles):
        total += _end(gradients, slots[tile], share) - _begin(gradients, slots[tile], share)
    size = 32
    while size < 2 * total:
        size *= 2
    work.places[:size] = 0
    mask = np.uint64(size - 1)
    in_shares = gradients.ends.shape[1] > 1
    products = gradients.listed_products if in_shares else gradients.products
    count = 0
    for tile in range(tiles):
        slot = slots[tile]
        if in_shares and tile + _TILES_AHEAD < tiles:
            _fetch(gradients, slots[tile + _TILES_AHEAD], share)
        for j in range(_begin(gradients, slot, share), _end(gradients, slot, share)):
            word, row = np.int64(gradients.words[slot, j]), np.int64(j)
            if in_shares:
                word, row = gradients.listed[slot, j] >> 32, gradients.listed[slot, j] & _ROW
            if fixed[word]:
                continue
            row += slot * room
            place = scattered(word) & mask
            while work.places[place] != 0 and work.own_words[work.places[place] - 1] != word:
                place = (place + np.uint64(1)) & mask
            if work.places[place] == 0:
                work.own_words[count], work.own_rows[count] = word, row
                for factor in range(factors):
                    work.own_products[factor, count] = products[slot * factors + factor, j]
                count += 1
                work.places[place] = count
            else:
                k = work.places[place] - 1
                add(gradients.gradients, work.own_rows[k], row)
                for factor in range(factors):
                    work.own_products[factor, k] += products[slot * factors + factor, j]
    return count


@kernel_part(forceinline=True)
def _begin(gradients: Any, slot: Any, share: Any) -> Any:
    """Where a share begins in the list of a tile."""
    return np.int64(gradients.ends[slot, share - 1]) if share > 0 else np.int64(0)


@kernel_part(forceinline=True)
def _end(gradients: Any, slot: Any, share: Any) -> Any:
    """Where a share ends in the list of a tile; a single share has all rows."""
    one_share = gradients.ends.shape[1] == 1
    return np.int64(gradients.used[slot] if one_share else gradients.ends[slot, share])


@kernel_part(forceinline=True)
def _fetch(gradients: Any, slot: Any, share: Any) -> Any:
    """Prefetch the gradients of a share: another thread may have computed them."""
    for j in range(_begin(gradients, slot, share), _end(gradients, slot, share)):
        row = slot * gradients.words.shape[1] + (gradients.listed[slot, j] & _ROW)
        for column in range(0, gradients.gradients.shape[1], LANES):
            prefetch(gradients.gradients, row, column)


@kernel_part(forceinline=True)
def _move(
    table: Any,
    rows: Any,
    count: Any,
    rate: Any,
    work: Any,
    layers: Any,
    word_rates: Any,
    settings: Any,
) -> Any:
    """Move words along grad = G + <v, G> v, in each factor; in flat space to v + G."""
    time, factors = settings.dimension, settings.factors
    # The part of a word in a factor is a row of its own.
    width = table.shape[1] // factors
    table = table.reshape((table.shape[0] * factors, width))
    gradients = rows.reshape((rows.shape[0] * factors, width))
    for k in range(count):
        work.rates[0, k] = rate * word_rates[work.own_words[k]]
    for factor in range(factors):
        for k in range(count):
            i = work.own_rows[k] * factors + factor
            work.adds[0, k] = product(gradients, i, gradients, i, layers.metric)
        for k in range(0, count, LANES):
            squares = load(work.adds, 0, k)
            if settings.hyperbolic:  # |grad|² = <G, G> + <v, G>²
                along = load(work.own_products, factor, k)
                squares += along * along
            store(work.adds, 0, k, square_root(at_least(squares, f32(0.0))))
        if settings.hyperbolic:
            for k in range(count):
                word = np.int64(work.own_words[k]) * factors + factor
                if table[word, time] > FAR_TIME:
                    i = work.own_rows[k] * factors + factor
                    along_word = work.own_products[factor, k]
                    work.adds[0, k] = far_slope(table, word, gradients, i, along_word, time)
        for k in range(0, count, LANES):
            keep, pull = step_coefficients(
                settings.hyperbolic,
                load(work.rates, 0, k),
                load(work.adds, 0, k),
                load(work.own_products, factor, k),
                f32(settings.max_step),
            )
            store(work.keeps, 0, k, keep)
            store(work.adds, 0, k, pull)
        for k in range(count):
            i = work.own_rows[k] * factors + factor
            word = np.int64(work.own_words[k]) * factors + factor
            keep, pull = work.keeps[0, k], work.adds[0, k]
            move(table, word, keep, pull, gradients, i, layers.spatial, layers.metric)


@kernel_part(forceinline=True)
def move_share(
    share: Any,
    round_: Any,
    tiles: Any,
    rate: Any,
    work: Any,
    layers: Any,
    tables: Any,
    settings: Any,
) -> Any:
    """Move a share of the words by the gradients of a round."""
    # A loop over the layers instead of the code for each: what it calls is inlined, so it would be
    # compiled twice. With tied layers, all gradients are those of contexts.
    for contexts in range(1 if settings.tied else 0, 2):
        table, fixed, gradients = layers.centers, layers.fixed_centers, round_.centers
        if contexts:
            table, fixed, gradients = layers.contexts, layers.fixed_contexts, round_.contexts
        count = _sum_gradients(gradients, round_.slots, tiles, fixed, work, share)
        rows = gradients.gradients
        _move(table, rows, count, rate, work, layers, tables.word_rates, settings)
