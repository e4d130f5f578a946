"""Spearman's rank correlation, against SciPy's."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from hyperskip.rank_correlation import spearman

values = arrays(np.float64, 12, elements=st.integers(-5, 5))


@given(x=values, y=values)
def test_it_is_scipy_s(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> None:
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert spearman(x, y) is None
    else:
        expected = np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1]
        assert spearman(x, y) == expected == pytest.approx(stats.spearmanr(x, y).statistic)


def test_too_little_gives_none_and_nan_gives_nan() -> None:
    one, two = np.array([1.0]), np.array([1.0, 2.0, 3.0])
    assert spearman(one[:0], one[:0]) is None
    assert spearman(one, one) is None
    assert np.isnan(spearman(two, np.array([1.0, np.nan, 2.0])) or 0.0)
