"""What training learns, in the form that all backends share."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Coordinates


class InitialParameters(NamedTuple):
    """The numbers before training; backends derive the time coordinates."""

    centers: Coordinates  # as in `Parameters`
    contexts: Coordinates | None
    theta: float
    times: None = None
    moments: None = None
    ngrams: npt.NDArray[np.float32] | None = None  # as in `Parameters`


class Parameters(NamedTuple):
    """The learned numbers; each backend has its own layout of them in memory."""

    centers: Coordinates  # (words, dimension): spatial coordinates, one factor after the other
    contexts: Coordinates | None  # the same; None if each word has one vector
    theta: float
    # (layers, words, factors): time coordinates as kernels rounded them, needed to resume with the
    # same bits
    times: Coordinates
    moments: npt.NDArray[np.float32] | None = None  # (words, any): state of the optimizer, if any
    # (rows, dimension): n-grams in the order of their buckets, with subwords. Word vectors have the
    # same order, so they need no copy.
    ngrams: npt.NDArray[np.float32] | None = None
