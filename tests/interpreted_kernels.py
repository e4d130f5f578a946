"""GPU kernels on a machine without a GPU: conftest.py lets Triton run them in Python."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pytest

from hyperskip.devices import gpu
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.plan import TrainingPlan

if TYPE_CHECKING:
    from hyperskip.training.gpu.backend import GpuBackend


def need_triton() -> None:
    """Skip the test if the extra `gpu` is not installed."""
    pytest.importorskip("torch")
    pytest.importorskip("triton")


# A product of matrices in TF32 rounds each factor to eleven significant bits.
TF32 = 2.0**-10


def rounding() -> float:
    """The relative error of a TF32 product on this device; the interpreter uses float32."""
    return TF32 if gpu().type == "cuda" else 0.0


def gpu_backend(
    parameters: InitialParameters | Parameters,
    counts: npt.NDArray[np.int64],
    plan: TrainingPlan,
    longest: int,
    fixed: npt.NDArray[np.bool_] | None = None,
    *,
    tiles: int = 1,
    damped: bool = False,
    gradient_precision: str = "tf32x3",
) -> "GpuBackend":
    """A backend with this number of tiles in a round, damped or not.

    By default gradients have the precision of float32, so that the same tolerances apply on a real
    GPU.
    """
    need_triton()
    from hyperskip.training.gpu.backend import GpuBackend
    from hyperskip.training.kernel_settings import gpu_settings

    settings = replace(
        gpu_settings(plan, counts, longest),
        tiles=tiles,
        damped=damped,
        gradient_precision=gradient_precision,
    )
    backend = GpuBackend(parameters, counts, plan, longest, fixed, settings)
    backend.compile()
    return backend
