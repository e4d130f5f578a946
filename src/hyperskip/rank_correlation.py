"""Spearman's rank correlation, which loads nothing but NumPy."""

import numpy as np

from hyperskip.geometry.arrays import Floats


def spearman(x: Floats, y: Floats) -> float | None:
    """Correlation of the ranks of x and y; equal values share the mean of their ranks.

    None if x or y has fewer than two different values, and NaN if one of them has a NaN.
    """
    if len(np.unique(x)) < 2 or len(np.unique(y)) < 2:
        return None
    return float(np.corrcoef(_ranks(x), _ranks(y))[0, 1])


def _ranks(values: Floats) -> Floats:
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    mean_ranks = np.cumsum(counts) - (counts - 1) / 2.0
    return np.where(np.isnan(values), np.nan, mean_ranks[group])
