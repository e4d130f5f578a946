"""The processor and the GPU: what this machine can compute on.

PyTorch takes seconds to load, so it is imported only when a GPU would be used and a driver exists.
"""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, NamedTuple

from hyperskip.errors import MissingPackageError, OptionError, install_command, upgrade_command
from hyperskip.options import Declaration, Range

if TYPE_CHECKING:
    import torch

AUTO, CPU, CUDA = "auto", "cpu", "cuda"
DEVICES = (AUTO, CPU, CUDA)
DEVICE = Declaration(
    kind=str,
    help="where to compute: cpu, cuda (an NVIDIA GPU), or auto (the GPU, if there is one, for "
    "large tasks)",
    default=AUTO,
    choices=DEVICES,
)
THREADS = Declaration(
    kind=int,
    help="threads on the CPU; 0 uses all cores",
    default=0,
    limits=Range(at_least=0, at_most=1024),
)

_OLDEST_CAPABILITY = (8, 0)  # the first with TF32
_USE_CPU = f"use `device={CPU!r}`"
_EXTRA = "gpu"  # installs the packages below


class _Package(NamedTuple):
    module: str
    name: str
    oldest: tuple[int, int]


# With older versions of Triton, not all threads see which program
# has claimed a word.
_PACKAGES = (_Package("torch", "PyTorch", (2, 9)), _Package("triton", "Triton", (3, 5)))


def core_count() -> int:
    """The number of processor cores this process may use; the machine may have more."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def available_memory() -> int | None:
    """Bytes of memory that new programs can use; None if the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next(
        (1024 * int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")), None
    )


def check_device(device: str) -> None:
    """Check that a device exists and can be used.

    Raises:
        OptionError: The name is not one of DEVICES, or the GPU cannot be used.
        MissingPackageError: A package that the GPU requires is not installed.
    """
    DEVICE.checked("device", device)
    if device == CUDA:
        gpu()


def check_gpu_packages() -> None:
    """Check that the packages for a GPU are installed; the GPU may be in another machine.

    Raises:
        MissingPackageError: One is not.
    """
    missing = _missing_package()
    if missing is not None:
        raise missing


class NoGpu(NamedTuple):
    """Why the GPU cannot be used, and what to do about it."""

    reason: str
    advice: str


def why_no_gpu() -> str | None:
    """The reason why the GPU cannot be used; None if it can."""
    obstacle = gpu_obstacle()
    return None if obstacle is None else obstacle.reason


def gpu_obstacle() -> NoGpu | None:
    """What prevents the use of the GPU; None if it can be used."""
    missing = _missing_package()
    if missing is not None:
        return NoGpu(f"for a GPU: {missing.hint}", install_command(_EXTRA))
    for package in _PACKAGES:
        reason = _why_too_old(package)
        if reason is not None:
            return NoGpu(reason, upgrade_command(_EXTRA))
    if _is_interpreted():
        return NoGpu(
            "TRITON_INTERPRET is set, so GPU kernels run on the processor", "unset TRITON_INTERPRET"
        )
    if not has_driver():
        return NoGpu(
            "no NVIDIA driver found",
            "install NVIDIA's driver, or start the container with access to the GPU",
        )
    if not (os.environ.get("CC") or which("gcc") or which("clang")):
        return NoGpu(
            "Triton requires a C compiler (gcc or clang), and none was found",
            "install gcc or clang, or name a C compiler in the variable CC",
        )
    return _obstacle_of_pytorch()


def _obstacle_of_pytorch() -> NoGpu | None:
    """What PyTorch says against the use of the GPU."""
    try:
        import torch
    except Exception as error:  # a broken installation can raise anything
        return NoGpu(f"PyTorch cannot be loaded: {error}", "install PyTorch again")
    if torch.version.cuda is None:
        return NoGpu(
            f"PyTorch {torch.__version__} was built without CUDA",
            "replace PyTorch by a build for CUDA",
        )
    if not torch.cuda.is_available():
        return NoGpu(
            "PyTorch finds no NVIDIA GPU",
            "check that nvidia-smi lists a GPU, that CUDA_VISIBLE_DEVICES does not hide it, and "
            "that the driver is new enough for this PyTorch",
        )
    capability = torch.cuda.get_device_capability()
    if capability < _OLDEST_CAPABILITY:
        return NoGpu(
            f"the {torch.cuda.get_device_name()} has compute capability {_shown(capability)}; "
            f"{_shown(_OLDEST_CAPABILITY)} or newer is required",
            "choose a newer GPU",
        )
    return None


def _missing_package() -> MissingPackageError | None:
    """The error for the first package of the extra `gpu` that is not installed."""
    for package in _PACKAGES:
        if find_spec(package.module) is None:
            purpose = f"`device={CUDA!r}`"
            page = "gpu.html#install-and-check"
            return MissingPackageError(package.name, _EXTRA, purpose, page=page)
    return None


def _why_too_old(package: _Package) -> str | None:
    """A message that the installed version of a package is too old; None if it is not."""
    try:
        installed = version(package.module)
    except PackageNotFoundError:
        return None  # importable without being installed, so its version is unknown
    major, minor = (int(number) for number in installed.split(".")[:2])
    if (major, minor) < package.oldest:
        return f"{package.name} {installed} is too old; {_shown(package.oldest)} is required"
    return None


def has_driver() -> bool:
    """Whether the library of NVIDIA's driver is installed."""
    try:
        ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
    except OSError:
        return False
    return True


def _shown(numbers: tuple[int, int]) -> str:
    return ".".join(map(str, numbers))


def gpu() -> "torch.device":
    """The device of tensors on the GPU.

    Raises:
        OptionError: The GPU cannot be used.
        MissingPackageError: A package that the GPU requires is not installed.
    """
    missing = _missing_package()
    if missing is not None:
        raise missing
    obstacle = gpu_obstacle()
    if obstacle is not None and not _is_interpreted():
        raise OptionError(
            f"`device={CUDA!r}` cannot be used: {obstacle.reason}",
            hint=f"{obstacle.advice}, or {_USE_CPU}",
            page="gpu.html#when-the-gpu-is-not-found",
        )
    import torch

    if _is_interpreted():
        return torch.device("cpu")
    return torch.device("cuda", torch.cuda.current_device())


def device_name(device: str) -> str:
    """The name to show for `cpu` or `cuda`."""
    if device == CPU:
        return "CPU"
    if _is_interpreted():
        return "CPU, with interpreted GPU kernels"
    import torch

    return f"GPU ({torch.cuda.get_device_name()})"


class Gpu(NamedTuple):
    """A GPU that PyTorch finds."""

    name: str
    memory: int  # bytes
    capability: str


def gpus() -> list[Gpu]:
    """All visible GPUs; training uses the first, and `why_no_gpu` must be None."""
    import torch

    found = map(torch.cuda.get_device_properties, range(torch.cuda.device_count()))
    return [Gpu(each.name, each.total_memory, f"{each.major}.{each.minor}") for each in found]


@contextmanager
def gpu_memory_errors() -> Iterator[None]:
    """Raise an OptionError if the block runs out of GPU memory.

    Raises:
        OptionError: The memory of the GPU is full.
    """
    import torch

    try:
        yield
    except RuntimeError as error:  # pinned memory and the driver have no error type of their own
        if not isinstance(error, torch.OutOfMemoryError) and "out of memory" not in str(error):
            raise
        raise OptionError(f"the memory of the GPU is full: {error}", hint=_USE_CPU) from error


def _is_interpreted() -> bool:
    """Whether Triton runs its kernels in Python, as it does in tests."""
    return _missing_package() is None and os.environ.get("TRITON_INTERPRET") == "1"
