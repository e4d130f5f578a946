"""The cluster that a training runs on: its device, its workers and its runs."""

from contextlib import ExitStack
from typing import Any, Self

from hyperskip.cluster.nodes import Cluster
from hyperskip.cluster.options import ClusterOptions
from hyperskip.devices import AUTO, CPU, CUDA, check_gpu_packages
from hyperskip.errors import ClusterError
from hyperskip.training.cluster.cluster_run import ClusterRun
from hyperskip.training.cluster.workers import Workers
from hyperskip.training.options import PAIRWISE, TrainingOptions
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.run.state import InitialState, State
from hyperskip.training.run.training_events import OnCluster, Report
from hyperskip.training.shared_plan import Plan
from hyperskip.training.training_text import TrainingText


class TrainingCluster:
    """Starts runs on a cluster; a context manager that ends their workers.

    Args:
        cluster: The cluster.
        options: How to use it.
        threads: Threads of each node; 0: all its CPUs.
    """

    def __init__(self, cluster: Cluster, options: ClusterOptions, threads: int) -> None:
        self._cluster = cluster
        self._options = options
        self._threads = threads
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def choose_device(
        self, options: TrainingOptions | RankingOptions, report: Report = lambda _: None
    ) -> str:
        """Choose the device of all nodes, and report it: GPUs, if any node has one.

        Raises:
            ClusterError: GPUs were chosen, and no node has one.
            MissingPackageError: GPUs were chosen, and their packages are not installed here.
        """
        nodes = self._cluster.nodes()
        device = options.device
        if device in (None, AUTO):
            pairwise = isinstance(options, TrainingOptions) and options.schedule == PAIRWISE
            has_gpu = any(node.gpus for node in nodes) and not pairwise
            device = CUDA if has_gpu else CPU
        assert device is not None
        if device == CUDA:
            check_gpu_packages()
        nodes = [node for node in nodes if device == CPU or node.gpus][: self._options.nodes]
        if not nodes:
            raise ClusterError(
                f"no node of the Ray cluster {self._cluster.address} has a GPU",
                hint=f"see `ray status`, or pass `device={CPU!r}`",
            )
        names = tuple(node.name for node in nodes)
        cluster = self._cluster
        report(OnCluster(names, device, cluster.address, cluster.is_started_here))
        return device

    def run(
        self,
        encoded: TrainingText,
        plan: Plan,
        start: InitialState | State,
        **arguments: Any,
    ) -> ClusterRun:
        """Start a run; other arguments as for `ClusterRun`.

        Raises:
            ClusterError: A node cannot take part; the error names it.
            CorpusError: A node cannot read the text.
        """
        workers = self._stack.enter_context(
            Workers(self._cluster, plan.device, self._threads, self._options.nodes)
        )
        return ClusterRun(
            *(encoded, plan, start),
            **arguments,
            workers=workers,
            merge_words=self._options.merge_words,
        )
