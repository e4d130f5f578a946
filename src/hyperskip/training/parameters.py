"""What training learns, in the form that all backends share."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating[Any]]


class InitialParameters(NamedTuple):
    """The numbers before training; backends derive the time coordinates."""

    centers: Floats  # as in `Parameters`
    contexts: Floats | None
    theta: float
    times: None = None


class Parameters(NamedTuple):
    """The learned numbers; each backend has its own layout of them in memory."""

    centers: Floats  # (words, dimension): spatial coordinates, one factor after the other
    contexts: Floats | None  # the same; None if each word has one vector
    theta: float
    # (layers, words, factors): time coordinates as kernels rounded them, needed to resume with the
    # same bits
    times: Floats
