"""A signal at any call inside of a writer leaves no temporary file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# One signal in each round, one call later each time, until a round ends before its signal.
PROGRAM = """
import gc, signal, sys
from pathlib import Path
from hyperskip.files.locks import only_writer
from hyperskip.files.scratch import scratch_folder
from hyperskip.files.writing import replacing_files, replacing_folder

place = Path(sys.argv[2])
outside = {path.name for path in place.iterdir()}

def lock():
    with only_writer(place / "target"):
        pass

def files():
    with replacing_files(place / "first", place / "second") as temporaries:
        for temporary in temporaries:
            temporary.write_text("new")

def folder():
    with replacing_folder(place / "folder") as temporary:
        (temporary / "file").write_text("new")

def scratch():
    with scratch_folder() as temporary:
        (temporary / "file").write_text("new")

def interrupted(work, moment):
    calls = 0
    def count(_, event, __):
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1
            if calls == moment:
                signal.raise_signal(signal.SIGINT)
    try:
        sys.setprofile(count)
        work()
        sys.setprofile(None)
    except KeyboardInterrupt:
        sys.setprofile(None)
        return True
    return calls >= moment

gc.disable()
moment = 0
while interrupted(globals()[sys.argv[1]], moment := moment + 1):
    gc.collect()  # as at the end of a program
    left = {path.name for path in place.iterdir()} - outside
    assert not left, (moment, left)
    first, second = ((place / name).read_text() for name in ("first", "second"))
    assert first == second, (moment, first, second)
    assert (place / "folder" / "file").read_text() in ("old", "new"), moment
print(moment)
"""


@pytest.mark.parametrize("work", ["lock", "files", "folder", "scratch"])
def test_no_call_is_a_bad_moment_for_a_signal(work: str, tmp_path: Path) -> None:
    for name in ("first", "second", "folder/file"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, work, str(tmp_path)],
        capture_output=True,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 20
