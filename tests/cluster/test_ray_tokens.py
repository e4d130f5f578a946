"""Tokens of Ray: used where a cluster requires them, and nothing is left behind."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from facts import naming
from ray_nodes import STORE_BYTES, RayNodes

from hyperskip.cluster import tokens
from hyperskip.cluster.connection import connected
from hyperskip.errors import ClusterError

pytest.importorskip("ray")
SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))  # the first answer of every HTTP/2 server
TOKEN = "0123456789abcdef" * 4
VARIABLES = ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
WORKS = """
with connected({address!r}) as cluster:
    assert cluster.check_versions()
"""


@pytest.fixture
def home(ray_cluster: RayNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home folder, in an environment without tokens.

    After the test, Ray's library reads the environment again: it would still require tokens.
    """
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    yield tmp_path
    monkeypatch.undo()
    tokens._read_environment()


def save_token(home: Path, token: str = TOKEN) -> None:
    (home / ".ray").mkdir(exist_ok=True)
    (home / ".ray" / "auth_token").write_text(token)


def run(*blocks: str) -> None:
    """Run code in a process of its own, which must print nothing."""
    code = "import os\nfrom hyperskip.cluster.connection import connected\n" + "".join(blocks)
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@contextlib.contextmanager
def head_node() -> Iterator[str]:
    """Start a head node, which uses tokens if there is one in the home folder."""
    with socket.create_server(("", 0)) as free:
        port = free.getsockname()[1]
    options = f"--head --block --port={port} --num-cpus=1 --object-store-memory={STORE_BYTES}"
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "ray.scripts.scripts", "start", *options.split()),
            "--include-dashboard=false",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"RAY_TMPDIR": os.environ["RAY_TMPDIR"] + "/t"},
    )
    try:
        from ray.util import get_node_ip_address

        address = get_node_ip_address(), port
        deadline = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(address).close()
                break
            except OSError:
                assert process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.2)
        yield f"{address[0]}:{port}"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


@pytest.mark.slow
def test_a_cluster_with_tokens(home: Path) -> None:
    save_token(home)
    with head_node() as address:
        run(WORKS.format(address=address), "assert 'RAY_AUTH_MODE' not in os.environ\n")
        started = time.monotonic()
        save_token(home, TOKEN[::-1])
        with pytest.raises(ClusterError, match=naming(address, "another token")):
            enter(address)
        (home / ".ray" / "auth_token").unlink()
        with pytest.raises(ClusterError, match=naming(address, "requires a token")) as caught:
            enter(address)
        assert "RAY_AUTH_MODE=token" in str(caught.value.hint)
        assert len(str(caught.value).splitlines()) <= 2
        assert time.monotonic() - started < 5


@pytest.mark.slow
def test_a_cluster_started_here_leaves_no_tokens(home: Path, ray_cluster: RayNodes) -> None:
    elsewhere = f"os.environ['RAY_TMPDIR'] = {os.environ['RAY_TMPDIR'] + '/y'!r}\n"
    run(
        elsewhere + WORKS.format(address="auto"),
        f"assert not any(name in os.environ for name in {VARIABLES})\n",
        WORKS.format(address=ray_cluster.address),
    )
    assert not list(home.rglob("auth_token"))


def test_a_cluster_without_tokens_although_the_user_requires_them(
    home: Path, ray_cluster: RayNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_token(home)
    with connected(ray_cluster.address) as cluster:  # the token is not used
        assert cluster.check_versions()
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    with pytest.raises(ClusterError, match=naming(ray_cluster.address, "RAY_AUTH_MODE")):
        enter(ray_cluster.address)
    assert os.environ["RAY_AUTH_MODE"] == "token"


def test_a_head_node_that_does_not_answer(
    home: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                answered.append(listening.accept()[0])
                answered[-1].sendall(SETTINGS)

    monkeypatch.setattr(tokens, "_LONGEST_WAIT", 500)
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    answered: list[socket.socket] = []
    with socket.create_server(("", 0)) as listening:
        listening.settimeout(5)
        thread = threading.Thread(target=serve)
        thread.start()
        address = f"localhost:{listening.getsockname()[1]}"
        with pytest.raises(ClusterError, match=naming(address, "does not answer")):
            enter(address)
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()
    for each in answered:
        each.close()
    assert capfd.readouterr() == ("", "")


def enter(address: str) -> None:
    with connected(address):
        pass
