"""A node that trains: an actor of Ray with its own process, and what this process knows of it."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hyperskip.cluster.nodes import Node, check_same, versions
from hyperskip.errors import TrainingWarning
from hyperskip.training.cluster.node_training import NodeTraining


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
    gpu: int  # its number among the GPUs of the node; 0 on the CPU
    name: str
    threads: int
    group: Any  # placement group: reserves CPUs, or a GPU
    actor: Any
    ready: Any  # reference to the result of its preparation
    reserved_at: float | None = None  # when the group was seen to have its CPUs, or its GPU
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
