"""Random draws from a counter in plain Python: the reference for the kernels."""

from collections.abc import Iterator

_64_BITS = (1 << 64) - 1
_NEXT = 0x9E3779B97F4A7C15


def draws(seed: int, skipped: int = 0) -> Iterator[int]:
    """SplitMix64 (Steele et al., 2014): 64 random bits at a time, after some that are skipped."""
    counter = (seed + skipped * _NEXT) & _64_BITS
    while True:
        counter = (counter + _NEXT) & _64_BITS
        bits = counter
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & _64_BITS
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & _64_BITS
        yield bits ^ (bits >> 31)


def below(bits: int, size: int) -> int:
    """A number below `size` from the upper 32 of 64 random bits."""
    return (bits >> 32) * size >> 32
