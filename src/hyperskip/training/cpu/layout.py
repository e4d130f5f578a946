"""The layout of parameters in the memory of the CPU kernels.

A row is a word: for each factor of the space n spatial coordinates, float32, then the time
coordinate sqrt(1 + |x|²), then zeros up to a multiple of LANES; in flat space time is 0. Every move
writes the time again. Threads may race, since any spatial coordinates are a valid point, and the
next move corrects a time that does not match.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.training.cpu.lanes import LANES

_CACHE_LINE = 64  # bytes


class Layers(NamedTuple):
    """The parameters. If each word has one vector, contexts and centers are the same array."""

    centers: npt.NDArray[np.float32]  # (words, row)
    contexts: npt.NDArray[np.float32]  # (words, row)
    theta: npt.NDArray[np.float64]  # (1,)
    spatial: npt.NDArray[np.float32]  # (1, LANES): 1 for spatial lanes at the end of a row
    metric: npt.NDArray[np.float32]  # (1, LANES): the same, with -1 for time
    fixed_centers: npt.NDArray[np.uint8]  # (words,): 1 for words that must not move
    fixed_contexts: npt.NDArray[np.uint8]  # (words,)


class Tables(NamedTuple):
    """Probabilities and weights from sampling.py."""

    keep: npt.NDArray[np.uint32]  # (words,)
    noise: npt.NDArray[np.uint32]  # (words, 2)
    # (LANES + 2 * window, LANES): the weight of a pair by the position of the context, from
    # `window` before the first center, and by the center
    gap_weights: npt.NDArray[np.float32]
    word_rates: npt.NDArray[np.float32]  # (words,): factors of the learning rate


class Settings(NamedTuple):
    """Settings of the CPU kernels."""

    hyperbolic: bool
    tied: bool
    factors: int
    dimension: int  # of a factor
    sharpness: float  # factor between the product of two words and their score
    window: int
    shrink_window: bool
    negatives: int
    shared_negatives: int
    max_step: float
    learn_theta: bool
    locking: bool


def gap_weights(
    distance_weights: npt.NDArray[np.float64],  # (window + 1,)
) -> npt.NDArray[np.float32]:  # (LANES + 2 * window, LANES)
    """The weights of pairs of a context and a center of a tile; see `Tables`."""
    window = len(distance_weights) - 1
    gaps = np.arange(LANES + 2 * window)[:, None] - window - np.arange(LANES)
    inside = np.abs(gaps) <= window
    weights = aligned(gaps.shape)
    weights[inside] = distance_weights[np.abs(gaps[inside])]
    return weights


def packed(
    centers: npt.NDArray[np.floating[Any]],  # (words, dimension)
    contexts: npt.NDArray[np.floating[Any]] | None,  # the same; None: tied
    theta: float,
    times: npt.NDArray[np.floating[Any]] | None = None,  # (layers, words, factors); None: derived
    *,
    hyperbolic: bool,
    factors: int = 1,
    fixed: npt.NDArray[np.bool_] | None = None,  # (words,); None: all move
) -> Layers:
    """Layers with these spatial coordinates; words are fixed as centers only."""
    words, dimension = len(centers), centers.shape[1] // factors
    center_rows = rows_of(centers, factors, hyperbolic)
    context_rows = center_rows if contexts is None else rows_of(contexts, factors, hyperbolic)
    if times is not None:
        for rows, own in zip((center_rows, context_rows), times, strict=False):
            times_of(rows, factors, dimension)[:] = own
    spatial, metric = aligned((1, LANES)), aligned((1, LANES))
    time = dimension % LANES  # time is always in the last lanes
    spatial[0, :time] = metric[0, :time] = 1.0
    metric[0, time] = -1.0 if hyperbolic else 0.0
    fixed_centers = np.zeros(words, dtype=np.uint8)
    if fixed is not None:
        fixed_centers[:] = fixed
    fixed_contexts = fixed_centers if contexts is None else np.zeros_like(fixed_centers)
    return Layers(
        *(center_rows, context_rows, np.array([theta]), spatial, metric),
        *(fixed_centers, fixed_contexts),
    )


def rows_of(
    coordinates: npt.NDArray[np.floating[Any]], factors: int, hyperbolic: bool
) -> npt.NDArray[np.float32]:
    """Rows with these spatial coordinates (words, factors * dimension), and their times."""
    words, dimension = len(coordinates), coordinates.shape[1] // factors
    rows = aligned((words, factors * rounded_up(dimension + 1)))
    by_factor = _by_factor(rows, factors)
    by_factor[..., :dimension] = coordinates.reshape(words, factors, dimension)
    if hyperbolic:
        square = np.einsum("wfd,wfd->wf", by_factor, by_factor, dtype=np.float64)
        by_factor[..., dimension] = np.sqrt(1.0 + square)
    return rows


def coordinates_of(
    rows: npt.NDArray[np.float32], factors: int, dimension: int
) -> npt.NDArray[np.float32]:  # (words, factors * dimension)
    """A copy of the spatial coordinates."""
    spatial = _by_factor(rows, factors)[..., :dimension]
    return spatial.reshape(len(rows), factors * dimension).copy()


def times_of(
    rows: npt.NDArray[np.float32], factors: int, dimension: int
) -> npt.NDArray[np.float32]:  # (words, factors)
    """The time coordinates, not copied."""
    return _by_factor(rows, factors)[..., dimension]


def _by_factor(rows: npt.NDArray[np.float32], factors: int) -> npt.NDArray[np.float32]:
    """Rows, possibly none, divided into factors: (words, factors, row / factors)."""
    return rows.reshape(len(rows), factors, rows.shape[1] // factors)


def rounded_up(count: int) -> int:
    """The next multiple of LANES."""
    return -(-count // LANES) * LANES


def aligned(shape: tuple[int, ...], dtype: Any = np.float32) -> npt.NDArray[Any]:
    """Zeros aligned to cache lines, so that no register spans two of them."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    buffer = np.zeros(size + _CACHE_LINE, dtype=np.uint8)
    start = -buffer.ctypes.data % _CACHE_LINE
    return np.asarray(buffer[start : start + size].view(dtype).reshape(shape))
