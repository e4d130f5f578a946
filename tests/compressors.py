"""The compressions that all readers support."""

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable
from functools import partial

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": partial(gzip.compress, mtime=0),  # reproducible bytes
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}
