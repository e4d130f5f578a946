"""The `pairwise` schedule: each pair of center and context has its own negative samples.

Targets move one after another, and the center once for each pair, as in the paper. `reference.py`
is the same algorithm, slow and literal.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from hyperskip.kernel_cache import cached_on_disk
from hyperskip.kernel_parts import kernel_part
from hyperskip.random_draws import NEXT, is_kept, mixed, negative, scaled_down
from hyperskip.training.cpu.formulas import shift_of_scores, sigmoid, step_coefficients
from hyperskip.training.cpu.lanes import FAST, LANES, at_most, everywhere, load, store
from hyperskip.training.cpu.layout import aligned
from hyperskip.training.cpu.row_operations import (
    FAR_PRODUCT,
    FAR_TIME,
    copy,
    far_product,
    far_slope,
    move,
    product,
)
from hyperskip.training.cpu.thread_team import item_address

f32 = np.float32

# Rows of the workspace.
_POSITION, _GRADIENT = 0, 1


def workspace(row: int) -> npt.NDArray[np.float32]:  # (2, row)
    """Allocate the memory of one thread: the position of a center, and its gradient."""
    return aligned((2, row))


@intrinsic
def _try_lock(typing_context: Any, locks: Any, index: Any, owner: Any) -> Any:
    """Lock locks[index] for the owner by compare-and-swap; returns the previous owner, or 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments, arguments[1])
        free = ir.Constant(ir.IntType(32), 0)
        outcome = builder.cmpxchg(address, free, arguments[2], "acquire", "monotonic")
        return builder.extract_value(outcome, 0)

    return types.int32(locks, types.int64, types.int32), generate


@intrinsic
def _unlock(typing_context: Any, locks: Any, index: Any) -> Any:
    """Unlock locks[index]."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = item_address(context, builder, signature, arguments, arguments[1])
        builder.store_atomic(ir.Constant(ir.IntType(32), 0), address, "release", 4)
        return context.get_dummy_value()

    return types.void(locks, types.int64), generate


@kernel_part()
def _acquire(
    locks: Any, center: Any, targets: Any, target_count: Any, offset: Any, owner: Any
) -> Any:
    """Lock the center and all targets of a pair, or none of them."""
    if _try_lock(locks, center, owner) != 0:
        return False
    for i in range(target_count):
        holder = _try_lock(locks, offset + targets[i], owner)
        if holder != 0 and holder != owner:
            _release(locks, center, targets, i, offset, owner)
            return False
    return True


@kernel_part()
def _release(
    locks: Any, center: Any, targets: Any, target_count: Any, offset: Any, owner: Any
) -> Any:
    for i in range(target_count):
        if locks[offset + targets[i]] == owner:  # otherwise already unlocked: drawn twice
            _unlock(locks, offset + targets[i])
    _unlock(locks, center)


@kernel_part(fastmath=FAST, forceinline=True)
def _move_target(layers: Any, target: Any, keep: Any, pull: Any, difference: Any, work: Any) -> Any:
    """Move a target, and add its old position to the gradient of the center."""
    differences = everywhere(difference)
    for column in range(0, work.shape[1], LANES):
        gradient = load(work, _GRADIENT, column)
        gradient += load(layers.contexts, target, column) * differences
        store(work, _GRADIENT, column, gradient)
    if not layers.fixed_contexts[target]:
        spatial, metric = layers.spatial, layers.metric
        move(layers.contexts, target, keep, pull, work, _POSITION, spatial, metric)


@kernel_part(fastmath=FAST, forceinline=True)
def _move_center(
    layers: Any, settings: Any, center: Any, rate: Any, work: Any, gradient_product: Any
) -> Any:
    """Move the center u along grad = G + <u, G> u, with |grad|² = <G, G> + <u, G>²; or to u + G."""
    slope_square = product(work, _GRADIENT, work, _GRADIENT, layers.metric)
    if settings.hyperbolic:
        slope_square += gradient_product * gradient_product
    slope = np.sqrt(f32(0.0) if slope_square < f32(0.0) else slope_square)
    if settings.hyperbolic and work[_POSITION, settings.dimension] > FAR_TIME:
        slope = far_slope(work, _POSITION, work, _GRADIENT, gradient_product, settings.dimension)
    keep, pull = step_coefficients(
        settings.hyperbolic, rate, slope, gradient_product, f32(settings.max_step)
    )
    move(layers.centers, center, keep, pull, work, _GRADIENT, layers.spatial, layers.metric)


@kernel_part(fastmath=FAST)
def train_pair(
    layers: Any,
    settings: Any,
    center: Any,
    targets: Any,
    target_count: Any,
    rate: Any,
    theta: Any,
    work: Any,
) -> Any:
    """Move the targets, one after another, and then the center; targets[0] is the true context.

    Returns the pair's loss, and the derivative of its log-likelihood by theta.
    """
    copy(layers.centers, center, work, _POSITION)
    for column in range(0, work.shape[1], LANES):
        store(work, _GRADIENT, column, everywhere(f32(0.0)))
    center_time = work[_POSITION, settings.dimension]
    # In flat space the gradient at a target is u times the difference.
    slope = np.sqrt(product(work, _POSITION, work, _POSITION, layers.spatial))
    gradient_product = f32(0.0)  # <u, G>, from the known <u, v> of each target v
    theta_gradient = 0.0
    shift = shift_of_scores(settings, theta)
    linear_loss, loss_product = 0.0, 1.0  # one logarithm of the product

    for i in range(target_count):
        target = targets[i]
        similarity = product(work, _POSITION, layers.contexts, target, layers.metric)
        if settings.hyperbolic:
            target_time = layers.contexts[target, settings.dimension]
            if center_time * target_time > FAR_PRODUCT:
                similarity = far_product(
                    work, _POSITION, layers.contexts, target, 0, settings.dimension
                )
            similarity = at_most(similarity, f32(-1.0))  # more is possible only by rounding
            slope = np.sqrt(similarity * similarity - f32(1.0))  # |u + <u, v> v|
        score = similarity * f32(settings.sharpness) + shift
        likely, unlikely, normalizer = sigmoid(score)
        difference = unlikely if i == 0 else -likely
        loss_product *= normalizer
        linear_loss += max(-score if i == 0 else score, f32(0.0))
        theta_gradient += difference
        gradient_product += difference * similarity
        keep, pull = step_coefficients(
            settings.hyperbolic,
            rate,
            abs(difference) * slope,
            difference * similarity,
            f32(settings.max_step),
        )
        _move_target(layers, target, keep, pull * difference, difference, work)
    if not layers.fixed_centers[center]:
        _move_center(layers, settings, center, rate, work, gradient_product)
    return linear_loss + np.log(loss_product), theta_gradient


@kernel_part(forceinline=True)
def _kept(tokens: Any, keep: Any, random: Any, sentence: Any) -> Any:
    """Write the kept tokens to `sentence`; returns their number."""
    length = 0
    for token in tokens:
        random += NEXT
        sentence[length] = token
        length += is_kept(token, keep, mixed(random))
    return length, random


@kernel_part(forceinline=True)
def _draw_targets(context: Any, excluded: Any, noise: Any, random: Any, targets: Any) -> Any:
    """Write the context and its negative samples to `targets`; returns their number.

    A draw that hits the context or the excluded word is dropped, not repeated: a small vocabulary
    may have no other word.
    """
    targets[0] = context
    count = 1
    for _ in range(len(targets) - 1):
        random += NEXT
        drawn = negative(noise, random)
        targets[count] = drawn
        count += drawn != context and drawn != excluded
    return count, random


@cached_on_disk
@njit(nogil=True, error_model="numpy", boundscheck=False)
def train_pairs(
    tokens: Any,  # (tokens,) int32
    sentence_starts: Any,  # (sentences + 1,) int64, relative to the block
    layers: Any,
    tables: Any,
    settings: Any,
    start_rate: Any,
    end_rate: Any,
    seed: Any,  # uint64
    work: Any,
    stop: Any,  # (1,) uint8: nonzero to stop early
    locks: Any,  # (words,) int32 with tied layers, (2 words,) with two; empty without locking
    owner: Any,  # int32 > 0: number of the thread
) -> Any:
    """Train on all centers of a block of sentences; returns pairs, their loss, skipped pairs."""
    random = seed
    context_locks = 0 if settings.tied else layers.centers.shape[0]
    sentence = np.empty(len(tokens), dtype=np.int32)
    targets = np.empty(1 + settings.negatives, dtype=np.int32)
    pairs, skipped, loss = 0, 0, 0.0

    for s in range(len(sentence_starts) - 1):
        begin, end = sentence_starts[s], sentence_starts[s + 1]
        length, random = _kept(tokens[begin:end], tables.keep, random, sentence)
        for c in range(length):
            if stop[0] != 0:
                return pairs, loss, skipped
            center = sentence[c]
            done = (begin + (end - begin) * (c / length)) / len(tokens)
            rate = f32(start_rate + (end_rate - start_rate) * done)
            reach = settings.window
            if settings.shrink_window:
                random += NEXT
                reach = 1 + scaled_down(mixed(random), settings.window)
            center_pairs = 0
            theta = layers.theta[0]
            theta_gradient = 0.0
            for o in range(max(0, c - reach), min(length, c + reach + 1)):
                context = sentence[o]
                if o == c or (settings.tied and context == center):
                    continue
                target_count, random = _draw_targets(
                    context, center if settings.tied else -1, tables.noise, random, targets
                )
                if settings.locking and not _acquire(
                    locks, center, targets, target_count, context_locks, owner
                ):
                    skipped += 1
                    continue
                pair_loss, pair_theta_gradient = train_pair(
                    layers, settings, center, targets, target_count, rate, theta, work
                )
                if settings.locking:
                    _release(locks, center, targets, target_count, context_locks, owner)
                loss += pair_loss
                theta_gradient += pair_theta_gradient
                center_pairs += 1
            pairs += center_pairs
            if settings.learn_theta and center_pairs > 0:
                layers.theta[0] += rate * theta_gradient / center_pairs
    return pairs, loss, skipped
