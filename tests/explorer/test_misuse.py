"""The running explorer, while its connections or the file of its model are misused."""

import json
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from api_client import Client
from threadpoolctl import threadpool_info, threadpool_limits

from hyperskip.explorer.server.server import serve


@contextmanager
def explorer(model: Path, descriptors: int, errors: Path) -> Iterator[str]:
    """Run an explorer with stderr in a file, and yield its URL."""
    command = [sys.executable, "-m", "hyperskip", "explore", str(model), "--no-browser"]
    limited = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command]
    with errors.open("w") as stderr, subprocess.Popen(limited, stderr=stderr) as process:
        try:
            while (found := re.search(r"exploring at (\S+) .*\n", errors.read_text())) is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.05)
                assert process.returncode is None, errors.read_text()
            yield found[1]
            assert process.poll() is None
        finally:
            process.kill()


def answer(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=60) as response:
        return json.load(response)


def test_a_new_client_is_answered_despite_more_sockets_than_descriptors(
    model_file: Path, tmp_path: Path
) -> None:
    errors = tmp_path / "stderr"
    with explorer(model_file, 64, errors) as url, ExitStack() as stack:
        said = errors.read_text()
        place = urlsplit(url)
        for _ in range(80):
            connection = socket.create_connection((place.hostname, place.port), timeout=60)
            stack.enter_context(connection)
        for _ in range(5):
            assert answer(url + "api/word?word=dog")["word"] == "dog"
        assert errors.read_text() == said


def truncate(model: Path) -> None:
    with model.open("r+b") as file:
        file.truncate(1000)


def overwrite(model: Path) -> None:
    with model.open("r+b") as file:
        file.write(bytes(model.stat().st_size))


@pytest.mark.parametrize("change", [truncate, overwrite])
def test_answers_stay_the_same_when_the_file_of_the_model_changes(
    model_file: Path, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    model = tmp_path / "model.safetensors"
    shutil.copy(model_file, model)
    paths = [
        *("api/word?word=dog", "api/neighbors?word=dog&count=50&measure=angle", "api/model"),
        *("api/analogy?a=dog&b=cat&c=animal", "api/path?a=dog&b=animal", "api/points?limit=100"),
    ]
    with explorer(model, 256, tmp_path / "stderr") as url:
        before = [answer(url + path) for path in paths]
        change(model)
        assert [answer(url + path) for path in paths] == before
        assert answer(url + "api/neighbors?word=cat")["word"]["word"] == "cat"  # a new query


def test_products_use_one_thread_while_serving(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def threads() -> set[int]:
        return {library["num_threads"] for library in threadpool_info() if is_blas(library)}

    def is_blas(library: dict[str, Any]) -> bool:
        return bool(library["user_api"] == "blas")

    seen: list[set[int]] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: seen.append(threads()))
    with threadpool_limits(2, "blas"), socket.create_server(("127.0.0.1", 0)) as listening:
        before = threads()
        serve(client.app, listening)
        assert threads() == before
    assert seen == [{1} if before else set()]


@pytest.mark.slow
def test_the_benchmark_of_connections_runs() -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "connections.py"
    arguments = "--words 300 --seconds 0.5 --sockets 80 --descriptors 64 --requests 160".split()
    command = [sys.executable, str(script), *arguments, "--only", "send nothing"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\| send nothing +\| 80 ", done.stdout)
    assert "| 160 " in done.stdout
