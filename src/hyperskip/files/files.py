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
import shutil
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from hyperskip.errors import NewerFileError, OutputError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Whatever can go wrong while bytes are read through a decompressor.
READING_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, zstd.ZstdError)

ENCODED_HEADER = "hyperskip-corpus.json"  # a folder with this file in it is an encoded corpus
CHECKPOINTS_ENDING = ".checkpoints"  # of the folder beside a model

_SPARE_DESCRIPTORS = 4  # to remove a folder with
_LONGEST_SIGNATURE = 6
_CHUNK_BYTES = 1 << 16
_XZ_MEMORY_BYTES = 1 << 28  # `xz -9` takes a quarter of it
# What is kept in memory as it is unpacked: vectors do not shrink to a hundredth.
_LARGEST_SURPRISE_BYTES = 1 << 28
_GREATEST_RATIO = 100


def reason_of(error: Exception) -> str:
    """Why reading or writing failed, in the words that a message shows."""
    if isinstance(error, EOFError):
        return "the compressed data is cut off"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def check_version(path: Path, version: object, newest: int) -> None:
    """Refuse a file of ours that a later version has written.

    To be called before anything else of the file is looked at: the rest may be of any kind.

    Args:
        path: The file, or folder, to name.
        version: The format version that it states.
        newest: The newest one that can be read.

    Raises:
        NewerFileError: It is a later one.
        ValueError: It is not a version.
    """
    if type(version) is not int or version < 1:
        raise ValueError(f"its format version is {version!r}"[:100])
    if version > newest:
        raise NewerFileError(
            f"{path} has format version {str(version)[:20]}, and this hyperskip reads versions "
            f"up to {newest}",
            hint="update hyperskip",
        )


def looked_ahead(stream: IO[bytes], count: int) -> tuple[bytes, io.BufferedReader]:
    """The first bytes of a stream, and the stream with those bytes still in front.

    They are fewer than `count` only where the stream has no more; `peek` may give a single one of a
    slow pipe.
    """
    start = stream.read(count)
    return start, io.BufferedReader(_Joined(io.BytesIO(start), stream))


class _Joined(io.RawIOBase):
    """Streams, one after another."""

    def __init__(self, *streams: IO[bytes]) -> None:
        self.count = 0  # of the bytes that were read
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


class _Xz(io.RawIOBase):
    """What an xz file holds. LZMAFile would set aside as much memory as the file's header asks."""

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
                    raise EOFError("the stream has no end")
            data = self._decompressor.decompress(block, len(view))
            if data:
                view[: len(data)] = data
                return len(data)


def _xz_decompressor() -> lzma.LZMADecompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY_BYTES)


class _NotFarMore(io.RawIOBase):
    """What a file unpacks to, unless that is far more than vectors can be packed to."""

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


def check_ratio(unpacked: int, packed: int) -> None:
    """Refuse a small file that would fill the memory.

    Raises:
        OSError: So many bytes cannot be the vectors that were packed to so few.
    """
    if unpacked > _LARGEST_SURPRISE_BYTES and unpacked > _GREATEST_RATIO * packed:
        raise OSError(f"{packed} bytes of it would unpack to {unpacked} or more")


def decompressed(raw: IO[bytes], *, kept: bool = False) -> IO[bytes]:
    """The plain bytes of a stream that may be gzip, bzip2, xz or zstandard; see `opened`."""
    start, whole = looked_ahead(raw, _LONGEST_SIGNATURE)
    plain = _unpacked(start, whole)
    if kept and plain is not whole:
        packed = cast(_Joined, whole.raw)
        return io.BufferedReader(_NotFarMore(plain, packed), _CHUNK_BYTES)
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


@contextlib.contextmanager
def opened(
    path: Path | None, *, kept: bool = False
) -> Iterator[tuple[IO[bytes], io.BufferedReader]]:
    """Open a file, or standard input for None.

    Args:
        path: The file.
        kept: Whether what is read will all be in memory: then it must not be far more than the file
            on disk.

    Yields:
        The decompressed bytes, and beneath them the raw stream, whose position tells progress.
    """
    if path is None:
        if sys.stdin is None:
            raise OSError("it is closed")
        raw = cast(io.BufferedReader, sys.stdin.buffer)
        yield decompressed(raw, kept=kept), raw
        return
    with _opened_raw(path) as raw:
        yield decompressed(raw, kept=kept), raw


def _opened_raw(path: Path) -> io.BufferedReader:
    try:
        return path.open("rb")
    except ValueError as error:  # a name that no file can have, as with NUL in it
        raise OSError(str(error)) from error


@contextlib.contextmanager
def replacing(target: Path, *, mark: str = "") -> Iterator[Path]:
    """A temporary path beside `target` that takes its name if the block ends well.

    On an error, or Ctrl-C, the temporary file is removed and what was at `target` stays as it was.
    A link is followed, and a file that is replaced keeps its permissions.

    Args:
        target: The file to be written.
        mark: A part of the temporary name, by which `remove_partial_files` knows it.

    Raises:
        OutputError: The folder is missing, or cannot be written to, or the disk is full.
    """
    with replacing_files(target, mark=mark) as (temporary,):
        yield temporary


@contextlib.contextmanager
def replacing_files(*targets: Path, mark: str = "") -> Iterator[list[Path]]:
    """As `replacing`, for several files of which none is replaced unless all are."""
    for target in targets:
        check_writable(target)
    made = {target.resolve(): _beside(target.resolve(), mark) for target in targets}
    try:
        modes = {}
        for target, temporary in made.items():
            temporary.touch()
            modes[target] = (target if target.exists() else temporary).stat().st_mode
        yield list(made.values())
        for target, temporary in made.items():
            with temporary.open("rb+") as written:
                os.fsync(written.fileno())
            temporary.chmod(stat.S_IMODE(modes[target]))  # whoever wrote it may have changed it
        for old in _take_names(made):
            with contextlib.suppress(OSError):
                old.unlink()
    except OSError as error:
        raise not_writable(targets[0], error) from error
    finally:
        for temporary in made.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """A temporary folder beside `target` that takes its name if the block ends well.

    On an error, or Ctrl-C, the temporary folder is removed and what was at `target` stays as it
    was. The files in it are on disk, for certain, before it is renamed.

    Raises:
        OutputError: The place cannot be written to, or the disk is full.
    """
    check_folder(target)
    target = target.resolve()
    temporary = _beside(target)
    with contextlib.ExitStack() as stack:
        try:
            stack.enter_context(temporary_folder(temporary))
        except OSError as error:
            raise not_writable(target, error) from error
        yield temporary
        try:
            for file in temporary.iterdir():
                with file.open("rb+") as written:
                    os.fsync(written.fileno())
            _sync_folder(temporary)
            replaced = _take_names({target: temporary})
        except OSError as error:
            raise not_writable(target, error) from error
    for old in replaced:  # now that there are file descriptors for it
        shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def temporary_folder(path: Path, *, mode: int = 0o777) -> Iterator[None]:
    """Make a new folder for the block, and remove it afterwards, unless it has another name then.

    Removing a folder takes file descriptors. Some are reserved for that, because the block may have
    failed for the very reason that there are no others.
    """
    with contextlib.ExitStack() as stack:
        # Before the folder is there: a signal may come right after it is made.
        stack.callback(shutil.rmtree, path, ignore_errors=True)
        for _ in range(_SPARE_DESCRIPTORS):  # closed before the folder is removed
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        path.mkdir(mode=mode)
        yield


def _take_names(made: Mapping[Path, Path]) -> list[Path]:
    """Give what was made its names, all of them or none.

    Args:
        made: By the name that it shall have, the temporary one.

    Returns:
        Where those are now that had these names; the caller removes them.
    """
    target, temporary = next(iter(made.items()))
    if len(made) == 1 and not target.is_dir():
        temporary.replace(target)  # there is one at every moment
        _sync_folder(target.parent)
        return []
    replaced = {target: _beside(target) for target in made}
    try:
        for target, temporary in made.items():
            if target.exists():
                target.rename(replaced[target])
            temporary.rename(target)
    except BaseException:  # an error, or Ctrl-C between the two
        for target, temporary in made.items():
            _put_back(target, temporary, replaced[target])
        raise
    for target in made:
        _sync_folder(target.parent)
    return [old for old in replaced.values() if old.exists()]


def _put_back(target: Path, temporary: Path, replaced: Path) -> None:
    try:
        if not temporary.exists():
            target.rename(temporary)
        if replaced.exists():
            replaced.rename(target)
    except OSError as error:
        raise OutputError(
            f"cannot write {target}, nor put back what was there: {reason_of(error)}",
            hint=f"it is safe in {replaced}: rename that",
        ) from error


def _sync_folder(folder: Path) -> None:
    """Let the names in a folder survive a power cut, too, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def check_folder(target: Path) -> None:
    """Find out that the folder `target` cannot be made before any work is done for it.

    Raises:
        OutputError: There is a file of that name, or its folder is missing or cannot be written to.
    """
    try:
        if target.exists() and not target.is_dir():
            raise OutputError(f"cannot write {target}: it is a file", hint="name a folder")
        check_parent(target)
    except (OSError, RuntimeError, ValueError) as error:
        raise not_writable(target, error) from error


def check_writable(target: Path, *, inputs: Iterable[Path | None] = ()) -> None:
    """Find out that `target` cannot be written before any work is done for it.

    Args:
        target: The file to be written.
        inputs: Files that are read for it, which it must not replace.

    Raises:
        OutputError: `target` is a folder, a device or an input, or its folder is missing or cannot
            be written to.
    """
    try:
        if target.is_dir():
            raise OutputError(f"cannot write {target}: it is a folder", hint="name a file in it")
        if target.exists() and not target.is_file():
            raise OutputError(
                f"cannot write {target}: it is not a regular file", hint="name a regular file"
            )
        if target.exists() and any(_is_same(target, read) for read in inputs):
            raise OutputError(
                f"cannot write {target}: it is also the input", hint="choose another name"
            )
        check_parent(target)
    except (OSError, RuntimeError, ValueError) as error:
        # A loop of links is a RuntimeError in Python 3.11, and a name with NUL a ValueError.
        raise not_writable(target, error) from error


def check_parent(target: Path) -> None:
    """Find out that nothing can be made where `target` shall be.

    Raises:
        OutputError: Its folder is missing, or cannot be written to, or is an encoded corpus; or no
            file can have its name.
    """
    try:
        folder = target.resolve().parent
        if not folder.is_dir():
            kind = "is a file" if folder.exists() else "is missing"
            raise OutputError(
                f"cannot write {target}: the folder {folder} {kind}",
                hint="create the folder first, or choose another",
            )
        check_outside(target)
        with contextlib.suppress(FileNotFoundError):
            target.resolve().lstat()  # refuses a name that is too long
        attempt = _beside(target.resolve())
        attempt.touch()
        attempt.unlink()
    except (OSError, RuntimeError, ValueError) as error:
        # A loop of links is a RuntimeError in Python 3.11, and a name with NUL a ValueError.
        raise not_writable(target, error) from error


def check_outside(target: Path) -> None:
    """Refuse to write into the folder of an encoded corpus, which is replaced as a whole.

    Raises:
        OutputError: It is one.
    """
    for folder in target.resolve().parents:
        if is_encoded(folder):
            raise OutputError(
                f"cannot write {target}: the folder {folder} is an encoded corpus",
                hint="choose a name outside of it",
            )


def is_folder(path: Path) -> bool:
    """Whether this is a folder; false for a name that nothing can have."""
    try:
        return path.is_dir()
    except OSError:  # the name is too long
        return False


def is_encoded(path: Path) -> bool:
    """Whether this is the folder of an encoded corpus."""
    try:
        return (path / ENCODED_HEADER).is_file()
    except (OSError, ValueError):  # not a name at all
        return False


def _is_same(target: Path, read: Path | None) -> bool:
    """Whether an input, or standard input for None, is the file of that name."""
    if read is not None:
        return read.exists() and target.samefile(read)
    if sys.stdin is None or not hasattr(sys.stdin, "buffer"):
        return False
    try:
        return os.path.samestat(os.fstat(sys.stdin.fileno()), target.stat())
    except (OSError, ValueError):  # standard input is not a file at all
        return False


def _beside(target: Path, mark: str = "") -> Path:
    """A name in the same folder that nobody has, and that is not longer than names may be."""
    return target.with_name(f".hyperskip-{mark}{secrets.token_hex(8)}.part")


def remove_partial_files(folder: Path, mark: str) -> None:
    """Remove what writers with this mark left that were killed; none may be writing there now."""
    with contextlib.suppress(OSError):  # also of a name that is too long for a folder
        for path in folder.glob(f".hyperskip-{mark}*.part"):
            with contextlib.suppress(OSError):
                path.unlink()


def not_writable(target: Path, error: Exception) -> OutputError:
    """What to say where writing failed."""
    return OutputError(
        f"cannot write {str(target)[:200]}: {reason_of(error)}",
        hint="choose another name, in a folder that can be written to and has room",
    )
