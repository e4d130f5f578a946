"""The options of training on random walks: those of training on text, with other defaults."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from hyperskip.options import declarations, option_of
from hyperskip.training.options import TrainingOptions


def _with_default(name: str, default: float) -> Any:
    return option_of(declarations(TrainingOptions)[name], default=default, rule="")


@dataclass(frozen=True, kw_only=True, repr=False)
class WalkTrainingOptions(TrainingOptions):
    """Options of training on walks; None means not chosen.

    The defaults are those that predict held-out edges best (benchmarks/walks.py). Subsampling would
    hide which nodes have many edges.
    """

    default_curvature: ClassVar[tuple[float, float]] = (0.5, 10)
    default_negatives: ClassVar[tuple[int, int]] = (20, 10)
    full_rate_dimension: ClassVar[int] = 1
    default_theta_share: ClassVar[float] = 0.5

    window: int | None = _with_default("window", 5)
    distance_decay: float | None = _with_default("distance_decay", 0.0)
    shared_negatives: int | None = _with_default("shared_negatives", 32)
    power: float | None = _with_default("power", 0.5)
    subsample: float | None = _with_default("subsample", 0.0)
    epochs: int | None = _with_default("epochs", 3)
    rate_power: float | None = _with_default("rate_power", 0.0)
    negatives: int | None = option_of(
        declarations(TrainingOptions)["negatives"], rule="20 below 50 dimensions, 10 from 50 on"
    )
    curvature: float | None = option_of(
        declarations(TrainingOptions)["curvature"], rule="0.5, or 10 / dimension if that is less"
    )
    theta: float | None = option_of(
        declarations(TrainingOptions)["theta"],
        rule="0.5, plus 0.5 for each doubling of the dimension from 5 on; less for small graphs",
    )

    @staticmethod
    def default_theta(dimension: int) -> float:
        """The default of theta for a large graph."""
        return 0.5 + 0.5 * max(0.0, math.log2(dimension / 5))
