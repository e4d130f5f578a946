"""Failures of a Ray cluster as our errors: which node, what happened, and what to do."""

import contextlib
from collections.abc import Iterator

from hyperskip.cluster.nodes import Cluster, last_line
from hyperskip.errors import ClusterError, HyperskipError


@contextlib.contextmanager
def cluster_failures(cluster: Cluster, work: str) -> Iterator[None]:
    """Raise Ray's errors in the block as ours; an error of hyperskip on a node is raised as it is.

    Args:
        cluster: The cluster.
        work: What the block does, for errors, such as "encoding".

    Raises:
        ClusterError: A task, a node or the connection to the cluster failed.
    """
    import ray

    try:
        yield
    except (ray.exceptions.RayError, ConnectionError) as error:
        root = root_of(error)
        if isinstance(root, HyperskipError):
            raise root from error
        raise failure(error, cluster, work) from error


def failure(error: Exception, cluster: Cluster, work: str) -> ClusterError:
    """Describe an error of Ray.

    Args:
        error: What Ray raised.
        cluster: The cluster.
        work: What failed, such as "encoding".
    """
    happened, hint = _description(root_of(error))
    try:
        place = cluster.place_in(str(error)) or _place_here(error, cluster)
    except Exception:  # the head node is lost
        place = None
    return ClusterError(
        f"{work} failed{'' if place is None else f' on {place}'}: {happened}", hint=hint
    )


def _place_here(error: Exception, cluster: Cluster) -> str | None:
    """Say which node this process is on, if its object store is full."""
    import ray

    known = ray.exceptions
    full = isinstance(error, (known.ObjectStoreFullError, known.OutOfDiskError))
    return cluster.place_here() if full and not isinstance(error, known.RayTaskError) else None


def what_happened(error: Exception) -> str:
    """What an error of Ray means, in a few words."""
    root = root_of(error)
    return root.message if isinstance(root, HyperskipError) else _description(root)[0]


def root_of(error: Exception) -> Exception:
    """The error that a task failed with; an error that is not of a task is returned as it is."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, Exception) else error


def _description(error: Exception) -> tuple[str, str]:
    """What an error means, and what to do about it."""
    import ray

    known = ray.exceptions
    again = "check the node with `ray status` and its log, then run the command again"
    by_class: list[tuple[tuple[type[BaseException], ...], str, str]] = [
        (
            (known.ObjectStoreFullError,),
            "the object store of Ray is full",
            "start the nodes with more shared memory (ray start --object-store-memory BYTES), or "
            "free disk space in the temporary folder of Ray, to which it moves objects",
        ),
        (
            (known.OutOfDiskError,),
            "the disk is full, so the object store of Ray cannot move objects to it",
            "free disk space in the temporary folder of Ray (ray start --temp-dir), on this node",
        ),
        (
            (known.OutOfMemoryError, MemoryError),
            "the node is out of memory, and Ray ended a process",
            "use nodes with more memory, fewer processes on each, a larger `min_count` or a "
            "smaller `vocabulary_limit`",
        ),
        ((known.NodeDiedError,), "the node has died", again),
        (
            (known.WorkerCrashedError, known.LocalRayletDiedError),
            "a process of Ray was killed",
            again,
        ),
        ((known.ActorUnschedulableError, known.TaskUnschedulableError), "no room for it", again),
        ((known.RayActorError,), "a process of Ray, or its node, has died", again),
        (
            (known.ObjectLostError, known.ObjectFetchTimedOutError),
            "data was lost together with a node",
            again,
        ),
        ((known.GetTimeoutError,), "the cluster does not answer", again),
        (
            (known.RaySystemError, known.RpcError, ConnectionError),
            "the connection to the head node was lost",
            "check that the head node is running, then run the command again",
        ),
    ]
    for classes, happened, hint in by_class:
        if isinstance(error, classes):
            return happened, hint
    return last_line(error), again
