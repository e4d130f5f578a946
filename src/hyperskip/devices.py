"""Which device computes: the processor, or a GPU where there is one.

PyTorch takes seconds to load: it is asked for a GPU only where one would be used, and there is a
driver for one.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING

from hyperskip.errors import OptionError

if TYPE_CHECKING:
    import torch

AUTO, CPU, CUDA = "auto", "cpu", "cuda"
DEVICES = (AUTO, CPU, CUDA)

_PACKAGES = {"torch": "PyTorch", "triton": "Triton"}  # the extra `gpu`
_OLDEST = (8, 0)  # compute capability: the first with TF32


def check_device(device: str) -> None:
    """Refuse a device that there is not.

    Raises:
        OptionError: The name is none of DEVICES, or asks for a GPU that could not be used.
    """
    if device not in DEVICES:
        raise OptionError(f"device is {device!r}", hint=f"device takes {' or '.join(DEVICES)}")
    if device == CUDA:
        gpu()


def why_no_gpu() -> str | None:
    """What stands in the way of using a GPU; None: nothing does."""
    for module, name in _PACKAGES.items():
        if find_spec(module) is None:
            return f"{name} is not installed"
    if _is_interpreted():
        return "TRITON_INTERPRET is set, and kernels run on the processor"
    if not _has_driver():
        return "there is no driver of NVIDIA's"
    if not (os.environ.get("CC") or which("gcc") or which("clang")):
        return "Triton needs a C compiler (gcc or clang), and there is none"
    import torch

    if torch.version.cuda is None:
        return f"PyTorch {torch.__version__} was built without CUDA"
    if not torch.cuda.is_available():
        return "PyTorch finds no NVIDIA GPU"
    capability = torch.cuda.get_device_capability()
    if capability < _OLDEST:
        return (
            f"the {torch.cuda.get_device_name()} has compute capability {_version(capability)}, "
            f"and {_version(_OLDEST)} is needed"
        )
    return None


def _has_driver() -> bool:
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return True


def _version(numbers: tuple[int, int]) -> str:
    return ".".join(map(str, numbers))


def gpu() -> "torch.device":
    """Where tensors for the GPU go.

    Raises:
        OptionError: There is no GPU that could be used.
    """
    reason = why_no_gpu()
    if reason is not None and not _is_interpreted():
        raise OptionError(
            f"device is {CUDA}, and {reason}",
            hint="it takes an NVIDIA GPU with its driver, PyTorch and Triton (pip install torch "
            f"triton); or choose --device {CPU}",
        )
    import torch

    return torch.device("cpu" if _is_interpreted() else "cuda")


@contextmanager
def memory_of_the_gpu() -> Iterator[None]:
    """An error of ours where that memory is used up.

    Raises:
        OptionError: It is.
    """
    import torch

    try:
        yield
    except torch.OutOfMemoryError as error:
        raise OptionError(
            f"device is {CUDA}, and its memory is full: {error}", hint=f"choose --device {CPU}"
        ) from error


def _is_interpreted() -> bool:
    """Whether Triton is there and told to run its kernels in Python, which is for tests."""
    return all(map(find_spec, _PACKAGES)) and os.environ.get("TRITON_INTERPRET") == "1"
