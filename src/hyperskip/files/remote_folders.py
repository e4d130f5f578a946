"""Folders in remote storage: copied to this machine, or written with one file last."""

import contextlib
import errno
from collections.abc import Iterable
from pathlib import Path

from hyperskip.errors import CorpusError, InputError, OutputError
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import CHECK_ACCESS, RemotePath

_TEMPORARY_SPACE = "set TMPDIR to a writable folder with enough space"


def download_files(folder: RemotePath, names: Iterable[str], target: Path) -> None:
    """Copy files of a remote folder to a local one; missing files are left out.

    Raises:
        CorpusError: A file cannot be read, or this machine has no space for it.
    """
    for name in names:
        try:
            (folder / name).download(target / name)
        except FileNotFoundError:
            continue
        except OSError as error:
            hint = _TEMPORARY_SPACE if error.errno == errno.ENOSPC else CHECK_ACCESS
            raise CorpusError(
                f"cannot copy {folder / name}: {reason_of(error)}", hint=hint
            ) from error


def upload_folder(source: Path, folder: RemotePath, *, last: str) -> None:
    """Write the files of a local folder to a remote one, which may contain older versions of them.

    The folder is complete when it contains the last file, which is removed first. Storage has no
    renames that would replace a folder at once. After an error or Ctrl-C, all files are removed.

    Args:
        source: The local folder.
        folder: The remote folder.
        last: The name of the file to write last.

    Raises:
        OutputError: A file cannot be written.
    """
    names = [last, *sorted(path.name for path in source.iterdir() if path.name != last)]
    try:
        with contextlib.suppress(FileNotFoundError):
            (folder / last).unlink()
        for name in reversed(names):
            (folder / name).upload(source / name)
    except BaseException as error:
        for name in names:
            with contextlib.suppress(OSError, InputError):
                (folder / name).unlink()
        if not isinstance(error, OSError):
            raise
        raise OutputError(
            f"cannot write {folder}: {reason_of(error)}", hint=CHECK_ACCESS
        ) from error
