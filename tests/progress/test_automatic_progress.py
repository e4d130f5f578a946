"""Progress that `train` and `encode` show by themselves: in terminals and notebooks only."""

import io
import json
import multiprocessing
import os
import re
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from facts import naming
from rich.console import Console
from rich.live import Live

import hyperskip
from hyperskip import builtin
from hyperskip.progress import training
from hyperskip.progress.bars import TerminalBars
from hyperskip.progress.messages import say
from hyperskip.progress.output import Lines
from hyperskip.progress.training import TrainingDisplay
from hyperskip.text.encoding.encoding_events import CompilingScanner, EncodingProgress, Pruned
from hyperskip.training.run.training_events import Compiling, TrainingProgress

SENTENCES = list(builtin.sentences(5_000))
SMALL: dict[str, Any] = {"dimension": 2, "epochs": 2, "threads": 1, "subsample": 0.0}
SHOW_CURSOR, HIDE_CURSOR = "\x1b[?25h", "\x1b[?25l"


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True

    @property
    def text(self) -> str:
        """What was written, without colors and movements of the cursor."""
        return plain(self.getvalue())


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)


@pytest.fixture
def open_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Screen]:
    """Replaces standard error by a terminal; called by the test, because pytest replaces it too."""

    def opened(**environment: str) -> Screen:
        for name, value in ({"TERM": "xterm", "COLUMNS": "110"} | environment).items():
            monkeypatch.setenv(name, value)
        screen = Screen()
        monkeypatch.setattr(sys, "stderr", screen)
        return screen

    return opened


def check_clean(screen: Screen) -> None:
    """Check that the terminal is left as it was."""
    assert sys.stderr is screen
    assert screen.getvalue().count(HIDE_CURSOR) == screen.getvalue().count(SHOW_CURSOR)


def test_training_in_a_terminal(open_terminal: Callable[..., Screen]) -> None:
    screen = open_terminal()
    for _ in range(2):  # one after the other
        hyperskip.train(SENTENCES, **SMALL)
        check_clean(screen)
    last_lines = screen.text.rstrip("\n").split("\n")[-2:]
    for name, *figures in (
        ["reading", "100%", r"took 0:00:\d\d", r"\d,\d{3} words"],
        ["training", "100%", r"took 0:00:\d\d", "epoch 2/2", r"loss \d\.\d+", "k words/s"],
    ):
        line = last_lines.pop(0)
        assert re.search(name + ".*" + ".*".join(figures), line), line
    assert len(re.findall(r"epoch 2  loss \d", screen.text)) == 2


def test_encoding_in_a_terminal(open_terminal: Callable[..., Screen], tmp_path: Path) -> None:
    screen = open_terminal()
    corpus = hyperskip.encode(SENTENCES, tmp_path / "encoded")
    assert re.search(r"reading.*100% took.*words", screen.text)
    check_clean(screen)
    hyperskip.train(corpus, **SMALL)
    last = screen.text.rstrip("\n").split("\n")[-2:]
    assert "reading" not in "".join(last)  # nothing was read
    assert "training" in last[1]


@pytest.mark.parametrize("columns", [1, 20, 40, 60, 80])
def test_a_narrow_terminal(open_terminal: Callable[..., Screen], columns: int) -> None:
    screen = open_terminal(COLUMNS=str(columns))
    hyperskip.train(SENTENCES, **SMALL)
    check_clean(screen)
    last = screen.text.rstrip("\n").split("\n")[-1]
    assert len(last) <= columns
    assert "loss" in last or columns < 60


@pytest.mark.parametrize("variable", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colors(
    open_terminal: Callable[..., Screen], variable: dict[str, str]
) -> None:
    screen = open_terminal(**variable)
    hyperskip.train(SENTENCES, **SMALL)
    assert re.search(r"training.*100%.*loss", screen.text)
    assert not re.search(r"\x1b\[[0-9;]*m", screen.getvalue())
    check_clean(screen)


def test_nothing_is_shown_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    hyperskip.train(SENTENCES, **SMALL)
    assert capfd.readouterr() == ("", "")


def test_progress_is_switched_off(open_terminal: Callable[..., Screen], tmp_path: Path) -> None:
    screen = open_terminal()
    hyperskip.train(SENTENCES, **SMALL, progress=False)
    hyperskip.encode(SENTENCES, tmp_path / "encoded", progress=False)
    assert screen.getvalue() == ""


def test_lines_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hyperskip.train(SENTENCES, **SMALL, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"training on the .*\nepoch 1  loss .*\nepoch 2  loss .*\n$", err)
    assert "\x1b" not in err


def test_a_report_replaces_the_display(open_terminal: Callable[..., Screen]) -> None:
    screen = open_terminal()
    seen: list[object] = []
    hyperskip.train(SENTENCES, **SMALL, report=seen.append)
    assert seen
    assert screen.getvalue() == ""
    both: list[object] = []
    hyperskip.train(SENTENCES, **SMALL, report=both.append, progress=True)
    assert [type(event) for event in both[-2:]] == [type(event) for event in seen[-2:]]
    assert "epoch 2/2" in screen.text


@pytest.mark.parametrize("progress", [1, 0, "yes", print])
def test_progress_is_true_or_false(tmp_path: Path, progress: Any) -> None:
    for use in (
        lambda: hyperskip.train(["a text"], progress=progress),
        lambda: hyperskip.encode(["a text"], tmp_path / "encoded", progress=progress),
    ):
        with pytest.raises(hyperskip.OptionError, match=naming("`progress`", "True", "False")):
            use()


def test_an_error_leaves_the_terminal_clean(open_terminal: Callable[..., Screen]) -> None:
    screen = open_terminal()

    def broken() -> Iterator[str]:
        yield from SENTENCES
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        hyperskip.train(broken(), **SMALL)
    check_clean(screen)
    assert "interrupted" not in screen.text


def interrupting(epoch: int) -> Callable[[object], None]:
    """A report that interrupts training in an epoch."""

    def report(event: object) -> None:
        if isinstance(event, TrainingProgress) and event.epoch == epoch:
            raise KeyboardInterrupt

    return report


def test_an_interruption_says_how_to_resume(
    open_terminal: Callable[..., Screen], tmp_path: Path
) -> None:
    screen = open_terminal()
    options = SMALL | {"checkpoints": tmp_path / "checkpoints", "checkpoint_minutes": 1e-9}
    with pytest.raises(KeyboardInterrupt):
        hyperskip.train(
            SENTENCES, **options | {"epochs": 50}, report=interrupting(40), progress=True
        )
    check_clean(screen)
    assert re.search(r"interrupted.*checkpoint.*\n.*`resume=True`\n$", screen.text)


def test_an_interruption_without_checkpoints(open_terminal: Callable[..., Screen]) -> None:
    screen = open_terminal()
    with pytest.raises(KeyboardInterrupt):
        hyperskip.train(SENTENCES, **SMALL, report=interrupting(1), progress=True)
    check_clean(screen)
    assert "interrupted" not in screen.text


def test_what_is_printed_and_warned_meanwhile(
    open_terminal: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = open_terminal()
    printed = io.StringIO()  # a file or a pipe
    monkeypatch.setattr(sys, "stdout", printed)

    def talking() -> Iterator[str]:
        sys.stdout.write("a number\n")
        warnings.warn("be careful", stacklevel=1)
        yield from SENTENCES

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(
            warnings, "showwarning", lambda message, *_: sys.stderr.write(f"{message}\n")
        )
        hyperskip.train(talking(), **SMALL)
    assert printed.getvalue() == "a number\n"
    assert re.search(r"(^|\r|\n)be careful\r?\n", screen.text)
    check_clean(screen)


def test_a_live_display_of_the_user_is_not_disturbed(open_terminal: Callable[..., Screen]) -> None:
    screen = open_terminal()
    with Live("mine", console=Console(stderr=True), auto_refresh=False):
        proxy = sys.stderr
        hyperskip.train(SENTENCES, **SMALL)
        assert sys.stderr is proxy
        assert "training" not in screen.text
        hyperskip.train(SENTENCES, **SMALL, progress=True)
        assert re.search(r"epoch 2  loss", screen.text)
        assert "100%" not in screen.text
    check_clean(screen)


def test_one_of_two_trainings_at_the_same_time_has_bars(
    open_terminal: Callable[..., Screen],
) -> None:
    screen = open_terminal()
    inside: list[str] = []

    def documents() -> Iterator[str]:
        yield from SENTENCES
        before = len(screen.text)
        hyperskip.train(SENTENCES, **SMALL | {"epochs": 3})
        inside.append(screen.text[before:])

    thread = threading.Thread(target=lambda: hyperskip.train(documents(), **SMALL))
    thread.start()
    thread.join()
    assert "epoch" not in inside[0]
    assert "epoch 2/2" in screen.text
    check_clean(screen)
    hyperskip.train(SENTENCES, **SMALL | {"epochs": 3})
    assert "epoch 3/3" in screen.text


def test_a_worker_process_shows_nothing(
    open_terminal: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = open_terminal()
    monkeypatch.setattr(multiprocessing, "parent_process", multiprocessing.current_process)
    hyperskip.train(SENTENCES, **SMALL)
    assert screen.getvalue() == ""
    hyperskip.train(SENTENCES, **SMALL, progress=True)
    assert "epoch 2  loss" in screen.text
    assert "100%" not in screen.text


class _Writer:
    """Has no method but `write`."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text


def _closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stream", [None, _closed(), _Writer()], ids=["none", "closed", "writer"])
def test_any_standard_error(monkeypatch: pytest.MonkeyPatch, stream: Any) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    for progress in (None, True):
        assert len(hyperskip.train(SENTENCES, **SMALL, progress=progress))
    assert not isinstance(stream, _Writer) or "epoch 2  loss" in stream.text


def test_bars_without_a_thread(
    open_terminal: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = open_terminal()

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch, TrainingDisplay(Lines()) as unstarted:
        patch.setattr(threading.Thread, "start", refuse)
        unstarted(Compiling())  # without its line
        with TrainingDisplay(TerminalBars(Console(stderr=True))) as display:
            display(EncodingProgress(100, 1000, 1000))
    assert "100 words" in screen.text
    check_clean(screen)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_broken_terminal_does_not_stop_training(
    open_terminal: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = open_terminal()

    def break_terminal(_: object) -> None:
        monkeypatch.setattr(screen, "write", _closed().write)

    assert hyperskip.train(SENTENCES, **SMALL, report=break_terminal, progress=True)


def test_compiling_is_announced_if_it_takes_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with TrainingDisplay(Lines()) as display:
        display(CompilingScanner())
        display(Compiling())
        display(EncodingProgress(1, 1, 1))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(training, "_LOADING_SECONDS", 0.0)
    written = threading.Event()

    def write(_: Lines, text: str) -> None:
        say(text)
        written.set()

    monkeypatch.setattr(Lines, "say", write)
    for event, what in ((CompilingScanner(), "tokenizer"), (Compiling(), "kernels")):
        written.clear()
        with TrainingDisplay(Lines()) as display:
            display(event)
            assert written.wait(10)
        assert re.search(f"{what}.*first time", capsys.readouterr().err)


def test_messages_are_in_the_words_of_the_interface(capsys: pytest.CaptureFixture[str]) -> None:
    with TrainingDisplay(Lines()) as display:
        display(Pruned(3, 5, 2))
    assert "`vocabulary_limit`" in capsys.readouterr().err


def test_rich_is_imported_only_to_show_something() -> None:
    statement = (
        "import hyperskip, sys; hyperskip.train([['a', 'b'] * 50], epochs=50, progress={}); "
        "print('rich' in sys.modules)"
    )
    for progress in (None, False, True):
        command = [sys.executable, "-c", statement.format(progress)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stdout == "False\n"
        assert ("epoch 50" in done.stderr) == bool(progress)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_script_in_a_real_terminal(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import hyperskip\n"
        "from hyperskip import builtin\n"
        "print(hyperskip.train(builtin.sentences(5_000), dimension=2, epochs=2, subsample=0))\n"
    )
    ours, theirs = os.openpty()  # type: ignore[attr-defined, unused-ignore]
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, stderr=theirs, text=True
    ) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # Linux: the other end is closed
                break
            if not part:
                break
            shown += part
        assert process.stdout is not None
        assert re.fullmatch(r"<WordVectors: .*>\n", process.stdout.read())
    os.close(ours)
    assert process.returncode == 0
    text = shown.decode()
    assert text.rstrip().endswith(SHOW_CURSOR)
    assert re.search(r"training.*100%.*loss", plain(text))


def test_a_notebook(tmp_path: Path) -> None:
    """The output of a cell is one text, which each update replaces."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    arguments = "builtin.sentences(5_000), dimension=2, epochs=300, threads=1"
    cells = [
        "import hyperskip\nfrom hyperskip import builtin",
        f"vectors = hyperskip.train({arguments})",
        f"vectors = hyperskip.train({arguments}, progress=False)",
        "hyperskip.encode(builtin.sentences(5_000), 'encoded')",
        "import threading\n"
        f"thread = threading.Thread(target=lambda: hyperskip.train({arguments}))\n"
        "thread.start()\nthread.join()",
    ]
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells]
    )
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook.metadata["kernelspec"] = kernel
    nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    _, trained, silent, encoded, in_thread = (cell["outputs"] for cell in notebook.cells)
    assert silent == []
    assert len(encoded) == 2  # and the result
    assert re.search(r"reading.*100%.*words", encoded[0]["data"]["text/plain"])
    for (output,) in (trained, in_thread):
        assert output["output_type"] == "display_data"
        lines = output["data"]["text/plain"].split("\n")
        assert re.match("training .*100% took .*epoch 300/300  loss", lines[-1])
        assert re.match("epoch 300  loss", lines[-3])
        assert len(lines) < 40
        assert len(json.dumps(output)) < 4000


class _Handle:
    """The handle of an output in a notebook."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.texts.append(data["text/plain"])


def test_the_last_state_stays_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    ipython = pytest.importorskip("IPython")
    handle = _Handle()

    class Shell:
        kernel = object()

    def display(data: dict[str, str], *, raw: bool, display_id: bool) -> _Handle:
        assert display_id
        handle.update(data, raw=raw)
        return handle

    monkeypatch.setattr(ipython, "get_ipython", Shell)
    monkeypatch.setattr("IPython.display.display", display)
    hyperskip.train(SENTENCES, **SMALL)
    assert len(handle.texts) >= 2
    assert re.search(r"epoch 2  loss .*\nreading .*\ntraining .*100%.*loss", handle.texts[-1])
    hyperskip.train(SENTENCES, **SMALL | {"epochs": 1})
    assert re.search(r"training .*100% took .*loss", handle.texts[-1])


def test_the_console_of_spyder_gets_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ipython = pytest.importorskip("IPython")

    class Shell:
        __module__ = "spyder_kernels.console.shell"
        kernel = object()

    monkeypatch.setattr(ipython, "get_ipython", Shell)
    hyperskip.train(SENTENCES, **SMALL)
    assert "epoch 2  loss" in capsys.readouterr().err
