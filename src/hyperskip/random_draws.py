"""Random draws of kernels from a counter: the same seed gives the same draws everywhere."""

from typing import Any

import numpy as np

from hyperskip.kernel_parts import kernel_part

# The step of SplitMix64's counter.
NEXT = np.uint64(0x9E3779B97F4A7C15)


@kernel_part(forceinline=True)
def mixed(counter: Any) -> Any:
    """64 random bits from a counter: the finalizer of SplitMix64 (Steele et al., 2014)."""
    bits = counter
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


@kernel_part(forceinline=True)
def scaled_down(bits: Any, size: Any) -> Any:
    """A number below `size` from the upper 32 of 64 random bits."""
    return np.int64(((bits >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))


@kernel_part(forceinline=True)
def is_kept(word: Any, keep: Any, bits: Any) -> Any:
    """Whether subsampling keeps a token of this word, from the upper 32 of 64 random bits."""
    return (bits >> np.uint64(32)) <= keep[word]


@kernel_part(forceinline=True)
def negative(noise: Any, counter: Any) -> Any:
    """A word from the alias table of sampling.py."""
    bits = mixed(counter)
    i = scaled_down(bits, len(noise))
    return np.int32(i) if bits & np.uint64(0xFFFFFFFF) <= noise[i, 0] else np.int32(noise[i, 1])
