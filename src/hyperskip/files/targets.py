"""Checks of an output path, made before any work is done for it."""

import contextlib
import os
import secrets
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from hyperskip.errors import OutputError
from hyperskip.files.failures import not_writable, reason_of
from hyperskip.files.known_folders import is_encoded
from hyperskip.files.remote import CHECK_ACCESS, Location, RemotePath, check_local
from hyperskip.interruption import signals_postponed


def check_writable(target: Path, *, inputs: Iterable[Location | None] = ()) -> None:
    """Check that a file can be written.

    Args:
        target: The file.
        inputs: Files that are read for it, which it must not replace.

    Raises:
        OutputError: It is a folder, a device, a URL or an input, or its folder is missing or not
            writable.
    """
    check_local(target, OutputError)
    try:
        if target == Path():  # Path("") is the current folder
            raise OutputError(
                "the name of the output is empty, or the current folder",
                hint="pass the path of a file",
            )
        if target.is_dir():
            raise OutputError(
                f"cannot write {target}: it is a folder", hint="pass the path of a file"
            )
        if target.exists() and not target.is_file():
            raise OutputError(
                f"cannot write {target}: it is not a regular file", hint="choose another path"
            )
        if target.exists() and any(_is_same(target, read) for read in inputs):
            raise OutputError(
                f"cannot write {target}: it is also the input", hint="choose another path"
            )
        check_parent(target)
    except (OSError, RuntimeError, ValueError) as error:
        # A loop of links is a RuntimeError in Python 3.11; a name with NUL is a ValueError.
        raise not_writable(target, error) from error


def check_writable_folder(target: Path) -> None:
    """Check that a folder can be created or replaced.

    Raises:
        OutputError: It is a file or a URL, or its parent is missing or not writable.
    """
    check_local(target, OutputError)
    try:
        if target.exists() and not target.is_dir():
            raise OutputError(
                f"cannot write {target}: it is a file", hint="pass the path of a folder"
            )
        check_parent(target)
    except (OSError, RuntimeError, ValueError) as error:
        raise not_writable(target, error) from error


def check_parent(target: Path) -> None:
    """Check that a file or folder can be created at a path.

    Raises:
        OutputError: Its folder is missing, not writable or an encoded corpus, or its name is
            invalid.
    """
    check_local(target, OutputError)
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
            target.resolve().lstat()  # fails if the name is too long
        attempt = temporary_path(target.resolve())
        with signals_postponed():
            attempt.touch()
            attempt.unlink()
    except (OSError, RuntimeError, ValueError) as error:
        # A loop of links is a RuntimeError in Python 3.11; a name with NUL is a ValueError.
        raise not_writable(target, error) from error


def check_space(target: Path, size: int, *, hint: str) -> None:
    """Check that the file system of an output has room for it, if it can be asked.

    Args:
        target: The file or folder.
        size: Its size in bytes, about.
        hint: How to make it smaller.

    Raises:
        OutputError: It has not.
    """
    try:
        total, _, free = shutil.disk_usage(target.resolve().parent)
    except OSError:
        return
    if size > free and total:  # some file systems say that all is 0
        raise OutputError(
            f"cannot write {target}: it needs about {size / 1e9:,.1f} GB, and {free / 1e9:,.1f} GB "
            "are free there",
            hint=hint,
        )


def check_outside(target: Path) -> None:
    """Check that a path is not inside an encoded corpus, whose folder is replaced as a whole.

    Raises:
        OutputError: It is.
    """
    for folder in target.resolve().parents:
        _check_not_encoded(folder, target)


def check_remote_folder(target: RemotePath) -> None:
    """Check that files can be written to a folder in remote storage.

    Raises:
        OutputError: It is a file, it is inside an encoded corpus, or it cannot be written.
    """
    try:
        target.refresh()
        if target.is_file():
            raise OutputError(
                f"cannot write {target}: it is a file", hint="pass the URL of a folder"
            )
        folder = target
        while folder.parent != folder:
            folder = folder.parent
            _check_not_encoded(folder, target)
        target.check_writable()
    except OSError as error:
        raise OutputError(
            f"cannot write {target}: {reason_of(error)}", hint=CHECK_ACCESS
        ) from error


def _check_not_encoded(folder: Location, target: Location) -> None:
    if is_encoded(folder):
        raise OutputError(
            f"cannot write {target}: the folder {folder} is an encoded corpus",
            hint="choose a path outside of it",
        )


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; False for an invalid path."""
    try:
        return path.is_dir()
    except OSError:  # the name is too long
        return False


def is_same_path(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two paths name the same place, which need not exist."""
    try:
        return os.path.realpath(one) == os.path.realpath(other)
    except ValueError:  # a name with NUL
        return False


def _is_same(target: Path, read: Location | None) -> bool:
    """Whether an input, or standard input for None, is this file."""
    if isinstance(read, RemotePath):
        return False
    if read is not None:
        return read.exists() and target.samefile(read)
    if sys.stdin is None or not hasattr(sys.stdin, "buffer"):
        return False
    try:
        return os.path.samestat(os.fstat(sys.stdin.fileno()), target.stat())
    except (OSError, ValueError):  # standard input is not a file
        return False


def temporary_path(target: Path, mark: str = "") -> Path:
    """A new path in the same folder; its name is short enough for any file system."""
    return target.with_name(f".hyperskip-{mark}{secrets.token_hex(8)}.part")
