"""Checks of an output path, made before any work is done for it."""

import contextlib
import os
import secrets
import sys
from collections.abc import Iterable
from pathlib import Path

from hyperskip.errors import OutputError
from hyperskip.files.failures import not_writable
from hyperskip.files.known_folders import is_encoded


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


def check_writable_folder(target: Path) -> None:
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
        attempt = temporary_path(target.resolve())
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


def temporary_path(target: Path, mark: str = "") -> Path:
    """A name in the same folder that nobody has, and that is not longer than names may be."""
    return target.with_name(f".hyperskip-{mark}{secrets.token_hex(8)}.part")
