"""What a run was made by: processor, system, and versions of what computes."""

import os
import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from hyperskip.version import VERSION

_PACKAGES = ("numpy", "numba", "scipy", "torch", "triton", "fasttext")


def machine(device: str, threads: int) -> dict[str, Any]:
    """The machine and the programs on it, as plain values."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "system": platform.platform(),
        "device": device,
        "threads": threads,
        "python": platform.python_version(),
        "hyperskip": VERSION,
    } | {name: found for name in _PACKAGES if (found := _version(name)) is not None}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except (OSError, UnicodeDecodeError):  # no such file elsewhere
        found = None
    return found[1] if found else platform.processor() or platform.machine()
