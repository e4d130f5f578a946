"""The `pairwise` schedule on the CPU: Numba kernels that run without the GIL, and without locks.

A word is stored as its n spatial coordinates, float32; the time coordinate is derived from them,
sqrt(1 + |x|²), and kept beside. So every state of memory is a valid point, and threads may race.
Everything that the kernel calls stands in this file, because Numba's cache on disk does not notice
a change in another one. `reference.py` is the same algorithm, slow and literal.
"""

import contextlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

# Rows are padded with zeros to a multiple of this, the unrolled width of the vector loops, so that
# no loop has a scalar remainder (benchmarks/kernel.py shows what it is worth).
ROW_MULTIPLE = 32

# NaN and infinity keep their meaning: a run that diverges must be seen to diverge. What the rest is
# worth: benchmarks/kernel.py.
_FAST = {"reassoc", "contract", "nsz", "arcp"}

# A float32 product of points with times t and s is off by about 6e-8 t s. Beyond this t s, and for
# centres beyond this time, the few cancelling sums are made in float64 (rare: radius 4 and more).
_FAR_PRODUCT, _FAR_TIME = np.float32(1e3), np.float32(30.0)

# The step of SplitMix64's counter.
_NEXT = np.uint64(0x9E3779B97F4A7C15)

f32 = np.float32


class Layers(NamedTuple):
    """The parameters. With tied layers, contexts and centres are the same arrays."""

    centres: npt.NDArray[np.float32]  # (words, row): spatial coordinates, padded with zeros
    centre_times: npt.NDArray[np.float32]  # (words,): sqrt(curvature + |x|²)
    contexts: npt.NDArray[np.float32]  # (words, row)
    context_times: npt.NDArray[np.float32]  # (words,)
    theta: npt.NDArray[np.float64]  # (1,)


class Chances(NamedTuple):
    """The tables of sampling.py."""

    keep: npt.NDArray[np.uint32]  # (words,)
    noise: npt.NDArray[np.uint32]  # (words, 2)


class Settings(NamedTuple):
    """The scalars of a run."""

    hyperbolic: bool
    tied: bool
    window: int
    shrink_window: bool
    negatives: int
    max_step: float
    learn_theta: bool
    locking: bool


class Outcome(NamedTuple):
    """What happened in a block."""

    pairs: int
    loss: float  # sum over pairs of the negative log-likelihood
    skipped: int  # pairs left out because a word was locked


@njit
def mixed(counter: Any) -> Any:
    """64 random bits from a counter: the finaliser of SplitMix64 (Steele et al., 2014)."""
    bits = counter
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@njit
def scaled_down(bits: Any, size: Any) -> Any:
    """A number below `size` from the upper 32 of 64 random bits."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


@njit(fastmath=_FAST, error_model="numpy")
def _exp_of_minus(x: Any) -> Any:
    """exp(-x) for x >= 0, relative error below 5e-6; inlined, where the library's is a call."""
    if not x < f32(87.0):
        return f32(0.0) / x  # exp(-87) is the last normal number; and NaN stays NaN
    power = f32(-1.4426950408889634) * x
    whole = np.int32(power - f32(0.5))  # rounds to nearest, as power <= 0
    rest = power - f32(whole)  # in [-1/2, 1/2]: the series of 2^rest
    series = f32(1.5403530e-4)
    series = series * rest + f32(1.3333558e-3)
    series = series * rest + f32(9.6181291e-3)
    series = series * rest + f32(5.5504109e-2)
    series = series * rest + f32(2.4022651e-1)
    series = series * rest + f32(6.9314718e-1)
    series = series * rest + f32(1.0)
    return series * np.int32((whole + np.int32(127)) << np.int32(23)).view(np.float32)


@njit(fastmath=_FAST, error_model="numpy")
def _step_coefficients(hyperbolic: Any, pull: Any, slope: Any, product: Any, max_step: Any) -> Any:
    """The update x <- keep * x + add * g as two scalars.

    g is the ambient gradient, `slope` the length of its tangent part and `pull` the rate (signed).
    Flat: x + pull g. Hyperbolic: equation (geodesic) with the tangent vector pull (g + <x, g> x),
    so add = pull sinh(s)/s and keep = cosh(s) + add <x, g>, for the step length s = |pull| slope.
    """
    step = abs(pull) * slope
    if step > max_step:
        pull *= max_step / step
        step = max_step
    if not hyperbolic:
        return f32(1.0), pull
    square = step * step
    if square < f32(1.0):
        cosh = f32(1.0) + square * (
            f32(1 / 2) + square * (f32(1 / 24) + square * (f32(1 / 720) + square * f32(1 / 40320)))
        )
        sinh_ratio = f32(1.0) + square * (
            f32(1 / 6) + square * (f32(1 / 120) + square * f32(1 / 5040))
        )
    else:
        growth = np.exp(step)
        cosh = f32(0.5) * (growth + f32(1.0) / growth)
        sinh_ratio = f32(0.5) * (growth - f32(1.0) / growth) / step
    add = pull * sinh_ratio
    return cosh + add * product, add


@njit(error_model="numpy")
def _far_product(position: Any, contexts: Any, target: Any) -> Any:
    """<u, v>_M in float64, times derived from the coordinates."""
    dot, centre_square, target_square = 0.0, 1.0, 1.0
    for d in range(len(position)):
        u, v = np.float64(position[d]), np.float64(contexts[target, d])
        dot += u * v
        centre_square += u * u
        target_square += v * v
    return f32(dot - np.sqrt(centre_square) * np.sqrt(target_square))


@njit(error_model="numpy")
def _far_slope(position: Any, gradient: Any, gradient_product: Any) -> Any:
    """Length of the tangent vector w = G + <u, G> u at a far u, in float64.

    With w = share u + across, time follows from tangency, and |w|² = |across|² + |share u|²/u_t²:
    two squares, where <G, G> + <u, G>² is a difference of large numbers.
    """
    along, square = 0.0, 0.0
    for d in range(len(position)):
        u = np.float64(position[d])
        along += (np.float64(gradient[d]) + gradient_product * u) * u
        square += u * u
    share = along / square
    length_square = share * share * square / (1.0 + square)
    for d in range(len(position)):
        u = np.float64(position[d])
        across = np.float64(gradient[d]) + (gradient_product - share) * u
        length_square += across * across
    return f32(np.sqrt(length_square))


@intrinsic
def _try_lock(typing_context: Any, locks: Any, index: Any, owner: Any) -> Any:
    """Take locks[index] for the owner by compare-and-swap; tells who held it before (0: nobody)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _lock_address(context, builder, signature, arguments)
        free = ir.Constant(ir.IntType(32), 0)
        outcome = builder.cmpxchg(address, free, arguments[2], "acquire", "monotonic")
        return builder.extract_value(outcome, 0)

    return types.int32(locks, types.int64, types.int32), generate


@intrinsic
def _unlock(typing_context: Any, locks: Any, index: Any) -> Any:
    """Give locks[index] back."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _lock_address(context, builder, signature, arguments)
        builder.store_atomic(ir.Constant(ir.IntType(32), 0), address, "release", 4)
        return context.get_dummy_value()

    return types.void(locks, types.int64), generate


def _lock_address(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return cgutils.get_item_pointer(
        context, builder, signature.args[0], array, [arguments[1]], wraparound=False
    )


@njit(error_model="numpy")
def _acquire(
    locks: Any, centre: Any, targets: Any, target_count: Any, offset: Any, owner: Any
) -> Any:
    """Lock the centre and all targets of a pair, or nothing."""
    if _try_lock(locks, centre, owner) != 0:
        return False
    for i in range(target_count):
        holder = _try_lock(locks, offset + targets[i], owner)
        if holder != 0 and holder != owner:
            _release(locks, centre, targets, i, offset, owner)
            return False
    return True


@njit(error_model="numpy")
def _release(
    locks: Any, centre: Any, targets: Any, target_count: Any, offset: Any, owner: Any
) -> Any:
    for i in range(target_count):
        if locks[offset + targets[i]] == owner:  # else given back already: a word drawn twice
            _unlock(locks, offset + targets[i])
    _unlock(locks, centre)


@njit(fastmath=_FAST, error_model="numpy", boundscheck=False, forceinline=True)
def _move_centre(
    layers: Any,
    settings: Any,
    centre: Any,
    rate: Any,
    position: Any,
    gradient: Any,
    gradient_time: Any,
    gradient_product: Any,
) -> Any:
    """Move the centre u along grad = G + <u, G> u, where |grad|² = <G, G> + <u, G>²; or u + G."""
    row = len(position)
    slope_square = f32(0.0)
    for d in range(row):
        slope_square += gradient[d] * gradient[d]
    slope = np.sqrt(slope_square)
    square = f32(0.0)
    if settings.hyperbolic:
        slope_square += gradient_product * gradient_product - gradient_time * gradient_time
        slope = np.sqrt(slope_square if slope_square > f32(0.0) else f32(0.0))
        if layers.centre_times[centre] > _FAR_TIME:
            slope = _far_slope(position, gradient, gradient_product)
        square = f32(1.0)
    keep, add = _step_coefficients(
        settings.hyperbolic, rate, slope, gradient_product, f32(settings.max_step)
    )
    for d in range(row):
        new = keep * position[d] + add * gradient[d]
        layers.centres[centre, d] = new
        square += new * new
    layers.centre_times[centre] = np.sqrt(square)


@njit(nogil=True, fastmath=_FAST, error_model="numpy", boundscheck=False)
def _train_pair(
    layers: Any,
    settings: Any,
    centre: Any,
    targets: Any,
    target_count: Any,
    rate: Any,
    theta: Any,
    position: Any,
    gradient: Any,
) -> Any:
    """Move the targets, one after another, and then the centre; targets[0] is the true context.

    `position` and `gradient` are work space of a row's length. Returns the pair's loss, and the
    derivative of its log-likelihood by theta.
    """
    curvature = f32(1.0) if settings.hyperbolic else f32(0.0)
    max_step = f32(settings.max_step)
    row = layers.centres.shape[1]
    centre_time = layers.centre_times[centre]
    for d in range(row):
        position[d] = layers.centres[centre, d]
        gradient[d] = f32(0.0)
    gradient_time = f32(0.0)
    gradient_product = f32(0.0)  # <u, G>: no dot product needed, as <u, v> is known for each v
    theta_gradient = 0.0
    linear_loss, loss_product = 0.0, 1.0  # the logarithm is taken once, of a product

    for i in range(target_count):
        target = targets[i]
        label = f32(1.0) if i == 0 else f32(0.0)
        product = f32(0.0)
        for d in range(row):
            product += position[d] * layers.contexts[target, d]
        target_time = layers.context_times[target]
        slope = centre_time  # in flat space the gradient at the target is d u
        if settings.hyperbolic:
            product -= centre_time * target_time
            if centre_time * target_time > _FAR_PRODUCT:
                product = _far_product(position, layers.contexts, target)
            if product > f32(-1.0):  # by rounding only; written so that NaN passes
                product = f32(-1.0)
            slope = np.sqrt(product * product - f32(1.0))  # |u + <u, v> v|

        score = product + f32(theta)
        decayed = _exp_of_minus(abs(score))
        inverse = f32(1.0) / (f32(1.0) + decayed)
        difference = label - (inverse if score >= f32(0.0) else decayed * inverse)
        # -log sigma(±score) = log(1 + exp(-|score|)) + max(∓score, 0)
        loss_product *= 1.0 + decayed
        linear_loss += max(score, f32(0.0)) - label * score
        theta_gradient += difference
        gradient_time += difference * target_time
        gradient_product += difference * product

        keep, add = _step_coefficients(
            settings.hyperbolic, rate * difference, slope, product, max_step
        )
        square = curvature
        for d in range(row):
            old = layers.contexts[target, d]
            gradient[d] += difference * old
            new = keep * old + add * position[d]
            layers.contexts[target, d] = new
            square += new * new
        layers.context_times[target] = np.sqrt(square)

    _move_centre(
        layers, settings, centre, rate, position, gradient, gradient_time, gradient_product
    )
    return linear_loss + np.log(loss_product), theta_gradient


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _kept(tokens: Any, keep: Any, random: Any, sentence: Any) -> Any:
    """Write the tokens that survive subsampling to `sentence`; returns their number."""
    length = 0
    for token in tokens:
        random += _NEXT
        sentence[length] = token
        length += (mixed(random) >> np.uint64(32)) <= keep[token]
    return length, random


@njit(error_model="numpy", boundscheck=False, forceinline=True)
def _draw_targets(context: Any, excluded: Any, noise: Any, random: Any, targets: Any) -> Any:
    """Write the context and its negatives to `targets`; returns their number.

    A draw that hits the context or the excluded word is dropped, not drawn again: with a small
    vocabulary there may be nothing else to draw.
    """
    targets[0] = context
    count = 1
    for _ in range(len(targets) - 1):
        random += _NEXT
        bits = mixed(random)
        i = scaled_down(bits, len(noise))
        drawn = i if bits & np.uint64(0xFFFFFFFF) <= noise[i, 0] else np.int64(noise[i, 1])
        targets[count] = drawn
        count += drawn != context and drawn != excluded
    return count, random


def _cached_if_possible(kernel: Any) -> Any:
    """Keep the compiled kernel on disk, unless there is no place to: then it is compiled anew."""
    # A read-only container without a home; or Numba switched off, for a debugger.
    with contextlib.suppress(RuntimeError, AttributeError):
        kernel.enable_caching()
    return kernel


@_cached_if_possible
@njit(nogil=True, error_model="numpy", boundscheck=False)
def train_block(
    tokens: Any,  # (tokens,) int32
    sentence_starts: Any,  # (sentences + 1,) int64, relative to the block
    layers: Any,
    chances: Any,
    settings: Any,
    start_rate: Any,
    end_rate: Any,
    seed: Any,  # uint64
    locks: Any,  # (words,) int32 with tied layers, (2 words,) with two; empty without locking
    owner: Any,  # int32 > 0: the thread
) -> Any:
    """Train on every centre of a block of sentences; `Outcome` says what it returns."""
    random = seed
    context_locks = 0 if settings.tied else layers.centres.shape[0]
    sentence = np.empty(len(tokens), dtype=np.int32)
    targets = np.empty(1 + settings.negatives, dtype=np.int32)
    position = np.empty(layers.centres.shape[1], dtype=np.float32)
    gradient = np.empty(layers.centres.shape[1], dtype=np.float32)
    pairs, skipped, loss = 0, 0, 0.0

    for s in range(len(sentence_starts) - 1):
        begin, end = sentence_starts[s], sentence_starts[s + 1]
        length, random = _kept(tokens[begin:end], chances.keep, random, sentence)
        for c in range(length):
            centre = sentence[c]
            done = (begin + (end - begin) * (c / length)) / len(tokens)
            rate = f32(start_rate + (end_rate - start_rate) * done)
            reach = settings.window
            if settings.shrink_window:
                random += _NEXT
                reach = 1 + scaled_down(mixed(random), settings.window)
            centre_pairs = 0
            theta = layers.theta[0]
            theta_gradient = 0.0
            for o in range(max(0, c - reach), min(length, c + reach + 1)):
                context = sentence[o]
                if o == c or (settings.tied and context == centre):
                    continue
                target_count, random = _draw_targets(
                    context, centre if settings.tied else -1, chances.noise, random, targets
                )
                if settings.locking and not _acquire(
                    locks, centre, targets, target_count, context_locks, owner
                ):
                    skipped += 1
                    continue
                pair_loss, pair_theta_gradient = _train_pair(
                    layers, settings, centre, targets, target_count, rate, theta, position, gradient
                )
                if settings.locking:
                    _release(locks, centre, targets, target_count, context_locks, owner)
                loss += pair_loss
                theta_gradient += pair_theta_gradient
                centre_pairs += 1
            pairs += centre_pairs
            if settings.learn_theta and centre_pairs > 0:
                layers.theta[0] += rate * theta_gradient / centre_pairs
    return pairs, loss, skipped


def forget_compiled() -> None:
    """Empty the index of the kernel's cache on disk, so that it is compiled anew."""
    train_block._cache.flush()
