"""The method `ranking` on a GPU: Triton kernels for one batch of sources and their targets.

`draw` draws the negative samples of each group of sources. `sum_likelihoods` sums the likelihoods
of the samples for each source, in parts. `pull` computes the gradients of the targets, and `push`
those of the samples. `combine` adds up what the parts left for the sources. `step` moves the nodes
that have a gradient. Gradients are sums of fixed-point numbers, which do not depend on the order of
their summands: the same training always gives the same result. `objective/ranking.py` is the same
algorithm, slow and literal, with the same draws.

A row is a node: its unit direction, then exp(r / 2), exp(-r / 2), sinh r and cosh r for its radius
r. In flat space, directions are coordinates. A row of gradients has the radial part last.
"""

import triton
import triton.language as tl

from hyperskip.training.gpu.random_draws import below, random_bits

_UNITS = tl.constexpr(4294967296.0)  # of fixed-point numbers in 1
_CLOSEST = tl.constexpr(1e-12)
_LEAST = tl.constexpr(1e-30)
_LARGEST_EXPONENT = tl.constexpr(87.0)
_MEAN_DECAY = tl.constexpr(0.9)
_SQUARE_DECAY = tl.constexpr(0.99)
_DRIFT = tl.constexpr(0.9 / 0.99**0.5)  # how fast steps without a gradient shrink


@triton.jit
def _units(numbers):
    """Numbers as fixed-point numbers."""
    return (numbers * _UNITS).to(tl.int64)


@triton.jit
def _likelihood(closeness, sharpness, HYPERBOLIC: tl.constexpr):
    """exp(-sharpness d), and the derivative of d by cosh d (in flat space, by d² / 2)."""
    closeness = tl.maximum(closeness, _CLOSEST)
    if HYPERBOLIC:
        sinh = tl.sqrt(closeness * (closeness + 2.0))
        distance = tl.log(1.0 + (closeness + sinh))
        slope = 1.0 / sinh
    else:
        distance = tl.sqrt(closeness)
        slope = 1.0 / distance
    return tl.exp(-tl.minimum(sharpness * distance, _LARGEST_EXPONENT)), slope


@triton.jit
def _closeness(grown, shrunk, sinhs, half_square):
    """Cosh d - 1, from products of exp(r / 2) and exp(-r / 2), and of sinh r, of two nodes."""
    between = grown - shrunk
    return between * between * 0.5 + sinhs * half_square


@triton.jit
def _column(rows, ids, mask, k, WIDTH: tl.constexpr):
    """Column k of the rows of some nodes; 0 where the mask is false."""
    return tl.load(rows + ids.to(tl.int64) * WIDTH + k, mask=mask, other=0.0)


@triton.jit(do_not_specialize=["seed", "first", "nodes"])
def draw(
    samples,  # out (groups, negatives) int32
    seed,  # int64
    first,  # number of the first group
    nodes,
    negatives: tl.constexpr,
    SIZE: tl.constexpr,
):
    """Draw the negative samples of each group: all nodes if there are few of them."""
    group = tl.program_id(0)
    j = tl.program_id(1) * SIZE + tl.arange(0, SIZE)
    number = (first + group).to(tl.int64) * negatives + j
    node = below(random_bits(seed, number) >> 32, nodes)
    node = tl.where(negatives >= nodes, j, node)
    tl.store(samples + group.to(tl.int64) * negatives + j, node, mask=j < negatives)


@triton.jit
def _half_squares(
    rows,
    sources,
    is_source,
    samples,
    is_sample,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    GROUP: tl.constexpr,
    SAMPLES: tl.constexpr,
):
    """Half of the squared distances of directions; in flat space the squared distances."""
    squares = tl.zeros((GROUP, SAMPLES), tl.float32)
    for k in range(DIMENSION):
        own = _column(rows, sources, is_source, k, WIDTH)
        other = _column(rows, samples, is_sample, k, WIDTH)
        difference = own[:, None] - other[None, :]
        squares += difference * difference
    if HYPERBOLIC:
        squares *= 0.5
    return squares


@triton.jit(do_not_specialize=["count"])
def sum_likelihoods(
    rows,
    sources,
    samples,
    count,
    sharpness,
    sums,  # out (parts, count)
    negatives: tl.constexpr,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    GROUP: tl.constexpr,
    SAMPLES: tl.constexpr,
    CHUNKS: tl.constexpr,
):
    """Sum the likelihoods of a part of the negative samples, for each source of a group."""
    group, part = tl.program_id(0), tl.program_id(1)
    i = group * GROUP + tl.arange(0, GROUP)
    is_source = i < count
    source = tl.load(sources + i, mask=is_source, other=0)
    growth = _column(rows, source, is_source, DIMENSION, WIDTH)
    decay = _column(rows, source, is_source, DIMENSION + 1, WIDTH)
    sinh = _column(rows, source, is_source, DIMENSION + 2, WIDTH)
    total = tl.zeros((GROUP,), tl.float32)
    of_group = samples + group.to(tl.int64) * negatives
    for chunk in range(CHUNKS):
        j = (part * CHUNKS + chunk) * SAMPLES + tl.arange(0, SAMPLES)
        is_sample = j < negatives
        sample = tl.load(of_group + j, mask=is_sample, other=0)
        closeness = _half_squares(
            rows, source, is_source, sample, is_sample, DIMENSION, WIDTH, HYPERBOLIC, GROUP, SAMPLES
        )
        if HYPERBOLIC:
            other_growth = _column(rows, sample, is_sample, DIMENSION, WIDTH)
            other_decay = _column(rows, sample, is_sample, DIMENSION + 1, WIDTH)
            other_sinh = _column(rows, sample, is_sample, DIMENSION + 2, WIDTH)
            grown = growth[:, None] * other_decay[None, :]
            shrunk = decay[:, None] * other_growth[None, :]
            sinhs = sinh[:, None] * other_sinh[None, :]
            closeness = _closeness(grown, shrunk, sinhs, closeness)
        likelihood, _ = _likelihood(closeness, sharpness, HYPERBOLIC)
        counts = is_sample[None, :] & (source[:, None] != sample[None, :])
        total += tl.sum(tl.where(counts, likelihood, 0.0), axis=1)
    tl.store(sums + part * count + i, total, mask=is_source)


@triton.jit
def _position(samples, target, negatives, STEPS: tl.constexpr):
    """Number of sorted samples below each target."""
    low = tl.zeros_like(target)
    high = tl.zeros_like(target) + negatives
    for _ in range(STEPS):
        middle = (low + high) // 2
        found = tl.load(samples + tl.minimum(middle, negatives - 1))
        is_below = (found < target) & (middle < high)
        low = tl.where(is_below, middle + 1, low)
        high = tl.where(is_below, high, middle)
    return low


@triton.jit(do_not_specialize=["count", "begin"])
def pull(
    rows,
    sources,
    starts,
    targets,
    weights,
    samples,
    sums,  # (parts, count)
    pulls,  # out (count,): sum over targets of weight / normalizer
    losses,  # out (count,)
    gradients,  # (nodes, DIMENSION + 1) int64, added to
    touched,  # (nodes,) int8, set to 1
    begin,  # number of the first list of the batch
    count,
    sharpness,
    negatives: tl.constexpr,
    WEIGHTED: tl.constexpr,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    GROUP: tl.constexpr,
    TARGETS: tl.constexpr,
    PARTS: tl.constexpr,
    STEPS: tl.constexpr,
):
    """Compute the gradients of the targets of a source."""
    i = tl.program_id(0)
    source = tl.load(sources + begin + i)
    first = tl.load(starts + begin + i)
    size = tl.load(starts + begin + i + 1) - first
    t = tl.arange(0, TARGETS)
    is_target = t < size
    target = tl.load(targets + first + t, mask=is_target, other=0)
    weight = tl.where(is_target, 1.0, 0.0)
    if WEIGHTED:
        weight = tl.load(weights + first + t, mask=is_target, other=0.0)
    squares = tl.zeros((TARGETS,), tl.float32)
    own_row = rows + source.to(tl.int64) * WIDTH
    for k in range(DIMENSION):
        difference = tl.load(own_row + k) - _column(rows, target, is_target, k, WIDTH)
        squares += difference * difference
    closeness = squares
    half_square = squares * 0.5
    if HYPERBOLIC:
        growth, decay = tl.load(own_row + DIMENSION), tl.load(own_row + DIMENSION + 1)
        sinh, cosh = tl.load(own_row + DIMENSION + 2), tl.load(own_row + DIMENSION + 3)
        grown = growth * _column(rows, target, is_target, DIMENSION + 1, WIDTH)
        shrunk = decay * _column(rows, target, is_target, DIMENSION, WIDTH)
        target_sinh = _column(rows, target, is_target, DIMENSION + 2, WIDTH)
        target_cosh = _column(rows, target, is_target, DIMENSION + 3, WIDTH)
        closeness = _closeness(grown, shrunk, sinh * target_sinh, half_square)
    likelihood, slope = _likelihood(closeness, sharpness, HYPERBOLIC)
    others = 0.0
    for part in range(PARTS):
        others += tl.load(sums + part * count + i)
    of_group = samples + (i // GROUP).to(tl.int64) * negatives
    drawn = _position(of_group, target + 1, negatives, STEPS)
    drawn -= _position(of_group, target, negatives, STEPS)
    drawn = tl.where(is_target & (target != source), drawn, 0).to(tl.float32)
    others = tl.maximum(others - tl.sum(drawn * likelihood, axis=0), _LEAST)
    normalizer = 1.0 / (likelihood + others)
    sum_of_pulls = tl.sum(weight * normalizer, axis=0)
    tl.store(pulls + i, sum_of_pulls)
    loss = weight * (tl.log(likelihood + others) - tl.log(likelihood))  # a ratio may overflow
    tl.store(losses + begin + i, tl.sum(tl.where(is_target, loss, 0.0), axis=0))
    strength = weight * others * normalizer + drawn * likelihood * sum_of_pulls
    strength = tl.where(is_target & (target != source), strength * sharpness * slope, 0.0)
    of_source, of_target = strength, strength
    if HYPERBOLIC:
        sinh_between = (grown * grown - shrunk * shrunk) * 0.5
        radial = strength * (sinh_between + cosh * target_sinh * half_square)
        own = gradients + source.to(tl.int64) * (DIMENSION + 1) + DIMENSION
        tl.atomic_add(own, tl.sum(_units(radial), axis=0))
        radial = strength * (target_cosh * sinh * half_square - sinh_between)
        other = gradients + target.to(tl.int64) * (DIMENSION + 1) + DIMENSION
        tl.atomic_add(other, _units(radial), mask=is_target)
        of_source, of_target = strength * target_sinh, strength * sinh
    for k in range(DIMENSION):
        difference = tl.load(own_row + k) - _column(rows, target, is_target, k, WIDTH)
        own = gradients + source.to(tl.int64) * (DIMENSION + 1) + k
        tl.atomic_add(own, tl.sum(_units(of_source * difference), axis=0))
        other = gradients + target.to(tl.int64) * (DIMENSION + 1) + k
        tl.atomic_add(other, _units(-of_target * difference), mask=is_target)
    tl.store(touched + source, 1)
    tl.store(touched + target, tl.full((TARGETS,), 1, tl.int8), mask=is_target)


@triton.jit(do_not_specialize=["count"])
def push(
    rows,
    sources,
    samples,
    pulls,
    count,
    sharpness,
    own_gradients,  # out (parts, DIMENSION + 1, count): of the sources
    gradients,  # (nodes, DIMENSION + 1) int64, added to
    touched,
    negatives: tl.constexpr,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    GROUP: tl.constexpr,
    SAMPLES: tl.constexpr,
    CHUNKS: tl.constexpr,
):
    """Compute the gradients of a part of the negative samples of a group."""
    group, part = tl.program_id(0), tl.program_id(1)
    i = group * GROUP + tl.arange(0, GROUP)
    is_source = i < count
    source = tl.load(sources + i, mask=is_source, other=0)
    strength = -sharpness * tl.load(pulls + i, mask=is_source, other=0.0)
    growth = _column(rows, source, is_source, DIMENSION, WIDTH)
    decay = _column(rows, source, is_source, DIMENSION + 1, WIDTH)
    sinh = _column(rows, source, is_source, DIMENSION + 2, WIDTH)
    cosh = _column(rows, source, is_source, DIMENSION + 3, WIDTH)
    size = count.to(tl.int64)
    own = own_gradients + part * (DIMENSION + 1) * size + i
    of_group = samples + group.to(tl.int64) * negatives
    for chunk in range(CHUNKS):
        j = (part * CHUNKS + chunk) * SAMPLES + tl.arange(0, SAMPLES)
        is_sample = j < negatives
        sample = tl.load(of_group + j, mask=is_sample, other=0)
        half_square = _half_squares(
            rows, source, is_source, sample, is_sample, DIMENSION, WIDTH, HYPERBOLIC, GROUP, SAMPLES
        )
        other_growth = _column(rows, sample, is_sample, DIMENSION, WIDTH)
        other_decay = _column(rows, sample, is_sample, DIMENSION + 1, WIDTH)
        other_sinh = _column(rows, sample, is_sample, DIMENSION + 2, WIDTH)
        other_cosh = _column(rows, sample, is_sample, DIMENSION + 3, WIDTH)
        closeness = half_square
        grown = growth[:, None] * other_decay[None, :]
        shrunk = decay[:, None] * other_growth[None, :]
        if HYPERBOLIC:
            sinhs = sinh[:, None] * other_sinh[None, :]
            closeness = _closeness(grown, shrunk, sinhs, half_square)
        likelihood, slope = _likelihood(closeness, sharpness, HYPERBOLIC)
        counts = is_sample[None, :] & is_source[:, None] & (source[:, None] != sample[None, :])
        pushes = strength[:, None] * tl.where(counts, likelihood, 0.0) * slope
        other = gradients + sample.to(tl.int64) * (DIMENSION + 1)
        of_source, of_sample = pushes, pushes
        if HYPERBOLIC:
            sinh_between = (grown * grown - shrunk * shrunk) * 0.5
            outward = cosh[:, None] * other_sinh[None, :] * half_square
            radial = tl.sum(pushes * (sinh_between + outward), axis=1)
            if chunk > 0:
                radial += tl.load(own + DIMENSION * size, mask=is_source, other=0.0)
            tl.store(own + DIMENSION * size, radial, mask=is_source)
            outward = other_cosh[None, :] * sinh[:, None] * half_square
            radial = tl.sum(pushes * (outward - sinh_between), axis=0)
            tl.atomic_add(other + DIMENSION, _units(radial), mask=is_sample)
            of_source, of_sample = pushes * other_sinh[None, :], pushes * sinh[:, None]
        for k in range(DIMENSION):
            first = _column(rows, source, is_source, k, WIDTH)
            second = _column(rows, sample, is_sample, k, WIDTH)
            difference = first[:, None] - second[None, :]
            tangential = tl.sum(of_source * difference, axis=1)
            if chunk > 0:
                tangential += tl.load(own + k * size, mask=is_source, other=0.0)
            tl.store(own + k * size, tangential, mask=is_source)
            tangential = -tl.sum(of_sample * difference, axis=0)
            tl.atomic_add(other + k, _units(tangential), mask=is_sample)
        tl.store(touched + sample, tl.full((SAMPLES,), 1, tl.int8), mask=is_sample)
        tl.debug_barrier()  # the next chunk reads what this one wrote


@triton.jit(do_not_specialize=["count"])
def combine(
    sources,
    own_gradients,
    gradients,
    count,
    DIMENSION: tl.constexpr,
    COLUMNS: tl.constexpr,
    PARTS: tl.constexpr,
    SIZE: tl.constexpr,
):
    """Add up the gradients that the parts computed for each source."""
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    is_source = i < count
    source = tl.load(sources + i, mask=is_source, other=0)
    for k in range(COLUMNS):
        total = tl.zeros((SIZE,), tl.float32)
        for part in range(PARTS):
            place = own_gradients + (part * (DIMENSION + 1) + k) * count.to(tl.int64) + i
            total += tl.load(place, mask=is_source, other=0.0)
        place = gradients + source.to(tl.int64) * (DIMENSION + 1) + k
        tl.atomic_add(place, _units(total), mask=is_source)


@triton.jit
def _power(base: tl.constexpr, exponents):
    return tl.exp(tl.log(base) * exponents)


@triton.jit(do_not_specialize=["nodes"])
def step(
    points,  # (nodes, DIMENSION), changed
    rows,  # (nodes, WIDTH), changed
    moments,  # (nodes, DIMENSION + 4), changed
    gradients,  # (nodes, DIMENSION + 1) int64, set to 0
    touched,  # (nodes,), set to 0
    fixed,
    levels,
    nodes,
    rate,
    ceiling,
    max_step,
    number,  # of the step, from 1, as a floating-point number
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    SIZE: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    """Move the nodes that have a gradient, along a geodesic, at most to their ceiling."""
    node = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = node < nodes
    moves = inside & (tl.load(touched + node, mask=inside, other=0) != 0)
    stays = tl.load(fixed + node, mask=inside, other=1) != 0
    k = tl.arange(0, COLUMNS)
    place = node.to(tl.int64)
    columns = moves[:, None] & (k < DIMENSION)[None, :]
    at = gradients + place[:, None] * (DIMENSION + 1) + k[None, :]
    gradient = tl.load(at, mask=columns, other=0).to(tl.float32) / _UNITS
    radial_at = gradients + place * (DIMENSION + 1) + DIMENSION
    radial = tl.load(radial_at, mask=moves, other=0).to(tl.float32) / _UNITS
    tl.debug_barrier()  # several threads may have read the same numbers
    tl.store(at, tl.zeros((SIZE, COLUMNS), tl.int64), mask=columns)
    tl.store(radial_at, tl.zeros((SIZE,), tl.int64), mask=moves)
    tl.store(touched + node, tl.zeros((SIZE,), tl.int8), mask=moves)
    moves = moves & ~stays
    columns = moves[:, None] & (k < DIMENSION)[None, :]
    own = moments + place * (DIMENSION + 4) + DIMENSION
    mean_at = moments + place[:, None] * (DIMENSION + 4) + k[None, :]
    mean = tl.load(mean_at, mask=columns, other=0.0)
    direction = tl.load(rows + place[:, None] * WIDTH + k[None, :], mask=columns, other=0.0)
    if HYPERBOLIC:
        gradient -= tl.sum(gradient * direction, axis=1)[:, None] * direction
        mean -= tl.sum(mean * direction, axis=1)[:, None] * direction
    radial_mean = tl.load(own, mask=moves, other=0.0)
    radial_square = tl.load(own + 1, mask=moves, other=0.0)
    square = tl.load(own + 2, mask=moves, other=0.0)
    missed = number - tl.load(own + 3, mask=moves, other=0.0) - 1.0
    drift = _DRIFT * (1.0 - _power(_DRIFT, missed)) / (1.0 - _DRIFT)
    unbiased = -rate / (1.0 - _power(_MEAN_DECAY, number))
    of_squares = 1.0 - _power(_SQUARE_DECAY, number)
    tangent = mean * (drift * unbiased / (tl.sqrt(square / of_squares) + _LEAST))[:, None]
    outward = radial_mean * drift * unbiased / (tl.sqrt(radial_square / of_squares) + _LEAST)
    mean_decay, square_decay = _power(_MEAN_DECAY, missed), _power(_SQUARE_DECAY, missed)
    mean *= mean_decay[:, None]
    mean += (gradient - mean) * (1.0 - _MEAN_DECAY)
    radial_mean *= mean_decay
    radial_mean += (radial - radial_mean) * (1.0 - _MEAN_DECAY)
    radial_square *= square_decay
    radial_square += (radial * radial - radial_square) * (1.0 - _SQUARE_DECAY)
    square *= square_decay
    square += (tl.sum(gradient * gradient, axis=1) - square) * (1.0 - _SQUARE_DECAY)
    point_at = points + place[:, None] * DIMENSION + k[None, :]
    point = tl.load(point_at, mask=columns, other=0.0)
    cosh = tl.load(rows + place * WIDTH + DIMENSION + 3, mask=moves, other=1.0)
    tl.debug_barrier()
    tl.store(mean_at, mean, mask=columns)
    tl.store(own, radial_mean, mask=moves)
    tl.store(own + 1, radial_square, mask=moves)
    tl.store(own + 2, square, mask=moves)
    tl.store(own + 3, tl.zeros((SIZE,), tl.float32) + number, mask=moves)
    tangent += mean * (unbiased / (tl.sqrt(square / of_squares) + _LEAST))[:, None]
    outward += radial_mean * unbiased / (tl.sqrt(radial_square / of_squares) + _LEAST)
    if not HYPERBOLIC:
        outward = outward * 0.0
    length = tl.sqrt(tl.sum(tangent * tangent, axis=1) + outward * outward)
    clipped = tl.minimum(length, max_step)
    shrink = clipped / (length + _LEAST)
    if HYPERBOLIC:
        growth = tl.exp(clipped)
        keep, stretch = (growth + 1.0 / growth) * 0.5, (growth - 1.0 / growth) * 0.5
        # Without cancellation for short steps.
        short = clipped * (1.0 + clipped * clipped * (1.0 / 6.0))
        stretch = tl.where(clipped < 0.03, short, stretch) / (clipped + _LEAST) * shrink
        tangent += (outward * cosh)[:, None] * direction
        point = keep[:, None] * point + stretch[:, None] * tangent
        limit = tl.load(levels + node, mask=moves, other=1.0) * ceiling
        highest = (tl.exp(limit) - tl.exp(-limit)) * 0.5
        sinh = tl.sqrt(tl.sum(point * point, axis=1))
        point *= tl.minimum(1.0, highest / (sinh + _LEAST))[:, None]
    else:
        point += shrink[:, None] * tangent
    tl.store(point_at, point, mask=columns)
    _store_rows(rows, place, point, moves, columns, k, DIMENSION, WIDTH, HYPERBOLIC)


@triton.jit
def _store_rows(
    rows,
    place,
    point,
    moves,
    columns,
    k,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
):
    direction = point
    if HYPERBOLIC:
        square = tl.sum(point * point, axis=1)
        sinh, cosh = tl.sqrt(square), tl.sqrt(square + 1.0)
        growth = tl.sqrt(sinh + cosh)
        direction = point / (sinh + _LEAST)[:, None]
        rest = rows + place * WIDTH + DIMENSION
        tl.store(rest, growth, mask=moves)
        tl.store(rest + 1, 1.0 / growth, mask=moves)
        tl.store(rest + 2, sinh, mask=moves)
        tl.store(rest + 3, cosh, mask=moves)
    tl.store(rows + place[:, None] * WIDTH + k[None, :], direction, mask=columns)


@triton.jit(do_not_specialize=["nodes"])
def derive_rows(
    points,
    rows,
    nodes,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    HYPERBOLIC: tl.constexpr,
    SIZE: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    """Write the rows of all nodes."""
    node = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    inside = node < nodes
    place, k = node.to(tl.int64), tl.arange(0, COLUMNS)
    columns = inside[:, None] & (k < DIMENSION)[None, :]
    point = tl.load(points + place[:, None] * DIMENSION + k[None, :], mask=columns, other=0.0)
    _store_rows(rows, place, point, inside, columns, k, DIMENSION, WIDTH, HYPERBOLIC)
