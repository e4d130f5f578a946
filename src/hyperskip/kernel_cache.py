"""Compiled kernels kept on disk, and never used once a source has changed."""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")

_DIGEST_BYTES = 32


def kept_on_disk(kernel: Any) -> Any:
    """Cache a compiled kernel on disk, unless there is no place to: then it is compiled anew.

    Numba would look at the date of the kernel's own file only. Here the names of the cache's files
    have a checksum of every source in its folder: a change in something that the kernel calls
    counts, too, and what an earlier version left is never even opened. Each file ends in a checksum
    of its own: machine code with a flipped bit would crash, so it is compiled again.
    """
    if compiler_is_off():
        return kernel
    from numba.core.caching import FunctionCache

    sources = Path(kernel.py_func.__code__.co_filename).parent.glob("*.py")
    checksum = checksum_of(*sources, Path(__file__))  # this one decides how the files are laid out
    with contextlib.suppress(RuntimeError):  # a read-only container without a home
        cache = FunctionCache(kernel.py_func)  # type: ignore[no-untyped-call]
        cache._cache_file = _checked_files(
            cache_path=cache.cache_path,
            filename_base=f"{cache._impl.filename_base}-{checksum[:16]}",
            source_stamp=checksum,
        )
        kernel._cache = cache
    return kernel


def _checked_files(**places: Any) -> Any:
    """Numba's index and data files, with a checksum behind what Numba puts there."""
    from numba.core.caching import IndexDataCacheFile

    class CheckedFiles(IndexDataCacheFile):
        # The key is kept with the data, too: two processes that compile the same kernel for other
        # types at the same time may take the same file, and the index of either may stay.
        def save(self, key: Any, data: Any) -> None:
            super().save(key, (key, data))  # type: ignore[no-untyped-call]

        def load(self, key: Any) -> Any:
            kept_key, data = super().load(key) or (None, None)  # type: ignore[no-untyped-call]
            return data if kept_key == key else None

        def _load_index(self) -> Any:
            if not _is_whole(Path(self._index_path)):
                return {}
            return super()._load_index()  # type: ignore[no-untyped-call]

        def _load_data(self, name: str) -> Any:
            if not _is_whole(Path(self._cache_path, name)):
                raise OSError("it is damaged")  # which Numba takes as if it were missing
            return super()._load_data(name)  # type: ignore[no-untyped-call]

        @contextlib.contextmanager
        def _open_for_write(self, filepath: str) -> Iterator[Any]:
            with super()._open_for_write(filepath) as file:
                yield file
                file.flush()
                file.write(_digest(Path(file.name).read_bytes()))  # unpickling stops before it

    return CheckedFiles(**places)  # type: ignore[no-untyped-call]


def _is_whole(path: Path) -> bool:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return False
    return data[-_DIGEST_BYTES:] == _digest(data[:-_DIGEST_BYTES])


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def compiler_is_off() -> bool:
    """Whether Numba leaves kernels as they are, plain Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def checksum_of(*paths: Path) -> str:
    """A checksum of the names and contents of files."""
    content = hashlib.sha256()
    for path in sorted(paths):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()


def made_ready(first_call: Callable[[], Result], *kernels: Any) -> Result:
    """Call kernels for the first time, which compiles them or takes them from the cache.

    Where no file of the cache can be written, because the disk is full, they are not kept.
    """
    try:
        return first_call()
    except OSError:
        for kernel in kernels:
            kernel._cache.disable()
    return first_call()
