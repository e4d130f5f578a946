import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from compressors import COMPRESSORS
from facts import naming

from hyperskip.errors import OutputError
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.targets import check_writable
from hyperskip.files.writing import replacing, replacing_files, replacing_folder

TEXT = "zwölf Boxkämpfer\n".encode() * 1000


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_the_first_bytes_determine_the_compression(tmp_path: Path, kind: str) -> None:
    compressed = COMPRESSORS[kind](TEXT)
    path = tmp_path / "named-misleadingly.txt"
    path.write_bytes(compressed + compressed)
    with open_decompressed(path) as (stream, _):
        assert stream.read() == TEXT + TEXT  # also several members
    path.write_bytes(TEXT)
    with open_decompressed(path) as (stream, _):
        assert stream.read() == TEXT


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_a_truncated_file_is_an_error(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "cut"
    path.write_bytes(COMPRESSORS[kind](TEXT)[:-6])
    with pytest.raises(READING_ERRORS), open_decompressed(path) as (stream, _):
        stream.read()


def test_a_file_appears_complete(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with replacing(target) as temporary:
        temporary.write_text("half")
        assert not target.exists()
    assert target.read_text() == "half"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
def test_a_failed_write_leaves_the_old_file(tmp_path: Path, error: type[BaseException]) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    with pytest.raises(error), replacing(target) as temporary:
        temporary.write_text("new")
        raise error
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_a_clear_error(tmp_path: Path) -> None:
    target = tmp_path / "out"
    full = os.strerror(errno.ENOSPC)
    with pytest.raises(OutputError, match=naming(target, full)), replacing(target) as temporary:
        temporary.write_text("new")
        raise OSError(errno.ENOSPC, full)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("failing", [1, 2])
def test_a_folder_is_restored_if_the_new_one_cannot_be_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, failing: int
) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "old").touch()
    rename, renamed = Path.rename, []

    def fail(path: Path, name: Path) -> Path:
        renamed.append(name)
        if len(renamed) == failing:
            raise error
        return rename(path, name)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises((OutputError, KeyboardInterrupt)), replacing_folder(target) as temporary:
        (temporary / "new").touch()
    assert list(tmp_path.iterdir()) == [target]
    assert list(target.iterdir()) == [target / "old"]


def test_a_folder_that_cannot_be_restored_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "old").touch()
    rename = Path.rename

    def only_away(path: Path, name: Path) -> Path:
        if name == target:
            raise PermissionError(13, "Permission denied")
        return rename(path, name)

    monkeypatch.setattr(Path, "rename", only_away)
    with (
        pytest.raises(OutputError, match=naming(target, "Permission denied")) as caught,
        replacing_folder(target) as temporary,
    ):
        (temporary / "new").touch()
    (kept,) = tmp_path.iterdir()
    assert [path.name for path in kept.iterdir()] == ["old"]
    assert str(kept) in str(caught.value.hint)


def test_names_survive_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def record(descriptor: int) -> None:
        synced.append(os.fstat(descriptor).st_ino)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", record)
    file, folder = tmp_path / "file", tmp_path / "folder"
    with replacing(file) as temporary:
        temporary.write_text("new")
    assert synced == [path.stat().st_ino for path in (file, tmp_path)]
    synced.clear()
    with replacing_folder(folder) as temporary:
        (temporary / "new").touch()
    assert synced == [path.stat().st_ino for path in (folder / "new", folder, tmp_path)]


def test_a_system_that_cannot_sync_folders_is_not_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def refuse(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(22, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse)
    with replacing(tmp_path / "file") as temporary:
        temporary.write_text("new")
    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.parametrize("failing", [1, 2, 3, 4])
def test_several_files_are_replaced_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    first, second, new = tmp_path / "first", tmp_path / "second", tmp_path / "new"
    for path in (first, second):
        path.write_text("old")
    rename, renamed = Path.rename, []

    def fail(path: Path, name: Path) -> Path:
        renamed.append(name)
        if len(renamed) == failing:
            raise KeyboardInterrupt
        return rename(path, name)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", fail)
        with pytest.raises(KeyboardInterrupt), replacing_files(first, second, new) as temporaries:
            for temporary in temporaries:
                temporary.write_text("new")
    assert sorted(tmp_path.iterdir()) == [first, second]
    assert first.read_text() == second.read_text() == "old"
    with replacing_files(first, second, new) as temporaries:
        for temporary in temporaries:
            temporary.write_text("new")
    assert {path: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(
        (first, second, new), "new"
    )


def test_targets_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "a" / "b", tmp_path / "file" / "b"):
        with pytest.raises(OutputError, match=naming(place)), replacing(place):
            pass
    too_long = os.strerror(errno.ENAMETOOLONG)
    with pytest.raises(OutputError, match=naming(too_long)), replacing(tmp_path / ("x" * 300)):
        pass


def test_devices_and_pipes_are_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(OutputError, match=naming(place)):
            check_writable(place)


def test_links_are_followed_and_permissions_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    with replacing(link) as temporary:
        temporary.write_text("new")
        temporary.chmod(0o600)
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_new_files_have_ordinary_permissions(tmp_path: Path) -> None:
    (tmp_path / "ordinary").touch()
    with replacing(tmp_path / "new") as temporary:
        temporary.write_text("new")
        temporary.chmod(0o600)
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


def test_a_read_only_file_is_replaced_and_stays_read_only(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("old")
    target.chmod(0o444)
    with replacing(target) as temporary:
        temporary.write_text("new")
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o444


def test_a_loop_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OutputError, match=naming(tmp_path / "a")):
        check_writable(tmp_path / "a")


def test_redirected_standard_input_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "corpus.txt"
    path.touch()
    with path.open() as redirected:
        monkeypatch.setattr("sys.stdin", redirected)
        with pytest.raises(OutputError, match=naming(path)):
            check_writable(path, inputs=[None])
        check_writable(tmp_path / "other", inputs=[None])


def test_an_input_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.touch()
    with pytest.raises(OutputError, match=naming(path)):
        check_writable(path, inputs=[None, path])
    check_writable(tmp_path / "other", inputs=[None, path])


EXHAUSTED = """
import os, resource, sys
from pathlib import Path
from hyperskip.files.writing import replacing_folder
spare = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
try:
    with replacing_folder(Path(sys.argv[1])) as folder:
        (folder / "file").write_text("new")
        taken = []
        try:
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            if not spare:
                raise
        for descriptor in taken[:spare]:
            os.close(descriptor)
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.parametrize("spare", [0, 1, 2])
def test_no_temporary_folder_is_left_without_file_descriptors(tmp_path: Path, spare: int) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / "file").write_text("old")
    command = [sys.executable, "-c", EXHAUSTED, str(target), str(spare)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == ""
    assert (os.strerror(errno.EMFILE) in done.stdout) == (spare == 0)
    assert list(tmp_path.iterdir()) == [target]
    assert (target / "file").read_text() == ("new" if spare else "old")
