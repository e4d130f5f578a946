"""A cache of compiled kernels on disk that notices every change of their sources."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from hyperskip.garbage_collection import garbage_collection_paused

Result = TypeVar("Result")

_DIGEST_BYTES = 32
_ENDINGS = (".nbi", ".nbc")  # of Numba's index and data files


def cached_on_disk(kernel: Any) -> Any:
    """Decorate a kernel so that it is cached on disk, if there is a writable place for the cache.

    Numba alone checks only the date of the kernel's own file. Here, the names of cache files
    contain a checksum of every source in the folder of the kernel, so that a change of a function
    that the kernel calls is noticed, and files of earlier versions are never opened. Each cache
    file ends with a checksum of its content: a kernel with a flipped bit is compiled again.
    """
    if compiler_is_off():
        return kernel
    from numba.core.caching import FunctionCache

    sources = Path(kernel.py_func.__code__.co_filename).parent.glob("*.py")
    # This module determines the format, and the others the code.
    names = "kernel_cache.py", "kernel_parts.py", "random_draws.py"
    checksum = checksum_of(*sources, *(Path(__file__).with_name(name) for name in names))
    with contextlib.suppress(RuntimeError):  # such as a read-only container without a home folder
        cache = FunctionCache(kernel.py_func)  # type: ignore[no-untyped-call]
        cache._cache_file = _checked_files(
            cache_path=cache.cache_path,
            filename_base=f"{cache._impl.filename_base}-{checksum[:16]}",
            source_stamp=checksum,
        )
        kernel._cache = cache
    return kernel


def _checked_files(**places: Any) -> Any:
    """Numba's index and data files, with a checksum at the end of each."""
    from numba.core.caching import IndexDataCacheFile

    class CheckedFiles(IndexDataCacheFile):
        # The key is also stored with the data: two processes that compile the same kernel for
        # different types at the same time may use the same file, and either index may remain.
        def save(self, key: Any, data: Any) -> None:
            super().save(key, (key, data))  # type: ignore[no-untyped-call]

        def load(self, key: Any) -> Any:
            stored_key, data = super().load(key) or (None, None)  # type: ignore[no-untyped-call]
            return data if stored_key == key else None

        def _load_index(self) -> Any:
            if not _is_whole(Path(self._index_path)):
                return {}
            return super()._load_index()  # type: ignore[no-untyped-call]

        def _load_data(self, name: str) -> Any:
            if not _is_whole(Path(self._cache_path, name)):
                raise OSError("the file is damaged")  # Numba treats it as missing
            return super()._load_data(name)  # type: ignore[no-untyped-call]

        @contextlib.contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[Any]:
            with super()._open_for_write(filepath) as file:
                yield file
                file.flush()
                file.write(_digest(Path(file.name).read_bytes()))  # unpickling ignores it

    return CheckedFiles(**places)  # type: ignore[no-untyped-call]


def _is_whole(path: Path) -> bool:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return False
    return data[-_DIGEST_BYTES:] == _digest(data[:-_DIGEST_BYTES])


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def cache_folders() -> list[Path]:
    """The folders for compiled kernels: one for each folder of the package that has kernels.

    They are created if necessary. There are none if no place for them is writable.
    """
    from numba.core.caching import FunctionCache

    sources = (
        path
        for path in sorted(Path(__file__).parent.rglob("*.py"))
        if f"import {cached_on_disk.__name__}" in path.read_text(encoding="utf-8")
    )
    found = set()
    with contextlib.suppress(RuntimeError):  # no place is writable
        for path in sources:
            code = cached_on_disk.__code__.replace(co_filename=str(path))
            in_source = FunctionType(code, {"__name__": path.stem})
            found.add(Path(FunctionCache(in_source).cache_path))  # type: ignore[no-untyped-call]
    return sorted(found)


def is_kernel_file(path: Path) -> bool:
    """Whether a file of a folder for compiled kernels has been written by Numba."""
    return path.suffix in _ENDINGS


def compiler_is_off() -> bool:
    """Whether Numba runs kernels as plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def checksum_of(*paths: Path) -> str:
    """Compute a checksum of the names and contents of files."""
    content = hashlib.sha256()
    for path in sorted(paths):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()


def compile_kernels(first_call: Callable[[], Result], *kernels: Any) -> Result:
    """Call kernels for the first time, which compiles them or loads them from the cache.

    If the cache cannot be written, such as on a full disk, they are compiled without it.
    """
    with garbage_collection_paused():  # visiting the many objects slows compilation by 8 %
        try:
            return first_call()
        except OSError:
            for kernel in kernels:
                kernel._cache.disable()
        return first_call()
