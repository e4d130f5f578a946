"""Every writer on a disk that fails at any moment: a clear error, and no loss.

After each fault, an earlier output is unchanged, there are no other files in its folder, and the
program has ended with exit code 2, a message and a hint.
"""

import errno
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from failing_disk import FailingDisk
from program import Program, Result

from hyperskip import WordVectors, encode, load, open_encoded

WRITERS: dict[str, list[str]] = {
    "train": [
        *("train", "text", "-o", "OUT/model", "--dimension", "2", "--subsample", "0"),
        *("--checkpoint-minutes", "0"),  # test_checkpoints.py tests them
    ],
    "encode": ["encode", "text", "-o", "OUT/kept", "--force"],
    "import": ["import", "vectors.txt", "OUT/model"],
    "word2vec": ["export", "model", "OUT/vectors.txt"],
    "word2vec-binary": ["export", "model", "OUT/vectors.bin"],
    "fasttext": ["export", "model", "OUT/vectors.vec"],
    "fasttext-binary": ["export", "model", "OUT/vectors.bin", "--format", "fasttext-binary"],
    "glove": ["export", "model", "OUT/vectors.txt", "--format", "glove"],
    "minkowski": ["export", "model", "OUT/vectors.csv"],
    "npz": ["export", "model", "OUT/vectors.npz"],
    "projector": ["export", "model", "OUT"],
    "spacy": ["export", "model", "OUT/pipeline", "--for", "spacy"],
    "faiss": ["export", "model", "OUT/index", "--for", "faiss"],
    "png": ["plot", "model", "-o", "OUT/map.png", "-n", "3"],
    "svg": ["plot", "model", "-o", "OUT/map.svg", "-n", "3"],
    "html": ["plot", "model", "-o", "OUT/map.html", "-n", "3"],
    "demo": ["demo", "-o", "OUT"],
}
SLOW = ("train", "png", "svg", "html", "demo")


class Place:
    """A folder with the inputs of a writer, and a folder `OUT` with an earlier output."""

    def __init__(self, folder: Path, program: Program, name: str) -> None:
        self.name, self._folder = name, folder
        self._program, self._arguments = program, WRITERS[name]
        self._seed = 0
        (folder / "OUT").mkdir()

    def new_input(self) -> None:
        """Change all inputs, so that a new output differs from the earlier one."""
        self._seed += 1
        numbers = np.random.default_rng(self._seed).standard_normal((300, 4))
        words = [f"w{self._seed}-{i}" for i in range(300)]
        WordVectors(words, numbers.astype(np.float32)).save(self._folder / "model")
        rows = (
            f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, numbers, strict=True)
        )
        (self._folder / "vectors.txt").write_text("".join(rows))
        (self._folder / "text").write_text(" ".join(f"word{i * i % 83}" for i in range(3000)))
        with (self._folder / "text").open("a") as file:
            file.write(f"\n{' '.join([f'new{self._seed}'] * 5)}\n")

    def write(self) -> Result:
        return self._program(*self._arguments)

    def written(self) -> dict[str, bytes]:
        """Write without faults, and return the output."""
        self.new_input()
        result = self.write()
        assert result.code == 0, result.err
        return self.output()

    def output(self) -> dict[str, bytes]:
        """The content of every file that is not an input, including leftovers, by name."""
        files = (path for path in self._folder.rglob("*") if path.is_file())
        contents = {str(path.relative_to(self._folder)): path.read_bytes() for path in files}
        return {name: data for name, data in contents.items() if name not in INPUTS}

    def kept_by_demo(self) -> dict[str, bytes]:
        """The model of the demo, which is complete before the picture is drawn."""
        name = "OUT/demo.safetensors"
        if self.name == "demo" and self.output()[name] == (self._folder / "model").read_bytes():
            return {name: self.output()[name]}
        return {}

    def check_failed(self, result: Result, before: dict[str, bytes]) -> None:
        result.check_refused()
        assert self.output() == before


INPUTS = ("model", "vectors.txt", "text")


def with_mark(name: str) -> Any:
    """Mark all writers of pictures except one as slow: they are alike."""
    marks = pytest.mark.slow if name in ("png", "svg", "demo") else ()
    return pytest.param(name, marks=marks)


@pytest.fixture(params=map(with_mark, WRITERS))
def place(
    request: pytest.FixtureRequest,
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Place:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    made = Place(tmp_path, program, request.param)
    if made.name == "demo":  # without training and printing, which other tests cover
        monkeypatch.setattr("hyperskip.training.trainer.train", lambda *_, **__: load("model"))
        monkeypatch.setattr("hyperskip.cli.commands.demo._show", lambda _: None)
        monkeypatch.setattr("hyperskip.cli.commands.demo._draw", draw_few)
    return made


def draw_few(vectors: WordVectors, picture: Path) -> None:
    vectors.plot(vectors.words[:3], path=picture)


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Limit the size of files, so that writing fails as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_disk_that_fills_up(place: Place) -> None:
    before = place.written()
    largest = max(map(len, before.values()))
    count = 3 if place.name in SLOW else 40
    for size in np.linspace(0, 0.9 * largest, count).astype(int).tolist():
        place.new_input()
        with largest_file(size):
            result = place.write()
        place.check_failed(result, before | place.kept_by_demo())


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EACCES], ids=["full", "forbidden"])
def test_a_disk_that_fails_at_any_moment(
    place: Place, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    before = place.written()
    disk = FailingDisk(monkeypatch, error)
    failed, moment = 0, 0
    while disk.asked >= moment:  # the last run made at least this many requests
        moment += 1
        place.new_input()
        with disk.failing_at(moment):
            result = place.write()
        if result.code:
            failed += 1
            assert os.strerror(error) in result.err
            place.check_failed(result, before | place.kept_by_demo())
        else:  # the fault was harmless, or did not occur
            assert place.output().keys() == before.keys()
        before = place.output()
    assert failed >= 4


SMALL_DISK = """
import errno, os, subprocess, sys
from pathlib import Path
import numpy as np
from hyperskip import WordVectors, encode, load, open_encoded
from hyperskip.errors import OutputError

disk = Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], check=True)
print("mounted", flush=True)

def vectors(seed):
    numbers = np.random.default_rng(seed).standard_normal((300, 20)).astype(np.float32)
    return WordVectors([f"w{i}" for i in range(300)], numbers)

def contents():
    return {path: path.read_bytes() for path in disk.rglob("*") if path.is_file()}

text = [" ".join(f"w{i * i % 97}" for i in range(6000))]
vectors(1).save(disk / "model")
encode(text, disk / "kept")
failed = 0
for pages in range(64):
    with (disk / "filler").open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass
    room = max(os.path.getsize(disk / "filler") - pages * 4096, 0)
    os.truncate(disk / "filler", room)
    before = contents()
    for write in (
        lambda: vectors(2 + pages).save(disk / "model"),
        lambda: encode([f"page{pages} " * 10, *text], disk / "kept", force=True),
    ):
        try:
            write()
        except OutputError as error:
            assert os.strerror(errno.ENOSPC) in error.message, error
            assert error.hint
            assert contents() == before
            failed += 1
        else:
            assert contents().keys() == before.keys()
            before = contents()
    if not room:
        break
load(disk / "model"), open_encoded(disk / "kept")
print("failed", failed)
"""


@pytest.mark.skipif(shutil.which("unshare") is None, reason="unshare is not installed")
def test_a_real_disk_without_space(tmp_path: Path) -> None:
    """Mount a small disk in a namespace of its own, which needs no permissions."""
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", sys.executable, "-c", SMALL_DISK, str(tmp_path)],
        capture_output=True,
        text=True,
    )
    if not done.stdout.startswith("mounted"):
        pytest.skip("a small disk cannot be mounted here")
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > 10


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_not_writable(place: Place, tmp_path: Path) -> None:
    before = place.written()
    place.new_input()
    (tmp_path / "OUT").chmod(0o555)
    try:
        result = place.write()
    finally:
        (tmp_path / "OUT").chmod(0o755)
    place.check_failed(result, before)
    assert os.strerror(errno.EACCES) in result.err


@pytest.fixture
def encoding(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that is replacing the encoded corpus `kept`."""
    encode([["old", "words"]] * 5, tmp_path / "kept")
    with subprocess.Popen(
        [sys.executable, "-m", "hyperskip", "encode", "-", "-o", tmp_path / "kept", "--force"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        while len(list(tmp_path.glob(".hyperskip-*"))) < 2:  # its lock and its folder
            assert process.poll() is None
            time.sleep(0.02)
        yield process


def test_two_encodings_to_one_folder(
    program: Program, tmp_path: Path, encoding: subprocess.Popen[bytes]
) -> None:
    (tmp_path / "text").write_text("new words\n" * 5)
    again = ["encode", tmp_path / "text", "-o", tmp_path / "kept", "--force"]
    result = program(*again)
    result.check_refused(encoding.pid, tmp_path / "kept")
    assert open_encoded(tmp_path / "kept").vocabulary.words == ("old", "words")
    _, err = encoding.communicate(b"other text\n" * 5)
    assert encoding.returncode == 0, err
    assert open_encoded(tmp_path / "kept").vocabulary.words == ("other", "text")
    assert program(*again).code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "text"]


def test_an_encoding_that_is_killed(tmp_path: Path, encoding: subprocess.Popen[bytes]) -> None:
    encoding.kill()
    encoding.communicate()
    assert open_encoded(tmp_path / "kept").vocabulary.words == ("old", "words")
    encode([["new", "words"]] * 5, tmp_path / "kept", force=True)
    assert open_encoded(tmp_path / "kept").vocabulary.words == ("new", "words")


def test_a_text_that_grows_damages_nothing(program: Program, tmp_path: Path) -> None:
    text, kept, model = tmp_path / "text", tmp_path / "kept", tmp_path / "model"
    text.write_text("some words\n" * 1000)
    encode(text, kept)
    model.write_bytes(b"mine")
    before = {path: path.read_bytes() for path in kept.iterdir()}
    open_file = Path.open

    def grow(path: Path, *arguments: Any, **options: Any) -> Any:
        opened = open_file(path, *arguments, **options)
        if path == text:
            with open_file(text, "a") as file:
                file.write("more\n")
        return opened

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "open", grow)
        for command in (["encode", text, "-o", kept, "--force"], ["train", text, "-o", model]):
            size = text.stat().st_size
            program(*command).check_refused(text, f"{size:,}", f"{text.stat().st_size:,}")
    assert {path: path.read_bytes() for path in kept.iterdir()} == before
    assert model.read_bytes() == b"mine"
    assert sorted(tmp_path.iterdir()) == [kept, model, text]
