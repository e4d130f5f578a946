"""Locks on outputs: one writer at a time, of all processes and threads of a machine.

The operating system holds the lock (flock) on a hidden file next to the output. It releases the
lock when the process ends for any reason: a leftover lock file does not block other processes.
"""

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from hyperskip.errors import BusyError
from hyperskip.files.failures import not_writable
from hyperskip.files.remote import Location, RemotePath
from hyperskip.files.targets import check_parent
from hyperskip.interruption import callbacks_at_end, signals_postponed

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_ATTEMPTS = 100
_LONGEST_NUMBER = 20  # digits of a process id


@contextlib.contextmanager
def only_writer(target: Location) -> Iterator[None]:
    """Lock a file or folder for writing while the block runs.

    On file systems without locks, such as some network file systems, and in remote storage, the
    block runs without a lock.

    Raises:
        BusyError: Another process or thread is writing it.
        OutputError: Its folder is missing or not writable.
    """
    if isinstance(target, RemotePath):
        yield
        return
    check_parent(target)
    lock = _lock_of(target.resolve())
    with callbacks_at_end() as held:
        with signals_postponed():  # until the lock file that was created has its callback
            _acquire(held, lock, target)
        yield


def is_abandoned(target: Path) -> bool:
    """Whether a process that locked it was killed: its lock file exists but is not locked."""
    try:
        descriptor = os.open(_lock_of(target.resolve()), os.O_RDWR | _NO_LINK)
    except OSError:
        return False
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):  # locks are not supported, or it is locked
        return False
    finally:
        os.close(descriptor)
    return True


def _lock_of(target: Path) -> Path:
    """The hidden lock file of a target, in the same folder; its name is always short."""
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()
    return target.with_name(f".hyperskip-{digest[:16]}.lock")


def _acquire(held: contextlib.ExitStack, lock: Path, target: Path) -> None:
    """Lock the file; closing `held` removes and unlocks it."""
    try:
        for _ in range(_ATTEMPTS):
            try:
                descriptor = _open(lock)
            except FileExistsError:
                continue  # another process has just created it
            held.callback(os.close, descriptor)
            if not _lock(descriptor):
                raise _busy(descriptor, target)
            if _is_current(lock, descriptor):
                _write_owner(descriptor)
                # Removed before it is unlocked: afterwards, another process may hold it.
                held.callback(_remove, lock)
                return
            held.close()  # the previous owner has removed the file meanwhile: try with a new one
    except OSError as error:
        raise not_writable(target, error) from error
    # All attempts failed: on this file system, files have no stable identity.


def _open(lock: Path) -> int:
    try:
        return os.open(lock, os.O_RDWR | _NO_LINK)
    except FileNotFoundError:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        with contextlib.suppress(OSError):
            lock.chmod(0o666)  # a leftover file must not block other users
        return descriptor


def _lock(descriptor: int) -> bool:
    """Lock an open file; returns False if it is locked already."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # the second on some file systems
            return False
        except OSError:  # locks are not supported
            return True
    return True


def _remove(lock: Path) -> None:
    with contextlib.suppress(OSError):
        lock.unlink()


def _is_current(lock: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(lock.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _write_owner(descriptor: int) -> None:
    with contextlib.suppress(OSError):  # on a full disk, the lock has no owner
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())


def _busy(descriptor: int, target: Path) -> BusyError:
    number = os.read(descriptor, _LONGEST_NUMBER)
    if number == str(os.getpid()).encode():
        writer = "this process"
    else:
        writer = "another process" + (f" (id {int(number)})" if number.isdigit() else "")
    return BusyError(
        f"{writer} is writing {target}", hint="wait until it has ended, or choose another path"
    )
