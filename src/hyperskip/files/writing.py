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
from hyperskip.interruption import callbacks_at_end, signals_postponed

_SPARE_DESCRIPTORS = 4  # for removing a folder


@contextlib.contextmanager
def replacing(target: Path, *, mark: str = "") -> Iterator[Path]:
    """Provide a temporary path next to `target` that is renamed to it if the block succeeds.

    After an error, or Ctrl-C, the temporary file is removed and `target` is unchanged. Links are
    followed, and a replaced file keeps its permissions.

    Args:
        target: The file to write.
        mark: A part of the temporary name, for `remove_partial_files`.

    Raises:
        OutputError: The folder is missing or not writable, or the disk is full.
    """
    with replacing_files(target, mark=mark) as (temporary,):
        yield temporary


@contextlib.contextmanager
def replacing_files(*targets: Path, mark: str = "") -> Iterator[list[Path]]:
    """Like `replacing`, for several files: either all are replaced or none."""
    for target in targets:
        check_writable(target)
    made = {target.resolve(): temporary_path(target.resolve(), mark) for target in targets}
    with callbacks_at_end() as stack:
        try:
            modes = {}
            for target, temporary in made.items():
                stack.callback(_remove_file, temporary)
                temporary.touch()
                modes[target] = (target if target.exists() else temporary).stat().st_mode
            yield list(made.values())
            for target, temporary in made.items():
                with temporary.open("rb+") as written:
                    os.fsync(written.fileno())
                temporary.chmod(stat.S_IMODE(modes[target]))  # the block may have changed it
            with signals_postponed():  # until what was replaced has its callback
                for old in _take_names(made):
                    stack.callback(_remove_file, old)
        except OSError as error:
            raise not_writable(targets[0], error) from error


@contextlib.contextmanager
def replacing_folder(target: Path) -> Iterator[Path]:
    """Provide a temporary folder next to `target` that is renamed to it if the block succeeds.

    After an error, or Ctrl-C, the temporary folder is removed and `target` is unchanged. The files
    are flushed to disk before the folder is renamed.

    Raises:
        OutputError: The parent folder is not writable, or the disk is full.
    """
    check_writable_folder(target)
    target = target.resolve()
    temporary = temporary_path(target)
    # What was replaced is removed last, after the spare file descriptors are free.
    with callbacks_at_end() as last, contextlib.ExitStack() as stack:
        try:
            stack.enter_context(temporary_folder(temporary))
        except OSError as error:
            raise not_writable(target, error) from error
        yield temporary
        try:
            for path in temporary.rglob("*"):
                if path.is_dir():
                    _sync_folder(path)
                    continue
                with path.open("rb+") as written:
                    os.fsync(written.fileno())
            _sync_folder(temporary)
            with signals_postponed():  # until what was replaced has its callback
                for old in _take_names({target: temporary}):
                    last.callback(shutil.rmtree, old, ignore_errors=True)
        except OSError as error:
            raise not_writable(target, error) from error


@contextlib.contextmanager
def existing_folder(folder: Path) -> Iterator[None]:
    """Create a folder for files that the block writes, unless it exists.

    After an error, or Ctrl-C, a new folder is removed if it is empty.

    Raises:
        OutputError: It cannot be created.
    """
    is_new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise not_writable(folder, error) from error
    try:
        yield
    except BaseException:
        if is_new:
            with contextlib.suppress(OSError):
                folder.rmdir()
        raise


@contextlib.contextmanager
def temporary_folder(path: Path, *, mode: int = 0o777) -> Iterator[None]:
    """Create a folder for the block, and remove it afterwards, unless it was renamed.

    Removing a folder requires file descriptors. Some are reserved, because the block may have
    failed for lack of them.
    """
    with callbacks_at_end() as stack:
        # Registered before the folder exists: a signal may arrive right after its creation.
        stack.callback(shutil.rmtree, path, ignore_errors=True)
        for _ in range(_SPARE_DESCRIPTORS):  # closed before the folder is removed
            stack.callback(os.close, os.open(os.devnull, os.O_RDONLY))
        path.mkdir(mode=mode)
        yield


def remove_partial_files(folder: Path, mark: str) -> None:
    """Remove the temporary files of killed writers with this mark; none may be active."""
    with contextlib.suppress(OSError):  # also if the name of the folder is too long
        for path in folder.glob(f".hyperskip-{mark}*.part"):
            _remove_file(path)


def _remove_file(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


def _take_names(made: Mapping[Path, Path]) -> list[Path]:
    """Rename temporary files or folders to their targets, all of them or none.

    Args:
        made: The temporary path of each target.

    Returns:
        The new paths of what was replaced; the caller removes them.
    """
    target, temporary = next(iter(made.items()))
    if len(made) == 1 and not target.is_dir():
        temporary.replace(target)  # atomic: the target exists at every moment
        _sync_folder(target.parent)
        return []
    replaced = {target: temporary_path(target) for target in made}
    try:
        for target, temporary in made.items():
            if target.exists():
                target.rename(replaced[target])
            temporary.rename(target)
    except BaseException:
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
            f"cannot write {target}, nor restore what was there: {reason_of(error)}",
            hint=f"the old content is in {replaced}: rename it back",
        ) from error


def _sync_folder(folder: Path) -> None:
    """Flush the names in a folder to disk, if the system supports it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
