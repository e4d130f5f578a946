"""Files at the edge of the house: read through any compression, written whole or not at all.

A reader sees plain bytes whatever the file is packed with; the first bytes tell, not the name.
A writer works beside its target and renames at the end, so that nothing half-written is left.
"""

import bz2
import contextlib
import gzip
import io
import lzma
import os
import secrets
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from hyperskip.errors import OutputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

# Whatever can go wrong while bytes are read through a decompressor.
READING_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError)

_LONGEST_SIGNATURE = 6


def decompressed(raw: io.BufferedReader) -> IO[bytes]:
    """The plain bytes of a stream that may be gzip, bzip2, xz or zstandard."""
    start = raw.peek(_LONGEST_SIGNATURE)[:_LONGEST_SIGNATURE]
    if start.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if start.startswith(b"BZh"):
        return bz2.BZ2File(raw)
    if start.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(raw)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return cast(IO[bytes], zstd.ZstdFile(raw))
    return raw


@contextlib.contextmanager
def opened(path: Path | None) -> Iterator[tuple[IO[bytes], io.BufferedReader]]:
    """Open a file, or standard input for None.

    Yields:
        The decompressed bytes, and beneath them the raw stream, whose position tells progress.
    """
    if path is None:
        raw = cast(io.BufferedReader, sys.stdin.buffer)
        yield decompressed(raw), raw
        return
    with path.open("rb") as raw:
        yield decompressed(raw), raw


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A temporary path beside `target` that takes its name if the block ends well.

    On an error, or Ctrl-C, the temporary file is removed and what was at `target` stays as it was.

    Raises:
        OutputError: The folder is missing, or cannot be written to, or the disk is full.
    """
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        check_writable(target)
        yield temporary
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        temporary.replace(target)
    except OSError as error:
        raise OutputError(
            f"cannot write {target}: {error.strerror or error}",
            hint="choose a folder that exists, can be written to and has room",
        ) from error
    finally:
        with contextlib.suppress(OSError):  # never made: its folder is none
            temporary.unlink(missing_ok=True)


def check_writable(target: Path) -> None:
    """Find out that `target` cannot be written before any work is done for it.

    Raises:
        OutputError: `target` is a folder, or its folder is missing or cannot be written to.
    """
    if target.is_dir():
        raise OutputError(f"cannot write {target}: it is a folder", hint="name a file inside it")
    folder = target.parent
    if not folder.is_dir():
        raise OutputError(
            f"cannot write {target}: there is no folder {folder}",
            hint=f"create it first: mkdir -p {folder}",
        )
    if not os.access(folder, os.W_OK | os.X_OK):
        raise OutputError(
            f"cannot write {target}: no permission to create files in {folder}",
            hint="choose another folder",
        )
