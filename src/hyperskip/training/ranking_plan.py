"""What a training by the method `ranking` will do: the chosen options, and the defaults."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from hyperskip.devices import CPU, core_count
from hyperskip.training.blocks import BlockSize
from hyperskip.training.ranking_options import (
    LARGEST_BATCH,
    MOST_NEGATIVES,
    NODES_PER_NEGATIVE,
    RankingOptions,
)
from hyperskip.training.shared_plan import Plan

_CURVATURE = 1 / 16
_FEWEST_STEPS = 32  # of an epoch, unless batches become too small
_SMALLEST_BATCH = 16
_BATCHES_OF_A_BLOCK = 16


@dataclass(frozen=True, kw_only=True)
class RankingPlan(Plan):
    """Every decision about a training by ranking, in the order of `RankingOptions`."""

    geometry: str
    dimension: int
    curvature: float  # 0 in Euclidean space
    negatives: int
    batch: int
    epochs: int
    rate: float
    end_rate: float
    max_step: float
    initial_deviation: float
    freeze: bool
    deterministic: bool
    device: str
    threads: int
    seed: int

    factors = 1
    burn_in_epochs = 0
    burn_in_rate = 0.0
    tied = True
    theta = 0.0

    @property
    def sharpness(self) -> float:
        """Factor between the distance of two nodes and their score."""
        return 1.0 / math.sqrt(self.curvature) if self.space.is_curved else 1.0

    @property
    def starts_by_guessing(self) -> bool:
        """Whether nodes start so close together that the loss is that of guessing."""
        return self.initial_deviation * math.sqrt(self.dimension) * self.sharpness < 1.0

    def loss_of_guessing(self, *, burn_in: bool) -> float:  # noqa: ARG002 - there is none
        """The loss of an edge if all nodes are at the base point."""
        return math.log1p(self.negatives)

    @property
    def block_size(self) -> BlockSize:
        """The size of blocks: a number of batches, of edges with two tokens each."""
        return BlockSize(largest=2 * _BATCHES_OF_A_BLOCK * self.batch, wanted=1)

    def as_options(self, *, with_threads: bool) -> dict[str, Any]:
        """The options as they are stored: None for what this training does not have."""
        values = asdict(self) | {"curvature": self.curvature if self.space.is_curved else None}
        return {name: values[name] for name in values if with_threads or name != "threads"}


def plan_ranking(
    options: RankingOptions, *, nodes: int = 0, edges: int = 0, device: str = CPU
) -> RankingPlan:
    """Decide everything that the options leave open.

    Args:
        options: What was chosen.
        nodes: Number of nodes of the graph.
        edges: Number of edges that are trained in an epoch.
        device: The device.
    """
    values = options.with_defaults() | {"device": device}
    if not options.is_curved:
        values["curvature"] = 0.0
    elif options.curvature is None:
        values["curvature"] = _CURVATURE
    if options.negatives is None:
        # In a small graph, many random nodes are ancestors of the source.
        values["negatives"] = max(1, min(MOST_NEGATIVES, nodes // NODES_PER_NEGATIVE))
    if options.batch is None:
        values["batch"] = max(_SMALLEST_BATCH, min(LARGEST_BATCH, edges // _FEWEST_STEPS))
    values["threads"] = values["threads"] or core_count()
    # Sums of gradients never depend on threads.
    values["deterministic"] = values["deterministic"] or device == CPU
    return RankingPlan(**values)
