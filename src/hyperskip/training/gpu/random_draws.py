"""Random draws from a counter on a GPU: the same draws as on the CPU."""

import triton
import triton.language as tl

_NEXT = tl.constexpr(0x9E3779B97F4A7C15)  # the step of SplitMix64's counter
_FIRST_FACTOR = tl.constexpr(0xBF58476D1CE4E5B9)
_SECOND_FACTOR = tl.constexpr(0x94D049BB133111EB)


@triton.jit
def random_bits(seed, number):
    """64 random bits, the draw with this number from 0 (SplitMix64; Steele et al., 2014)."""
    bits = seed.to(tl.uint64) + (number.to(tl.uint64) + 1) * _NEXT
    bits = (bits ^ (bits >> 30)) * _FIRST_FACTOR
    bits = (bits ^ (bits >> 27)) * _SECOND_FACTOR
    return bits ^ (bits >> 31)


@triton.jit
def below(bits, size):
    """A number below `size` from 32 random bits."""
    return ((bits * size.to(tl.uint64)) >> 32).to(tl.int32)
