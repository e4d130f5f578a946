"""Compiled kernels kept on disk, and never used once a source has changed."""

import contextlib
import hashlib
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")

# What a damaged file of the cache leads to.
_DAMAGE = (pickle.UnpicklingError, EOFError, AttributeError, ImportError, ValueError)


def kept_on_disk(kernel: Any) -> Any:
    """Cache a compiled kernel on disk, unless there is no place to: then it is compiled anew.

    Numba would look at the kernel's own file only; here the cache is valid for the text of every
    file of its folder, so that a change in something that the kernel calls counts, too.
    """
    # A read-only container without a home; or Numba switched off, for a debugger.
    with contextlib.suppress(RuntimeError, AttributeError):
        folder = Path(kernel.py_func.__code__.co_filename).parent
        kernel.enable_caching()
        kernel._cache._cache_file._source_stamp = sources_of(folder)
    return kernel


def compiler_is_off() -> bool:
    """Whether Numba leaves kernels as they are, plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def sources_of(folder: Path) -> str:
    """A checksum of the sources in a folder."""
    content = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()


def made_ready(first_call: Callable[[], Result], *kernels: Any) -> Result:
    """Call kernels for the first time, which compiles them or takes them from the cache.

    Where that fails because a file of the cache is damaged, they are forgotten and compiled anew.
    """
    try:
        return first_call()
    except _DAMAGE:
        for kernel in kernels:
            with contextlib.suppress(AttributeError):  # not cached
                kernel._cache.flush()
        return first_call()
