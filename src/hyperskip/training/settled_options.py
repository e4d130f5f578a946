"""All options of a training, with the defaults that need neither a text nor a device."""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, NamedTuple

from hyperskip.devices import core_count
from hyperskip.geometry.spaces import Space, space_named
from hyperskip.training.options import CENTERS, PAIRWISE, PAIRWISE_RATE, TrainingOptions


@dataclass(frozen=True, kw_only=True)
class SettledOptions:
    """The value of every option, in the order of `TrainingOptions`.

    None stands for what depends on the text, and for what this training does not have.
    """

    geometry: str
    schedule: str
    dimension: int
    factors: int
    curvature: float | None
    window: int
    shrink_window: bool
    distance_decay: float | None
    negatives: int
    shared_negatives: int | None
    power: float
    subsample: float | None
    epochs: int
    rate: float | None
    rate_power: float | None
    end_rate: float
    burn_in_epochs: int
    burn_in_rate: float | None
    theta: float | None
    learn_theta: bool
    max_step: float
    tied: bool
    layer: str | None
    initial_deviation: float | None
    locking: bool
    freeze: bool
    deterministic: bool
    device: str
    threads: int
    seed: int

    @cached_property
    def space(self) -> Space:
        """The space that words are points of."""
        return space_named(self.geometry, self.factors)

    def as_options(self, *, with_threads: bool) -> dict[str, Any]:
        """The options as they are stored: None for what this training does not have."""
        return {
            name: value if applies(name, self) else None
            for name, value in asdict(self).items()
            if with_threads or name != "threads"
        }


class Conditional(NamedTuple):
    """An option that only some trainings have."""

    applies: Callable[[SettledOptions], bool]
    neutral: Any  # the value in the plan of a training that does not have it


CONDITIONAL = {
    "curvature": Conditional(lambda settled: settled.space.is_curved, 0.0),
    "theta": Conditional(lambda settled: settled.space.is_curved, 0.0),
    "shared_negatives": Conditional(lambda settled: settled.schedule != PAIRWISE, 0),
    "distance_decay": Conditional(lambda settled: settled.schedule != PAIRWISE, 0.0),
    "rate_power": Conditional(lambda settled: settled.schedule != PAIRWISE, 0.0),
    "burn_in_rate": Conditional(lambda settled: settled.burn_in_epochs > 0, 0.0),
    "layer": Conditional(lambda settled: not settled.tied, CENTERS),
    "initial_deviation": Conditional(lambda settled: bool(settled.initial_deviation), 0.0),
}


def applies(name: str, settled: SettledOptions) -> bool:
    """Whether a training with these options has the option of this name."""
    return name not in CONDITIONAL or CONDITIONAL[name].applies(settled)


def settled_options(options: TrainingOptions) -> SettledOptions:
    """Fill in all defaults that need neither a text nor a device."""
    values = options.with_defaults()
    dimension = values["dimension"]

    def default(name: str, value: Any) -> None:
        if values[name] is None:
            values[name] = value

    if options.is_curved:
        # From the study in docs/study.md: with more dimensions, flatter spaces and a larger theta,
        # which lets words move farther apart.
        default("theta", round(options.default_theta(dimension), 2))
        most, product = options.default_curvature
        default("curvature", min(most, product / dimension))
        # As in the paper, unless scores would differ by more than 0.1 at the start.
        sharpness = 1.0 / values["curvature"]
        default("initial_deviation", min(0.01, math.sqrt(0.1 / sharpness / dimension)))
    few, many = options.default_negatives if options.is_curved else (20, 10)
    default("negatives", few if dimension < 50 else many)
    default("tied", options.is_tied)
    if options.schedule == PAIRWISE:
        default("rate", PAIRWISE_RATE)
    default("burn_in_rate", values["rate"])
    values["threads"] = values["threads"] or core_count()
    settled = SettledOptions(**values)
    return SettledOptions(**settled.as_options(with_threads=True))
