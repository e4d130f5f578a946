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
_DAMAGE = (
    pickle.UnpicklingError,
    EOFError,
    AttributeError,
    ImportError,
    IndexError,
    KeyError,
    TypeError,
    ValueError,
)


def kept_on_disk(kernel: Any) -> Any:
    """Cache a compiled kernel on disk, unless there is no place to: then it is compiled anew.

    Numba would look at the date of the kernel's own file only. Here the names of the cache's files
    have a checksum of every source in its folder: a change in something that the kernel calls
    counts, too, and what an earlier version left is never even opened.
    """
    if compiler_is_off():
        return kernel
    from numba.core.caching import FunctionCache, IndexDataCacheFile

    checksum = sources_of(Path(kernel.py_func.__code__.co_filename).parent)
    with contextlib.suppress(RuntimeError):  # a read-only container without a home
        cache = FunctionCache(kernel.py_func)  # type: ignore[no-untyped-call]
        cache._cache_file = IndexDataCacheFile(  # type: ignore[no-untyped-call]
            cache_path=cache.cache_path,
            filename_base=f"{cache._impl.filename_base}-{checksum[:16]}",
            source_stamp=checksum,
        )
        kernel._cache = cache
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

    Where a file of the cache is damaged, they are compiled anew; where none can be written, because
    the disk is full, they are not kept.
    """
    try:
        return first_call()
    except OSError:
        for kernel in kernels:
            kernel._cache.disable()
    except _DAMAGE:
        for kernel in kernels:
            kernel._cache.flush()
    return first_call()
