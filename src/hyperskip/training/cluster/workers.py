"""The nodes that train, as actors of Ray: starting them, waiting for them, and losing them."""

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from hyperskip.cluster.failures import cluster_failures, failure
from hyperskip.cluster.nodes import Cluster, Node
from hyperskip.devices import CUDA
from hyperskip.errors import ClusterError, HyperskipError
from hyperskip.training.cluster.node_training import NodeTask, NodeTraining

_WORK = "training"
_START_SECONDS = 120.0  # until all nodes must be ready
_ASIDE = "aside"  # a thread for questions during training
_LOOK_SECONDS = 2.0  # between two looks for new nodes
# A node that takes longer than this for its share is dropped: a multiple of the time of the fastest
# node, but at least this number of seconds.
SLOWEST, SHORTEST_LIMIT = 4.0, 30.0


class NodeActor:
    """The process of a worker."""

    def prepare(self, *arguments: Any) -> None:
        """Prepare the training; arguments as for `NodeTraining`."""
        self._training = NodeTraining(*arguments)

    def do(self, method: str, *arguments: Any, **keywords: Any) -> Any:
        """Call a method of `NodeTraining`."""
        return getattr(self._training, method)(*arguments, **keywords)

    def answer(self) -> None:
        """Show that the process is alive, also while it trains."""


@dataclass
class Worker:
    """A node, or one of its GPUs, that trains."""

    node: Node
    name: str
    threads: int
    actor: Any
    ready: Any  # reference to the result of its preparation
    words_per_second: float = 0.0  # of the last rounds

    def do(self, method: str, *arguments: Any, **keywords: Any) -> Any:
        """Call a method of `NodeTraining`; returns a reference to its result."""
        return self.actor.do.remote(method, *arguments, **keywords)


class LostWorkersError(Exception):
    """Workers that ended, or that are too slow."""

    def __init__(self, lost: Sequence[Worker], reason: str) -> None:
        super().__init__(reason)
        self.lost = tuple(lost)
        self.reason = reason


@dataclass
class Workers:
    """The workers of a training; a context manager that ends them.

    Args:
        cluster: The cluster.
        device: `cpu` or `cuda`.
        threads: Threads of each worker; 0: all CPUs of its node.
        most: The most nodes to use; None: all.
        longest_start: Seconds until all nodes must be ready.
    """

    cluster: Cluster
    device: str
    threads: int = 0
    most: int | None = None
    longest_start: float = _START_SECONDS
    training: list[Worker] = field(default_factory=list)
    _coming: list[Worker] = field(default_factory=list)
    _groups: list[Any] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)  # ids of nodes that have, or had, a worker
    _looked: float = 0.0
    _start: tuple[Any, Any] | None = None  # references to the task and the parameters

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        import ray
        from ray.util import remove_placement_group

        for worker in (*self.training, *self._coming):
            with contextlib.suppress(Exception):
                ray.kill(worker.actor)
        for group in self._groups:
            with contextlib.suppress(Exception):
                remove_placement_group(group)

    def start(self, task: NodeTask, parameters: Any) -> None:
        """Start a worker on every node, and wait until all are ready.

        Raises:
            ClusterError: A node is not ready in time, or cannot train; the error names it.
            CorpusError: A node cannot read the text.
        """
        import ray

        with cluster_failures(self.cluster, _WORK):
            self._start = ray.put(task), ray.put(parameters)
            nodes = self._usable(self.cluster.nodes())
            if not nodes:
                raise ClusterError(
                    f"no node of the Ray cluster {self.cluster.address} has "
                    f"{'a GPU' if self.device == CUDA else 'CPUs'}",
                    hint="see `ray status`"
                    + ("; or pass `device='cpu'`" if self.device == CUDA else ""),
                )
            self.training = self._started(nodes)
            refs = {worker.ready: worker for worker in self.training}
            ready, waiting = ray.wait(list(refs), num_returns=len(refs), timeout=self.longest_start)
            for ref in ready:
                self._result(ref, refs[ref])
            if waiting:
                names = ", ".join(sorted(refs[ref].name for ref in waiting))
                raise ClusterError(
                    f"not ready within {self.longest_start:g} seconds: {names}",
                    hint="are the CPUs or GPUs of these nodes in use? See `ray status`, or pass a "
                    "smaller number of `nodes`",
                )

    def join(self) -> list[Worker]:
        """Let workers on new nodes take part that are ready by now; returns them."""
        import ray

        with cluster_failures(self.cluster, _WORK):
            now = time.monotonic()
            if now - self._looked >= _LOOK_SECONDS:
                self._looked = now
                new = [node for node in self.cluster.nodes() if node.id not in self._known]
                if new := self._usable(new):
                    self._coming += self._started(new)
            joined = []
            for worker in list(self._coming):
                if not ray.wait([worker.ready], timeout=0)[0]:
                    continue
                self._coming.remove(worker)
                with contextlib.suppress(ray.exceptions.RayActorError):  # it ended again
                    ray.get(worker.ready)
                    ray.get(worker.do("load", self.training[0].do("parameters")))
                    self.training.append(worker)
                    joined.append(worker)
            return joined

    def wait(
        self,
        results: dict[Any, Worker],
        watch: Callable[[], None],
        *,
        limited: bool = True,
    ) -> dict[str, Any]:
        """Wait for a result of each worker; returns them by the name of the worker.

        Args:
            results: References, and whose they are.
            watch: Called several times a second.
            limited: Whether a worker that is far slower than others is lost.

        Raises:
            LostWorkersError: Workers ended, or are too slow.
            HyperskipError: A worker failed.
        """
        import ray

        began = time.monotonic()
        limit: float | None = None
        waiting, done = list(results), {}
        while waiting:
            ready, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=0.1)
            for ref in ready:
                done[results[ref].name] = self._result(ref, results[ref])
            watch()
            spent = time.monotonic() - began
            if done and limit is None:
                limit = max(SHORTEST_LIMIT, SLOWEST * spent)
            if limited and limit is not None and spent > limit and waiting:
                slow = [results[ref] for ref in waiting]
                raise LostWorkersError(slow, f"no answer within {limit:.0f} seconds")
        return done

    def lose(self, lost: Sequence[Worker]) -> None:
        """Go on without these workers.

        Raises:
            ClusterError: None is left.
        """
        import ray

        for worker in lost:
            with contextlib.suppress(Exception):
                ray.kill(worker.actor)
            if worker in self.training:
                self.training.remove(worker)
        if not self.training:
            names = ", ".join(worker.name for worker in lost)
            raise ClusterError(
                f"no node of the cluster is left; the last one was {names}",
                hint="see `ray status`; after fixing the cluster, resume from the last checkpoint "
                "with `resume=True`",
            )

    def _result(self, ref: Any, worker: Worker) -> Any:
        import ray

        try:
            return ray.get(ref)
        except ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, HyperskipError):
                raise cause from error
            lost = self._ended()
            if lost:
                raise LostWorkersError(lost, "it ended") from error
            raise failure(error, self.cluster, f"{_WORK} on {worker.name}") from error

    def _ended(self) -> list[Worker]:
        """The workers that do not answer any more."""
        import ray

        asked = {
            worker.actor.answer.options(concurrency_group=_ASIDE).remote(): worker
            for worker in self.training
        }
        answered, _ = ray.wait(list(asked), num_returns=len(asked), timeout=SHORTEST_LIMIT)
        alive = set()
        for ref in answered:
            with contextlib.suppress(ray.exceptions.RayError):
                ray.get(ref)
                alive.add(asked[ref].name)
        return [worker for worker in self.training if worker.name not in alive]

    def _usable(self, nodes: Sequence[Node]) -> list[Node]:
        usable = [node for node in nodes if self.device != CUDA or node.gpus]
        if self.most is None:
            return usable
        return usable[: max(self.most - len({worker.node.id for worker in self.training}), 0)]

    def _started(self, nodes: Sequence[Node]) -> list[Worker]:
        """Reserve the nodes together, and start a worker on each, or on each of their GPUs."""
        import ray
        from ray.util import placement_group
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

        assert self._start is not None  # set by `start`
        places = [
            (node, f"{node.name}, GPU {gpu}" if node.gpus > 1 else node.name, needs)
            for node in nodes
            for gpu, needs in enumerate(self._needs(node))
        ]
        group = placement_group(
            [needs for _, _, needs in places],
            strategy="PACK",
            bundle_label_selector=[{"ray.io/node-id": node.id} for node, _, _ in places],
        )
        self._groups.append(group)
        workers = []
        for index, (node, name, needs) in enumerate(places):
            strategy = PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=index)
            actor = (
                ray.remote(concurrency_groups={_ASIDE: 1})(NodeActor)
                .options(
                    num_cpus=needs["CPU"],
                    num_gpus=needs.get("GPU", 0),
                    scheduling_strategy=strategy,
                    max_restarts=0,
                )
                .remote()
            )
            threads = int(needs["CPU"])
            ready = actor.prepare.remote(name, threads, node.memory, *self._start)
            workers.append(Worker(node, name, threads, actor, ready))
            self._known.add(node.id)
        return workers

    def _needs(self, node: Node) -> list[dict[str, float]]:
        """What each worker on a node needs."""
        if self.device == CUDA:
            return [{"CPU": 1.0, "GPU": 1.0}] * node.gpus
        return [{"CPU": float(min(self.threads or node.cpus, node.cpus))}]
