"""The options of training on random walks: those of training on text, with other defaults."""

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

    default_theta_share: ClassVar[float] = 0.5

    window: int | None = _with_default("window", 5)
    shared_negatives: int | None = _with_default("shared_negatives", 32)
    subsample: float | None = _with_default("subsample", 0.0)
    epochs: int | None = _with_default("epochs", 3)
    theta: float | None = option_of(
        declarations(TrainingOptions)["theta"], rule="half of the default for text"
    )
