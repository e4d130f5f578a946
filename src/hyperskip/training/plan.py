"""What a skip-gram training will do: the chosen options, and defaults for this text and device."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hyperskip.errors import OptionError, TrainingWarning, warn
from hyperskip.geometry.arrays import Floats
from hyperskip.subwords.scheme import SubwordScheme
from hyperskip.training.objective.loss import hyperbolic_score, log_likelihood
from hyperskip.training.objective.sampling import (
    contexts_on_a_side,
    distance_weights,
    expected_survivors,
)
from hyperskip.training.objective.subwords import MEAN
from hyperskip.training.options import PAIRWISE, PAIRWISE_RATE, TrainingOptions
from hyperskip.training.settled_options import CONDITIONAL, SettledOptions, settled_options
from hyperskip.training.shared_plan import Plan
from hyperskip.training.subword_options import scheme_options
from hyperskip.training.training_text import TrainingText

_LARGE_TEXT = 5_000_000  # words; too little would be left of smaller texts
_LARGE_VOCABULARY = 10_000  # words
_FAR_TOO_HIGH = 10  # times the default learning rate
_SHARING_POWER = 0.7  # from the study in docs/subwords.md
_FEW_PAIRS = 0.1  # of all pairs; if subsampling leaves fewer, there is a warning


@dataclass(frozen=True, kw_only=True)
class TrainingPlan(SettledOptions, Plan):
    """Every decision about a skip-gram training; nothing is None."""

    curvature: float  # 0 in Euclidean space
    distance_decay: float  # 0 in the pairwise schedule
    shared_negatives: int  # 0 in the pairwise schedule
    subsample: float
    rate: float
    rate_power: float  # 0 in the pairwise schedule
    burn_in_rate: float  # 0 without burn-in
    theta: float  # 0 in Euclidean space
    layer: str
    initial_deviation: float  # 0: uniform between ±1/dimension, as fastText does
    subwords: SubwordScheme | None = None

    def as_options(self, *, with_threads: bool) -> dict[str, Any]:
        """The options as they are stored: None for what this training does not have."""
        options = super().as_options(with_threads=with_threads)
        del options["subwords"]
        return options | scheme_options(self.subwords)

    @property
    def has_word_rows(self) -> bool:
        """Whether words have vectors of their own; with subwords, they may have none."""
        return self.subwords is None or self.subwords.has_word_rows

    @property
    def sharing_power(self) -> float:
        """How much less an n-gram learns from each word, the more words share it; with subwords."""
        return _SHARING_POWER if self.has_word_rows else MEAN

    def strength_at(self, rate: float) -> float:
        """How strongly n-grams and words pull each other at a learning rate, from 0 to 1."""
        return min(1.0, rate / self.rate)

    @property
    def sharpness(self) -> float:
        """Factor between the product of two words on the unit hyperboloid and their score."""
        return 1.0 / self.curvature if self.space.is_curved else 1.0

    @property
    def starts_by_guessing(self) -> bool:
        """Whether words start so close together that the loss is that of guessing."""
        return self.initial_deviation**2 * self.dimension * self.sharpness < 1.0

    def negatives_of(self, *, burn_in: bool) -> int:
        """Negative samples of a pair: a tenth in the burn-in, but at least one."""
        return max(1, self.negatives // 10) if burn_in else self.negatives

    def loss_of_guessing(self, *, burn_in: bool) -> float:
        """The loss of a pair if all words are at the base point."""
        score = float(hyperbolic_score(-1.0, self.theta)) if self.space.is_curved else 0.0
        of_context, of_negative = (float(log_likelihood(score, y)) for y in (1.0, 0.0))
        return -of_context - self.negatives_of(burn_in=burn_in) * of_negative


def plan_training(
    options: TrainingOptions,
    text: TrainingText,
    device: str,
    subwords: SubwordScheme | None = None,
) -> TrainingPlan:
    """Decide everything that the options leave open.

    Args:
        options: The chosen options.
        text: The text.
        device: The device to train on.
        subwords: How words are divided into n-grams, if n-grams are trained, too.

    Raises:
        OptionError: The end rate is above the default rate for this text.
    """
    if options.with_defaults()["distance_decay"] is None and options.schedule != PAIRWISE:
        options = replace(options, distance_decay=_default_decay(text))
    settled = settled_options(options)
    subsample = settled.subsample
    if subsample is None:
        subsample = _default_subsample(text)
    _warn_if_few_pairs_are_left(settled, subsample, text)
    theta = settled.theta
    if theta is not None and options.theta is None:
        theta = round(min(theta, options.default_theta_share * _greatest_default_theta(text)), 2)
    default_rate = _default_rate(options, settled, subsample, text)
    _warn_if_far_too_high("rate", settled.rate, default_rate)
    _warn_if_far_too_high("burn_in_rate", settled.burn_in_rate, default_rate)
    rate = settled.rate
    if rate is None:
        if settled.end_rate > default_rate:
            raise OptionError(
                f"`end_rate` is {settled.end_rate:g}, above {default_rate:g}, the default rate "
                "for this text: the rate must not grow",
                hint="pass `rate` too, or a smaller `end_rate`",
            )
        rate = default_rate
    decided = settled_options(
        replace(options, subsample=subsample, rate=rate, theta=theta, device=device)
    )
    values = decided.as_options(with_threads=True)
    absent = {name: CONDITIONAL[name].neutral for name, value in values.items() if value is None}
    return TrainingPlan(**(values | absent), subwords=subwords)


def context_weights(settled: SettledOptions) -> Floats:  # (window + 1,)
    """The average weight of a context by its distance, in a long sentence."""
    weights = distance_weights(settled.window, settled.distance_decay or 0.0)
    if not settled.shrink_window:
        return weights
    reached = 1.0 - (np.arange(settled.window + 1) - 1) / settled.window  # share of drawn windows
    return weights * reached


def _default_decay(text: TrainingText) -> float:
    """The default decay of weights with the distance; items of sessions have hardly any order."""
    return 1.0 if len(text.vocabulary) >= _LARGE_VOCABULARY else 0.0


def _default_subsample(text: TrainingText) -> float:
    """The default threshold of subsampling for this text.

    A word of average frequency is kept with a probability of at least 0.85. In a text, most tokens
    are words far above the average. In sessions over a few hundred items, all items are near it.
    """
    usual = 1e-5 if text.token_count >= _LARGE_TEXT else 1e-4
    return max(usual, float(f"{0.3 / len(text.vocabulary):.2g}"))


def _warn_if_few_pairs_are_left(
    settled: SettledOptions, subsample: float, text: TrainingText
) -> None:
    every, kept = (
        contexts_on_a_side(
            text.sentence_starts, text.vocabulary.counts, threshold, context_weights(settled)
        )
        * expected_survivors(text.vocabulary.counts, threshold).sum()
        for threshold in (0, subsample)
    )
    if kept < _FEW_PAIRS * every:
        warn(
            f"subsampling leaves {100 * kept / every:.2g}% of the pairs of center and context "
            f"(`subsample` is {subsample:g}). Pass a greater `subsample`, or 0 to keep all pairs",
            TrainingWarning,
        )


def _greatest_default_theta(text: TrainingText) -> float:
    """The greatest default of theta for this text.

    The fewer words there are, the less often two of them can occur together beyond chance, and the
    smaller theta must be. The numbers come from the study in docs/measurements.md.
    """
    return round(max(0.0, 0.85 * math.log2(len(text.vocabulary) / 256)), 2)


def _default_rate(
    options: TrainingOptions, settled: SettledOptions, subsample: float, text: TrainingText
) -> float:
    """The default learning rate for this text.

    From the study in docs/measurements.md: the more contexts push a center at once, the smaller
    each push must be. In very few dimensions, words block each other, and smaller steps order them
    better.
    """
    if settled.schedule == PAIRWISE:
        return PAIRWISE_RATE
    contexts = contexts_on_a_side(
        text.sentence_starts,
        text.vocabulary.counts,
        subsample,
        context_weights(settled),
    )
    numerator = 0.25
    if settled.space.is_curved:
        numerator = 0.08 * min(1.0, settled.dimension / options.full_rate_dimension)
    return float(f"{numerator / max(contexts, 1.0):.2g}")


def _warn_if_far_too_high(name: str, rate: float | None, default_rate: float) -> None:
    if rate is not None and rate > _FAR_TOO_HIGH * default_rate:
        warn(
            f"`{name}` is {rate:g}, {rate / default_rate:.0f} times the default for this text "
            f"({default_rate:g}): training may diverge. Leave out `{name}`, or choose a smaller "
            "value",
            TrainingWarning,
        )
