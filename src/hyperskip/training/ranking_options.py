"""What can be chosen about the method `ranking`: its options and their defaults.

`RankingOptions` holds what was chosen. What will be done is a `RankingPlan` (see ranking_plan.py).
"""

from dataclasses import dataclass
from typing import Any

from hyperskip.errors import OptionError
from hyperskip.geometry.names import HYPERBOLOID, is_curved
from hyperskip.options import Range, declarations, option, option_of
from hyperskip.training.options import LearningOptions, TrainingOptions

# Defaults
LARGEST_BATCH = 2048
MOST_NEGATIVES = 4096
LARGEST_RADIUS = 16.8  # float32 separates points well up to here
USUAL_EPOCHS, FEWEST_STEPS = 100, 2000
BLOCK_TOKENS = 1 << 19  # at most, in a block of edges
_RATE, _RATE_IN_PLANE, _FLAT_RATE = 0.4, 0.2, 1.0

_OF_SKIP_GRAM = declarations(TrainingOptions)


def _as_in_training(name: str, **changes: Any) -> Any:
    """Declare an option that skip-gram has too, with these changes."""
    return option_of(_OF_SKIP_GRAM[name], **changes)


@dataclass(frozen=True, kw_only=True, repr=False)
class RankingOptions(LearningOptions):
    """Options of the method `ranking`; None means not chosen.

    `hyperskip.embed_graph` describes each field. Contradictory options raise an OptionError.
    """

    geometry: str | None = _as_in_training(
        "geometry", help="space of the vectors: hyperboloid (hyperbolic) or euclidean"
    )
    dimension: int | None = _as_in_training("dimension", default=10)
    curvature: float | None = _as_in_training(
        "curvature",
        help="curvature of the hyperboloid: the smaller it is, the more distances count",
        rule="(max_radius / 18)²",
    )
    max_radius: float | None = option(
        None,
        float,
        "largest distance of a node from the base point; hyperboloid only",
        optional=True,
        rule=f"2.2 log(number of nodes) / (dimension - 1) + 3, at most {LARGEST_RADIUS:g}",
        at_least=1,
        at_most=17,
    )
    negatives: int | None = _as_in_training(
        "negatives",
        help="number of negative samples for each source of edges; if there are fewer nodes, all "
        "nodes",
        rule=f"{MOST_NEGATIVES}",
        limits=Range(at_least=1, at_most=1 << 17),
    )
    batch: int | None = option(
        None,
        int,
        "number of sources of edges in each step",
        optional=True,
        rule=f"{LARGEST_BATCH}, less for small graphs",
        at_least=1,
        at_most=1 << 16,
    )
    epochs: int | None = _as_in_training(
        "epochs",
        help="passes over the edges",
        default=None,
        rule=f"{USUAL_EPOCHS}, or enough for {FEWEST_STEPS} steps if the graph is small",
    )
    rate: float | None = _as_in_training(
        "rate",
        rule=f"{_RATE:g}; in two dimensions {_RATE_IN_PLANE:g}; in Euclidean space {_FLAT_RATE:g}",
    )
    end_rate: float | None = _as_in_training("end_rate")
    max_step: float | None = _as_in_training("max_step")
    initial_deviation: float | None = _as_in_training(
        "initial_deviation",
        help="standard deviation of the random start around the base point; in the hyperbolic "
        "plane, ranking starts from a tree instead",
        default=0.001,
        rule="",
    )
    freeze: bool | None = _as_in_training(
        "freeze", help="keep the vectors of the initial model fixed; only new nodes move"
    )
    deterministic: bool | None = _as_in_training(
        "deterministic",
        help="learn the same vectors with any number of threads; ranking always does",
    )
    device: str | None = _as_in_training(
        "device",
        help="where to train: cpu, cuda (an NVIDIA GPU), or auto (the GPU if there is one)",
    )
    threads: int | None = _as_in_training("threads")
    seed: int | None = _as_in_training("seed")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("curvature", "max_radius"):
            if getattr(self, name) is not None and not self.is_curved:
                raise OptionError(
                    f"`{name}` needs `geometry='{HYPERBOLOID}'`, and `geometry` is "
                    f"{self.geometry!r}",
                    hint=f"leave out `{name}` or `geometry`",
                )
        end_rate, rate = self.with_defaults()["end_rate"], self.rate_or_default
        if end_rate > rate:
            raise OptionError(
                f"`end_rate` is {end_rate:g} and `rate` is {rate:g}, but the rate must not grow",
                hint="choose an `end_rate` of at most `rate`",
            )

    @property
    def is_curved(self) -> bool:
        """Whether the space is hyperbolic."""
        return is_curved(self.geometry or HYPERBOLOID)

    @property
    def rate_or_default(self) -> float:
        """The learning rate at the start."""
        if self.rate is not None:
            return self.rate
        if not self.is_curved:
            return _FLAT_RATE
        return _RATE_IN_PLANE if self.dimension_or_default <= 2 else _RATE

    @property
    def dimension_or_default(self) -> int:
        """The dimension of the space."""
        return int(self.with_defaults()["dimension"])
