"""Options of an experiment: the grid, the models, and the evaluation sets.

A model is a named set of training options. Each model is a row in the tables of the report.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from hyperskip.errors import OptionError, alternatives
from hyperskip.experiment.design.peer_programs import FASTTEXT, PEERS
from hyperskip.geometry.names import EUCLIDEAN, HYPERBOLOID
from hyperskip.options import Declaration, Range, check_names, declarations
from hyperskip.text.options import TextOptions
from hyperskip.training.options import WINDOW, TrainingOptions
from hyperskip.training.presets import PRESETS, with_preset

USUAL = "usual"  # the rate that hyperskip chooses itself
EQUAL_TIME = "equal-time"  # a row that is not a model, like those of other programs
BEST, ALL, NONE = "best", "all", "none"

# Models are compared on the same vocabulary after the same number of epochs, as in the paper.
SHARED_DEFAULTS: dict[str, Any] = {
    name: PRESETS["paper"].always[name] for name in ("subsample", "min_count", "tokenizer")
}
# Decided by the grid or by each model, or of no use in an experiment.
NOT_SHARED = ("geometry", "dimension", "epochs", "rate", "seed", "freeze")
_OF_A_MODEL = ("geometry", "epochs")  # those of them that a model can set

SEEDS = Declaration(
    kind=int,
    help="number of seeds for each configuration; the tables show means over seeds",
    default=1,
    limits=Range(at_least=1, at_most=1000),
)
KEEP_MODELS = Declaration(
    kind=str,
    help=f"which model files to keep: {BEST} (those in the tables), {ALL} or {NONE}",
    default=BEST,
    choices=(BEST, ALL, NONE),
)
COMPARE = Declaration(
    kind=str,
    help=f"other programs to train on the same text, separated by commas: {', '.join(PEERS)}",
    choices=tuple(PEERS),
)

# The lists of numbers that make the grid, and the training option of each.
_AXES = {"dimensions": "dimension", "epochs": "epochs", "rates": "rate", "peer_rates": "rate"}

_MODEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}")


@dataclass(frozen=True)
class Model:
    """A named set of training options.

    Args:
        name: At most 40 letters, digits, and `_.+-`; the first is a letter or a digit.
        options: Fields of `TrainingOptions` that differ from the preset. A model with `epochs` is
            trained with these only.
        preset: The preset to start from. The schedule of `paper` is not used, and neither are the
            options that all models share.
        rate: A number, `usual` for the rate that hyperskip chooses, or None for every rate of the
            grid.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    preset: str = "default"
    rate: float | str | None = None

    def __post_init__(self) -> None:
        if not _MODEL_NAME.fullmatch(self.name):
            raise OptionError(
                f"{self.name!r} cannot be the name of a model",
                hint="use at most 40 letters, digits and _.+-, starting with a letter or a digit",
            )
        if self.name in (*PEERS, EQUAL_TIME):
            raise OptionError(
                f"{self.name!r} cannot be the name of a model: the report has a row of that name",
                hint="choose another name",
            )
        with_preset(self.preset, {})
        check_names(self.options, TrainingOptions)
        for name in self.options:
            if name in NOT_SHARED and name not in _OF_A_MODEL:
                raise OptionError(
                    f"the model {self.name} cannot set {name}",
                    hint="pass `dimensions`, `rates` and `seeds` to the experiment; the only rate "
                    f"that a model can set is a fixed one, rate=NUMBER or rate={USUAL}; no model "
                    "starts from another, so that freeze has no effect",
                )
        if self.rate is not None and self.rate != USUAL:
            declared = declarations(TrainingOptions)["rate"]
            object.__setattr__(self, "rate", declared.checked("rate", self.rate))


MODELS = {
    model.name: model
    for model in (
        Model("default", rate=USUAL),
        Model("default-euclidean", {"geometry": EUCLIDEAN}, rate=USUAL),
        Model("paper", {"geometry": HYPERBOLOID}, preset="paper"),
        Model("euclidean", {"geometry": EUCLIDEAN}, preset="paper"),
    )
}


@dataclass(frozen=True, kw_only=True, repr=False)
class ExperimentOptions:
    """Options of an experiment, checked on creation; the defaults are the paper's grid.

    Args:
        dimensions: The dimensions to train in.
        epochs: The numbers of epochs to train for; models are compared after the same number.
        rates: The learning rates to choose from, by similarity score.
        models: Names from MODELS, or `Model` objects.
        seeds: Number of seeds for each configuration, counted from 1; scores are means over them.
        compare: Other programs to train on the same text: `fasttext` and `gensim`.
        peer_rates: Their learning rates to choose from; if empty, each has its own default rate.
        equal_time: Train `default` once more, for as long as fastText takes.
        similarity: Names or files of similarity sets. If all three kinds are None, the sets of the
            paper and every known hypernymy set are used; otherwise a kind that is None is left out.
        analogies: Names or files of analogy sets.
        hypernymy: Names or files of hypernymy sets.
        data: The folder that contains the named sets.
        keep_models: `best` keeps the models shown in the tables, `all` keeps every model, and
            `none` keeps no model.
        shared: Fields of `TrainingOptions` and `TextOptions` for every model that does not set them
            itself; they override SHARED_DEFAULTS.
    """

    dimensions: tuple[int, ...] = (5, 20, 50, 100)
    epochs: tuple[int, ...] = (PRESETS["paper"].always["epochs"],)
    rates: tuple[float, ...] = (0.1, 0.05, 0.01, 0.005)
    models: tuple[str | Model, ...] = ("default", "paper", "euclidean")
    seeds: int = SEEDS.default
    compare: tuple[str, ...] = ()
    peer_rates: tuple[float, ...] = ()
    equal_time: bool = False
    similarity: tuple[str, ...] | None = None
    analogies: tuple[str, ...] | None = None
    hypernymy: tuple[str, ...] | None = None
    data: Path | None = None
    keep_models: str = KEEP_MODELS.default
    shared: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for axis in _AXES:
            self._check_axis(axis)
        object.__setattr__(self, "seeds", SEEDS.checked("seeds", self.seeds))
        models = tuple(_model(each) for each in self.models)
        _check_unique("models", [model.name for model in models])
        object.__setattr__(self, "models", models)
        self._check_peers()
        KEEP_MODELS.checked("keep_models", self.keep_models)
        check_names(self.shared, TrainingOptions, TextOptions)
        for name in set(self.shared) & set(NOT_SHARED):
            raise OptionError(
                f"{name} cannot be set for the whole experiment",
                hint="use `dimensions`, `epochs`, `rates`, `seeds` and `models`; the geometry is "
                "set by each model",
            )

    def _check_axis(self, axis: str) -> None:
        """Check each value, and store it as a plain number."""
        # The default of the option is not that of the axis.
        each_value = replace(declarations(TrainingOptions)[_AXES[axis]], default=None, rule="")
        values = tuple(each_value.checked(axis, value) for value in getattr(self, axis))
        if values or axis != "peer_rates":
            _check_unique(axis, values)
        object.__setattr__(self, axis, values)

    def _check_peers(self) -> None:
        for peer in self.compare:
            COMPARE.checked("compare", peer)
        if self.compare:
            _check_unique("compare", self.compare)
        elif self.peer_rates:
            raise OptionError(
                "`peer_rates` are the rates of other programs, but `compare` names none",
                hint=f"set `compare` to {alternatives(PEERS)}, or leave out `peer_rates`",
            )
        if self.equal_time and not (FASTTEXT in self.compare and "default" in self.model_names):
            raise OptionError(
                "`equal_time` trains the model default for as long as fastText takes, but one of "
                "the two is missing",
                hint=f"add {FASTTEXT} to `compare`, and default to `models`",
            )

    def __repr__(self) -> str:
        """What differs from the defaults, as it is written in Python."""
        usual = {each.name: each.default for each in fields(self)} | {"shared": {}}
        values = {name: getattr(self, name) for name in usual}
        values["models"] = tuple(
            model.name if model == MODELS.get(model.name) else model for model in self.chosen_models
        )
        shown = [f"{name}={values[name]!r}" for name in usual if values[name] != usual[name]]
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def chosen_models(self) -> tuple[Model, ...]:
        """The models, with names resolved."""
        return tuple(_model(model) for model in self.models)

    @property
    def model_names(self) -> tuple[str, ...]:
        """The names of the models, in the order of the tables."""
        return tuple(model.name for model in self.chosen_models)

    @property
    def text_values(self) -> dict[str, Any]:
        """The text options that were set or have a shared default."""
        values = SHARED_DEFAULTS | dict(self.shared)
        return {name: values[name] for name in declarations(TextOptions) if name in values}

    def training_values(self, model: Model) -> dict[str, Any]:
        """The training options of a model, except for those that the grid decides."""
        fast = {"schedule": WINDOW}  # also for models with the paper's preset
        chosen = fast | SHARED_DEFAULTS | dict(self.shared) | dict(model.options)
        values = with_preset(model.preset, chosen)
        return {name: values[name] for name in declarations(TrainingOptions) if name in values}


def _model(model: str | Model) -> Model:
    if isinstance(model, Model):
        return model
    if model not in MODELS:
        raise OptionError(
            f"`models` contains {model!r}, which is not a model",
            hint=f"the models are {', '.join(MODELS)}; define others with "
            "hyperskip.experiment.Model()",
        )
    return MODELS[model]


def _check_unique(name: str, values: Sequence[object]) -> None:
    if not values:
        raise OptionError(f"`{name}` is empty", hint="give at least one value")
    for value in values:
        if values.count(value) > 1:
            raise OptionError(f"`{name}` contains {value} twice", hint="list each value once")
