"""The `window` schedule on a GPU: Triton kernels that see arrays and scalars only.

A block of text is subsampled (`survive`, `arrange`, `count_contexts`), and negative samples are
drawn for all of its tiles (`draw`). Training runs in rounds. `pull` computes the gradients of the
tiles of a round at the current positions and adds them up for each word. `move` takes one clipped
step for each word. The n tiles of a round come from n equal parts of the block, one from each part,
as if n threads read these parts. Neighboring tiles repeat the words of their topic, and a word that
many tiles push from the same position moves too far. In a small vocabulary this cannot be avoided;
then the steps of frequent words are damped. `reference.py` is the same algorithm, slow and
literal, with the same random draws.

A row is a word, as on the CPU: for each factor of the space n spatial coordinates, then time, then
zeros. In a row of gradients, the column after time is <v, G>, the product of the word with its
gradient, which would suffer from cancellation if it was computed from the sums.
"""

import triton
import triton.language as tl

from hyperskip.training.gpu.random_draws import below, random_bits

# Integers are in `do_not_specialize`: otherwise Triton would compile a kernel again if one of them
# is 1 or a multiple of 16.

# For every launch: fuse products and sums, independently of the default in Triton.
FUSED = {"enable_fp_fusion": True}

# Limits of times: beyond them, sums with cancellation are computed in float64, as on the CPU.
FAR_PRODUCT = tl.constexpr(1e3)
_FAR_TIME = tl.constexpr(10.0)
# Fixed-point numbers: units in 1. Sums of integers do not depend on their order.
_UNITS = tl.constexpr(16777216.0)


@triton.jit(do_not_specialize=["count"])
def survive(
    tokens,  # (count,) int32
    keep,  # (words,) int64: thresholds of sampling.py
    seed,  # (1,) int64
    survivors,  # out (count,) int32: 1 or 0
    count,
    SIZE: tl.constexpr,
):
    """Decide which tokens are kept."""
    j = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    live = j < count
    word = tl.load(tokens + j, mask=live, other=0)
    chance = (random_bits(tl.load(seed), j) >> 32).to(tl.int64)
    kept = chance <= tl.load(keep + word, mask=live, other=0)
    tl.store(survivors + j, kept.to(tl.int32), mask=live)


@triton.jit(do_not_specialize=["count", "sentences", "window", "search_steps"])
def arrange(
    tokens,  # (count,) int32
    seed,  # (1,) int64
    starts,  # (sentences + 1,) int32: where sentences start, and the end
    before,  # (count + 1,) int32: number of kept tokens before this one
    kept,  # out (kept,) int32: words
    reaches,  # out (kept, 2) int32: first and last position of each window
    count,
    sentences,
    window,
    search_steps,  # enough to halve the sentences down to one
    SHRINK: tl.constexpr,
    SIZE: tl.constexpr,
):
    """Write the kept tokens in order, with their windows."""
    j = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    live = j < count
    place = tl.load(before + j, mask=live, other=0)
    live = live & (tl.load(before + j + 1, mask=live, other=0) > place)
    low = tl.zeros([SIZE], tl.int32)  # the sentence is one of low ... high - 1
    high = low + sentences
    for _ in range(search_steps):
        middle = (low + high) // 2
        starts_before = tl.load(starts + middle) <= j
        low = tl.where(starts_before, middle, low)
        high = tl.where(starts_before, high, middle)
    begin = tl.load(before + tl.load(starts + low))
    end = tl.load(before + tl.load(starts + low + 1))
    reach = tl.zeros([SIZE], tl.int32) + window
    if SHRINK:
        reach = 1 + below(random_bits(tl.load(seed), j) & 0xFFFFFFFF, reach)
    tl.store(kept + place, tl.load(tokens + j, mask=live, other=0), mask=live)
    tl.store(reaches + 2 * place, tl.maximum(begin, place - reach), mask=live)
    tl.store(reaches + 2 * place + 1, tl.minimum(end - 1, place + reach), mask=live)


@triton.jit(do_not_specialize=["count", "window"])
def count_contexts(
    before,  # (count + 1,) int32: number of kept tokens before this one; the last: total
    kept,  # (kept,) int32
    reaches,  # (kept, 2) int32
    distance_weights,  # (window + 1,) float32
    contexts,  # out (kept,) int32
    weights,  # out (kept,) float32: the sum of the weights of the contexts
    count,
    window,
    TIED: tl.constexpr,
    SIZE: tl.constexpr,
):
    """Count and weigh the contexts of each kept token; with tied layers, not the word itself."""
    c = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    live = c < tl.load(before + count)
    first = tl.load(reaches + 2 * c, mask=live, other=0)
    last = tl.load(reaches + 2 * c + 1, mask=live, other=0)
    number = tl.zeros([SIZE], tl.int32)
    weight = tl.zeros([SIZE], tl.float32)
    word = tl.load(kept + c, mask=live, other=0)
    for distance in range(1, window + 1):
        of_distance = tl.load(distance_weights + distance)
        is_before = live & (c - distance >= first)
        is_after = live & (c + distance <= last)
        if TIED:
            other = tl.load(kept + c - distance, mask=is_before, other=0)
            is_before = is_before & (other != word)
            other = tl.load(kept + c + distance, mask=is_after, other=0)
            is_after = is_after & (other != word)
        here = is_before.to(tl.int32) + is_after.to(tl.int32)
        number += here
        weight += of_distance * here.to(tl.float32)
    tl.store(contexts + c, number, mask=live)
    tl.store(weights + c, weight, mask=live)


@triton.jit(do_not_specialize=["words", "draws"])
def draw(
    noise,  # (words, 2) int64: the alias table of sampling.py
    numbers,  # (3,) int64: kept tokens, seed, draws before these
    negatives,  # out (draws,) int32
    words,
    draws,
    SIZE: tl.constexpr,
):
    """Draw negative samples."""
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    live = i < draws
    bits = random_bits(tl.load(numbers + 1), tl.load(numbers + 2) + i)
    row = below(bits >> 32, words)
    accept = tl.load(noise + 2 * row, mask=live, other=0)
    alias = tl.load(noise + 2 * row + 1, mask=live, other=0).to(tl.int32)
    own = (bits & 0xFFFFFFFF).to(tl.int64) <= accept
    tl.store(negatives + i, tl.where(own, row, alias), mask=live)


@triton.jit
def _rows(table, words, live, first, columns, USED: tl.constexpr, ROW: tl.constexpr):
    """These columns of a factor, which begins at `first`, of the rows of these words, or zeros."""
    offsets = words.to(tl.int64)[:, None] * ROW + first + columns[None, :]
    return tl.load(table + offsets, mask=live[:, None] & (columns < USED)[None, :], other=0.0)


@triton.jit
def _add(
    table,
    words,
    live,
    columns,
    used,
    values,
    ROW: tl.constexpr,
    FIXED_POINT: tl.constexpr,
    MOST_UNITS: tl.constexpr,
):
    """Add to the used columns of the gradients of these words; other programs may add too."""
    if FIXED_POINT:
        units = tl.floor(values.to(tl.float64) * _UNITS + 0.5)
        values = tl.minimum(tl.maximum(units, -MOST_UNITS), MOST_UNITS).to(tl.int64)
    offsets = words.to(tl.int64)[:, None] * ROW + columns[None, :]
    mask = live[:, None] & used[None, :]
    tl.atomic_add(table + offsets, values, mask=mask, sem="relaxed")


@triton.jit
def _exact_products(
    rows,
    row_word,
    row_live,
    centers,
    word,
    live,
    first,
    DIMENSION: tl.constexpr,
    ROW: tl.constexpr,
):
    """<v, u>_M of every row v and center u in float64, times derived from the coordinates."""
    row_at = rows + row_word.to(tl.int64) * ROW + first
    center_at = centers + word.to(tl.int64) * ROW + first
    row_square = tl.load(row_at, mask=row_live, other=0.0).to(tl.float64) * 0.0 + 1.0
    center_square = tl.load(center_at, mask=live, other=0.0).to(tl.float64) * 0.0 + 1.0
    products = row_square[:, None] * center_square[None, :] - 1.0
    for d in range(DIMENSION):
        v = tl.load(row_at + d, mask=row_live, other=0.0).to(tl.float64)
        u = tl.load(center_at + d, mask=live, other=0.0).to(tl.float64)
        products += v[:, None] * u[None, :]
        row_square += v * v
        center_square += u * u
    return products - tl.sqrt(row_square)[:, None] * tl.sqrt(center_square)[None, :]


@triton.jit
def _turned(x, columns, DIMENSION: tl.constexpr):
    """Rows with negative time: their flat products are Minkowski products."""
    return tl.where((columns == DIMENSION)[None, :], -x, x)


@triton.jit
def _products(
    contexts,
    row_word,
    row_live,
    centers,
    word,
    live,
    first,  # column of the factor
    COLUMNS: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    FAR: tl.constexpr,
    DIMENSION: tl.constexpr,
    ROW: tl.constexpr,
    ROWS: tl.constexpr,
    TILE: tl.constexpr,
    WIDTH: tl.constexpr,
    USED: tl.constexpr,
    PRECISION: tl.constexpr,
):
    """<v, u> of every row v and center u in a factor of the space."""
    products = tl.zeros([ROWS, TILE], tl.float32)
    for start in tl.range(0, COLUMNS, WIDTH, num_stages=1):
        columns = start + tl.arange(0, WIDTH)
        y = _rows(contexts, row_word, row_live, first, columns, USED, ROW)
        x = _rows(centers, word, live, first, columns, USED, ROW)
        turned = _turned(x, columns, DIMENSION)
        products += tl.dot(y, tl.trans(turned), input_precision=PRECISION)
    if FAR:
        time_at = centers + word.to(tl.int64) * ROW + first + DIMENSION
        row_time_at = contexts + row_word.to(tl.int64) * ROW + first + DIMENSION
        time = tl.load(time_at, mask=live, other=0.0)
        row_time = tl.load(row_time_at, mask=row_live, other=0.0)
        if tl.max(time) * tl.max(row_time) > FAR_PRODUCT:
            is_far = row_time[:, None] * time[None, :] > FAR_PRODUCT
            exact = _exact_products(
                contexts, row_word, row_live, centers, word, live, first, DIMENSION, ROW
            )
            products = tl.where(is_far, exact.to(tl.float32), products)
    if HYPERBOLIC:
        products = tl.where(products > -1.0, -1.0, products)  # more only by rounding; NaN stays
    return products


@triton.jit(do_not_specialize=["round_", "tiles", "window", "shared"])
def pull(
    kept,  # (kept,) int32: words
    reaches,  # (kept, 2) int32
    context_weights,  # (kept,) float32: of all contexts of a center
    distance_weights,  # (window + 1,) float32
    negatives,  # (tiles of the block, shared) int32
    numbers,  # (3,) int64: the first is the number of kept tokens
    rates,  # (4,) float32: the third is the number of negatives of a pair
    cursor,  # (1,) int32: rounds before those of this graph
    round_,  # after those
    centers,  # (words, ROW) float32
    contexts,  # (words, ROW) float32
    center_gradients,  # (words, ROW): added to
    context_gradients,
    theta,  # (1,) float64
    losses,  # out (tiles of the block, parts) float32
    theta_gradients,  # out (tiles of the block, parts) float32
    tiles,  # of a round
    window,
    shared,  # negatives of a tile
    sharpness,  # factor between products and scores
    TILE: tl.constexpr,  # centers
    ROWS: tl.constexpr,  # of a part
    CONTEXT_PARTS: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    FAR: tl.constexpr,  # whether some products of times are beyond FAR_PRODUCT
    TIED: tl.constexpr,
    FACTORS: tl.constexpr,
    DIMENSION: tl.constexpr,  # of a factor
    COLUMNS: tl.constexpr,  # columns of a factor
    ROW: tl.constexpr,  # of all factors
    WIDTH: tl.constexpr,  # columns at a time
    USED: tl.constexpr,  # columns of a factor of gradients, rounded up
    FIXED_POINT: tl.constexpr,
    MOST_UNITS: tl.constexpr,  # of one summand of a fixed-point sum
    PRECISION: tl.constexpr,
    GRADIENT_PRECISION: tl.constexpr,
):
    """Add up the gradients of a round; each program takes a tile of centers and a part of its rows.

    The first parts are the words around the centers, the others are negative samples.
    """
    count = tl.load(numbers).to(tl.int32)
    rounds = tl.cdiv(tl.cdiv(count, TILE), tiles)
    this_round = tl.load(cursor) + round_
    tile = tl.program_id(0) * rounds + this_round
    begin = tile * TILE
    if (this_round >= rounds) | (begin >= count):
        return
    part = tl.program_id(1)
    are_contexts = part < CONTEXT_PARTS
    columns = tl.arange(0, WIDTH)

    c = begin + tl.arange(0, TILE)
    live = c < count
    word = tl.load(kept + c, mask=live, other=0)
    first = tl.load(reaches + 2 * c, mask=live, other=0)
    last = tl.load(reaches + 2 * c + 1, mask=live, other=-1)
    context_weight = tl.load(context_weights + c, mask=live, other=0.0)
    # The shared samples represent the `negatives` of each pair of the center.
    weight = context_weight * (tl.load(rates + 2) / shared)

    i = part * ROWS + tl.arange(0, ROWS)
    place = begin - window + i
    drawn = i - CONTEXT_PARTS * ROWS
    in_text = (drawn < 0) & (i < TILE + 2 * window) & (place >= 0) & (place < count)
    is_drawn = (drawn >= 0) & (drawn < shared)
    row_live = in_text | is_drawn
    drawn_at = negatives + tile.to(tl.int64) * shared + drawn
    row_word = tl.load(kept + place, mask=in_text, other=0)
    row_word += tl.load(drawn_at, mask=is_drawn, other=0)

    similarity = tl.zeros([ROWS, TILE], tl.float32)
    for factor in tl.range(FACTORS, num_stages=1):
        similarity += _products(
            *(contexts, row_word, row_live, centers, word, live, factor * COLUMNS),
            *(COLUMNS, HYPERBOLIC, FAR, DIMENSION, ROW, ROWS, TILE, WIDTH, USED, PRECISION),
        )

    in_window = (place[:, None] >= first[None, :]) & (place[:, None] <= last[None, :])
    in_window = in_window & (place[:, None] != c[None, :])
    here = row_live[:, None] & live[None, :] & (in_window | is_drawn[:, None])
    if TIED:
        here = here & (row_word[:, None] != word[None, :])
    sign = tl.where(are_contexts, 1.0, -1.0)
    distance = tl.abs(place[:, None] - c[None, :])
    of_distance = tl.load(distance_weights + distance, mask=here & (drawn < 0)[:, None], other=0.0)
    share = tl.where(are_contexts, of_distance, weight[None, :])
    shift = tl.load(theta).to(tl.float32)
    if HYPERBOLIC:  # with itself, a word scores theta - 1
        shift += sharpness * FACTORS - 1.0
    score = sign * (sharpness * similarity + shift)
    decayed = tl.exp(-tl.abs(score))
    unlikely = tl.where(score >= 0.0, decayed, 1.0) / (1.0 + decayed)  # sigma(-score)
    pulls = tl.where(here, sign * share * unlikely, 0.0)  # share (label - sigma)
    loss = share * (tl.maximum(-score, 0.0) + tl.log(1.0 + decayed))  # -share log sigma(score)
    loss = tl.where(here, loss, 0.0)
    slot = tile * tl.num_programs(1) + part
    tl.store(losses + slot, tl.sum(loss))
    means = tl.sum(pulls, 0) / tl.where(context_weight > 0.0, context_weight, 1.0)
    tl.store(theta_gradients + slot, tl.sum(means))

    for factor in tl.range(FACTORS, num_stages=1):
        begins = factor * COLUMNS
        products = similarity
        if FACTORS > 1:  # computed again: there is no memory to keep them
            products = _products(
                *(contexts, row_word, row_live, centers, word, live, begins),
                *(COLUMNS, HYPERBOLIC, FAR, DIMENSION, ROW, ROWS, TILE, WIDTH, USED, PRECISION),
            )
        weighted = pulls * products
        row_products, center_products = tl.sum(weighted, 1), tl.sum(weighted, 0)
        for start in tl.range(0, COLUMNS, WIDTH, num_stages=1):
            some = start + columns
            used = some < USED
            is_product = (some == DIMENSION + 1)[None, :]
            x = _rows(centers, word, live, begins, some, USED, ROW)
            y = _rows(contexts, row_word, row_live, begins, some, USED, ROW)
            of_rows = tl.dot(pulls, x, input_precision=GRADIENT_PRECISION)
            of_rows = tl.where(is_product, row_products[:, None], of_rows)
            of_centers = tl.dot(tl.trans(pulls), y, input_precision=GRADIENT_PRECISION)
            of_centers = tl.where(is_product, center_products[:, None], of_centers)
            _add(
                *(context_gradients, row_word, row_live, begins + some, used, of_rows),
                *(ROW, FIXED_POINT, MOST_UNITS),
            )
            _add(
                *(center_gradients, word, live, begins + some, used, of_centers),
                *(ROW, FIXED_POINT, MOST_UNITS),
            )


@triton.jit
def _slope(u, gradient, product):
    """Length of the tangent vector w = G + <u, G> u.

    With w = share u + across, time follows from tangency, and |w|² = |across|² + |share u|²/u_t²:
    two squares, whereas <G, G> + <u, G>² is a difference of large numbers for a far u.
    """
    tangent = gradient + product[:, None] * u
    square = tl.sum(u * u, 1)
    share = tl.sum(tangent * u, 1) / tl.maximum(square, 1e-30)
    across = tangent - share[:, None] * u
    return tl.sqrt(tl.sum(across * across, 1) + share * share * square / (1.0 + square))


@triton.jit
def _damping(load):
    """(1 - exp(-load)) / load: the step after many small pushes, as a share of their sum."""
    series = 1.0 - load * (0.5 - load / 6.0)
    return tl.where(load < 0.05, series, (1.0 - tl.exp(-load)) / tl.maximum(load, 0.05))


@triton.jit(do_not_specialize=["round_", "tiles", "reach", "shared", "parts"])
def move(
    kept,  # as for `pull`
    negatives,
    numbers,
    rates,
    cursor,
    round_,
    table,  # (words * FACTORS, COLUMNS) float32: the layer, a row for each factor of a word
    gradients,  # (words * FACTORS, COLUMNS): reset to zero
    fixed,  # (words,) uint8: 1 for words that must not move
    moved,  # (words * FACTORS,) int32: the last round of the block that moved a row
    word_rates,  # (words,) float32: factors of the learning rate
    loads,  # (words,) float32: see sampling.py; read if DAMPED
    theta,
    theta_gradients,
    tiles,
    max_step,
    reach,  # distance of the layer's rows from the centers: the window, or 0
    shared,  # negatives of a tile that are in the layer
    parts,
    TILE: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    FACTORS: tl.constexpr,
    DIMENSION: tl.constexpr,  # of a factor
    COLUMNS: tl.constexpr,  # columns of a factor
    FULL_COLUMNS: tl.constexpr,  # the same, rounded up to a power of two
    USED: tl.constexpr,
    LEARN_THETA: tl.constexpr,
    PARTS_OF_A_ROUND: tl.constexpr,  # rounded up to a power of two
    DAMPED: tl.constexpr,
    FIXED_POINT: tl.constexpr,
    SIZE: tl.constexpr,  # rows of a program
):
    """Move the words that a round has gradients for, each once in each factor of the space."""
    count = tl.load(numbers).to(tl.int32)
    rounds = tl.cdiv(tl.cdiv(count, TILE), tiles)
    this_round = tl.load(cursor) + round_
    if this_round >= rounds:
        return
    start_rate, end_rate = tl.load(rates), tl.load(rates + 1)
    rate = start_rate + (end_rate - start_rate) * (this_round.to(tl.float32) / rounds)

    # The rows of the tiles of this round; a word in several rows is moved by the first to claim it.
    item = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    i, factor = item // FACTORS, item % FACTORS
    span = TILE + 2 * reach
    lane, k = i // (span + shared), i % (span + shared)
    tile = lane * rounds + this_round
    is_there = (lane < tiles) & (tile * TILE < count)
    place = tile * TILE - reach + k
    in_text = is_there & (k < span) & (place >= 0) & (place < count)
    is_drawn = is_there & (k >= span)
    live = in_text | is_drawn
    drawn_at = negatives + tile.to(tl.int64) * shared + (k - span)
    word = tl.load(kept + place, mask=in_text, other=0)
    word += tl.load(drawn_at, mask=is_drawn, other=0)
    row = word.to(tl.int64) * FACTORS + factor
    claimed = tl.atomic_xchg(moved + row, this_round, mask=live, sem="relaxed")
    mine = live & (claimed != this_round)

    columns = tl.arange(0, FULL_COLUMNS)
    offsets = row[:, None] * COLUMNS + columns[None, :]
    mask = mine[:, None] & (columns < USED)[None, :]
    u = tl.load(table + offsets, mask=mask, other=0.0)
    g = tl.load(gradients + offsets, mask=mask, other=0)
    tl.debug_barrier()  # one thread may clear a number that another one reads
    tl.store(gradients + offsets, tl.zeros_like(g), mask=mask)
    if FIXED_POINT:
        g = (g.to(tl.float64) / _UNITS).to(tl.float32)
    is_spatial = (columns < DIMENSION)[None, :]
    product = tl.sum(tl.where((columns == DIMENSION + 1)[None, :], g, 0.0), 1)
    u = tl.where(is_spatial, u, 0.0)
    g = tl.where(is_spatial, g, 0.0)

    if HYPERBOLIC:
        slope = _slope(u, g, product)
        square = tl.sum(u * u, 1)
        if tl.max(square) > _FAR_TIME * _FAR_TIME:
            # For these words only: the result must not depend on which program claims a word.
            exact = _slope(u.to(tl.float64), g.to(tl.float64), product.to(tl.float64))
            slope = tl.where(square > _FAR_TIME * _FAR_TIME, exact.to(tl.float32), slope)
    else:
        slope = tl.sqrt(tl.sum(g * g, 1))
    # Equation (geodesic) with the tangent vector rate w, its length s clipped:
    # u <- cosh(s) u + sinh(s)/s rate w.
    word_rate = rate * tl.load(word_rates + word, mask=mine, other=0.0)
    if DAMPED:
        pushes = tl.load(rates + 3) * (1.0 + tl.load(rates + 2))  # by a center, on average
        load = tl.load(loads + word, mask=mine, other=0.0)
        word_rate *= _damping(word_rate * pushes * load)
    step = word_rate * slope
    s = tl.minimum(step, max_step)
    add = tl.where(step > max_step, max_step / tl.maximum(step, 1e-30), 1.0) * word_rate
    keep = tl.zeros_like(add) + 1.0
    if HYPERBOLIC:
        growth = tl.exp(s)
        sinh_ratio = (growth - 1.0 / growth) / (2.0 * tl.maximum(s, 0.01))
        add *= tl.where(s < 0.1, 1.0 + s * s / 6.0 + s * s * s * s / 120.0, sinh_ratio)
        keep = (growth + 1.0 / growth) / 2.0 + add * product
    new = keep[:, None] * u + add[:, None] * g
    if HYPERBOLIC:
        time = tl.sqrt(1.0 + tl.sum(new * new, 1))
        new = tl.where((columns == DIMENSION)[None, :], time[:, None], new)
    may_move = mine & (tl.load(fixed + word, mask=mine, other=1) == 0)
    tl.store(table + offsets, new, mask=may_move[:, None] & (columns <= DIMENSION)[None, :])

    if LEARN_THETA:
        if tl.program_id(0) == 0:
            n = tl.arange(0, PARTS_OF_A_ROUND)
            its_tile = n // parts * rounds + this_round
            there = (n < tiles * parts) & (its_tile * TILE < count)
            gradient = tl.load(
                theta_gradients + its_tile * parts + n % parts, mask=there, other=0.0
            )
            tile_count = tl.sum(there.to(tl.int32)) // parts
            tl.store(theta, tl.load(theta) + rate * tl.sum(gradient) / tile_count)
