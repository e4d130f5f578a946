"""Messages: they give the reason of an error, and escape control characters."""

import errno
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from program import Program
from rich.console import Console
from wiki_dumps import dump, page

from hyperskip.cli import tables
from hyperskip.progress.bars import TerminalBars
from hyperskip.progress.training import TrainingDisplay
from hyperskip.training.run.training_events import OnDevice


def test_an_unexpected_system_error_names_its_file(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("hyperskip.vectors.model_file.load", fail)
    error = OSError(errno.EMFILE, os.strerror(errno.EMFILE), "/some/file")
    result = program("info", "model")
    assert result.code == 1
    assert "/some/file: Too many open files" in result.err
    assert "output" not in result.err
    error = OSError(errno.EIO, os.strerror(errno.EIO))
    result = program("info", "model")
    assert result.code == 1
    assert "Input/output error" in result.err
    assert "output:" not in result.err


RED = "\x1b[31mred\x07\x9b2J"


@pytest.mark.filterwarnings("always:.*:UserWarning")
def test_control_characters_in_names_are_escaped(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(RED).write_text(f"{RED} 1 2\nb 3 4\nb 5 6\n")
    (tmp_path / f"{RED}.txt").write_text("some words\n")
    for arguments in (
        ["import", RED, RED + "-model", "--format", "glove"],  # with a warning
        ["neighbors", RED + "-model", "b"],
        ["info", RED + "-model"],
        ["info", RED],
        ["info", "missing" + RED],
        ["neighbors", RED + "-model", "c" + RED],
        ["train", f"{RED}.txt", "-o", f"missing{RED}/model"],
        ["train", f"{RED}.txt", "-o", "model", "--tokenizer", RED],
        ["encode", f"{RED}.txt", "-o", RED],
        ["evaluate", RED + "-model", "--similarity", RED],
        ["plot", RED + "-model", "-o", RED],
        ["export", RED + "-model", RED],
        ["experiment", RED, "-o", RED, "--similarity", "builtin"],
        ["info", RED + "-model", "--" + RED],
        [RED],
    ):
        result = program(*arguments)
        printed = result.out + result.err
        assert "red" in printed, arguments
        assert all(letter.isprintable() or letter in "\n\t" for letter in printed), printed


def test_control_characters_are_escaped_in_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "dumb")
    tables.print_table((RED, RED), [(RED, RED)])
    display = TrainingDisplay(TerminalBars(Console(file=sys.stdout, force_terminal=True)), lost=RED)
    display(OnDevice(RED, None))
    display._say_what_is_saved()
    printed = "".join(capsys.readouterr())
    assert printed.count("red") == 6
    assert "\x1b[31m" not in printed
    assert "\x9b" not in printed
    assert "\x07" not in printed


def test_a_full_disk_at_the_last_flush_is_an_error(tmp_path: Path) -> None:
    """Python writes a small output only when the program ends."""
    command = f"ulimit -f 0; exec {sys.executable} -m hyperskip --version"
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            ["bash", "-c", command], stdout=out, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert "standard output: File too large" in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize(
    "command", [["encode"], ["train", "--dimension", "2"]], ids=["encode", "train"]
)
def test_a_thread_that_cannot_be_started_is_an_error(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    (tmp_path / "text").write_text("some words and more\n" * 100_000)
    monkeypatch.setattr(threading.Thread, "start", refuse)
    result = program(command[0], tmp_path / "text", "-o", tmp_path / "out", *command[1:])
    assert result.code == 1
    assert "threads" in result.err
    assert "--threads" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


class _FewThreads:
    """Lets a limited number of threads start."""

    def __init__(self, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
        self._left, self._start = count, threading.Thread.start
        monkeypatch.setattr(threading.Thread, "start", lambda thread: self._started(thread))

    def _started(self, thread: threading.Thread) -> None:
        self._left -= 1
        if self._left < 0:
            raise RuntimeError("can't start new thread")
        self._start(thread)


@pytest.mark.parametrize("threads", [0, 1])
@pytest.mark.parametrize("command", ["plot", "explore"])
def test_a_map_without_threads_is_an_error(
    program: Program,
    tmp_path: Path,
    model_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    threads: int,
) -> None:
    model = shutil.copy(model_file, tmp_path / "model")
    arguments: dict[str, list[object]] = {
        "plot": ["-o", tmp_path / "picture.png", "-n", "20"],
        "explore": ["--no-browser", "--words", "20"],
    }
    monkeypatch.setattr("hyperskip.projection.fitted.core_count", lambda: 2)
    _FewThreads(threads, monkeypatch)
    result = program(command, model, *arguments[command])
    assert result.code == 1
    assert "ulimit -u" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


@pytest.mark.parametrize("threads", [0, 1])
def test_a_dump_without_threads_is_an_error(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    (tmp_path / "dump.xml").write_text(dump([page("Page", "some words and more " * 50)]))
    _FewThreads(threads, monkeypatch)
    arguments = ["-o", tmp_path / "out", "--min-count", "1", "--threads", "2"]
    result = program("encode", tmp_path / "dump.xml", *arguments)
    assert result.code == 1
    assert "ulimit -u" in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["dump.xml"]


def test_a_model_name_too_long_for_its_checkpoints(program: Program, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("some words and more\n" * 1000)
    model = tmp_path / ("x" * 245)
    # With one thread: on four words, several threads get in each other's way and may diverge.
    small = ["--dimension", "2", "--epochs", "1", "--threads", "1"]
    arguments = ["train", tmp_path / "text", "-o", model, *small]
    assert program(*arguments).code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["text"]
    result = program(*arguments, "--checkpoint-minutes", "0", "--subsample", "0")
    assert result.code == 0, result.err
    assert model.exists()


def test_a_closed_pipe_is_not_an_error_message(model_file: Path) -> None:
    """Also if the output is so short that Python writes it only when the program ends."""
    environment = {name: os.environ[name] for name in os.environ if name != "PYTHONUNBUFFERED"}
    for count in ("1", "2000"):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, "-m", "hyperskip", "neighbors", model_file, "dog", "-n", count],
            stdout=writing,
            stderr=subprocess.PIPE,
            env=environment,
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("command", ["encode", "train"])
@pytest.mark.parametrize("limit", [8, 10, 12])
def test_a_command_without_file_descriptors_leaves_no_files(
    tmp_path: Path, command: str, limit: int
) -> None:
    temporary, outputs = tmp_path / "temporary", tmp_path / "outputs"
    temporary.mkdir()
    outputs.mkdir()
    (tmp_path / "text").write_text("some words and more\n" * 1000)
    program = [sys.executable, "-m", "hyperskip"]
    arguments = [command, str(tmp_path / "text"), "-o", str(outputs / "out"), "--min-count", "1"]
    done = subprocess.run(
        ["bash", "-c", f'ulimit -n {limit}; exec "$@"', "bash", *program, *arguments],
        env=os.environ | {"TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr
    assert not list(temporary.iterdir())
    assert [path.name for path in outputs.iterdir()] == ([] if done.returncode else ["out"])
