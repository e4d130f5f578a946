"""The hash functions of n-grams, in plain Python: those of fastText and of floret.

Both are part of the file format: a change would make stored tables useless.
"""

FNV_BASIS, FNV_PRIME = 2166136261, 16777619
MURMUR_SEED = 2166136261  # floret's default
MOST_HASHES = 4  # of an n-gram: a hash of 128 bits in parts of 32 bits
MOST_BUCKETS = 1 << 31

_MASK_32, _MASK_64 = (1 << 32) - 1, (1 << 64) - 1
_C1, _C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
_BLOCK, _HALF = 16, 8  # bytes


def fnv1a(data: bytes) -> int:
    """FNV-1a of 32 bits as in fastText, which extends the sign of each byte."""
    value = FNV_BASIS
    for byte in data:
        extended = byte | 0xFFFFFF00 if byte >= 0x80 else byte
        value = (value ^ extended) * FNV_PRIME & _MASK_32
    return value


def murmur3(data: bytes, count: int) -> list[int]:
    """The first `count` parts, of 32 bits each, of MurmurHash3 x64 of 128 bits, as in floret."""
    first = second = MURMUR_SEED
    whole = len(data) - len(data) % _BLOCK
    for begin in range(0, whole, _BLOCK):
        low, high = _halves(data[begin : begin + _BLOCK])
        first ^= _mixed_low(low)
        first = (_rotated(first, 27) + second) * 5 + 0x52DCE729 & _MASK_64
        second ^= _mixed_high(high)
        second = (_rotated(second, 31) + first) * 5 + 0x38495AB5 & _MASK_64
    low, high = _halves(data[whole:])  # without bytes, 0, which changes nothing
    first ^= _mixed_low(low)
    second ^= _mixed_high(high)
    first ^= len(data)
    second ^= len(data)
    first = first + second & _MASK_64
    second = second + first & _MASK_64
    first, second = _finished(first), _finished(second)
    first = first + second & _MASK_64
    second = second + first & _MASK_64
    parts = [first & _MASK_32, first >> 32, second & _MASK_32, second >> 32]
    return parts[:count]


def _halves(block: bytes) -> tuple[int, int]:
    low, high = block[:_HALF], block[_HALF:]
    return int.from_bytes(low, "little"), int.from_bytes(high, "little")


def _mixed_low(value: int) -> int:
    return _rotated(value * _C1 & _MASK_64, 31) * _C2 & _MASK_64


def _mixed_high(value: int) -> int:
    return _rotated(value * _C2 & _MASK_64, 33) * _C1 & _MASK_64


def _rotated(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & _MASK_64


def _finished(value: int) -> int:
    value = (value ^ value >> 33) * 0xFF51AFD7ED558CCD & _MASK_64
    value = (value ^ value >> 33) * 0xC4CEB9FE1A85EC53 & _MASK_64
    return value ^ value >> 33
