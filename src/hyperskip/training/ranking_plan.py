"""What a training by the method `ranking` will do: the chosen options, and the defaults."""

import math
from dataclasses import asdict, dataclass
from typing import Any

from hyperskip.devices import core_count
from hyperskip.training.blocks import BlockSize
from hyperskip.training.ranking_options import (
    BLOCK_TOKENS,
    FEWEST_STEPS,
    LARGEST_BATCH,
    LARGEST_RADIUS,
    MOST_NEGATIVES,
    USUAL_EPOCHS,
    RankingOptions,
)
from hyperskip.training.shared_plan import Plan

FIRST_CEILING = 0.02  # of the radius, unless nodes start farther out
_SCORES = 18.0  # sharpness * largest radius
_STEPS_OF_AN_EPOCH = 16  # at least, unless batches become too small
_SMALLEST_BATCH = 128
_WARM_UP = 0.02  # share of the training in which the learning rate grows
_EXPANSION = 0.8  # share of the training in which the ceiling of the radius rises


@dataclass(frozen=True, kw_only=True)
class RankingPlan(Plan):
    """Every decision about a training by ranking."""

    geometry: str
    dimension: int
    curvature: float  # 0 in Euclidean space
    max_radius: float  # infinite in Euclidean space
    first_ceiling: float  # of the radius, at the start
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
    weighted: bool

    factors = 1
    burn_in_epochs = 0
    burn_in_rate = 0.0
    tied = True
    theta = 0.0
    block_size = BlockSize(largest=BLOCK_TOKENS, wanted=1)

    @property
    def sharpness(self) -> float:
        """Factor between the distance of two nodes and their score."""
        return 1.0 / math.sqrt(self.curvature) if self.space.is_curved else 1.0

    def rate_at(self, epoch: int, share: float) -> float:
        """The learning rate after a share of an epoch: it grows for a short time, then falls."""
        done = (epoch + share) / self.epochs
        falling = self.rate + (self.end_rate - self.rate) * done
        # Steps must not be longer than the space is wide.
        room = min(1.0, self.ceiling_at(epoch, share))
        return falling * room * min(1.0, max(done, 1e-4) / _WARM_UP)

    def ceiling_at(self, epoch: int, share: float) -> float:
        """The largest radius after a share of an epoch.

        Nodes find their order near the base point, where space is almost flat and they can pass
        each other. Then the ceiling rises, slowly at first, and they get room.
        """
        if not self.space.is_curved:
            return math.inf
        done = (epoch + share) / self.epochs
        rise = self.max_radius - self.first_ceiling
        return self.first_ceiling + rise * min(1.0, done / _EXPANSION) ** 2

    @property
    def starts_by_guessing(self) -> bool:
        """Whether nodes start so close together that the loss is that of guessing."""
        starts_far_out = FIRST_CEILING < self.first_ceiling < math.inf
        spread = self.initial_deviation * math.sqrt(self.dimension) * self.sharpness
        return not starts_far_out and spread < 1.0

    def loss_of_guessing(self, *, burn_in: bool) -> float:  # noqa: ARG002 - there is none
        """The loss of an edge if all nodes are at the base point."""
        return math.log1p(self.negatives)

    def as_options(self, *, with_threads: bool) -> dict[str, Any]:
        """The options as they are stored: None for what this training does not have."""
        values = asdict(self)
        if not self.space.is_curved:
            values |= {"curvature": None, "max_radius": None, "first_ceiling": None}
        return {name: values[name] for name in values if with_threads or name != "threads"}


def plan_ranking(
    options: RankingOptions,
    device: str,
    *,
    nodes: int = 1,
    lists: int = 1,
    weighted: bool = False,
    start_radius: float = 0.0,
) -> RankingPlan:
    """Decide everything that the options leave open.

    Args:
        options: What was chosen.
        device: The device.
        nodes: Number of nodes of the graph.
        lists: Number of sources that are trained in an epoch, each with its targets.
        weighted: Whether edges have weights.
        start_radius: Radius of the farthest node at the start; 0 if all are near the base point.
    """
    values = options.with_defaults() | {"device": device, "weighted": weighted}

    def default(name: str, value: Any) -> None:
        if values[name] is None:
            values[name] = value

    if options.is_curved:
        # Enough room for all nodes on a sphere of this radius, at this distance from each other.
        room = 2.2 * math.log(max(nodes, 2)) / max(options.dimension_or_default - 1, 1e-9) + 3.0
        default("max_radius", round(min(room, LARGEST_RADIUS), 2))
        values["max_radius"] = max(values["max_radius"], start_radius)
        default("curvature", (values["max_radius"] / _SCORES) ** 2)
        values["first_ceiling"] = min(max(FIRST_CEILING, start_radius), values["max_radius"])
    else:
        values |= {"curvature": 0.0, "max_radius": math.inf, "first_ceiling": math.inf}
    values["rate"] = options.rate_or_default
    values["negatives"] = min(values["negatives"] or MOST_NEGATIVES, nodes)
    groups = -(-lists // (_STEPS_OF_AN_EPOCH * _SMALLEST_BATCH))
    default("batch", min(LARGEST_BATCH, groups * _SMALLEST_BATCH))
    values["batch"] = min(values["batch"], lists)
    steps = -(-lists // values["batch"])
    default("epochs", max(USUAL_EPOCHS, -(-FEWEST_STEPS // steps)))
    values["threads"] = values["threads"] or core_count()
    values["deterministic"] = True  # sums of gradients never depend on threads
    return RankingPlan(**values)
