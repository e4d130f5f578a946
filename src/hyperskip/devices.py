"""Which device computes: the processor, or a GPU where there is one.

PyTorch takes seconds to load: it is asked for a GPU only where one would be used, and there is a
driver for one.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from shutil import which
from typing import TYPE_CHECKING, NamedTuple

from hyperskip.errors import OptionError

if TYPE_CHECKING:
    import torch

AUTO, CPU, CUDA = "auto", "cpu", "cuda"
DEVICES = (AUTO, CPU, CUDA)

_OLDEST_CAPABILITY = (8, 0)  # the first with TF32


class _Package(NamedTuple):
    module: str
    name: str
    oldest: tuple[int, int]


# The extra `gpu`. In older versions of Triton, what a word was claimed by does not reach all
# threads.
_PACKAGES = (_Package("torch", "PyTorch", (2, 9)), _Package("triton", "Triton", (3, 5)))


def check_device(device: str) -> None:
    """Refuse a device that there is not.

    Raises:
        OptionError: The name is none of DEVICES, or asks for a GPU that could not be used.
    """
    if device not in DEVICES:
        raise OptionError(f"device is {device!r}", hint=f"device takes {' or '.join(DEVICES)}")
    if device == CUDA:
        gpu()


def core_count() -> int:
    """The number of processor cores this process may use; the machine may have more."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def why_no_gpu() -> str | None:
    """What stands in the way of using a GPU; None: nothing does."""
    for package in _PACKAGES:
        reason = _why_without(package)
        if reason is not None:
            return reason
    if _is_interpreted():
        return "TRITON_INTERPRET is set, and kernels run on the processor"
    if not _has_driver():
        return "there is no driver of NVIDIA's"
    if not (os.environ.get("CC") or which("gcc") or which("clang")):
        return "Triton needs a C compiler (gcc or clang), and there is none"
    try:
        import torch
    except (ImportError, OSError) as error:
        return f"PyTorch cannot be loaded: {error}"
    if torch.version.cuda is None:
        return f"PyTorch {torch.__version__} was built without CUDA"
    if not torch.cuda.is_available():
        return "PyTorch finds no NVIDIA GPU"
    capability = torch.cuda.get_device_capability()
    if capability < _OLDEST_CAPABILITY:
        return (
            f"the {torch.cuda.get_device_name()} has compute capability {_shown(capability)}, "
            f"and {_shown(_OLDEST_CAPABILITY)} is needed"
        )
    return None


def _why_without(package: _Package) -> str | None:
    """What is wrong with a package; None: nothing."""
    try:
        found = version(package.module) if find_spec(package.module) else None
    except PackageNotFoundError:
        return None  # loaded from somewhere, by somebody who knows
    if found is None:
        return f"{package.name} is not installed"
    major, minor = (int(number) for number in found.split(".")[:2])
    if (major, minor) < package.oldest:
        return f"{package.name} is of version {found}, and {_shown(package.oldest)} is needed"
    return None


def _has_driver() -> bool:
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return True


def _shown(numbers: tuple[int, int]) -> str:
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

    if _is_interpreted():
        return torch.device("cpu")
    return torch.device("cuda", torch.cuda.current_device())


def device_name(device: str) -> str:
    """What to call a device that is there, `cpu` or `cuda`."""
    if device == CPU:
        return "CPU"
    if _is_interpreted():
        return "CPU, by the GPU's kernels, interpreted"
    import torch

    return f"GPU ({torch.cuda.get_device_name()})"


@contextmanager
def memory_of_the_gpu() -> Iterator[None]:
    """An error of ours where that memory is used up.

    Raises:
        OptionError: It is.
    """
    import torch

    try:
        yield
    except RuntimeError as error:  # of pinned memory, and of the driver: without a type of its own
        if not isinstance(error, torch.OutOfMemoryError) and "out of memory" not in str(error):
            raise
        raise OptionError(
            f"device is {CUDA}, and its memory is full: {error}", hint=f"choose --device {CPU}"
        ) from error


def _is_interpreted() -> bool:
    """Whether Triton is there and told to run its kernels in Python, which is for tests."""
    installed = all(find_spec(package.module) for package in _PACKAGES)
    return installed and os.environ.get("TRITON_INTERPRET") == "1"
