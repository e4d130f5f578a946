"""The claim on an output: one writer at a time, of all processes and threads of a machine.

The operating system holds the claim (flock) on a hidden file beside the output, and drops it with
the process that made it, however that ended: a lock file that was left behind blocks nobody.
"""

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from hyperskip.errors import BusyError
from hyperskip.files.failures import not_writable
from hyperskip.files.targets import check_parent

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_ATTEMPTS = 100
_LONGEST_NUMBER = 20  # digits of a process's number


@contextlib.contextmanager
def only_writer(target: Path) -> Iterator[None]:
    """Be the only one to write a file or folder, for as long as the block runs.

    Where the file system has no locks, as some of a network, the block runs without the claim.

    Raises:
        BusyError: Another process or thread is writing it.
        OutputError: Its folder is missing or cannot be written to.
    """
    check_parent(target)
    lock = _lock_of(target.resolve())
    try:
        claim = _claim(lock, target)
    except OSError as error:
        raise not_writable(target, error) from error
    with claim:
        yield


def is_abandoned(target: Path) -> bool:
    """Whether a process that claimed it was killed, for certain: it has left its lock file."""
    try:
        descriptor = os.open(_lock_of(target.resolve()), os.O_RDWR | _NO_LINK)
    except OSError:
        return False
    try:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):  # no locks here, or it is held
        return False
    finally:
        os.close(descriptor)
    return True


def _lock_of(target: Path) -> Path:
    """A hidden name in the same folder, for this target only, and no longer than names may be."""
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()
    return target.with_name(f".hyperskip-{digest[:16]}.lock")


def _claim(lock: Path, target: Path) -> contextlib.ExitStack:
    """What ends the claim when it is left."""
    for _ in range(_ATTEMPTS):
        with contextlib.ExitStack() as claim:
            try:
                descriptor = _opened(lock)
            except FileExistsError:
                continue  # made by another, just now
            claim.callback(os.close, descriptor)
            if not _lock(descriptor):
                raise _taken(descriptor, target)
            if _is_at(lock, descriptor):
                _sign(descriptor)
                # Removed before it is unlocked: after that, it could be another's claim.
                claim.callback(_remove, lock)
                return claim.pop_all()
            # Whoever held it has removed the file meanwhile: the next one is made at its place.
    return contextlib.ExitStack()  # a file system that does not know its own files


def _opened(lock: Path) -> int:
    try:
        return os.open(lock, os.O_RDWR | _NO_LINK)
    except FileNotFoundError:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        with contextlib.suppress(OSError):
            lock.chmod(0o666)  # if it is left behind, it must not block other users
        return descriptor


def _lock(descriptor: int) -> bool:
    """Lock an open file; false if another has done so."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # some file systems have the other name for it
            return False
        except OSError:  # no locks here
            return True
    return True


def _remove(lock: Path) -> None:
    with contextlib.suppress(OSError):
        lock.unlink()


def _is_at(lock: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(lock.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _sign(descriptor: int) -> None:
    with contextlib.suppress(OSError):  # on a full disk, the claim has no name
        os.ftruncate(descriptor, 0)
        os.write(descriptor, str(os.getpid()).encode())


def _taken(descriptor: int, target: Path) -> BusyError:
    number = os.read(descriptor, _LONGEST_NUMBER)
    if number == str(os.getpid()).encode():
        who = "this process"
    else:
        who = "another process" + (f" (number {int(number)})" if number.isdigit() else "")
    return BusyError(
        f"{who} is writing {target}", hint="wait until it has ended, or choose another name"
    )
