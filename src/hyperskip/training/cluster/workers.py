"""The nodes that train, as actors of Ray: starting them, waiting for them, and losing them."""

import contextlib
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from hyperskip.cluster.failures import cluster_failures, failure, what_happened
from hyperskip.cluster.nodes import Cluster, Node, check_same, versions
from hyperskip.devices import CUDA
from hyperskip.errors import ClusterError, HyperskipError, TrainingWarning, warn
from hyperskip.text.encoding.cluster.encoder import TASK_CPUS
from hyperskip.training.cluster.node_training import NodeTask, NodeTraining

_WORK = "training"
_ASIDE = "aside"  # a thread for questions during training
_LOOK_SECONDS = 2.0  # between two looks for new nodes
_ASK_AGAIN = 1.0  # seconds until workers are asked again which of them ended


class NodeActor:
    """The process of a worker."""

    def prepare(self, name: str, of_driver: dict[str, str], *arguments: Any) -> list[str]:
        """Prepare the training; returns warnings.

        Args:
            name: The name of the node.
            of_driver: The versions that the driver has.
            arguments: As for `NodeTraining`, after the name.

        Raises:
            ClusterError: This node has other versions, or not enough memory.
            CorpusError: It cannot read the text.
        """
        check_same(name, versions(), of_driver)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", TrainingWarning)
            self._training = NodeTraining(name, *arguments)
        return [str(w.message) for w in caught if issubclass(w.category, TrainingWarning)]

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
    """Workers that ended, that are too slow, or that cannot take part."""

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
        slowest: A worker is lost that takes this multiple of the time of the fastest one,
        shortest_limit: but not within this number of seconds.
    """

    cluster: Cluster
    device: str
    threads: int = 0
    most: int | None = None
    longest_start: float = 120.0
    slowest: float = 4.0
    shortest_limit: float = 30.0
    training: list[Worker] = field(default_factory=list)
    _coming: list[Worker] = field(default_factory=list)
    _groups: list[Any] = field(default_factory=list)
    _known: set[str] = field(default_factory=set)  # ids of nodes that have, or had, a worker
    _looked: float = 0.0
    _task: Any = None  # reference to the task

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

        if not self.cluster.head_answers():  # all processes of the cluster end without it
            return
        for worker in (*self.training, *self._coming):
            with contextlib.suppress(Exception):
                ray.kill(worker.actor)
        for group in self._groups:
            with contextlib.suppress(Exception):
                remove_placement_group(group)

    def start(self, task: NodeTask, parameters: Any) -> list[LostWorkersError]:
        """Start a worker on every node, and wait until all are ready.

        Returns:
            The workers that ended during that, with reasons.

        Raises:
            ClusterError: A node is not ready in time, or cannot train; the error names it.
            CorpusError: A node cannot read the text.
        """
        import ray

        with cluster_failures(self.cluster, _WORK):
            self._task = ray.put(task)
            nodes = self._usable(self.cluster.nodes())
            self.training = self._started(nodes, ray.put(parameters))
            refs = {worker.ready: worker for worker in self.training}
            ready, waiting = ray.wait(list(refs), num_returns=len(refs), timeout=self.longest_start)
            if waiting:
                names = ", ".join(sorted(refs[ref].name for ref in waiting))
                raise ClusterError(
                    f"not ready within {self.longest_start:g} seconds: {names}",
                    hint="are the CPUs or GPUs of these nodes in use? See `ray status`, or pass a "
                    "smaller number of `nodes`",
                )
            lost, warned = [], set[str]()
            for ref in ready:
                try:
                    warned.update(ray.get(ref))
                except ray.exceptions.RayActorError as error:
                    lost.append(LostWorkersError([refs[ref]], what_happened(error)))
                    self.lose(lost[-1])
            for message in sorted(warned):
                warn(message, TrainingWarning)
            return lost

    def join(self, *, admits: bool) -> tuple[list[Worker], list[LostWorkersError]]:
        """Let workers on new nodes take part that are ready by now, if it `admits` any.

        Returns:
            Those that joined; and those that cannot take part, with reasons.
        """
        import ray

        joined: list[Worker] = []
        lost: list[LostWorkersError] = []
        with cluster_failures(self.cluster, _WORK):
            now = time.monotonic()
            if now - self._looked >= _LOOK_SECONDS:
                self._looked = now
                self.cluster.check_head()
                new = [node for node in self.cluster.nodes() if node.id not in self._known]
                if admits and (new := self._usable(new)):
                    self._coming += self._started(new, self.training[0].do("parameters"))
            for worker in list(self._coming):
                if not ray.wait([worker.ready], timeout=0)[0]:
                    continue
                self._coming.remove(worker)
                try:
                    ray.get(worker.ready)
                    joined.append(worker)
                except ray.exceptions.RayError as error:
                    self._kill(worker)
                    lost.append(LostWorkersError([worker], what_happened(error)))
        return self._loaded(joined), lost

    def _loaded(self, joined: list[Worker]) -> list[Worker]:
        """Give new workers the parameters of the others; returns those that take part from now."""
        if not joined:
            return []
        if len(self.training) == 1:
            self.training[0].do("rebase")  # it has merged nothing
        parameters = self.training[0].do("parameters")
        loaded = {worker.do("load", parameters): worker for worker in joined}
        try:
            self.wait(loaded, lambda: None)
        except LostWorkersError as error:  # one of them, or the one that they load from
            for worker in joined:
                self._kill(worker)
                if worker not in error.lost:
                    self._known.discard(worker.node.id)  # it is started again
            return []
        self.training += joined
        return joined

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
            if worker in self.training:
                self.training.remove(worker)
        if not self.training:
            names = ", ".join(worker.name for worker in error.lost)
            raise ClusterError(
                f"no node of the cluster is left; the last one was {names} ({error.reason})",
                hint="see `ray status`; after fixing the cluster, resume from the last checkpoint "
                "with `resume=True`",
            )

    def _kill(self, worker: Worker) -> None:
        import ray

        with contextlib.suppress(Exception):
            ray.kill(worker.actor)

    def _result(self, ref: Any, results: dict[Any, Worker]) -> Any:
        import ray

        try:
            return ray.get(ref)
        except ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, HyperskipError):
                raise cause from error
            # The worker itself may be alive, and one that it needs something from has ended.
            if cause is None or isinstance(cause, ray.exceptions.RayError):
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

    def _usable(self, nodes: Sequence[Node]) -> list[Node]:
        usable = [node for node in nodes if self.device != CUDA or node.gpus]
        if self.most is None:
            return usable
        used = {worker.node.id for worker in (*self.training, *self._coming)}
        return usable[: max(self.most - len(used), 0)]

    def _started(self, nodes: Sequence[Node], parameters: Any) -> list[Worker]:
        """Reserve the nodes together, and start a worker on each, or on each of their GPUs."""
        import ray
        from ray.util import placement_group
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

        places = [
            (
                node,
                f"{node.name}, GPU {gpu}" if self.device == CUDA and node.gpus > 1 else node.name,
            )
            for node in nodes
            for gpu in range(node.gpus if self.device == CUDA else 1)
        ]
        group = placement_group(
            [self._needs(node) for node, _ in places],
            strategy="PACK",
            bundle_label_selector=[{"ray.io/node-id": node.id} for node, _ in places],
        )
        self._groups.append(group)
        workers = []
        for index, (node, name) in enumerate(places):
            needs = self._needs(node)
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
            threads = self._threads(node)
            ready = actor.prepare.remote(
                *(name, versions(), threads, node.memory, self._task, parameters)
            )
            workers.append(Worker(node, name, threads, actor, ready))
            self._known.add(node.id)
        return workers

    def _threads(self, node: Node) -> int:
        """Number of threads of a worker on a node."""
        return 1 if self.device == CUDA else min(self.threads or node.cpus, node.cpus)

    def _needs(self, node: Node) -> dict[str, float]:
        """What a worker on a node reserves; tasks of encoding can still run there."""
        workers = node.gpus if self.device == CUDA else 1
        needs = {"CPU": min(self._threads(node), (node.cpus - TASK_CPUS) / workers)}
        return needs | {"GPU": 1.0} if self.device == CUDA else needs
