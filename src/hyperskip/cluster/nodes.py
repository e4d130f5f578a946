"""The nodes of a Ray cluster, and whether they run the same software as this process."""

import platform
import re
import socket
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from hyperskip.errors import ClusterError
from hyperskip.version import VERSION

_LONGEST_WAIT = 60.0  # seconds until every node must have started a process
_LONGEST_ANSWER = 10.0  # seconds for an answer of the head node
_POLL = 0.1  # seconds
_ROUNDING = 1e-5  # Ray counts CPUs in steps of 1e-4
_HEAD = "node:__internal_head__"  # a resource that only the head node has


@dataclass(frozen=True)
class Node:
    """A machine of the cluster, or a part of one; sizes are in bytes."""

    id: str
    name: str  # its host, followed by a part of its id if another node has the same host
    cpus: int
    gpus: int
    memory: int
    object_store_memory: int
    address: str = ""


class Cluster:
    """The Ray cluster that this process is connected to.

    Args:
        address: HOST:PORT of its head node.
        is_started_here: Whether this process has started it, on this machine.
    """

    def __init__(self, address: str, *, is_started_here: bool = False) -> None:
        self.address = address
        self.is_started_here = is_started_here

    def nodes(self) -> list[Node]:
        """List the living nodes that have CPUs: the head node first, the others by id."""
        found = self._all_nodes()
        return [node for node, is_alive in found if is_alive and node.cpus]

    def place_in(self, text: str) -> str | None:
        """Say which node a message of Ray is about, by its id or address; it may have died."""
        nodes = [node for node, _ in self._all_nodes()]
        for node in nodes:
            if node.id in text:
                return f"node {node.name}"
        there = [node for node in nodes if _mentions(text, node.address)]
        if len(there) > 1:
            return f"a node at {there[0].address}"
        return f"node {there[0].name}" if there else None

    def head_answers(self) -> bool:
        """Whether the head node answers; if it does not, calls of Ray wait for a minute."""
        host, _, port = self.address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), timeout=_LONGEST_ANSWER).close()
        except (OSError, ValueError):  # ValueError: it is not an address any more
            return False
        return True

    def check_head(self) -> None:
        """Check that the head node answers.

        Raises:
            ClusterError: It does not.
        """
        if not self.head_answers():
            raise ClusterError(
                f"the head node of the Ray cluster {self.address} does not answer",
                hint="start the cluster again, then run the command again; if there are "
                "checkpoints, resume with `resume=True`",
            )

    def place_here(self) -> str | None:
        """Say which node this process is on, if it is connected."""
        import ray

        if not ray.is_initialized():  # the next call would start Ray
            return None
        return self.place_in(ray.get_runtime_context().get_node_id())

    def check_versions(self, longest_wait: float = _LONGEST_WAIT) -> list[Node]:
        """Check that every node can load hyperskip, with the same versions as this process.

        Args:
            longest_wait: Seconds until every node must have answered.

        Returns:
            The nodes, without those that have died in the meantime.

        Raises:
            ClusterError: A node differs, or does not answer; the error names it.
        """
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        nodes = self.nodes()
        if not nodes:
            raise ClusterError(
                f"the Ray cluster {self.address} has no node with CPUs",
                hint="start nodes with: ray start --address ...",
            )
        ask = ray.remote(num_cpus=0, max_retries=0)(versions)
        answers = {
            ask.options(
                scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False)
            ).remote(): node
            for node in nodes
        }
        here = versions()
        living: list[Node] = []
        ready, waiting = ray.wait(list(answers), num_returns=len(answers), timeout=longest_wait)
        for answer in ready:
            node = answers[answer]
            try:
                there = ray.get(answer)
            except (ray.exceptions.TaskUnschedulableError, ray.exceptions.NodeDiedError):
                continue  # Ray notices after some seconds that a node has died
            except Exception as error:  # Ray raises what the import raised, in several classes
                raise ClusterError(
                    f"hyperskip cannot be loaded on node {node.name}: {last_line(error)}",
                    hint=f"install the same version there: pip install "
                    f"'hyperskip[cluster]=={VERSION}'",
                ) from error
            check_same(node.name, there, here)
            living.append(node)
        if waiting:
            for answer in waiting:
                ray.cancel(answer)
            names = ", ".join(sorted(answers[answer].name for answer in waiting))
            raise ClusterError(
                f"no answer from {names} within {longest_wait:g} seconds",
                hint="see `ray status`; is the node overloaded, or out of memory?",
            )
        return sorted(living, key=nodes.index)

    def wait_for_cpu(self, cpus: float, longest_wait: float = _LONGEST_WAIT) -> None:
        """Wait until a task can start on any node.

        Args:
            cpus: CPUs that the task needs.
            longest_wait: Seconds to wait.

        Raises:
            ClusterError: No node has as many free CPUs.
        """
        deadline = time.monotonic() + longest_wait
        while _most_free_cpus() < cpus - _ROUNDING:
            if time.monotonic() >= deadline:
                names = ", ".join(node.name for node in self.nodes())
                raise ClusterError(
                    f"the CPUs of {names} have been in use for {longest_wait:g} seconds",
                    hint="wait until other work on the cluster is done (see `ray status`), or add "
                    "nodes to it",
                )
            time.sleep(_POLL)

    def _all_nodes(self) -> list[tuple[Node, bool]]:
        """All nodes, and whether each is alive: the head node first, the others by id."""
        import ray

        found = sorted(
            ray.nodes(), key=lambda node: (_HEAD not in node["Resources"], node["NodeID"])
        )
        hosts = Counter(map(_host, found))
        return [(_node(node, hosts), node["Alive"]) for node in found]


def _most_free_cpus() -> float:
    """The largest number of free CPUs of a node."""
    from ray._private.state import available_resources_per_node

    return max(
        (free.get("CPU", 0.0) for free in available_resources_per_node().values()), default=0.0
    )


def _host(node: dict[str, Any]) -> str:
    return str(node["NodeManagerHostname"] or node["NodeManagerAddress"])


def _node(node: dict[str, Any], hosts: Counter[str]) -> Node:
    node_id, host, resources = node["NodeID"], _host(node), node["Resources"]
    return Node(
        node_id,
        host if hosts[host] == 1 else f"{host} ({node_id[:8]})",
        int(resources.get("CPU", 0)),
        int(resources.get("GPU", 0)),
        int(resources.get("memory", 0)),
        int(resources.get("object_store_memory", 0)),
        node["NodeManagerAddress"],
    )


def _mentions(text: str, address: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(address)}(?![\w.])", text) is not None


def versions() -> dict[str, str]:
    """The versions of everything that must be the same on all nodes."""
    return {
        "hyperskip": VERSION,
        "Python": platform.python_version(),
        "Ray": version("ray"),
        "NumPy": version("numpy"),
        "Numba": version("numba"),
    }


def check_same(node: str, there: dict[str, str], here: dict[str, str]) -> None:
    """Check that a node has the versions of this process.

    Raises:
        ClusterError: One differs.
    """
    for name, ours in here.items():
        if there.get(name) != ours:
            raise ClusterError(
                f"node {node} has {name} {there.get(name)}, but this process has {name} {ours}",
                hint="install the same versions on all nodes",
            )


def last_line(error: BaseException) -> str:
    """The last line of an error of Ray, which names the cause."""
    lines: Sequence[str] = str(error).strip().splitlines()
    return lines[-1] if lines else type(error).__name__
