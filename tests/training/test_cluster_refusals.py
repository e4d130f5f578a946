"""Clusters that cannot train: an error that names the node, and says what to do."""

import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from facts import naming
from program import Program
from ray_nodes import RayNodes, ray_nodes, ray_settings

from hyperskip import builtin, encode, train
from hyperskip.errors import ClusterError, CorpusError
from hyperskip.training.cluster import training_cluster
from hyperskip.training.cluster.workers import Workers
from hyperskip.training.run.training_events import OnCluster, Progress

SMALL: dict[str, Any] = {"dimension": 8, "epochs": 2, "min_count": 2}


@pytest.fixture(scope="module")
def own_nodes() -> Iterator[Callable[..., Any]]:
    """Starts clusters that a test may damage."""
    with ray_settings():
        yield ray_nodes


def test_without_ray(
    corpus: Path, tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    result = program("train", corpus, "-o", tmp_path / "model", "--cluster", "auto")
    result.check_refused("--cluster", "hyperskip[cluster]")


@pytest.mark.parametrize("address", ["localhost:1", "nonsense", "ray://localhost:1"])
def test_a_wrong_address(
    ray_cluster: RayNodes, corpus: Path, tmp_path: Path, program: Program, address: str
) -> None:
    result = program("train", corpus, "-o", tmp_path / "model", "--cluster", address)
    result.check_refused("--cluster", address)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_node_with_other_software(
    own_nodes: Callable[..., Any], corpus: Path, tmp_path: Path, program: Program
) -> None:
    (tmp_path / "hyperskip.py").write_text("raise ImportError('not installed here')")
    with own_nodes(1) as nodes:
        node = nodes.add(env_vars={"PYTHONPATH": str(tmp_path)})
        result = program("train", corpus, "-o", tmp_path / "model", "--cluster", nodes.address)
    result.check_refused(node.node_id[:8], "not installed here")


@pytest.mark.slow
def test_a_node_with_too_little_memory(
    own_nodes: Callable[..., Any], corpus: Path, tmp_path: Path, program: Program
) -> None:
    with own_nodes(1) as nodes:
        node = nodes.add(memory=100_000)
        result = program("train", corpus, "-o", tmp_path / "model", "--cluster", nodes.address)
    result.check_refused(node.node_id[:8], "memory", "GB", "--dimension")


@pytest.mark.slow
def test_a_node_that_is_in_use(
    own_nodes: Callable[..., Any], corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only this node is named."""
    import ray

    monkeypatch.setattr(training_cluster, "Workers", partial(Workers, longest_start=5.0))
    with own_nodes(2) as nodes:
        ray.init(nodes.address, logging_level="ERROR", log_to_driver=False)
        try:
            free, busy = (node.node_id for node in nodes.nodes)
            group = ray.util.placement_group(
                [{"CPU": 1}], bundle_label_selector=[{"ray.io/node-id": busy}]
            )
            assert group.wait(20)
            with pytest.raises(ClusterError, match=naming("CPUs", "in use", busy[:8])) as caught:
                train(corpus, **SMALL, cluster="auto")
            assert free[:8] not in str(caught.value)
        finally:
            ray.shutdown()


@pytest.mark.slow
def test_an_encoded_corpus_that_nodes_cannot_read(
    ray_cluster: RayNodes, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "encoded"
    encoded = encode(corpus, folder, min_count=2)

    def remove(event: Progress) -> None:
        if isinstance(event, OnCluster):
            shutil.rmtree(folder)

    names = "|".join(node.node_id[:8] for node in ray_cluster.nodes)
    with pytest.raises(CorpusError, match=rf"node .*({names}).*{folder}") as caught:
        train(encoded, dimension=8, cluster=ray_cluster.address, report=remove)
    assert "share" in str(caught.value.hint)


@pytest.mark.slow
def test_a_full_object_store(own_nodes: Callable[..., Any]) -> None:
    """The parameters of many words do not fit, and may not be moved to disk."""
    system = {"automatic_object_spilling_enabled": False, "local_fs_capacity_threshold": 0.001}
    with own_nodes(1, system=system) as nodes:
        host = socket.gethostname()
        with pytest.raises(ClusterError, match=naming(f"node {host}", "object store", "full")):
            train(
                builtin.sentences(200_000),
                **SMALL | {"dimension": 4096, "tied": False},
                cluster=nodes.address,
            )


@pytest.mark.slow
def test_gpus_that_the_cluster_does_not_have(
    ray_cluster: RayNodes, corpus: Path, tmp_path: Path, program: Program
) -> None:
    result = program(
        *("train", corpus, "-o", tmp_path / "model"),
        *("--cluster", ray_cluster.address, "--device", "cuda"),
    )
    result.check_refused("GPU", "--device cpu")
