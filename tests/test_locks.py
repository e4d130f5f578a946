"""One writer at a time, of all threads and processes, and no stale locks."""

import errno
import fcntl
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from facts import naming

from hyperskip.errors import BusyError, OutputError
from hyperskip.files.locks import only_writer

HOLD = """
import sys
from pathlib import Path
from hyperskip.files.locks import only_writer
with only_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def held_elsewhere(target: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that is writing the target."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(target)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process


def test_another_process_is_named_until_it_ends(tmp_path: Path) -> None:
    target, link = tmp_path / "model", tmp_path / "link"
    link.symlink_to(target)
    with held_elsewhere(target) as process:
        for name in (target, link, tmp_path / "." / "model"):
            message = naming(process.pid, name)
            with pytest.raises(BusyError, match=message) as caught, only_writer(name):
                pass
            assert caught.value.hint
        with only_writer(tmp_path / "other"):
            pass
        process.communicate()
    with only_writer(target):
        pass
    assert list(tmp_path.iterdir()) == [link]


def test_a_killed_process_blocks_no_other(tmp_path: Path) -> None:
    target = tmp_path / "model"
    with held_elsewhere(target) as process:
        process.send_signal(signal.SIGKILL)
    left_behind = list(tmp_path.iterdir())
    assert len(left_behind) == 1
    assert left_behind[0].name.startswith(".")
    with only_writer(target):
        assert left_behind[0].read_text() == str(os.getpid())
    assert not list(tmp_path.iterdir())


def test_another_thread_is_refused(tmp_path: Path) -> None:
    refused: list[str] = []

    def write() -> None:
        try:
            with only_writer(tmp_path / "model"):
                pass
        except BusyError as error:
            refused.append(error.message)

    with only_writer(tmp_path / "model"):
        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
    assert len(refused) == 1
    assert str(tmp_path / "model") in refused[0]
    write()
    assert len(refused) == 1


def test_an_error_releases_the_lock(tmp_path: Path) -> None:
    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error), only_writer(tmp_path / "model"):
            raise error
    assert not list(tmp_path.iterdir())


CROWD = """
import os, sys, time
from pathlib import Path
from hyperskip.errors import BusyError
from hyperskip.files.locks import only_writer
target, inside = Path(sys.argv[1]), Path(sys.argv[1] + ".inside")
entered, end = 0, time.monotonic() + 1
while time.monotonic() < end or not entered:
    try:
        with only_writer(target):
            os.close(os.open(inside, os.O_CREAT | os.O_EXCL))  # fails if there are two writers
            inside.unlink()
            entered += 1
    except BusyError:
        pass
print(entered)
"""


def test_there_is_one_writer_while_lock_files_are_removed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CROWD, str(tmp_path / "model")]
    crowd = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    for process in crowd:
        assert int(process.communicate()[0]) > 0
        assert process.returncode == 0
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_removed_between_opening_and_locking_is_not_a_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock
    removed: list[Path] = []

    def remove_first(descriptor: int, operation: int) -> None:
        if not removed:
            removed.extend(tmp_path.iterdir())
            removed[0].unlink()
        lock(descriptor, operation)

    monkeypatch.setattr("fcntl.flock", remove_first)
    model = tmp_path / "model"
    with only_writer(model):
        assert list(tmp_path.iterdir()) == removed  # created again
        with pytest.raises(BusyError, match=naming(model)), only_writer(model):
            pass


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS])
def test_writing_works_on_a_file_system_without_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", fail)
    with only_writer(tmp_path / "model"), only_writer(tmp_path / "model"):
        pass
    assert not list(tmp_path.iterdir())


def test_a_folder_without_space_for_a_lock_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "none"
    with pytest.raises(OutputError, match=naming(missing)), only_writer(missing / "m"):
        pass
    target = tmp_path / ("x" * 255)  # the longest possible name
    with only_writer(target):
        (lock,) = tmp_path.iterdir()
    lock.symlink_to(tmp_path / "elsewhere")  # a link is not followed
    with pytest.raises(OutputError, match=f"{tmp_path}/xxx"), only_writer(target):
        pass
    lock.unlink()
    open_file, full = os.open, os.strerror(errno.ENOSPC)

    def no_room(path: Path, flags: int, mode: int = 0o777) -> int:
        if path.suffix == ".lock" and flags & os.O_CREAT:
            raise OSError(errno.ENOSPC, full)
        return open_file(path, flags, mode)

    monkeypatch.setattr(os, "open", no_room)
    model = tmp_path / "model"
    with pytest.raises(OutputError, match=naming(model, full)) as caught, only_writer(model):
        pass
    assert caught.value.hint
