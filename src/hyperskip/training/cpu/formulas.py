"""Scalar formulas of both kernels, for one number or for sixteen."""

from typing import Any

import numpy as np

from hyperskip.kernel_parts import kernel_part
from hyperskip.training.cpu.lanes import (
    FAST,
    at_least,
    at_most,
    choose,
    exponent_of,
    magnitude,
    power_of_two,
    rounded,
)

f32 = np.float32


@kernel_part(fastmath=FAST, forceinline=True)
def exp_of_minus(x: Any) -> Any:
    """exp(-x) for x >= 0, relative error below 5e-6 up to 87; about 1e-38 beyond."""
    power = at_least(x * f32(-1.4426950408889634), f32(-126.0))
    whole = rounded(power)
    rest = power - whole  # in [-1/2, 1/2]: the series of 2^rest
    series = rest * f32(1.5403530e-4) + f32(1.3333558e-3)
    series = series * rest + f32(9.6181291e-3)
    series = series * rest + f32(5.5504109e-2)
    series = series * rest + f32(2.4022651e-1)
    series = series * rest + f32(6.9314718e-1)
    series = series * rest + f32(1.0)
    return series * power_of_two(whole)


@kernel_part(fastmath=FAST, forceinline=True)
def logarithm(x: Any) -> Any:
    """The natural logarithm of a normal x >= 1, absolute error below 2e-6 for each factor of 2."""
    whole = exponent_of(x)
    fraction = x / power_of_two(whole)  # in [1, 2)
    ratio = (fraction - f32(1.0)) / (fraction + f32(1.0))
    square = ratio * ratio  # log((1 + r)/(1 - r)) = 2 (r + r³/3 + r⁵/5 + ...), r < 1/3
    series = square * f32(2 / 11) + f32(2 / 9)
    series = series * square + f32(2 / 7)
    series = series * square + f32(2 / 5)
    series = series * square + f32(2 / 3)
    series = series * square + f32(2.0)
    return whole * f32(0.6931471805599453) + ratio * series


@kernel_part(fastmath=FAST, forceinline=True)
def logarithm_below_two(x: Any) -> Any:
    """The natural logarithm of x from 1 to 2, absolute error below 1e-6: a polynomial."""
    rest = x - f32(1.0)
    series = rest * f32(0.0138744845) - f32(0.0655903064)
    series = series * rest + f32(0.148294134)
    series = series * rest - f32(0.234545201)
    series = series * rest + f32(0.330975258)
    series = series * rest - f32(0.499858994)
    series = series * rest + f32(0.999998574)
    return series * rest


@kernel_part(fastmath=FAST, forceinline=True)
def shift_of_scores(settings: Any, theta: Any) -> Any:
    """The offset of scores: with it, a word scores theta - 1 with itself."""
    if not settings.hyperbolic:
        return f32(0.0)
    return f32(theta - 1.0 + settings.sharpness * settings.factors)


@kernel_part(fastmath=FAST, forceinline=True)
def sigmoid(score: Any) -> Any:
    """sigma(score), sigma(-score), and 1 + exp(-|score|).

    -log sigma(score) is the logarithm of the last one plus max(-score, 0).
    """
    decayed = exp_of_minus(magnitude(score))
    normalizer = decayed + f32(1.0)
    larger = f32(1.0) / normalizer
    smaller = decayed * larger
    positive = score >= f32(0.0)
    return choose(positive, larger, smaller), choose(positive, smaller, larger), normalizer


@kernel_part(fastmath=FAST, forceinline=True)
def step_coefficients(hyperbolic: Any, rate: Any, slope: Any, product: Any, max_step: Any) -> Any:
    """The update x <- keep * x + add * g as two scalars; rate and slope are not negative.

    g is the ambient gradient, `slope` the length of its tangent part and `product` <x, g>. Flat:
    x + rate g. Hyperbolic: equation (geodesic) with the tangent vector rate (g + <x, g> x), so
    add = rate sinh(s)/s and keep = cosh(s) + add <x, g>, for the step length s = rate slope.
    """
    step = slope * rate
    clipped = at_most(step, max_step)
    pull = choose(step > max_step, clipped / step, f32(1.0)) * rate
    if not hyperbolic:
        return pull * f32(0.0) + f32(1.0), pull  # keep NaN
    # Both series have the precision of float32 up to 2, the longest step that options allow.
    square = clipped * clipped
    cosh = square * f32(1 / 479001600) + f32(1 / 3628800)
    cosh = cosh * square + f32(1 / 40320)
    cosh = cosh * square + f32(1 / 720)
    cosh = cosh * square + f32(1 / 24)
    cosh = cosh * square + f32(1 / 2)
    cosh = cosh * square + f32(1.0)
    sinh_ratio = square * f32(1 / 39916800) + f32(1 / 362880)
    sinh_ratio = sinh_ratio * square + f32(1 / 5040)
    sinh_ratio = sinh_ratio * square + f32(1 / 120)
    sinh_ratio = sinh_ratio * square + f32(1 / 6)
    sinh_ratio = sinh_ratio * square + f32(1.0)
    add = pull * sinh_ratio
    return cosh + add * product, add
