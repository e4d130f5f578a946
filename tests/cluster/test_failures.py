"""Ray's errors become ours: they name the node, what happened and what to do."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from facts import naming

from hyperskip.cluster.failures import cluster_failures
from hyperskip.cluster.nodes import Cluster, Node
from hyperskip.errors import ClusterError, CorpusError

ray = pytest.importorskip("ray")
NODE = Node("0123abcd", "alpha", 1, 0, 0, 0, "10.0.0.1")


class OneNode(Cluster):
    """A cluster of one node, or one whose head node is lost."""

    def __init__(self, *, lost: bool = False) -> None:
        super().__init__("alpha:6379")
        self._lost = lost

    def _all_nodes(self) -> list[tuple[Node, bool]]:
        if self._lost:
            raise ConnectionError("no head node")
        return [(NODE, True)]


def raised(error: Exception, **options: bool) -> Exception:
    with pytest.raises(Exception) as caught, cluster_failures(OneNode(**options), "encoding"):  # noqa: PT011
        raise error
    return caught.value


def from_task(cause: Exception) -> Exception:
    error: Exception = ray.exceptions.RayTaskError(
        "f", f"ray::f() (pid=1, ip={NODE.address})", cause
    ).as_instanceof_cause()
    return error


@pytest.mark.parametrize(
    ("make", "facts"),
    [
        (lambda: ray.exceptions.ObjectStoreFullError("x"), ["--object-store-memory"]),
        (lambda: ray.exceptions.OutOfDiskError("x"), ["disk", "full"]),
        (lambda: ray.exceptions.OutOfMemoryError(f"on {NODE.id}"), ["alpha", "memory"]),
        (lambda: from_task(MemoryError("x")), ["memory"]),
        (lambda: from_task(ray.exceptions.OutOfDiskError("x")), ["alpha", "disk"]),
        (lambda: ray.exceptions.NodeDiedError(f"node {NODE.id} died"), ["alpha", "died"]),
        (lambda: ray.exceptions.WorkerCrashedError(), ["killed"]),
        (lambda: ray.exceptions.RayActorError(), ["died"]),
        (lambda: ray.exceptions.ObjectLostError("00", None, ""), ["lost"]),
        (lambda: ray.exceptions.GetTimeoutError("x"), ["answer"]),
        (lambda: ray.exceptions.RaySystemError("x"), ["head"]),
        (lambda: ConnectionError("x"), ["head"]),
        (lambda: from_task(ValueError("strange")), ["strange"]),
    ],
    ids=lambda value: "" if callable(value) else "-".join(value),
)
def test_failures_are_described(make: Callable[[], Any], facts: list[str]) -> None:
    error = raised(make())
    assert isinstance(error, ClusterError)
    assert re.search(naming("encoding", *facts), str(error)), str(error)
    assert error.hint


def test_our_errors_are_raised_as_they_are() -> None:
    error = raised(from_task(CorpusError("not text", hint="convert it")))
    assert type(error) is CorpusError
    assert (error.message, error.hint) == ("not text", "convert it")


def test_a_lost_head_node_does_not_hide_the_failure() -> None:
    assert isinstance(raised(ConnectionError("x"), lost=True), ClusterError)
