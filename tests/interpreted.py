"""The GPU's kernels on a machine without one: conftest.py has Triton run them in Python."""

from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest

from hyperskip.training import sampling
from hyperskip.training.initial import Parameters
from hyperskip.training.options import TrainingOptions

if TYPE_CHECKING:
    from hyperskip.training.gpu_backend import GpuBackend


def need_triton() -> None:
    """Skip the test where the extra `gpu` is not installed."""
    pytest.importorskip("torch")
    pytest.importorskip("triton")


def gpu_backend(
    parameters: Parameters,
    counts: npt.NDArray[np.int64],
    options: TrainingOptions,
    longest: int,
    fixed: npt.NDArray[np.bool_] | None = None,
    *,
    tiles: int = 1,
) -> "GpuBackend":
    """A backend whose rounds have so many tiles."""
    need_triton()
    from hyperskip.training.gpu_backend import GpuBackend

    with patch.object(sampling, "tiles_of_a_round", lambda *_: tiles):
        backend = GpuBackend(parameters, counts, options, longest, fixed)
    backend.compile()
    return backend
