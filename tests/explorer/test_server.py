"""The explorer as a program: its address, and how it ends."""

import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from facts import naming
from optional_packages import run_without
from program import Program
from rich.console import Console
from rich.text import Text

from hyperskip.errors import OptionError
from hyperskip.explorer.server.address import Address
from hyperskip.explorer.server.server import open_browser
from hyperskip.progress.bars import TerminalBars
from hyperskip.progress.display import ExportDisplay, MapDisplay
from hyperskip.progress.output import Lines
from hyperskip.projection.map_events import MapProgress

Start = Callable[..., tuple[subprocess.Popen[str], str, str]]


@pytest.fixture
def start(model_file: Path) -> Iterator[Start]:
    """Start the explorer; return the process, its URL and its output."""
    started: list[subprocess.Popen[str]] = []

    def begun(*arguments: str) -> tuple[subprocess.Popen[str], str, str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "hyperskip", "explore", model_file, "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stderr
        said = ""
        while (found := re.search(r"exploring at (\S+)", said)) is None:
            line = process.stderr.readline()
            assert line, said
            said += line
        return process, found[1], said

    yield begun
    for process in started:
        process.kill()
        process.communicate()


def answer(url: str) -> dict[str, object]:
    with urllib.request.urlopen(url) as response:
        content: dict[str, object] = json.load(response)
    return content


def test_edges_are_read_and_unknown_nodes_named(start: Start, tmp_path: Path) -> None:
    edges = tmp_path / "edges.tsv"
    edges.write_text("dog\tanimal\ncat\tanimal\nnonsuch\tanimal\n")
    _, url, said = start("--edges", str(edges))
    assert re.search(naming("nonsuch", 1, 3), said)
    relatives = answer(url + "api/relatives?word=animal")
    assert relatives["child_count"] == 2
    word = relatives["word"]
    assert isinstance(word, dict)
    assert abs(word["x"]) + abs(word["y"]) < 1e-6  # the root is in the middle


def test_it_runs_until_ctrl_c(start: Start) -> None:
    process, url, said = start()
    assert re.search("loaded [0-9,]+ words of dimension 20", said)
    assert "warning" not in said
    assert answer(url + "api/word?word=dog")["word"] == "dog"
    with socket.create_connection(("localhost", int(url.rsplit(":", 1)[1].strip("/")))) as idle:
        idle.sendall(b"GET /api/model HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert idle.recv(20).startswith(b"HTTP/1.1 200")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert out == ""
    assert "Traceback" not in err


def test_it_ends_by_a_signal(start: Start) -> None:
    process, *_ = start()
    process.terminate()
    _, err = process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGTERM
    assert "Traceback" not in err


def test_two_explorers_use_different_ports(start: Start) -> None:
    one, two = start()[1], start()[1]
    assert one != two
    assert answer(one + "api/model") == answer(two + "api/model")


def test_a_port_in_use_is_refused(program: Program, model_file: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = program("explore", model_file, "--host", "127.0.0.1", "--port", port)
    assert result.code == 2
    assert re.search(naming(port, "in use", "--port"), result.err)


def test_another_port_is_used_if_the_default_one_is_in_use() -> None:
    def bound_with(default_port: int) -> int:
        address = Address.bind("127.0.0.1", None, default_port=default_port)
        with address.listening:
            return address.port

    freed = []
    for _ in range(5):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            assert bound_with(port) != port
        freed.append(port)
    # Another program may use one of these by now, but not all of them.
    assert any(bound_with(port) == port for port in freed)


@pytest.mark.parametrize(
    "host", ["nowhere.invalid", "192.0.2.1", "a" * 500, "host with blanks", "\x00", "ä" * 100]
)
def test_a_host_of_another_machine_is_refused(host: str) -> None:
    with pytest.raises(OptionError, match="host"):
        Address.bind(host, None)


@pytest.mark.parametrize(
    ("host", "local", "url"),
    [
        ("localhost", True, "http://127.0.0.1:"),
        ("127.0.0.1", True, "http://127.0.0.1:"),
        ("0.0.0.0", False, "http://127.0.0.1:"),
    ],
)
def test_local_and_public_addresses(host: str, local: bool, url: str) -> None:
    address = Address.bind(host, None)
    with address.listening:
        assert address.is_local is local
        assert address.url == f"{url}{address.port}/"
        assert host in address.names


def test_a_public_address_gives_a_warning(start: Start) -> None:
    process, url, said = start("--host", "0.0.0.0")
    assert re.search(naming("warning", "0.0.0.0", "network"), said)
    own, foreign = (
        urllib.request.Request(url + "api/model", headers={"Host": name})
        for name in (socket.gethostname(), "evil.example")
    )
    with urllib.request.urlopen(own) as response:
        assert response.status == 200
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(foreign)
    refused.value.close()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 0


def test_a_graphical_browser_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    open_browser("http://a/")
    monkeypatch.setitem(os.environ, "DISPLAY", ":0")
    open_browser("http://b/")
    deadline = time.monotonic() + 10
    while not opened and time.monotonic() < deadline:
        time.sleep(0.01)
    assert opened == ["http://b/"]


def test_no_thread_for_the_browser_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(threading.Thread, "start", refuse)
    open_browser("http://a/")


def test_the_progress_bars_of_a_map() -> None:
    screen = io.StringIO()
    with MapDisplay(TerminalBars(Console(file=screen, force_terminal=True))) as report:
        pass
    assert "%" not in screen.getvalue()
    with MapDisplay(TerminalBars(Console(file=screen, force_terminal=True))) as report:
        for step, share in (("neighbors", 0.5), ("neighbors", 1.0), ("fitting", 0.25)):
            report(MapProgress(step, share))
    shown = Text.from_ansi(screen.getvalue()).plain
    for step, percentage in (("neighbors", "100%"), ("fitting", "25%")):
        assert re.search(f"{step}.*{percentage}", shown)


@pytest.mark.parametrize(
    ("display", "said"),
    [(MapDisplay, "the map was not made"), (ExportDisplay, "nothing was exported")],
)
def test_an_interrupted_map_or_export(
    display: type[MapDisplay], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit), display(Lines()):
        raise SystemExit(128 + signal.SIGTERM)
    assert f"interrupted: {said}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["nothing.safetensors"], ["nothing.safetensors"]),
        (["m", "--port", "0"], ["--port", 0, 1, 65535]),
        (["m", "--port", "99999"], ["--port", 99999, 1, 65535]),
        (["m", "--words", "0"], ["words", 0, 1]),
        (["m", "--words", "50001"], ["words", 50001]),
        (["m", "--order", "parent-child"], ["--order", "--edges"]),
    ],
)
def test_wrong_arguments(program: Program, arguments: list[str], facts: list[object]) -> None:
    result = program("explore", *arguments)
    assert result.code == 2
    assert re.search(naming(*facts), result.err)


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_a_missing_package_is_named_with_the_install_command(package: str) -> None:
    done = run_without(package, "explore", "missing.safetensors")
    assert done.returncode == 2
    assert re.search(naming(package, "pip install 'hyperskip[explorer]'"), done.stderr)
