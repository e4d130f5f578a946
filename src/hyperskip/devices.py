"""Which device computes: the processor, or a GPU where there is one.

PyTorch takes seconds to load: it is asked for a GPU only where one would be used.
"""

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from hyperskip.errors import OptionError

if TYPE_CHECKING:
    import torch

AUTO, CPU, CUDA = "auto", "cpu", "cuda"
DEVICES = (AUTO, CPU, CUDA)

_PACKAGES = {"torch": "PyTorch", "triton": "Triton"}  # the extra `gpu`


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
    import torch

    if torch.version.cuda is None:
        return f"PyTorch {torch.__version__} was built without CUDA"
    if not torch.cuda.is_available():
        return "PyTorch finds no NVIDIA GPU"
    return None


def gpu() -> "torch.device":
    """Where tensors for the GPU go.

    Raises:
        OptionError: There is no GPU that could be used.
    """
    reason = why_no_gpu()
    if reason is not None and not _is_interpreted():
        raise OptionError(
            f"device is {CUDA}, and {reason}",
            hint=f"it takes an NVIDIA GPU with its driver, and: pip install 'hyperskip[gpu]'; or "
            f"choose --device {CPU}",
        )
    import torch

    return torch.device("cpu" if _is_interpreted() else "cuda")


def _is_interpreted() -> bool:
    """Whether Triton is there and told to run its kernels in Python, which is for tests."""
    return all(map(find_spec, _PACKAGES)) and os.environ.get("TRITON_INTERPRET") == "1"
