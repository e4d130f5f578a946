"""Temporary folders are removed at the end, or, after a kill, by the next process."""

import subprocess
import sys
from pathlib import Path

import pytest
from facts import naming

from hyperskip.errors import OutputError
from hyperskip.files.scratch import scratch_folder


def test_a_scratch_folder_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with scratch_folder() as folder:
        (folder / "file").touch()
        assert folder.parent == tmp_path
    assert not list(tmp_path.iterdir())
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    message = naming(tmp_path / "none", "TMPDIR")
    with pytest.raises(OutputError, match=message), scratch_folder():
        pass


HOLDING = """
import sys, tempfile, time
tempfile.tempdir = sys.argv[1]
from hyperskip.files.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "file").touch()
    print(folder, flush=True)
    time.sleep(600)
"""


def test_only_the_folders_of_killed_processes_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    others = tmp_path / "hyperskip-scratch-of-another-program"
    others.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        held = Path(process.stdout.readline().strip())
        with scratch_folder():
            assert (held / "file").exists()  # it is in use
        process.kill()
        process.wait()
    assert held.exists()
    with scratch_folder():
        assert not held.exists()
    assert list(tmp_path.iterdir()) == [others]


EXHAUSTED = """
import os, resource, sys, tempfile
tempfile.tempdir = sys.argv[1]
from hyperskip.files.scratch import scratch_folder
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
try:
    with scratch_folder() as folder:
        (folder / "file").touch()
        while True:
            os.open(os.devnull, os.O_RDONLY)
except OSError as error:
    print(error.strerror)
"""


def test_it_is_removed_without_file_descriptors(tmp_path: Path) -> None:
    command = [sys.executable, "-c", EXHAUSTED, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == "Too many open files\n", done.stderr
    assert not list(tmp_path.iterdir())
