"""Names for the types of arrays, and read-only arrays."""

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Coordinates = npt.NDArray[np.floating[Any]]  # stored ones, which may be float32
Matrix = npt.NDArray[np.float32] | npt.NDArray[np.float64]
Rows = npt.NDArray[np.int64]  # indices of words
Scalar = TypeVar("Scalar", bound=np.generic)


def read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Return the same array, which cannot be changed through this name."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def ranks_by(values: Floats) -> Rows:
    """Return the rank of each value (values,): 1 for the smallest; equal ones in their order."""
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[np.argsort(values, kind="stable")] = np.arange(1, len(values) + 1)
    return read_only(ranks)
