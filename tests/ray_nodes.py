"""Ray clusters for tests: several small nodes on this machine."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

STORE_BYTES = 80 << 20  # the smallest object store that Ray allows is 75 MB
# Ray's own settings take 15 seconds.
NOTICE_DEATHS = {"health_check_period_ms": 1000, "health_check_failure_threshold": 3}


@contextmanager
def ray_settings() -> Iterator[None]:
    """Keep Ray's files of this process and its children in a temporary folder, and Ray quiet.

    The folder has a short name: paths of sockets may not be longer than 107 bytes.
    """
    folder = tempfile.mkdtemp(prefix="ray-")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", folder)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "1")
        patch.delenv("RAY_ADDRESS", raising=False)
        try:
            yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)


class RayNodes:
    """A cluster of small nodes; this process is not connected to it.

    Args:
        count: Number of nodes.
        cpus: CPUs of each node.
        head_cpus: CPUs of the head node, which is the first; None: as the others.
        system: Settings of Ray.
    """

    def __init__(
        self,
        count: int,
        cpus: int = 1,
        head_cpus: int | None = None,
        system: Mapping[str, Any] | None = None,
    ) -> None:
        from ray.cluster_utils import Cluster

        self._cluster = Cluster(shutdown_at_exit=False)
        of_head = cpus if head_cpus is None else head_cpus
        self.nodes = [self.add(cpus=of_head, system=system)]
        self.nodes += [self.add(cpus=cpus) for _ in range(1, count)]
        self.address: str = self._cluster.address

    def add(
        self,
        *,
        cpus: int = 1,
        gpus: int = 0,
        env_vars: Mapping[str, str] | None = None,
        memory: int | None = None,
        system: Mapping[str, Any] | None = None,
    ) -> Any:
        """Start a node and return it.

        Args:
            cpus: Number of CPUs.
            gpus: Number of GPUs, which need not exist.
            env_vars: Changes to its environment.
            memory: Bytes of memory, if limited.
            system: Settings of the whole cluster, for its first node.
        """
        settings: dict[str, Any] = {} if memory is None else {"memory": memory}
        if self._cluster.head_node is None:
            settings |= {
                "include_dashboard": False,
                "_system_config": {**NOTICE_DEATHS, **(system or {})},
            }
        return self._cluster.add_node(
            num_cpus=cpus,
            num_gpus=gpus,
            object_store_memory=STORE_BYTES,
            env_vars=None if env_vars is None else {**os.environ, **env_vars},
            **settings,
        )

    def kill(self, node: Any) -> None:
        """End a node abruptly; the others notice after some seconds."""
        self._cluster.remove_node(node, allow_graceful=False)

    def wait_for_death(self, node: Any) -> None:
        """Wait until the cluster has noticed that a node has died."""
        table = self._cluster.global_state.node_table
        while any(each["Alive"] and each["NodeID"] == node.node_id for each in table()):
            time.sleep(0.1)

    def shut_down(self) -> None:
        """End all nodes."""
        self._cluster.shutdown()


@contextmanager
def ray_nodes(count: int, **settings: Any) -> Iterator[RayNodes]:
    """Start a cluster of its own, for tests that change it; requires `ray_settings`."""
    nodes = RayNodes(count, **settings)
    try:
        yield nodes
    finally:
        nodes.shut_down()
