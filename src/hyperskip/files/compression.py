"""Reading files with any compression: gzip, bzip2, xz or zstandard.

The first bytes of a file determine its compression, not its name.
"""

import bz2
import contextlib
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, cast

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from hyperskip.files.remote import Location, RemotePath

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Everything that can go wrong while bytes are read through a decompressor.
READING_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError)

_LONGEST_SIGNATURE = 6
_CHUNK_BYTES = 1 << 16
_XZ_MEMORY_BYTES = 1 << 28  # `xz -9` needs a quarter of it
# Vectors do not compress to a hundredth. A file that is read into memory may exceed this ratio only
# if it unpacks to no more than this size.
_LARGEST_UNCHECKED_BYTES = 1 << 28
_GREATEST_RATIO = 100


@contextlib.contextmanager
def open_decompressed(
    path: Location | None, *, in_memory: bool = False
) -> Iterator[tuple[IO[bytes], io.BufferedReader]]:
    """Open a file, or standard input for None, and decompress it.

    Args:
        path: The file.
        in_memory: Whether the caller keeps all of it in memory. It must then not be far larger than
            the file on disk.

    Yields:
        The decompressed stream, and the raw stream, whose position shows the progress.
    """
    if path is None:
        if sys.stdin is None:
            raise OSError("standard input is closed")
        raw = cast(io.BufferedReader, sys.stdin.buffer)
        yield decompressed(raw, in_memory=in_memory), raw
        return
    with _opened_raw(path) as raw:
        yield decompressed(raw, in_memory=in_memory), raw


def _opened_raw(path: Location) -> io.BufferedReader:
    if isinstance(path, RemotePath):
        return path.open()
    try:
        return path.open("rb")
    except ValueError as error:  # an invalid name, such as one with a NUL
        raise OSError(str(error)) from error


def decompressed(raw: IO[bytes], *, in_memory: bool = False) -> IO[bytes]:
    """Unpack a stream that may be gzip, bzip2, xz or zstandard; see `open_decompressed`."""
    start, whole = read_start(raw, _LONGEST_SIGNATURE)
    plain = _unpacked(start, whole)
    if in_memory and plain is not whole:
        packed = cast(_Joined, whole.raw)
        return io.BufferedReader(_RatioChecked(plain, packed), _CHUNK_BYTES)
    return plain


def _unpacked(start: bytes, whole: IO[bytes]) -> IO[bytes]:
    if start.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=whole))
    if start.startswith(b"BZh"):
        return bz2.BZ2File(whole)
    if start.startswith(b"\xfd7zXZ\x00"):
        return io.BufferedReader(_Xz(whole), _CHUNK_BYTES)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return cast(IO[bytes], zstd.ZstdFile(whole))
    return whole


def read_start(stream: IO[bytes], count: int) -> tuple[bytes, io.BufferedReader]:
    """Read the first bytes of a stream; returns them, and a stream that starts with them.

    There are fewer than `count` only if the stream ends. (`peek` may return a single byte of a slow
    pipe.)
    """
    start = stream.read(count)
    return start, io.BufferedReader(_Joined(io.BytesIO(start), stream))


def check_ratio(unpacked: int, packed: int) -> None:
    """Check that a small file does not unpack to more than the memory.

    Raises:
        OSError: The ratio is far above that of compressed vectors.
    """
    if unpacked > _LARGEST_UNCHECKED_BYTES and unpacked > _GREATEST_RATIO * packed:
        raise OSError(f"{packed} bytes of it unpack to {unpacked} or more")


class _Joined(io.RawIOBase):
    """The concatenation of streams."""

    def __init__(self, *streams: IO[bytes]) -> None:
        self.count = 0  # number of bytes read
        self._streams = list(streams)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        while self._streams:
            if count := cast(io.BufferedIOBase, self._streams[0]).readinto1(buffer):
                self.count += count
                return count
            self._streams.pop(0)
        return 0


class _RatioChecked(io.RawIOBase):
    """A decompressed stream that fails if it is far larger than its file."""

    def __init__(self, unpacked: IO[bytes], packed: _Joined) -> None:
        self._unpacked = unpacked
        self._packed = packed
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        count = cast(io.BufferedIOBase, self._unpacked).readinto(buffer)
        self._count += count
        check_ratio(self._count, self._packed.count)
        return count


class _Xz(io.RawIOBase):
    """The content of an xz file; LZMAFile would allocate any amount that the header requests."""

    def __init__(self, packed: IO[bytes]) -> None:
        self._packed = packed
        self._decompressor = _xz_decompressor()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        view = memoryview(buffer).cast("B")
        while True:
            block = b""
            if self._decompressor.eof:
                # Another stream may follow, after padding.
                block = self._decompressor.unused_data.lstrip(b"\0")
                while not block:
                    block = self._packed.read(_CHUNK_BYTES)
                    if not block:
                        return 0
                    block = block.lstrip(b"\0")
                self._decompressor = _xz_decompressor()
            elif self._decompressor.needs_input:
                block = self._packed.read(_CHUNK_BYTES)
                if not block:
                    raise EOFError("the stream is incomplete")
            data = self._decompressor.decompress(block, len(view))
            if data:
                view[: len(data)] = data
                return len(data)


def _xz_decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY_BYTES)
