"""The kernel of the method `ranking`: sources and their targets among many negative samples.

A group is 128 sources that share their negative samples; a row of scores is eight registers. Groups
are computed from the positions at the start of the batch. Each leaves gradients in slots: one for
each source, negative sample and target. When all groups of a batch are done, every node that has a
slot takes one step, by the sum of its slots in their order. So the result does not depend on the
number of threads. `objective/ranking.py` is the same algorithm, slow and literal.

Distances are computed from unit directions and radii. With radii r and s, and with c as half of the
squared distance of the directions, cosh d - 1 = (cosh(r - s) - 1) + sinh(r) sinh(s) c. All terms
are positive, so that nothing cancels at any radius.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from hyperskip.kernel_cache import cached_on_disk
from hyperskip.kernel_parts import kernel_part
from hyperskip.random_draws import NEXT, mixed, scaled_down
from hyperskip.training.cpu.formulas import exp_of_minus
from hyperskip.training.cpu.lanes import (
    FAST,
    LANES,
    at_least,
    at_most,
    choose,
    everywhere,
    exponent_of,
    load,
    power_of_two,
    spread,
    square_root,
    store,
    total,
)
from hyperskip.training.cpu.layout import aligned
from hyperskip.training.cpu.thread_team import Team, claim, finish, wait_for_next

GROUP = 128  # sources that share negative samples

_MEAN_DECAY, _SQUARE_DECAY = np.float32(0.9), np.float32(0.99)  # of the optimizer
_DRIFT = np.float32(0.9 / 0.99**0.5)  # how fast steps without a gradient shrink
_CLOSEST = np.float32(1e-12)  # cosh d - 1, or the squared distance in flat space
_LEAST = np.float32(1e-30)  # of sums and gradients
# Items of the last phase. Their number is the same for all batches, because a thread that claimed
# one too many may compare it with the number when the next batch has begun.
_STEP_ITEMS = 64

# Numbers after the coordinates of a row: exp(r / 2), exp(-r / 2), sinh r, cosh r.
_GROWTH, _DECAY, _SINH, _COSH = 0, 1, 2, 3
DERIVED = 4
# Numbers after the mean tangential gradient in the moments of a node; the mean radial one is first.
_RADIAL_SQUARE, _TANGENT_SQUARE, _LAST_STEP = 1, 2, 3

f32, i32 = np.float32, np.int32


class Nodes(NamedTuple):
    """The state of all nodes."""

    points: npt.NDArray[np.float32]  # as in the reference
    moments: npt.NDArray[np.float32]
    fixed: npt.NDArray[np.uint8]
    levels: npt.NDArray[np.float32]
    rows: npt.NDArray[np.float32]  # (nodes, dimension + DERIVED): unit direction, and the rest


class Workspace(NamedTuple):
    """Memory of one thread for a group."""

    directions: npt.NDArray[np.float32]  # (dimension + DERIVED, GROUP): sources, transposed
    samples: npt.NDArray[np.float32]  # (negatives, dimension + DERIVED)
    likelihoods: npt.NDArray[np.float32]  # (negatives, GROUP): times the derivative of d
    half_squares: npt.NDArray[np.float32]  # (negatives, GROUP): of distances of directions
    gradients: npt.NDArray[np.float32]  # (dimension + 1, GROUP): of the sources, transposed
    ids: npt.NDArray[np.int32]  # (1, GROUP)
    sums: npt.NDArray[np.float32]  # (1, GROUP): of the likelihoods of negative samples
    pulls: npt.NDArray[np.float32]  # (1, GROUP): sum over targets of weight / normalizer
    pushes: npt.NDArray[np.float32]  # (2, GROUP): of the sources and of one sample
    drawn: npt.NDArray[np.int32]  # (nodes,): how often each node was drawn for the group


class Slots(NamedTuple):
    """Gradients of a batch, shared by all threads."""

    nodes: npt.NDArray[np.int32]  # (slots,): -1 for unused slots
    gradients: npt.NDArray[np.float32]  # (slots, dimension + 1)
    losses: npt.NDArray[np.float64]  # (groups,)
    order: npt.NDArray[np.int32]  # (slots,): sorted by node
    ends: npt.NDArray[np.int32]  # (nodes + 1,)
    touched: npt.NDArray[np.int32]  # (nodes,): the nodes that have slots
    touched_count: npt.NDArray[np.int64]  # (1,)
    loss: npt.NDArray[np.float64]  # (1,): of the block so far


def workspace(nodes: int, dimension: int, negatives: int) -> Workspace:
    """Allocate the memory of one thread."""
    return Workspace(
        directions=aligned((dimension + DERIVED, GROUP)),
        samples=aligned((negatives, dimension + DERIVED)),
        likelihoods=aligned((negatives, GROUP)),
        half_squares=aligned((negatives, GROUP)),
        gradients=aligned((dimension + 1, GROUP)),
        ids=aligned((1, GROUP), np.int32),
        sums=aligned((1, GROUP)),
        pulls=aligned((1, GROUP)),
        pushes=aligned((2, GROUP)),
        drawn=aligned((nodes,), np.int32),
    )


def slots_for(nodes: int, dimension: int, negatives: int, groups: int, most_targets: int) -> Slots:
    """Allocate the slots of batches with at most these numbers of groups and targets."""
    count = groups * (GROUP + negatives) + most_targets
    return Slots(
        nodes=aligned((count,), np.int32),
        gradients=aligned((count, dimension + 1)),
        losses=aligned((groups,), np.float64),
        order=aligned((count,), np.int32),
        ends=aligned((nodes + 1,), np.int32),
        touched=aligned((nodes,), np.int32),
        touched_count=aligned((1,), np.int64),
        loss=aligned((1,), np.float64),
    )


@kernel_part(fastmath=FAST, forceinline=True)
def _logarithm(x: Any) -> Any:
    """The natural logarithm of a normal x >= 1 without a division, absolute error below 4e-7."""
    whole = exponent_of(x)
    rest = x * power_of_two(f32(0.0) - whole) - f32(1.5)  # in [-1/2, 1/2)
    series = rest * f32(0.0102438286) - f32(0.0174140775)
    series = series * rest + f32(0.0259673295)
    series = series * rest - f32(0.0489290347)
    series = series * rest + f32(0.0987917516)
    series = series * rest - f32(0.222245397)
    series = series * rest + f32(0.666666166)
    series = series * rest + f32(0.405465292)
    return whole * f32(0.6931471805599453) + series


@kernel_part(fastmath=FAST, forceinline=True)
def _likelihood(closeness: Any, sharpness: Any, hyperbolic: Any) -> Any:
    """exp(-sharpness d), and the derivative of d by cosh d (in flat space, by d² / 2)."""
    closeness = at_least(closeness, _CLOSEST)
    if hyperbolic:
        sinh = square_root(closeness * (closeness + f32(2.0)))
        distance = _logarithm(closeness + sinh + f32(1.0))
        return exp_of_minus(distance * sharpness), f32(1.0) / sinh
    distance = square_root(closeness)
    return exp_of_minus(distance * sharpness), f32(1.0) / distance


@kernel_part(fastmath=FAST, forceinline=True)
def _half_square(work: Any, lane: Any, j: Any, settings: Any) -> Any:
    """Half of the squared distance of directions; in flat space the squared distance."""
    square = everywhere(f32(0.0))
    for k in range(settings.dimension):
        difference = load(work.directions, k, lane) - spread(work.samples, j, k)
        square += difference * difference
    if settings.hyperbolic:
        square = square * f32(0.5)
    return square


@kernel_part(fastmath=FAST, forceinline=True)
def _closeness(work: Any, lane: Any, j: Any, half_square: Any, settings: Any) -> Any:
    """Cosh d - 1 of sixteen sources and a sample; in flat space the squared distance."""
    if not settings.hyperbolic:
        return half_square
    k = settings.dimension
    grown = load(work.directions, k + _GROWTH, lane) * spread(work.samples, j, k + _DECAY)
    shrunk = load(work.directions, k + _DECAY, lane) * spread(work.samples, j, k + _GROWTH)
    between = grown - shrunk
    sinhs = load(work.directions, k + _SINH, lane) * spread(work.samples, j, k + _SINH)
    return between * between * f32(0.5) + sinhs * half_square


@kernel_part(fastmath=FAST, forceinline=True)
def _sum_likelihoods(work: Any, negatives: Any, slots: Any, first: Any, settings: Any) -> Any:
    """Sum the likelihoods of all negative samples, for each source."""
    sharpness = f32(settings.sharpness)
    zero = everywhere(f32(0.0))
    for lane in range(0, GROUP, LANES):
        store(work.sums, 0, lane, zero)
    for j in range(negatives):
        node = slots.nodes[first + GROUP + j]
        for lane in range(0, GROUP, LANES):
            half_square = _half_square(work, lane, j, settings)
            closeness = _closeness(work, lane, j, half_square, settings)
            likelihood, slope = _likelihood(closeness, sharpness, settings.hyperbolic)
            likelihood = choose(load(work.ids, 0, lane) != node, likelihood, zero)
            store(work.sums, 0, lane, load(work.sums, 0, lane) + likelihood)
            store(work.likelihoods, j, lane, likelihood * slope)
            store(work.half_squares, j, lane, half_square)


@kernel_part(fastmath=FAST, forceinline=True)
def _push(work: Any, negatives: Any, slots: Any, first: Any, settings: Any) -> Any:
    """Add the gradients of all negative samples."""
    sharpness, dimension = f32(settings.sharpness), settings.dimension
    zero = everywhere(f32(0.0))
    for j in range(negatives):
        slot = first + GROUP + j
        radial = zero
        for lane in range(0, GROUP, LANES):
            push = load(work.likelihoods, j, lane) * load(work.pulls, 0, lane) * -sharpness
            if settings.hyperbolic:
                half_square = load(work.half_squares, j, lane)
                k = dimension
                grown = load(work.directions, k + _GROWTH, lane)
                grown = grown * spread(work.samples, j, k + _DECAY)
                shrunk = load(work.directions, k + _DECAY, lane)
                shrunk = shrunk * spread(work.samples, j, k + _GROWTH)
                sinh_between = (grown * grown - shrunk * shrunk) * f32(0.5)
                sinh = load(work.directions, k + _SINH, lane)
                sample_sinh = spread(work.samples, j, k + _SINH)
                outward = load(work.directions, k + _COSH, lane) * sample_sinh * half_square
                own = load(work.gradients, k, lane) + push * (sinh_between + outward)
                store(work.gradients, k, lane, own)
                outward = sinh * spread(work.samples, j, k + _COSH) * half_square
                radial += push * (outward - sinh_between)
                store(work.pushes, 0, lane, push * sample_sinh)
                store(work.pushes, 1, lane, push * sinh)
            else:
                store(work.pushes, 0, lane, push)
                store(work.pushes, 1, lane, push)
        for k in range(dimension):
            sample = zero
            coordinate = spread(work.samples, j, k)
            for lane in range(0, GROUP, LANES):
                difference = load(work.directions, k, lane) - coordinate
                own = load(work.gradients, k, lane) + difference * load(work.pushes, 0, lane)
                store(work.gradients, k, lane, own)
                sample += difference * load(work.pushes, 1, lane)
            slots.gradients[slot, k] = -total(sample)
        slots.gradients[slot, dimension] = total(radial)


@kernel_part(fastmath=FAST, forceinline=True)
def _target_likelihood(work: Any, i: Any, rows: Any, target: Any, settings: Any) -> Any:
    """Likelihood of a target of source i, derivative of d, and half of the squared distance."""
    dimension = settings.dimension
    half_square = f32(0.0)
    for k in range(dimension):
        difference = work.directions[k, i] - rows[target, k]
        half_square += difference * difference
    closeness = half_square
    if settings.hyperbolic:
        half_square *= f32(0.5)
        grown = work.directions[dimension + _GROWTH, i] * rows[target, dimension + _DECAY]
        shrunk = work.directions[dimension + _DECAY, i] * rows[target, dimension + _GROWTH]
        sinhs = work.directions[dimension + _SINH, i] * rows[target, dimension + _SINH]
        closeness = (grown - shrunk) * (grown - shrunk) * f32(0.5) + sinhs * half_square
    likelihood, slope = _likelihood(closeness, f32(settings.sharpness), settings.hyperbolic)
    return likelihood, slope, half_square


@kernel_part(fastmath=FAST, forceinline=True)
def _pull_targets(
    work: Any,
    nodes: Any,
    lists: Any,
    first_list: Any,
    count: Any,
    slots: Any,
    target_slot: Any,
    settings: Any,
) -> Any:
    """Add the gradients of all targets of a group."""
    dimension, sharpness = settings.dimension, f32(settings.sharpness)
    rows = nodes.rows
    base = lists.starts[first_list]
    for i in range(count):
        for t in range(lists.starts[first_list + i], lists.starts[first_list + i + 1]):
            target = lists.targets[t]
            slot = target_slot + t - base
            slots.nodes[slot] = target
            likelihood, slope, half_square = _target_likelihood(work, i, rows, target, settings)
            weight = lists.weights[t] if len(lists.weights) else f32(1.0)
            others = work.sums[0, i]
            pull = weight * others / (likelihood + others)
            # Samples that are targets were pushed, too: undo that.
            pull += f32(work.drawn[target]) * likelihood * work.pulls[0, i]
            pull *= sharpness * slope
            if target == work.ids[0, i]:
                pull = f32(0.0)
            of_source, of_target = pull, pull
            if settings.hyperbolic:
                k = dimension
                grown = work.directions[k + _GROWTH, i] * rows[target, k + _DECAY]
                shrunk = work.directions[k + _DECAY, i] * rows[target, k + _GROWTH]
                sinh_between = (grown * grown - shrunk * shrunk) * f32(0.5)
                sinh, target_sinh = work.directions[k + _SINH, i], rows[target, k + _SINH]
                cosh, target_cosh = work.directions[k + _COSH, i], rows[target, k + _COSH]
                work.gradients[k, i] += pull * (sinh_between + cosh * target_sinh * half_square)
                radial = pull * (target_cosh * sinh * half_square - sinh_between)
                slots.gradients[slot, k] = radial
                of_source, of_target = pull * target_sinh, pull * sinh
            else:
                slots.gradients[slot, dimension] = f32(0.0)
            for k in range(dimension):
                difference = work.directions[k, i] - rows[target, k]
                work.gradients[k, i] += of_source * difference
                slots.gradients[slot, k] = -of_target * difference


@kernel_part(fastmath=FAST, forceinline=True)
def _compute_group(
    group: Any,
    first_list: Any,
    count: Any,
    target_slot: Any,
    nodes: Any,
    lists: Any,
    settings: Any,
    random: Any,
    work: Any,
    slots: Any,
) -> Any:
    """Compute the gradients of a group of `count` lists; no node moves."""
    dimension, negatives = settings.dimension, settings.negatives
    rows = nodes.rows
    first = group * (GROUP + negatives)
    width = dimension + DERIVED
    for i in range(GROUP):
        source = i32(-1)
        if i < count:
            source = lists.sources[first_list + i]
            for k in range(width):
                work.directions[k, i] = rows[source, k]
        else:
            for k in range(width):
                work.directions[k, i] = rows[0, k]
        work.ids[0, i] = source
        slots.nodes[first + i] = source
        for k in range(dimension + 1):
            work.gradients[k, i] = f32(0.0)
    every = negatives >= len(rows)
    for j in range(negatives):
        node = np.int64(j)
        if not every:
            node = scaled_down(mixed(random + np.uint64(j + 1) * NEXT), len(rows))
        slots.nodes[first + GROUP + j] = i32(node)
        work.drawn[node] += i32(1)
        for k in range(width):
            work.samples[j, k] = rows[node, k]
    _sum_likelihoods(work, negatives, slots, first, settings)

    loss = 0.0
    for i in range(GROUP):
        begin, end = 0, 0
        if i < count:
            begin, end = lists.starts[first_list + i], lists.starts[first_list + i + 1]
        others = work.sums[0, i]
        for t in range(begin, end):
            target = lists.targets[t]
            if work.drawn[target] and target != work.ids[0, i]:
                likelihood, _, _ = _target_likelihood(work, i, rows, target, settings)
                others -= f32(work.drawn[target]) * likelihood
        others = max(others, _LEAST)
        work.sums[0, i] = others
        pulls = f32(0.0)
        for t in range(begin, end):
            target = lists.targets[t]
            likelihood, _, _ = _target_likelihood(work, i, rows, target, settings)
            weight = lists.weights[t] if len(lists.weights) else f32(1.0)
            pulls += weight / (likelihood + others)
            loss += weight * np.log1p(np.float64(others) / np.float64(likelihood))
        work.pulls[0, i] = pulls
    slots.losses[group] = loss

    _push(work, negatives, slots, first, settings)
    _pull_targets(work, nodes, lists, first_list, count, slots, target_slot, settings)
    for j in range(negatives):
        work.drawn[slots.nodes[first + GROUP + j]] = i32(0)
    for i in range(GROUP):
        for k in range(dimension + 1):
            slots.gradients[first + i, k] = work.gradients[k, i]


@kernel_part()
def _sort_slots(slots: Any, count: Any, groups: Any) -> Any:
    """Sort the slots by node, keeping their order, and list the nodes that have any."""
    ends = slots.ends
    ends[:] = 0
    for slot in range(count):
        ends[slots.nodes[slot] + 1] += 1  # unused slots count for ends[0]
    touched = 0
    position = 0
    for i in range(1, len(ends)):
        if ends[i]:
            slots.touched[touched] = i - 1
            touched += 1
        size = ends[i]
        ends[i] = position
        position += size
    for slot in range(count):
        node = slots.nodes[slot]
        if node >= 0:
            slots.order[ends[node + 1]] = slot
            ends[node + 1] += 1
    slots.touched_count[0] = touched
    for group in range(groups):
        slots.loss[0] += slots.losses[group]


@kernel_part(fastmath=FAST, forceinline=True)
def _step(
    node: Any,
    begin: Any,
    end: Any,
    nodes: Any,
    slots: Any,
    settings: Any,
    rate: Any,
    ceiling: Any,
    number: Any,  # of the step, from 1
    gradient: Any,  # (2, dimension + 1): memory for the gradient and the step
) -> Any:
    """Move a node by the sum of its slots."""
    gradient, tangent = gradient[0], gradient[1]
    dimension = settings.dimension
    points, rows, moments = nodes.points, nodes.rows, nodes.moments
    for k in range(dimension + 1):
        gradient[k] = f32(0.0)
    for position in range(begin, end):
        slot = slots.order[position]
        for k in range(dimension + 1):
            gradient[k] += slots.gradients[slot, k]
    radial = dimension
    if settings.hyperbolic:  # only directions orthogonal to the radius are tangential
        along, mean_along = f32(0.0), f32(0.0)
        for k in range(dimension):
            along += gradient[k] * rows[node, k]
            mean_along += moments[node, k] * rows[node, k]
        for k in range(dimension):
            gradient[k] -= along * rows[node, k]
            moments[node, k] -= mean_along * rows[node, k]
    square = f32(0.0)
    for k in range(dimension):
        square += gradient[k] * gradient[k]
    missed = number - moments[node, dimension + _LAST_STEP] - f32(1.0)
    moments[node, dimension + _LAST_STEP] = number
    drift = _DRIFT * (f32(1.0) - _DRIFT**missed) / (f32(1.0) - _DRIFT)
    mean_decay, square_decay = _MEAN_DECAY**missed, _SQUARE_DECAY**missed
    unbiased = -rate / (f32(1.0) - _MEAN_DECAY**number)
    square_share = f32(1.0) - _SQUARE_DECAY**number
    for part in range(2):  # tangential, then radial
        place = radial + (_TANGENT_SQUARE if part == 0 else _RADIAL_SQUARE)
        first, last = (0, dimension) if part == 0 else (radial, dimension + 1)
        latest = square if part == 0 else gradient[radial] * gradient[radial]
        squares = moments[node, place]
        before = drift * unbiased / (square_root(squares / square_share) + _LEAST)
        squares *= square_decay
        squares += (latest - squares) * (f32(1.0) - _SQUARE_DECAY)
        moments[node, place] = squares
        scale = unbiased / (square_root(squares / square_share) + _LEAST)
        for k in range(first, last):
            old = moments[node, k]
            mean = old * mean_decay
            mean += (gradient[k] - mean) * (f32(1.0) - _MEAN_DECAY)
            moments[node, k] = mean
            tangent[k] = before * old + scale * mean

    outward = tangent[radial] if settings.hyperbolic else f32(0.0)
    length = outward * outward
    for k in range(dimension):
        length += tangent[k] * tangent[k]
    length = square_root(length)
    clipped = at_most(length, f32(settings.max_step))
    shrink = clipped / (length + _LEAST)
    if not settings.hyperbolic:
        for k in range(dimension):
            points[node, k] += shrink * tangent[k]
            rows[node, k] = points[node, k]
        return
    stretch = np.sinh(clipped) / (clipped + _LEAST) * shrink
    keep = np.cosh(clipped)
    cosh = rows[node, dimension + _COSH]
    square = f32(0.0)
    for k in range(dimension):
        moved = keep * points[node, k]
        moved += stretch * (outward * cosh * rows[node, k] + tangent[k])
        points[node, k] = moved
        square += moved * moved
    highest = np.sinh(ceiling * nodes.levels[node])
    length = square_root(square)
    if length > highest:
        for k in range(dimension):
            points[node, k] *= highest / length
    _derive(nodes.points, nodes.rows, node, dimension)


@kernel_part(fastmath=FAST, forceinline=True)
def _derive(points: Any, rows: Any, node: Any, dimension: Any) -> Any:
    """Write the row of a node of the hyperboloid: its direction, and functions of its radius."""
    square = f32(0.0)
    for k in range(dimension):
        square += points[node, k] * points[node, k]
    sinh = square_root(square)
    cosh = square_root(square + f32(1.0))
    for k in range(dimension):
        rows[node, k] = points[node, k] / (sinh + _LEAST)
    growth = square_root(sinh + cosh)
    rows[node, dimension + _GROWTH] = growth
    rows[node, dimension + _DECAY] = f32(1.0) / growth
    rows[node, dimension + _SINH] = sinh
    rows[node, dimension + _COSH] = cosh


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def train_batches(
    nodes: Any,
    lists: Any,  # TargetLists
    settings: Any,
    rates: Any,  # at the start and the end of the block
    ceilings: Any,  # of the radius, likewise
    seed: Any,  # uint64
    steps_before: Any,  # number of earlier steps of the training
    work: Any,
    slots: Any,
    team: Any,
    stop: Any,  # (1,) uint8: nonzero to stop early
) -> Any:
    """Train on the lists of a block, after `begin_block`.

    All threads of a team may call it for the same block.
    """
    count = len(lists.sources)
    batches = (count + settings.batch - 1) // settings.batch
    gradient = np.empty((2, settings.dimension + 1), dtype=np.float32)
    while stop[0] == 0:
        phase, item = claim(team)  # a batch has three phases: groups, sorting, steps
        if phase >= 3 * batches:
            break
        batch = phase // 3
        first, last = batch * count // batches, (batch + 1) * count // batches
        groups = (last - first + GROUP - 1) // GROUP
        items = 1
        if phase % 3 == 0:
            items = groups
        elif phase % 3 == 2:
            items = _STEP_ITEMS
        if item >= items:
            wait_for_next(team, phase, stop)
            continue
        target_slot = groups * (GROUP + settings.negatives)
        if phase % 3 == 0:
            begin = first + item * GROUP
            number = np.uint64(batch * ((settings.batch + GROUP - 1) // GROUP) + item)
            _compute_group(
                *(item, begin, min(GROUP, last - begin)),
                target_slot + lists.starts[begin] - lists.starts[first],
                *(nodes, lists, settings),
                *(seed + number * np.uint64(settings.negatives) * NEXT, work, slots),
            )
        elif phase % 3 == 1:
            used = target_slot + lists.starts[last] - lists.starts[first]
            _sort_slots(slots, used, groups)
        else:
            share = batch / batches
            rate = f32(rates[0] + (rates[1] - rates[0]) * share)
            ceiling = f32(ceilings[0] + (ceilings[1] - ceilings[0]) * share)
            number = f32(steps_before + batch + 1)
            touched = slots.touched_count[0]
            for i in range(item * touched // _STEP_ITEMS, (item + 1) * touched // _STEP_ITEMS):
                node = slots.touched[i]
                end = slots.ends[node + 1]
                begin = slots.ends[slots.touched[i - 1] + 1] if i else 0
                if not nodes.fixed[node]:
                    _step(
                        *(node, begin, end, nodes, slots, settings, rate, ceiling),
                        *(number, gradient),
                    )
        finish(team, phase, items)


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def derive_rows(points: Any, rows: Any, hyperbolic: Any) -> None:
    """Write the rows of all nodes."""
    dimension = points.shape[1]
    for node in range(len(points)):
        if hyperbolic:
            _derive(points, rows, node, dimension)
        else:
            for k in range(dimension):
                rows[node, k] = points[node, k]


def begin_block(slots: Slots, team: Team) -> None:
    """Prepare for a block."""
    slots.loss[0] = 0.0
    team.claims[0] = team.done[0] = 0
