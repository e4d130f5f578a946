"""What can be chosen about training, with ranges, defaults and the paper's own values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hyperskip.devices import AUTO, CUDA, DEVICES, core_count
from hyperskip.errors import OptionError
from hyperskip.options import Options, option

HYPERBOLOID, EUCLIDEAN = "hyperboloid", "euclidean"
WINDOW, PAIRWISE = "window", "pairwise"
CENTERS, CONTEXTS, CENTROID = "centers", "contexts", "centroid"
_PAIRWISE_RATE = 0.05
_LARGE_TEXT = 5_000_000  # words; of smaller ones too little would be left


@dataclass(frozen=True, kw_only=True)
class TrainingOptions(Options):
    """Options of training, checked when made; what depends on the geometry is filled in then."""

    geometry: str = option(
        HYPERBOLOID,
        str,
        "hyperboloid: the paper's model; euclidean: plain skip-gram, compared by cosine",
        choices=(HYPERBOLOID, EUCLIDEAN),
    )
    schedule: str = option(
        WINDOW,
        str,
        "window: centers that stand together share their negatives, fast; pairwise: every pair of "
        "center and context draws its own, as in the paper",
        choices=(WINDOW, PAIRWISE),
    )
    dimension: int = option(
        100, int, "dimension of the space that words live in", at_least=1, at_most=4096
    )
    factors: int = option(
        1,
        int,
        "the space is a product of so many hyperboloids, whose scores add up, window schedule "
        "only; must divide the dimension",
        at_least=1,
        at_most=4096,
    )
    curvature: float | None = option(
        None,
        float,
        "how curved the hyperboloids are; 1 is the paper's, and near 0 they are flat (default: "
        "0.5, or 10 / dimension if that is less)",
        at_least=1e-4,
        at_most=1e4,
        optional=True,
    )
    window: int = option(
        7, int, "how many words on each side are context", at_least=1, at_most=1000
    )
    shrink_window: bool = option(
        False, bool, "draw each center's window from 1..window, as word2vec does"
    )
    negatives: int | None = option(
        None,
        int,
        "negative samples for each pair of center and context (default: 20 below 50 dimensions, "
        "10 from there on)",
        at_least=1,
        at_most=500,
        optional=True,
    )
    shared_negatives: int | None = option(
        None,
        int,
        "words drawn in their stead for 16 centers that stand together, window schedule only "
        "(default: 128)",
        at_least=1,
        at_most=4096,
        optional=True,
    )
    power: float = option(
        0.5,
        float,
        "negatives are drawn in proportion to count to this power",
        at_least=0,
        at_most=1,
    )
    subsample: float | None = option(
        None,
        float,
        "thin out words more frequent than this share of the corpus; 0 keeps every word (default: "
        "1e-5 for texts of 5 million words and more, 1e-4 for smaller ones)",
        at_least=0,
        at_most=1,
        optional=True,
    )
    epochs: int = option(10, int, "passes over the corpus", at_least=1, at_most=100_000)
    rate: float | None = option(
        None,
        float,
        "learning rate at the start (default: in the window schedule 0.08, or 0.25 in Euclidean "
        "space, divided by the contexts that a word has on each side on average, at least 1; 0.05 "
        "in the pairwise schedule)",
        above=0,
        at_most=10,
        optional=True,
    )
    end_rate: float = option(
        0.0, float, "learning rate at the end, reached linearly", at_least=0, at_most=10
    )
    burn_in_epochs: int = option(
        0,
        int,
        "passes before those, at a constant rate and with a tenth of the negatives",
        at_least=0,
        at_most=100_000,
    )
    burn_in_rate: float | None = option(
        None,
        float,
        "learning rate of the burn-in (default: the rate)",
        above=0,
        at_most=10,
        optional=True,
    )
    theta: float | None = option(
        None,
        float,
        "what a word scores with itself, plus 1: the paper's shift of the Minkowski product, "
        "hyperboloid only (default: 1, and 1 more for each doubling of the dimension from 5 on)",
        at_least=-100,
        at_most=100,
        optional=True,
    )
    learn_theta: bool = option(False, bool, "learn theta too, hyperboloid only")
    max_step: float = option(
        1.0,
        float,
        "longest distance that an update may move a word, on each unit hyperboloid",
        above=0,
        at_most=2,
    )
    tied: bool | None = option(
        None,
        bool,
        "one vector a word, or one as center and one as context "
        "(default: one on the hyperboloid, two in Euclidean space)",
        optional=True,
    )
    layer: str | None = option(
        None,
        str,
        "which of two vectors a word keeps: its center, its context, or the centroid of both "
        "(default: centers)",
        choices=(CENTERS, CONTEXTS, CENTROID),
        optional=True,
    )
    initial_deviation: float | None = option(
        None,
        float,
        "standard deviation of the first positions around the base point "
        "(default: 0.01 on the hyperboloid, and less where it is large or flat; fastText's scheme "
        "in Euclidean space)",
        above=0,
        at_most=1,
        optional=True,
    )
    locking: bool = option(
        False, bool, "lock words while they move, and skip pairs that are busy, as the paper does"
    )
    freeze: bool = option(
        False, bool, "the words of the model that training starts from keep their vectors"
    )
    deterministic: bool = option(
        False,
        bool,
        "the same vectors whatever the number of threads, and on a GPU run after run, window "
        "schedule only; takes up to 1.6 times as long",
    )
    device: str = option(
        AUTO,
        str,
        "cuda: an NVIDIA GPU, window schedule only; auto: that if there is one, and else the cpu",
        choices=DEVICES,
    )
    threads: int = option(
        0, int, "worker threads of the CPU; 0 takes every core", at_least=0, at_most=1024
    )
    seed: int = option(1, int, "seed of all randomness", at_least=0, at_most=2**63 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        hyperbolic = self.geometry == HYPERBOLOID
        if not hyperbolic and (self.theta is not None or self.learn_theta):
            raise OptionError(
                "theta belongs to the hyperboloid, and the geometry is euclidean",
                hint="leave out --theta and --learn-theta, or choose --geometry hyperboloid",
            )
        self._check_space()
        self._check_schedule()
        if self.schedule == PAIRWISE:
            self._fill("rate", _PAIRWISE_RATE)
        if self.rate is not None and self.end_rate > self.rate:
            raise OptionError(
                f"end-rate is {self.end_rate:g} and rate is {self.rate:g}: the rate must not grow",
                hint="choose an --end-rate of at most the --rate",
            )
        if self.burn_in_rate is not None and self.burn_in_epochs == 0:
            raise OptionError(
                "burn-in-rate was given, and there are no burn-in epochs",
                hint="pass --burn-in-epochs too",
            )
        if hyperbolic:
            # From the study in docs/study.md: the more dimensions, the flatter, and the farther
            # apart words may be.
            self._fill("theta", round(1.0 + max(0.0, math.log2(self.dimension / 5)), 2))
            self._fill("curvature", min(0.5, 10 / self.dimension))
            # The paper's, unless scores would differ by more than 0.1 before anything is learned.
            farthest = math.sqrt(0.1 / self.sharpness / self.dimension)
            self._fill("initial_deviation", min(0.01, farthest))
        self._fill("negatives", 20 if self.dimension < 50 else 10)
        self._fill("tied", hyperbolic)
        if self.tied and self.layer is not None:
            raise OptionError(
                f"layer is {self.layer}, and words have one vector only",
                hint="leave out --layer, or pass --untied",
            )
        if not self.tied:
            self._fill("layer", CENTERS)
        if self.freeze and self.layer in (CONTEXTS, CENTROID):
            raise OptionError(
                f"layer is {self.layer}, and freeze keeps the centers of words",
                hint="leave out --layer, or --freeze",
            )
        if self.burn_in_epochs and self.rate is not None:
            self._fill("burn_in_rate", self.rate)
        if self.threads == 0:
            object.__setattr__(self, "threads", core_count())

    def _check_space(self) -> None:
        if self.geometry != HYPERBOLOID:
            for name, given in (("factors", self.factors > 1), ("curvature", self.curvature)):
                if given:
                    raise OptionError(
                        f"{name} belongs to the hyperboloid, and the geometry is {self.geometry}",
                        hint=f"leave out --{name}, or choose --geometry hyperboloid",
                    )
        if self.dimension % self.factors:
            raise OptionError(
                f"factors is {self.factors}, and dimension is {self.dimension}: all factors have "
                "the same dimension",
                hint="choose factors that divide the dimension",
            )
        if self.factors > 1 and self.schedule == PAIRWISE:
            raise OptionError(
                "factors belongs to the window schedule, and the schedule is pairwise",
                hint="leave out --factors, or choose --schedule window",
            )

    @property
    def factor_dimension(self) -> int:
        """Dimension of each factor of the space."""
        return self.dimension // self.factors

    @property
    def sharpness(self) -> float:
        """What a score grows by with the product of two words on the unit hyperboloid."""
        return 1.0 / (self.curvature or 1.0)

    def _check_schedule(self) -> None:
        if self.schedule == WINDOW:
            if self.locking:
                raise OptionError(
                    "locking belongs to the pairwise schedule, and the schedule is window",
                    hint="leave out --locking, or choose --schedule pairwise",
                )
            self._fill("shared_negatives", 128)
        elif self.device == CUDA:
            raise OptionError(
                "device is cuda, and the pairwise schedule runs on the cpu only",
                hint="choose --schedule window, or --device cpu",
            )
        elif self.deterministic:
            raise OptionError(
                "deterministic belongs to the window schedule, and the schedule is pairwise",
                hint="choose --schedule window; or pass --threads 1 instead, which always gives "
                "the same vectors",
            )
        elif self.shared_negatives is not None:
            raise OptionError(
                "shared-negatives belongs to the window schedule, and the schedule is pairwise",
                hint="leave out --shared-negatives, or choose --schedule window",
            )

    @property
    def threads_matter(self) -> bool:
        """Whether what is learned depends on how many threads there are."""
        return not self.deterministic and self.device != CUDA

    def negatives_of(self, *, burn_in: bool) -> int:
        """Negative samples of a pair: in the burn-in a tenth, but never none."""
        assert self.negatives is not None  # filled in with the options
        return max(1, self.negatives // 10) if burn_in else self.negatives

    def with_usual_subsample(self, words: int) -> "TrainingOptions":
        """These options for a text of so many words, with the usual subsampling unless chosen."""
        if self.subsample is not None:
            return self
        return replace(self, subsample=1e-5 if words >= _LARGE_TEXT else 1e-4)

    @property
    def kept_share(self) -> float:
        """The share of the corpus up to which a word is not thinned out; 0 keeps every word."""
        assert self.subsample is not None  # filled in for a text
        return self.subsample

    def usual_rate(self, contexts_on_a_side: float) -> float:
        """The rate for words that have so many contexts.

        From the study in docs/measurements.md: the more contexts push a center at once, the less
        each of them may.
        """
        if self.schedule == PAIRWISE:
            return _PAIRWISE_RATE
        numerator = 0.08 if self.geometry == HYPERBOLOID else 0.25
        return float(f"{numerator / max(contexts_on_a_side, 1.0):.2g}")

    def with_usual_rate(self, contexts_on_a_side: float) -> "TrainingOptions":
        """These options with the usual rate, unless one was chosen."""
        if self.rate is not None:
            return self
        rate = self.usual_rate(contexts_on_a_side)
        if self.end_rate > rate:
            raise OptionError(
                f"end-rate is {self.end_rate:g}, and the usual rate for this text is {rate:g}: the "
                "rate must not grow",
                hint="pass a --rate too, or a smaller --end-rate",
            )
        return replace(self, rate=rate)

    def _fill(self, name: str, value: Any) -> None:
        if getattr(self, name) is None:
            object.__setattr__(self, name, value)


@dataclass(frozen=True, kw_only=True)
class CheckpointOptions(Options):
    """Options of keeping and taking up an unfinished training."""

    checkpoint_minutes: float = option(
        10.0,
        float,
        "write a checkpoint so often, and at each epoch that is long enough; 0 writes none",
        at_least=0,
        at_most=100_000,
    )
    resume: bool = option(
        False, bool, "go on from the newest checkpoint, or begin if there is none"
    )
    restart: bool = option(False, bool, "begin anew, and remove what an earlier training left")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resume and self.restart:
            raise OptionError("resume and restart contradict each other", hint="pass one of them")


@dataclass(frozen=True)
class Preset:
    """Option values with a name.

    Args:
        always: Whatever else is chosen.
        where: What belongs to one value of another option: that option, its value, and the
            options that hold there.
    """

    always: Mapping[str, Any] = field(default_factory=dict)
    where: tuple[tuple[str, Any, Mapping[str, Any]], ...] = ()


PRESETS = {
    "default": Preset(),
    # Appendix A.2; where the paper is silent (power, full window), the authors' program. All that
    # vectors depend on is here, so that it stays the paper's when a default changes.
    "paper": Preset(
        {
            "schedule": PAIRWISE,
            "min_count": 15,
            "tokenizer": "paper",
            "factors": 1,
            "window": 10,
            "shrink_window": False,
            "negatives": 10,
            "power": 0.5,
            "subsample": 1e-5,
            "epochs": 3,
            "burn_in_epochs": 0,
            "end_rate": 0.0,
            "learn_theta": False,
            "max_step": 1.0,
        },
        where=(
            (
                "geometry",
                HYPERBOLOID,
                {"curvature": 1.0, "theta": 3.0, "tied": True, "initial_deviation": 0.01},
            ),
            ("geometry", EUCLIDEAN, {"tied": False}),
            ("schedule", WINDOW, {"shared_negatives": 128}),
            ("tied", False, {"layer": CENTERS}),
        ),
    ),
}


def on_top_of(name: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Chosen option values on top of a preset's, without those that have no meaning beside them."""
    if name not in PRESETS:
        raise OptionError(f"preset is {name!r}", hint=f"preset takes {' or '.join(PRESETS)}")
    values = dict(PRESETS[name].always) | dict(chosen)
    for option_name, value, belonging in PRESETS[name].where:
        if values.get(option_name, getattr(TrainingOptions, option_name)) == value:
            values = dict(belonging) | values
    return values
