"""Words and n-grams learn from each other: the kernels of `objective/subwords.py` in Triton.

A program takes one word, or one row of n-grams. It adds up vectors in a fixed order, so that the
result is the same in every run.
"""

import triton
import triton.language as tl


@triton.jit
def _sum(
    vectors,  # (any, FACTORS * DIMENSION) float32
    begin,
    end,
    listed,  # int32: indices of vectors
    factor,
    FACTORS: tl.constexpr,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,  # a power of two, at least DIMENSION
    AT_ONCE: tl.constexpr,
):
    """The sum of the vectors that are listed from `begin` to `end`, in one factor: (WIDTH,)."""
    d = tl.arange(0, WIDTH)
    k = tl.arange(0, AT_ONCE)
    total = tl.zeros((WIDTH,), dtype=tl.float32)
    for first in range(begin, end, AT_ONCE):
        used = first + k < end
        item = tl.load(listed + first + k, mask=used, other=0).to(tl.int64)
        places = (item[:, None] * FACTORS + factor) * DIMENSION + d[None, :]
        inside = used[:, None] & (d < DIMENSION)[None, :]
        total += tl.sum(tl.load(vectors + places, mask=inside, other=0.0), axis=0)
    return total


@triton.jit
def compute_residuals(
    words,  # (words, FACTORS, COLUMNS) float32
    ngrams,  # (rows, FACTORS * DIMENSION) float32
    row_starts,  # (words + 1,) int64
    rows,  # (n-grams,) int32
    residuals,  # (words, FACTORS * DIMENSION) float32, changed
    FACTORS: tl.constexpr,
    DIMENSION: tl.constexpr,
    COLUMNS: tl.constexpr,
    WIDTH: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    """For each word, what the mean of its n-grams does not explain; 0 without n-grams."""
    word = tl.program_id(0).to(tl.int64)
    factor = tl.program_id(1)
    d = tl.arange(0, WIDTH)
    begin, end = tl.load(row_starts + word), tl.load(row_starts + word + 1)
    total = _sum(ngrams, begin, end, rows, factor, FACTORS, DIMENSION, WIDTH, AT_ONCE)
    count = (end - begin).to(tl.float32)
    own = tl.load(words + (word * FACTORS + factor) * COLUMNS + d, mask=d < DIMENSION, other=0.0)
    residual = tl.where(count > 0, own - total / tl.maximum(count, 1.0), 0.0)
    place = (word * FACTORS + factor) * DIMENSION + d
    tl.store(residuals + place, residual, mask=d < DIMENSION)


@triton.jit
def move_ngrams(
    ngrams,  # (rows, FACTORS * DIMENSION) float32, changed
    word_starts,  # (rows + 1,) int64
    words,  # (n-grams,) int32
    residuals,  # (words, FACTORS * DIMENSION) float32
    weights,  # (rows,) float32
    step,
    FACTORS: tl.constexpr,
    DIMENSION: tl.constexpr,
    WIDTH: tl.constexpr,
    AT_ONCE: tl.constexpr,
):
    """Move n-grams by the residuals of their words."""
    row = tl.program_id(0).to(tl.int64)
    factor = tl.program_id(1)
    d = tl.arange(0, WIDTH)
    begin, end = tl.load(word_starts + row), tl.load(word_starts + row + 1)
    total = _sum(residuals, begin, end, words, factor, FACTORS, DIMENSION, WIDTH, AT_ONCE)
    place = ngrams + (row * FACTORS + factor) * DIMENSION + d
    old = tl.load(place, mask=d < DIMENSION, other=0.0)
    tl.store(place, old + step * tl.load(weights + row) * total, mask=d < DIMENSION)
