"""All nodes that train: starting them, waiting for them, and losing them."""

import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from hyperskip.cluster.failures import cluster_failures, failure, root_of, what_happened
from hyperskip.cluster.nodes import Cluster, Node, versions
from hyperskip.devices import CUDA
from hyperskip.errors import ClusterError, HyperskipError, TrainingWarning, warn
from hyperskip.text.encoding.cluster.encoder import TASK_CPUS
from hyperskip.training.cluster.node_training import NodeTask
from hyperskip.training.cluster.worker import LostWorkersError, NodeActor, Worker

_WORK = "training"
_NODE_DIED = "the node has died"
_ASIDE = "aside"  # a thread for questions during training
_LOOK_SECONDS = 2.0  # between two looks for new nodes
_POLL = 0.2  # seconds between two looks at workers that start
_ASK_AGAIN = 1.0  # seconds until workers are asked again which of them ended


@dataclass
class Workers:
    """The workers of a training; a context manager that ends them.

    Args:
        cluster: The cluster.
        device: `cpu` or `cuda`.
        threads: Threads of each worker; 0: all CPUs of its node.
        most: The most nodes to use; None: all.
        longest_start: Seconds until the CPUs or GPUs of all nodes must be free, and seconds that a
            node may then take until it is ready.
        slowest: A worker that takes this multiple of the time of the fastest one is lost.
        shortest_limit: No worker is lost within this number of seconds because it is slow.
    """

    cluster: Cluster
    device: str
    threads: int = 0
    most: int | None = None
    longest_start: float = 120.0
    slowest: float = 4.0
    shortest_limit: float = 30.0
    training: list[Worker] = field(default_factory=list)
    _coming: list[Worker] = field(default_factory=list)  # until they have the parameters
    # Ids of nodes, with numbers of GPUs, that have, or had, a worker.
    _known: set[tuple[str, int]] = field(default_factory=set)
    _looked: float = 0.0
    _task: Any = None  # reference to the task

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.cluster.head_answers():  # all processes of the cluster end without it
            return
        for worker in (*self.training, *self._coming):
            self._kill(worker)

    def start(self, task: NodeTask, parameters: Any) -> dict[str, str]:
        """Start a worker on every node, and wait until all are ready.

        Returns:
            Names of workers that ended during that, with reasons.

        Raises:
            ClusterError: A node is in use, is not ready in time, or cannot train; the error names
                it. Or no node is left.
            CorpusError: A node cannot read the text.
        """
        import ray

        with cluster_failures(self.cluster, _WORK):
            self._task = ray.put(task)
            self._start(self.cluster.nodes(), ray.put(parameters), self.training)
            if not self.training:
                raise ClusterError(
                    f"the Ray cluster {self.cluster.address} has no node left that can train",
                    hint="see `ray status`; start the nodes again, then run the command again",
                )
            waiting = {worker.ready: worker for worker in self.training}
            began = time.monotonic()
            refused, warned = dict[str, str](), set[str]()
            while waiting:
                ready, _ = ray.wait(list(waiting), num_returns=len(waiting), timeout=_POLL)
                for ref in ready:
                    worker = waiting.pop(ref)
                    try:
                        warned.update(ray.get(ref))
                    except ray.exceptions.RayActorError as error:
                        refused[worker.name] = what_happened(error)
                        self.lose(LostWorkersError([worker], refused[worker.name]))
                for worker in self._without_node(waiting.values()):
                    del waiting[worker.ready]
                    refused[worker.name] = _NODE_DIED
                    self.lose(LostWorkersError([worker], _NODE_DIED))
                self._check_in_time(waiting.values(), began)
            for message in sorted(warned):
                warn(message, TrainingWarning)
            return refused

    def _without_node(self, waiting: Collection[Worker]) -> list[Worker]:
        """Workers whose node died before they were started on it; Ray reports no error then."""
        unreserved = _unreserved(waiting)
        living = {node.id for node in self.cluster.nodes()} if unreserved else set()
        return [worker for worker in unreserved if worker.node.id not in living]

    def _check_in_time(self, waiting: Collection[Worker], began: float) -> None:
        now, limit = time.monotonic(), self.longest_start
        busy = sorted(worker.name for worker in waiting if worker.reserved_at is None)
        if busy and now - began > limit:
            what = "GPUs" if self.device == CUDA else "CPUs"
            raise ClusterError(
                f"{what} have been in use for {limit:g} seconds on: {', '.join(busy)}",
                hint="wait until other work on these nodes is done (see `ray status`), or pass a "
                "smaller number of `nodes`",
            )
        slow = sorted(
            worker.name
            for worker in waiting
            if worker.reserved_at is not None and now - worker.reserved_at > limit
        )
        if slow:
            raise ClusterError(
                f"not ready within {limit:g} seconds: {', '.join(slow)}",
                hint="are these nodes overloaded, or is their access to the text slow? Run the "
                "command again: kernels that are compiled by then are loaded from the disk",
            )

    def join(self, *, admits: bool) -> tuple[list[Worker], dict[str, str]]:
        """Let workers on new nodes take part that are ready by now, if it `admits` any.

        Returns:
            Those that joined; and names of those that cannot take part, with reasons.
        """
        import ray

        joined: list[Worker] = []
        refused: dict[str, str] = {}
        with cluster_failures(self.cluster, _WORK):
            now = time.monotonic()
            if now - self._looked >= _LOOK_SECONDS:
                self._looked = now
                self.cluster.check_head()
                if admits:
                    self._start(self.cluster.nodes(), None, self._coming)
                for worker in self._without_node(self._coming):
                    self._kill(worker)
            for worker in list(self._coming):
                if not ray.wait([worker.ready], timeout=0)[0]:
                    continue
                try:
                    ray.get(worker.ready)
                    joined.append(worker)
                except ray.exceptions.RayError as error:
                    self._kill(worker)
                    if _is_of_source(error):
                        self._try_again(worker)
                    else:
                        refused[worker.name] = what_happened(error)
        return self._loaded(joined, refused), refused

    def _loaded(self, joined: list[Worker], refused: dict[str, str]) -> list[Worker]:
        """Give new workers the parameters of the others; returns those that take part from now."""
        if not joined:
            return []
        if len(self.training) == 1:
            self.training[0].do("rebase")  # it has merged nothing
        parameters = self.training[0].do("parameters")
        loaded = {worker.do("load", parameters): worker for worker in joined}
        try:
            self.wait(loaded, lambda: None)
        except LostWorkersError as error:  # some of them, or the one that they load from
            for worker in joined:
                self._kill(worker)
                if worker in error.lost:
                    refused[worker.name] = error.reason
                else:
                    self._try_again(worker)
            return []
        self.training += joined
        self._coming = [worker for worker in self._coming if worker not in joined]
        return joined

    def _try_again(self, worker: Worker) -> None:
        """Let the next look for new nodes start this worker again."""
        self._known.discard((worker.node.id, worker.gpu))

    def wait(self, results: dict[Any, Worker], watch: Callable[[], None]) -> dict[str, Any]:
        """Wait for a result of each worker; returns them by the name of the worker.

        Args:
            results: References, and whose they are.
            watch: Called several times a second.

        Raises:
            LostWorkersError: Workers ended, do not answer, or are far slower than others.
            HyperskipError: A worker failed.
        """
        import ray

        began = asked = time.monotonic()
        limit: float | None = None
        waiting, done = list(results), dict[str, Any]()
        while waiting:
            with cluster_failures(self.cluster, _WORK):
                ready, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=0.1)
            for ref in ready:
                done[results[ref].name] = self._result(ref, results)
            watch()
            now = time.monotonic()
            if done and limit is None:
                limit = max(self.shortest_limit, self.slowest * (now - began))
            if waiting and limit is not None and now - began > limit:
                slow = [results[ref] for ref in waiting]
                raise LostWorkersError(slow, f"no answer within {limit:.0f} seconds")
            if waiting and now - asked > self.shortest_limit:
                if silent := self._silent(results):
                    raise LostWorkersError(silent, "it does not answer")
                asked = time.monotonic()
        return done

    def lose(self, error: LostWorkersError) -> None:
        """Continue without the workers of an error.

        Raises:
            ClusterError: None is left.
        """
        for worker in error.lost:
            self._kill(worker)
        if not self.training:
            names = ", ".join(worker.name for worker in error.lost)
            raise ClusterError(
                f"no node of the cluster is left; the last one was {names} ({error.reason})",
                hint="see `ray status`; after fixing the cluster, resume from the last checkpoint "
                "with `resume=True`",
            )

    def _kill(self, worker: Worker) -> None:
        """End a worker, and free what it has reserved."""
        import ray
        from ray.util import remove_placement_group

        with contextlib.suppress(Exception):
            ray.kill(worker.actor)
        with contextlib.suppress(Exception):
            remove_placement_group(worker.group)
        for workers in (self.training, self._coming):
            if worker in workers:
                workers.remove(worker)

    def _result(self, ref: Any, results: dict[Any, Worker]) -> Any:
        import ray

        try:
            return ray.get(ref)
        except ray.exceptions.RayError as error:
            root = root_of(error)
            if isinstance(root, HyperskipError):
                raise root from error
            # The worker itself may be alive, and one that it needs something from has ended.
            if isinstance(root, ray.exceptions.RayError):
                deadline = time.monotonic() + self.shortest_limit
                while time.monotonic() < deadline:
                    if silent := self._silent(results):
                        raise LostWorkersError(silent, what_happened(error)) from error
                    time.sleep(_ASK_AGAIN)
            name = results[ref].name
            raise failure(error, self.cluster, f"{_WORK} on {name}") from error

    def _silent(self, results: dict[Any, Worker]) -> list[Worker]:
        """The workers that ended, or do not answer any more."""
        import ray

        self.cluster.check_head()
        workers = [*self.training, *(w for w in results.values() if w not in self.training)]
        with cluster_failures(self.cluster, _WORK):
            asked = {
                worker.actor.answer.options(concurrency_group=_ASIDE).remote(): worker
                for worker in workers
            }
            answered, _ = ray.wait(list(asked), num_returns=len(asked), timeout=self.shortest_limit)
            living = {node.id for node in self.cluster.nodes()}
        alive = set()
        for ref in answered:
            with contextlib.suppress(ray.exceptions.RayError):
                ray.get(ref)
                alive.add(asked[ref].name)
        return [w for w in workers if w.name not in alive or w.node.id not in living]

    def _start(self, nodes: Sequence[Node], parameters: Any, started: list[Worker]) -> None:
        """Start a worker on each node, or on each of its GPUs, that has and had none.

        Args:
            nodes: The nodes.
            parameters: Reference to the parameters; None: those of the workers that train.
            started: Where to append the workers.
        """
        used = {worker.node.id for worker in (*self.training, *self._coming)}
        for node in nodes:
            for gpu in range(node.gpus if self.device == CUDA else 1):
                is_allowed = self.most is None or node.id in used or len(used) < self.most
                if (node.id, gpu) in self._known or not is_allowed:
                    continue
                if parameters is None:
                    parameters = self.training[0].do("parameters")
                used.add(node.id)
                self._known.add((node.id, gpu))
                started.append(self._started(node, gpu, parameters))

    def _started(self, node: Node, gpu: int, parameters: Any) -> Worker:
        import ray
        from ray.util import placement_group
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

        needs = self._needs(node)
        group = placement_group([needs], bundle_label_selector=[{"ray.io/node-id": node.id}])
        actor = (
            ray.remote(concurrency_groups={_ASIDE: 1})(NodeActor)
            .options(
                num_cpus=needs["CPU"],
                num_gpus=needs.get("GPU", 0),
                scheduling_strategy=PlacementGroupSchedulingStrategy(group),
                max_restarts=0,
            )
            .remote()
        )
        name = f"{node.name}, GPU {gpu}" if self.device == CUDA and node.gpus > 1 else node.name
        threads = self._threads(node)
        ready = actor.prepare.remote(
            *(name, versions(), threads, node.memory, self._task, parameters)
        )
        return Worker(node, gpu, name, threads, group, actor, ready)

    def _threads(self, node: Node) -> int:
        """Number of threads of a worker on a node."""
        return 1 if self.device == CUDA else min(self.threads or node.cpus, node.cpus)

    def _needs(self, node: Node) -> dict[str, float]:
        """What a worker on a node reserves; tasks of encoding can still run there."""
        workers = node.gpus if self.device == CUDA else 1
        needs = {"CPU": min(self._threads(node), (node.cpus - TASK_CPUS) / workers)}
        return needs | {"GPU": 1.0} if self.device == CUDA else needs


def _unreserved(workers: Collection[Worker]) -> list[Worker]:
    """Workers that still wait for CPUs, or for a GPU, of their node."""
    from ray.util import placement_group_table

    for worker in workers:
        if worker.reserved_at is None:
            state = placement_group_table(worker.group).get("state")
            worker.reserved_at = time.monotonic() if state == "CREATED" else None
    return [worker for worker in workers if worker.reserved_at is None]


def _is_of_source(error: Exception) -> bool:
    """Whether a task failed only because it lost its arguments, together with another worker."""
    import ray

    root = root_of(error)
    lost = (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError)
    return root is not error and isinstance(root, lost)
