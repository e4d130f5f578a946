"""What a training will do: the chosen options, and the defaults for this text and device."""

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from hyperskip.devices import CUDA, core_count
from hyperskip.errors import OptionError, TrainingWarning, warn
from hyperskip.geometry.spaces import Space, space_named
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.objective.sampling import contexts_on_a_side
from hyperskip.training.options import CENTERS, PAIRWISE, PAIRWISE_RATE, TrainingOptions

_LARGE_TEXT = 5_000_000  # words; too little would be left of smaller texts
_FAR_TOO_HIGH = 10  # times the default learning rate


@dataclass(frozen=True, kw_only=True)
class TrainingPlan:
    """Every decision about a training, in the order of `TrainingOptions`."""

    geometry: str
    schedule: str
    dimension: int
    factors: int
    curvature: float  # 0 in Euclidean space
    window: int
    shrink_window: bool
    negatives: int
    shared_negatives: int  # 0 in the pairwise schedule
    power: float
    subsample: float
    epochs: int
    rate: float
    end_rate: float
    burn_in_epochs: int
    burn_in_rate: float
    theta: float  # 0 in Euclidean space
    learn_theta: bool
    max_step: float
    tied: bool
    layer: str
    initial_deviation: float  # 0: uniform between ±1/dimension, as fastText does
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

    @property
    def factor_dimension(self) -> int:
        """Dimension of each factor of the space."""
        return self.dimension // self.factors

    @property
    def sharpness(self) -> float:
        """Factor between the product of two words on the unit hyperboloid and their score."""
        return 1.0 / self.curvature if self.space.is_curved else 1.0

    @property
    def threads_matter(self) -> bool:
        """Whether the result depends on the number of threads."""
        return not self.deterministic and self.device != CUDA

    def negatives_of(self, *, burn_in: bool) -> int:
        """Negative samples of a pair: a tenth in the burn-in, but at least one."""
        return max(1, self.negatives // 10) if burn_in else self.negatives

    def as_options(self, *, with_threads: bool) -> dict[str, Any]:
        """The plan as it is stored: option values, None for what this training does not have."""
        absent = {
            "curvature": not self.space.is_curved,
            "theta": not self.space.is_curved,
            "shared_negatives": self.schedule == PAIRWISE,
            "burn_in_rate": self.burn_in_epochs == 0,
            "layer": self.tied,
            "initial_deviation": self.initial_deviation == 0,
        }
        return {
            name: None if absent.get(name) else value
            for name, value in asdict(self).items()
            if with_threads or name != "threads"
        }


def plan_training(options: TrainingOptions, text: EncodedCorpus, device: str) -> TrainingPlan:
    """Decide everything that the options leave open.

    Raises:
        OptionError: The end rate is above the default rate for this text.
    """
    values = settled_options(options) | {"device": device}
    if values["subsample"] is None:
        values["subsample"] = 1e-5 if len(text.tokens) >= _LARGE_TEXT else 1e-4
    default_rate = _default_rate(options, values, text)
    for name in ("rate", "burn_in_rate"):
        _warn_if_far_too_high(name, values[name], default_rate)
    if values["rate"] is None:
        if values["end_rate"] > default_rate:
            raise OptionError(
                f"`end_rate` is {values['end_rate']:g}, above {default_rate:g}, the default rate "
                "for this text: the rate must not grow",
                hint="pass `rate` too, or a smaller `end_rate`",
            )
        values["rate"] = default_rate
    neutral = {
        "curvature": 0.0,
        "theta": 0.0,
        "shared_negatives": 0,
        "burn_in_rate": values["rate"],
        "layer": CENTERS,
        "initial_deviation": 0.0,
    }
    return TrainingPlan(
        **{name: neutral[name] if value is None else value for name, value in values.items()}
    )


def settled_options(options: TrainingOptions) -> dict[str, Any]:
    """All option values that are known without text and device.

    `subsample` and `rate` are None if they depend on the text; others if this training does not
    have them, such as theta in Euclidean space.
    """
    values = options.with_defaults()
    dimension = values["dimension"]

    def default(name: str, value: Any) -> None:
        if values[name] is None:
            values[name] = value

    if options.is_curved:
        # From the study in docs/study.md: with more dimensions, flatter spaces and a larger theta,
        # which lets words move farther apart.
        default("theta", round(1.0 + max(0.0, math.log2(dimension / 5)), 2))
        default("curvature", min(0.5, 10 / dimension))
        # As in the paper, unless scores would differ by more than 0.1 at the start.
        sharpness = 1.0 / values["curvature"]
        default("initial_deviation", min(0.01, math.sqrt(0.1 / sharpness / dimension)))
    default("negatives", 20 if dimension < 50 else 10)
    values["tied"] = options.is_tied
    if options.is_tied:
        values["layer"] = None
    if options.schedule == PAIRWISE:
        values["shared_negatives"] = None
        default("rate", PAIRWISE_RATE)
    if values["burn_in_epochs"]:
        default("burn_in_rate", values["rate"])
    values["threads"] = values["threads"] or core_count()
    return values


def _default_rate(options: TrainingOptions, values: dict[str, Any], text: EncodedCorpus) -> float:
    """The default learning rate for this text.

    From the study in docs/measurements.md: the more contexts push a center at once, the smaller
    each push must be.
    """
    if values["schedule"] == PAIRWISE:
        return PAIRWISE_RATE
    window = values["window"]
    contexts = contexts_on_a_side(
        text.sentence_starts,
        text.vocabulary.counts,
        values["subsample"],
        (1 + window) / 2 if values["shrink_window"] else window,
    )
    numerator = 0.08 if options.is_curved else 0.25
    return float(f"{numerator / max(contexts, 1.0):.2g}")


def _warn_if_far_too_high(name: str, rate: float | None, default_rate: float) -> None:
    if rate is not None and rate > _FAR_TOO_HIGH * default_rate:
        warn(
            f"`{name}` is {rate:g}, {rate / default_rate:.0f} times the default for this text "
            f"({default_rate:g}): training may diverge. Leave out `{name}`, or choose a smaller "
            "value",
            TrainingWarning,
        )
