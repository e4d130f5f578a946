"""Connecting to a Ray cluster, or a clear error within seconds."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from facts import naming
from ray_nodes import RayNodes

from hyperskip.cluster import connection
from hyperskip.cluster.connection import connected
from hyperskip.cluster.nodes import check_same, versions
from hyperskip.errors import ClusterError, MissingPackageError, OptionError

HTTP = b"HTTP/1.1 400 Bad Request\r\n\r\n"


@contextmanager
def server(answer: bytes) -> Iterator[str]:
    """A server that gives the same answer to everything."""

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1000)
            connection.sendall(answer)

    with socket.create_server(("", 0)) as listening:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"localhost:{listening.getsockname()[1]}"
        thread.join()


def refused(address: str) -> ClusterError:
    with pytest.raises(ClusterError, match=naming(address)) as caught, connected(address):
        pass
    return caught.value


def test_joins_a_cluster_and_names_its_nodes(
    ray_cluster: RayNodes, capfd: pytest.CaptureFixture[str]
) -> None:
    import ray

    handler = signal.getsignal(signal.SIGTERM)
    with connected(ray_cluster.address) as cluster:
        assert cluster.address == ray_cluster.address
        first, second = cluster.nodes()
        head = ray_cluster.nodes[0].node_id
        assert [first.id, first.cpus, first.gpus] == [head, 1, 0]
        assert second.cpus == 1
        assert first.name != second.name
        assert cluster.place_in(f"The node {second.id} has died") == f"node {second.name}"
        assert cluster.place_in(f"(ip={first.address})") == f"a node at {first.address}"
        assert cluster.place_in(f"(ip={first.address}0)") is None
        assert cluster.check_versions() == cluster.nodes()
        assert signal.getsignal(signal.SIGTERM) == handler
        with connected("auto") as again:  # already connected
            assert again.address == ray_cluster.address
        port = cluster.address.rpartition(":")[2]
        with connected(f"localhost:{port}") as again:
            assert again.address == ray_cluster.address
        with (
            pytest.raises(OptionError, match=naming("elsewhere:1", cluster.address)),
            connected("elsewhere:1"),
        ):
            pass
        assert ray.is_initialized()
    assert not ray.is_initialized()
    assert capfd.readouterr() == ("", "")


def test_a_node_without_hyperskip_is_named(ray_cluster: RayNodes, tmp_path: Path) -> None:
    (tmp_path / "hyperskip.py").write_text("raise ImportError('not installed here')")
    node = ray_cluster.add(env_vars={"PYTHONPATH": str(tmp_path)})
    try:
        with (
            connected(ray_cluster.address) as cluster,
            pytest.raises(ClusterError, match=naming(node.node_id[:8], "not installed here")),
        ):
            cluster.check_versions()
    finally:
        ray_cluster.kill(node)
        ray_cluster.wait_for_death(node)


def test_a_node_that_does_not_answer_is_named(ray_cluster: RayNodes) -> None:
    with connected(ray_cluster.address) as cluster:
        names = [node.name for node in cluster.nodes()]
        with pytest.raises(ClusterError, match=naming(*names)):
            cluster.check_versions(longest_wait=0.0)


@pytest.mark.parametrize("used", [1.0, 0.4])
def test_nodes_without_a_free_cpu_are_named(ray_cluster: RayNodes, used: float) -> None:
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

    with connected(ray_cluster.address) as cluster:
        cluster.wait_for_cpu(0.9)
        busy = ray.remote(num_cpus=used)(lambda: time.sleep(60))
        nodes = cluster.nodes()
        names = [node.name for node in nodes]
        work = [
            busy.options(scheduling_strategy=On(node.id, soft=False)).remote() for node in nodes
        ]
        while ray.available_resources().get("CPU", 0) > 2 - 2 * used:
            time.sleep(0.1)
        if used < 1:
            cluster.wait_for_cpu(1 - used, longest_wait=0.0)
        with pytest.raises(ClusterError, match=naming(*names)):
            cluster.wait_for_cpu(0.9, longest_wait=0.2)  # also if both together have more
        for task in work:
            ray.cancel(task, force=True)
        cluster.wait_for_cpu(0.9)


def test_a_node_with_other_versions_is_named() -> None:
    here = versions()
    check_same("alpha", here, here)
    with pytest.raises(ClusterError, match=naming("alpha", "NumPy", "1.0", here["NumPy"])):
        check_same("alpha", here | {"NumPy": "1.0"}, here)


def test_auto_joins_the_cluster_of_the_environment(
    ray_cluster: RayNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", ray_cluster.address)
    with connected("auto") as cluster:
        assert cluster.address == ray_cluster.address
    monkeypatch.setenv("RAY_ADDRESS", "localhost:1")
    with pytest.raises(ClusterError, match=naming("localhost:1", "RAY_ADDRESS")), connected("auto"):
        pass


def test_auto_starts_a_cluster_if_none_is_running(
    ray_cluster: RayNodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []
    monkeypatch.setattr(connection, "_connect", started.append)
    monkeypatch.setattr("ray.get_runtime_context", lambda: pytest)
    monkeypatch.setattr(pytest, "gcs_address", "an address", raising=False)
    (tmp_path / "ray").mkdir()
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    for address in (None, "localhost:1"):  # no cluster, and one that has ended
        if address is not None:
            (tmp_path / "ray" / "ray_current_cluster").write_text(address)
        with connected("auto") as cluster:
            assert cluster.is_started_here
    (tmp_path / "ray" / "ray_current_cluster").write_text(ray_cluster.address)
    with connected("auto") as cluster:
        assert not cluster.is_started_here
    monkeypatch.setenv("RAY_ADDRESS", "local")
    with connected("auto") as cluster:
        assert cluster.is_started_here
    assert started == ["local", "local", ray_cluster.address, "local"]


def test_nothing_listens_at_the_address(ray_cluster: RayNodes) -> None:
    assert "ray start" in str(refused("localhost:1").hint)


@pytest.mark.parametrize("answer", [HTTP, b""], ids=["HTTP", "nothing"])
def test_another_server_is_not_a_cluster(ray_cluster: RayNodes, answer: bytes) -> None:
    with server(answer) as address:
        assert "6379" in str(refused(address).hint)


def test_a_server_that_does_not_answer(
    ray_cluster: RayNodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_LONGEST_WAIT", 0.1)
    with socket.create_server(("", 0)) as listening:
        assert "no answer" in str(refused(f"localhost:{listening.getsockname()[1]}"))


@pytest.mark.parametrize(
    "address",
    [
        *("", "head", "head:", ":6379", "head:port", "head:0", "head:70000", "ray://head:1"),
        *("head:6379 ", "a b:6379", "head:\u0661", "head:" + "1" * 5000, "\ud800:6379", "a\0b:1"),
    ],
)
def test_a_malformed_address(address: str) -> None:
    with pytest.raises(OptionError, match=naming("`cluster`", "HOST:PORT")), connected(address):
        pass


@pytest.mark.parametrize("host", ["a..b", "a" * 300], ids=["empty label", "long label"])
def test_a_host_that_cannot_exist(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.getaddrinfo", lambda host, *_: host.encode("idna"))  # as it does
    with (
        pytest.raises(ClusterError, match=naming("host")) as caught,
        connected(f"{host}:6379"),
    ):
        pass
    assert len(caught.value.message) < 250


def test_a_bad_address_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for address, expected in (("head", OptionError), ("a..b:6379", ClusterError)):
        monkeypatch.setenv("RAY_ADDRESS", address)
        with pytest.raises(expected, match=naming("RAY_ADDRESS")) as caught, connected("auto"):
            pass
        assert "unset" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("reason", "advice"), [("Version mismatch: Ray 2.1", "same versions"), ("lost", "ray status")]
)
def test_a_cluster_that_refuses(
    ray_cluster: RayNodes, monkeypatch: pytest.MonkeyPatch, reason: str, advice: str
) -> None:
    def fail(**_: object) -> None:
        raise RuntimeError(reason)

    monkeypatch.setattr("ray.init", fail)
    error = refused(ray_cluster.address)
    assert reason in error.message
    assert advice in str(error.hint)


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingPackageError, match=naming("hyperskip[cluster]")), connected("auto"):
        pass


@pytest.mark.slow
def test_a_cluster_started_here_ends_with_the_program(
    ray_cluster: RayNodes, tmp_path: Path
) -> None:
    script = (
        "from hyperskip.cluster.connection import connected\n"
        "with connected('auto') as cluster:\n"
        "    cluster.check_versions()\n"
        "    assert len(cluster.nodes()) == 1\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | {"RAY_TMPDIR": os.environ["RAY_TMPDIR"] + "/x"},
    )
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
