"""What can be chosen about training: every option with its range, its meaning and its default.

`TrainingOptions` holds what was chosen, and nothing else. What will be done, with all defaults
filled in for a text and a device, is a `TrainingPlan` (see plan.py).
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from hyperskip.devices import CUDA, DEVICE, THREADS
from hyperskip.errors import OptionError
from hyperskip.geometry.names import GEOMETRIES, HYPERBOLOID, is_curved
from hyperskip.options import Options, declarations, option, option_of

WINDOW, PAIRWISE = "window", "pairwise"
CENTERS, CONTEXTS, CENTROID = "centers", "contexts", "centroid"
PAIRWISE_RATE = 0.05
MOST_EPOCHS = 100_000
_ADDED_OPTIONS = ("distance_decay", "rate_power")  # 0 in the files of earlier versions


def _choice(default: Any, kind: type, help: str, **declared: Any) -> Any:  # noqa: A002
    """Declare a field that is None until a value is chosen."""
    return option(default, kind, help, optional=True, **declared)


@dataclass(frozen=True, kw_only=True, repr=False)
class LearningOptions(Options):
    """The base of options of which each is None until a value is chosen."""

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.chosen().items())
        return f"{type(self).__name__}({shown})"

    def chosen(self) -> dict[str, Any]:
        """The options that were chosen."""
        return {name: value for name, value in self.as_dict().items() if value is not None}

    def with_defaults(self) -> dict[str, Any]:
        """All options, with plain defaults; None if a rule decides."""
        return {
            name: declaration.default if value is None else value
            for (name, declaration), value in zip(
                declarations(type(self)).items(), self.as_dict().values(), strict=True
            )
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class TrainingOptions(LearningOptions):
    """Options of training; None means not chosen. `hyperskip.train` describes each field.

    Contradictory options raise an OptionError.
    """

    # Where defaults that depend on the dimension begin to fall or rise; from docs/study.md.
    default_curvature: ClassVar[tuple[float, float]] = (0.25, 7)  # at most; times dimension
    default_negatives: ClassVar[tuple[int, int]] = (40, 20)  # below 50 dimensions; from 50 on
    full_rate_dimension: ClassVar[int] = 10
    default_theta_share: ClassVar[float] = 1.0  # of the limit for small vocabularies

    geometry: str | None = _choice(
        HYPERBOLOID,
        str,
        "space of the vectors: hyperboloid (hyperbolic, as in the paper) or euclidean (plain "
        "skip-gram, compared by cosine)",
        choices=GEOMETRIES,
    )
    schedule: str | None = _choice(
        WINDOW,
        str,
        "how negative samples are drawn: window shares them between consecutive centers, which is "
        "fast; pairwise draws them for each pair of center and context, as in the paper",
        choices=(WINDOW, PAIRWISE),
    )
    dimension: int | None = _choice(100, int, "dimension of the space", at_least=1, at_most=4096)
    factors: int | None = _choice(
        1,
        int,
        "number of hyperboloids in the product space; must divide the dimension; window schedule "
        "only",
        at_least=1,
        at_most=4096,
    )
    curvature: float | None = _choice(
        None,
        float,
        "curvature of each hyperboloid: 1 in the paper, nearly flat close to 0",
        rule="0.25, or 7 / dimension if that is less",
        at_least=1e-4,
        at_most=1e4,
    )
    window: int | None = _choice(
        7, int, "number of context words on each side of a center", at_least=1, at_most=1000
    )
    shrink_window: bool | None = _choice(
        False,
        bool,
        "draw the window of each center at random, up to the full size, as word2vec does",
    )
    distance_decay: float | None = _choice(
        None,
        float,
        "a context at the distance k counts k^-decay times; 0 counts all contexts of a window "
        "alike; window schedule only",
        rule="1, or 0 for vocabularies of less than 10,000 words, such as items of sessions",
        at_least=0,
        at_most=10,
    )
    negatives: int | None = _choice(
        None,
        int,
        "negative samples for each pair of center and context",
        rule="40 below 50 dimensions, 20 from 50 on; half of that in Euclidean space",
        at_least=1,
        at_most=500,
    )
    shared_negatives: int | None = _choice(
        128,
        int,
        "number of negative samples shared by each tile of 16 consecutive centers; window schedule "
        "only",
        at_least=1,
        at_most=4096,
    )
    power: float | None = _choice(
        0.45,
        float,
        "negative samples are drawn in proportion to their count to this power",
        at_least=0,
        at_most=1,
    )
    subsample: float | None = _choice(
        None,
        float,
        "drop tokens of words more frequent than this share of the text at random; 0 keeps all",
        rule="1e-5 for texts of at least 5 million words, 1e-4 for smaller ones, or 0.3 / the size "
        "of the vocabulary if that is more",
        at_least=0,
        at_most=1,
    )
    epochs: int | None = _choice(10, int, "passes over the text", at_least=1, at_most=MOST_EPOCHS)
    rate: float | None = _choice(
        None,
        float,
        "learning rate at the start",
        rule="less the more contexts a word has in the text, see docs/model.md; pairwise schedule: "
        f"{PAIRWISE_RATE:g}",
        above=0,
        at_most=10,
    )
    rate_power: float | None = _choice(
        0.2,
        float,
        "rare words learn faster: the learning rate of a word falls with its number of tokens to "
        "this power, between 1/4 and 4 times the usual rate; 0: all words have the same rate; "
        "window schedule only",
        at_least=0,
        at_most=1,
    )
    end_rate: float | None = _choice(
        0.0,
        float,
        "learning rate at the end; the rate falls linearly",
        at_least=0,
        at_most=10,
    )
    burn_in_epochs: int | None = _choice(
        0,
        int,
        "additional passes at the start, at a constant rate and with a tenth of the negative "
        "samples",
        at_least=0,
        at_most=MOST_EPOCHS,
    )
    burn_in_rate: float | None = _choice(
        None,
        float,
        "learning rate of the burn-in epochs",
        rule="the learning rate",
        above=0,
        at_most=10,
    )
    theta: float | None = _choice(
        None,
        float,
        "offset added to the Minkowski product, as in the paper; a word scores theta - 1 with "
        "itself; hyperboloid only",
        rule="1, plus 1 for each doubling of the dimension from 5 on; less below 20 dimensions and "
        "for small vocabularies, see docs/model.md",
        at_least=-100,
        at_most=100,
    )
    learn_theta: bool | None = _choice(False, bool, "learn theta too; hyperboloid only")
    max_step: float | None = _choice(
        1.0,
        float,
        "longest distance that one update may move a word, on each unit hyperboloid",
        above=0,
        at_most=2,
    )
    tied: bool | None = _choice(
        None,
        bool,
        "use one vector for each word, or two: one as a center, one as a context",
        rule="one vector on the hyperboloid, two in Euclidean space",
    )
    layer: str | None = _choice(
        CENTERS,
        str,
        "which vector of a word is kept if it has two: the center, the context, or their centroid",
        choices=(CENTERS, CONTEXTS, CENTROID),
        aliases={"centres": CENTERS},
    )
    initial_deviation: float | None = _choice(
        None,
        float,
        "standard deviation of the random start around the base point",
        rule="0.01 on the hyperboloid, less if the space has many dimensions or is nearly flat; "
        "in Euclidean space, vectors start as in fastText",
        above=0,
        at_most=1,
    )
    locking: bool | None = _choice(
        False,
        bool,
        "lock words during an update and skip pairs with a locked word, as in the paper; pairwise "
        "schedule only",
    )
    freeze: bool | None = _choice(
        False, bool, "keep the vectors of the initial model fixed; only new words move"
    )
    deterministic: bool | None = _choice(
        False,
        bool,
        "learn the same vectors with any number of threads, and on a GPU in every run; takes up to "
        "twice as long; window schedule only",
    )
    device: str | None = option_of(
        DEVICE,
        help="where to train: cpu, cuda (an NVIDIA GPU, window schedule only), or auto (the GPU if "
        "there is one)",
        optional=True,
    )
    threads: int | None = option_of(
        THREADS,
        help="threads on the CPU, of each node if there is a cluster; 0 uses all cores",
        optional=True,
    )
    seed: int | None = _choice(
        1, int, "seed of the random number generator", at_least=0, at_most=2**63 - 1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_space()
        self._check_schedule()
        self._check_rates()
        self._check_layers()

    @staticmethod
    def default_theta(dimension: int) -> float:
        """The default of theta for a large vocabulary."""
        doublings = max(0.0, math.log2(dimension / 5))
        return min(1.5 * doublings, 1.0 + doublings)

    @property
    def is_curved(self) -> bool:
        """Whether the space is hyperbolic."""
        return is_curved(self.geometry or HYPERBOLOID)

    @property
    def is_tied(self) -> bool:
        """Whether each word has one vector."""
        return self.is_curved if self.tied is None else self.tied

    def _check_space(self) -> None:
        if not self.is_curved:
            for name, is_chosen in (
                ("theta", self.theta is not None),
                ("learn_theta", self.learn_theta),
                ("factors", (self.factors or 1) > 1),
                ("curvature", self.curvature is not None),
            ):
                if is_chosen:
                    raise OptionError(
                        f"`{name}` needs `geometry='{HYPERBOLOID}'`, and `geometry` is "
                        f"{self.geometry!r}",
                        hint=f"leave out `{name}` or `geometry`",
                    )
        values = self.with_defaults()
        if values["dimension"] % values["factors"]:
            raise OptionError(
                f"`factors` must divide `dimension`, got {values['factors']} and "
                f"{values['dimension']}",
                hint=f"for `dimension={values['dimension']}`, choose `factors` from "
                f"{_divisors(values['dimension'])}",
            )

    def _check_schedule(self) -> None:
        if self.schedule != PAIRWISE:
            if self.locking:
                raise OptionError(
                    f"`locking` needs `schedule='{PAIRWISE}'`, and `schedule` is '{WINDOW}'",
                    hint=f"leave out `locking`, or pass `schedule='{PAIRWISE}'`",
                )
            return
        for name, is_chosen in (
            ("factors", (self.factors or 1) > 1),
            ("shared_negatives", self.shared_negatives is not None),
            ("distance_decay", bool(self.distance_decay)),
            ("rate_power", bool(self.rate_power)),
            ("deterministic", self.deterministic),
            ("device", self.device == CUDA),
        ):
            if is_chosen:
                instead = {
                    "deterministic": "; with `threads=1`, training is always deterministic",
                    "device": ", or pass `device='cpu'`",
                }
                raise OptionError(
                    f"`{name}={getattr(self, name)!r}` needs `schedule='{WINDOW}'`, and `schedule` "
                    f"is '{PAIRWISE}'",
                    hint=f"leave out `{name}` or `schedule`{instead.get(name, '')}",
                )

    def _check_rates(self) -> None:
        rate = PAIRWISE_RATE if self.schedule == PAIRWISE and self.rate is None else self.rate
        if rate is not None and self.end_rate is not None and self.end_rate > rate:
            raise OptionError(
                f"`end_rate` is {self.end_rate:g} and `rate` is {rate:g}, but the rate must not "
                "grow",
                hint="choose an `end_rate` of at most `rate`",
            )
        if self.burn_in_rate is not None and not self.burn_in_epochs:
            raise OptionError(
                "`burn_in_rate` needs `burn_in_epochs`, which is 0",
                hint="pass `burn_in_epochs`, or leave out `burn_in_rate`",
            )

    def _check_layers(self) -> None:
        if self.is_tied and self.layer is not None:
            raise OptionError(
                f"`layer` is {self.layer!r}, but each word has one vector only",
                hint="leave out `layer`, or pass `tied=False`",
            )
        if self.freeze and self.layer in (CONTEXTS, CENTROID):
            raise OptionError(
                f"`layer` is {self.layer!r}, but `freeze` keeps the centers",
                hint="leave out `layer` or `freeze`",
            )


def with_current_options(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored option values with the current names of choices, and with options that were added.

    Deterministic trainings on the CPU are left as they are: their blocks were smaller, so that they
    cannot be resumed (see checkpoints/checkpoint.py).
    """
    declared = declarations(TrainingOptions)
    current = {
        name: declared[name].current(value) if name in declared else value
        for name, value in stored.items()
    }
    on_cpu = current.get("device") != CUDA
    if current.get("schedule") is None or (current.get("deterministic") and on_cpu):
        return current
    is_window = current["schedule"] == WINDOW
    return dict.fromkeys(_ADDED_OPTIONS, 0.0 if is_window else None) | current


@dataclass(frozen=True, kw_only=True)
class CheckpointOptions(Options):
    """Options of writing checkpoints and resuming from them.

    Values are checked when the object is made. `hyperskip.train` describes each field.
    """

    checkpoint_minutes: float = option(
        10.0,
        float,
        "minutes between checkpoints, in addition to those after long epochs; 0 writes none",
        at_least=0,
        at_most=100_000,
    )
    resume: bool = option(
        False,
        bool,
        "continue from the newest checkpoint, or start from the beginning if there is none",
    )
    restart: bool = option(False, bool, "remove existing checkpoints and start again")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resume and self.restart:
            raise OptionError("`resume` and `restart` contradict each other", hint="pass only one")


def _divisors(number: int) -> str:
    return ", ".join(str(divisor) for divisor in range(1, number + 1) if number % divisor == 0)
