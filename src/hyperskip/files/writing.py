"""Files and folders that are written completely or not at all.

A writer works next to its target and renames at the end, so that nothing half-written is left.
"""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from hyperskip.errors import OutputError
from hyperskip.files.failures import not_writable, reason_of
from hyperskip.files.targets import check_writable, check_writable_folder, temporary_path

_SPARE_DESCRIPTORS = 4  # to remove a folder with


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
    made = {target.resolve(): temporary_path(target.resolve(), mark) for target in targets}
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
    check_writable_folder(target)
    target = target.resolve()
    temporary = temporary_path(target)
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


def remove_partial_files(folder: Path, mark: str) -> None:
    """Remove what writers with this mark left that were killed; none may be writing there now."""
    with contextlib.suppress(OSError):  # also of a name that is too long for a folder
        for path in folder.glob(f".hyperskip-{mark}*.part"):
            with contextlib.suppress(OSError):
                path.unlink()


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
    replaced = {target: temporary_path(target) for target in made}
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
