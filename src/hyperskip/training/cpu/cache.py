"""Compiled kernels kept on disk, and never used once a source has changed."""

import contextlib
import hashlib
from pathlib import Path
from typing import Any


def kept_on_disk(kernel: Any) -> Any:
    """Cache a compiled kernel on disk, unless there is no place to: then it is compiled anew.

    Numba would look at the kernel's own file only; here the cache is valid for the text of every
    file of this folder, so that a change in something that the kernel calls counts, too.
    """
    # A read-only container without a home; or Numba switched off, for a debugger.
    with contextlib.suppress(RuntimeError, AttributeError):
        kernel.enable_caching()
        kernel._cache._cache_file._source_stamp = _sources()
    return kernel


def _sources() -> str:
    content = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()
