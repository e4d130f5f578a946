"""What can be chosen about an experiment: its grid, its models, and what they are judged by.

A model is a name for a set of training options: a row of the report's tables.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hyperskip.errors import OptionError
from hyperskip.options import Declaration, Range, check_names, declarations
from hyperskip.text.options import TextOptions
from hyperskip.training.options import (
    EUCLIDEAN,
    HYPERBOLOID,
    PRESETS,
    TrainingOptions,
    on_top_of,
)

USUAL = "usual"  # a rate: the one that hyperskip chooses itself
FASTTEXT, EQUAL_TIME = "fasttext", "equal-time"  # rows that are no models of hyperskip's user
BEST, ALL, NONE = "best", "all", "none"

# What models must share to be compared: text, vocabulary and epochs, as in the paper.
SETTINGS: dict[str, Any] = {
    name: PRESETS["paper"].always[name]
    for name in ("subsample", "epochs", "min_count", "tokenizer")
}
# What the grid, the seeds or a model decide, and what an experiment has no use for.
NOT_SHARED = ("geometry", "dimension", "rate", "seed", "freeze")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}")
_SEEDS = Declaration(kind=int, help="", limits=Range(at_least=1, at_most=1000))
_YES_OR_NO = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True)
class Model:
    """A named set of training options.

    Args:
        name: Letters, digits, and `_.+-`.
        options: Fields of `TrainingOptions` in which it differs from its preset.
        preset: What it starts from; of `paper`, all but the schedule is taken, and of both not what
            models share.
        rate: A number; `usual` for the rate that hyperskip chooses; None for all of the grid's.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    preset: str = "default"
    rate: float | str | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise OptionError(
                f"a model's name is {self.name!r}",
                hint="take letters, digits and _.+- only, at most 40, and begin with one of the "
                "first two",
            )
        if self.name in (FASTTEXT, EQUAL_TIME):
            raise OptionError(
                f"a model's name is {self.name!r}, which is a row of another kind",
                hint="choose another name",
            )
        on_top_of(self.preset, {})
        check_names(self.options, TrainingOptions)
        for name in set(self.options) - {"geometry"}:
            if name in NOT_SHARED:
                raise OptionError(
                    f"the model {self.name} has an option {name.replace('_', '-')}",
                    hint="dimensions, rates and seeds are the experiment's; a model takes "
                    f"rate=NUMBER or rate={USUAL}, and no model starts from another",
                )
        if self.rate is not None and self.rate != USUAL:
            declared = declarations(TrainingOptions)["rate"]
            object.__setattr__(self, "rate", declared.checked("rate", self.rate))


MODELS = {
    model.name: model
    for model in (
        Model("default", rate=USUAL),
        Model("paper", {"geometry": HYPERBOLOID}, preset="paper"),
        Model("euclidean", {"geometry": EUCLIDEAN}, preset="paper"),
    )
}


def parsed_model(text: str) -> Model:
    """A model from `NAME:option=value,option=value`.

    Raises:
        OptionError: That is not its form, or an option or value is not one of training.
    """
    name, _, listed = text.partition(":")
    declared = declarations(TrainingOptions)
    options: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for part in filter(None, listed.split(",")):
        flag, separator, value = (piece.strip() for piece in part.partition("="))
        option = flag.replace("-", "_")
        if not separator:
            raise OptionError(
                f"{part!r} of the model {name} is not option=value",
                hint="write --model NAME:option=value,option=value",
            )
        if option in options or option in others:
            raise OptionError(f"the model {name} has {flag} twice", hint="name it once")
        if option == "preset" or (option == "rate" and value == USUAL):
            others[option] = value
        elif option == "rate":
            others[option] = _parsed(flag, value, declared[option])
        elif option in declared:
            options[option] = _parsed(flag, value, declared[option])
        elif option in declarations(TextOptions):
            raise OptionError(
                f"{flag} of the model {name} is an option of the text, which all models share",
                hint=f"pass --{flag.replace('_', '-')} to the experiment",
            )
        else:
            check_names([option], TrainingOptions)
    return Model(name, options, **others)


def _parsed(name: str, text: str, declaration: Declaration) -> Any:
    """A value as its option has it; what cannot be read is refused as the text that it is."""
    readers: dict[type, Callable[[str], Any]] = {
        int: int,
        float: float,
        bool: lambda word: _YES_OR_NO[word.lower()],
        str: str,
    }
    try:
        value = readers[declaration.kind](text)
    except (ValueError, KeyError):
        value = text
    return declaration.checked(name, value)


@dataclass(frozen=True, kw_only=True)
class ExperimentOptions:
    """Options of an experiment, checked when made; the defaults are the paper's grid.

    Args:
        dimensions: Of the spaces to train in.
        rates: Learning rates to choose among, by similarity.
        models: Names of MODELS, or models of one's own.
        seeds: Train each so often, with seeds from 1; scores are means then.
        compare: `fasttext`, to train that at the same rates.
        equal_time: Train `default` once more, for as long as fastText takes.
        similarity: Names or files of similarity sets; None for those of the paper. Where one kind
            of sets is given, the others are left out.
        analogies: Names or files of analogy sets; None for that of the paper.
        hypernymy: Names or files of hypernymy sets; None for those that are known.
        data: The folder with the named ones.
        keep_models: `best` keeps those that the tables show, `all` every one, `none` no one.
        shared: Fields of `TrainingOptions` and `TextOptions` that hold for all models which do not
            choose them themselves; they override SETTINGS.
    """

    dimensions: tuple[int, ...] = (5, 20, 50, 100)
    rates: tuple[float, ...] = (0.1, 0.05, 0.01, 0.005)
    models: tuple[str | Model, ...] = tuple(MODELS)
    seeds: int = 1
    compare: tuple[str, ...] = ()
    equal_time: bool = False
    similarity: tuple[str, ...] | None = None
    analogies: tuple[str, ...] | None = None
    hypernymy: tuple[str, ...] | None = None
    data: Path | None = None
    keep_models: str = BEST
    shared: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        declared = declarations(TrainingOptions)
        for axis, option in (("dimensions", "dimension"), ("rates", "rate")):
            values = tuple(declared[option].checked(option, each) for each in getattr(self, axis))
            object.__setattr__(self, axis, _each_once(axis, values))
        object.__setattr__(self, "seeds", _SEEDS.checked("seeds", self.seeds))
        models = tuple(_model(each) for each in self.models)
        _each_once("models", tuple(model.name for model in models))
        object.__setattr__(self, "models", models)
        for peer in _each_once("compare", self.compare, may_be_empty=True):
            if peer != FASTTEXT:
                raise OptionError(f"compare is {peer!r}", hint=f"compare takes {FASTTEXT}")
        if self.equal_time and (not self.compare or "default" not in self.model_names):
            raise OptionError(
                "equal-time trains the model default for as long as fastText takes, and one of the "
                "two is not there",
                hint=f"pass --compare {FASTTEXT}, and default among --models",
            )
        if self.keep_models not in (BEST, ALL, NONE):
            raise OptionError(
                f"keep-models is {self.keep_models!r}",
                hint=f"keep-models takes {BEST} or {ALL} or {NONE}",
            )
        check_names(self.shared, TrainingOptions, TextOptions)
        for name in set(self.shared) & set(NOT_SHARED):
            raise OptionError(
                f"{name.replace('_', '-')} is not an option of the whole experiment",
                hint="dimensions, rates, seeds and models are; a geometry is a model's",
            )

    @property
    def chosen_models(self) -> tuple[Model, ...]:
        """The models, none of them by name only."""
        return tuple(_model(model) for model in self.models)

    @property
    def model_names(self) -> tuple[str, ...]:
        """In the order of the tables."""
        return tuple(model.name for model in self.chosen_models)

    @property
    def text_values(self) -> dict[str, Any]:
        """The options of reading."""
        values = SETTINGS | dict(self.shared)
        return {name: values[name] for name in declarations(TextOptions) if name in values}

    def training_values(self, model: Model) -> dict[str, Any]:
        """The options of training a model, but for what the grid decides."""
        ours = {"schedule": TrainingOptions.schedule}  # fast; the paper's is for --schedule
        chosen = ours | SETTINGS | dict(self.shared) | dict(model.options)
        values = on_top_of(model.preset, chosen)
        return {name: values[name] for name in declarations(TrainingOptions) if name in values}


def _model(model: str | Model) -> Model:
    if isinstance(model, Model):
        return model
    if model not in MODELS:
        raise OptionError(
            f"there is no model {model!r}",
            hint=f"models are {', '.join(MODELS)}; define others by --model NAME:option=value,...",
        )
    return MODELS[model]


def _each_once(name: str, values: tuple[Any, ...], *, may_be_empty: bool = False) -> Any:
    if not values and not may_be_empty:
        raise OptionError(f"there are no {name}", hint=f"name at least one, as in --{name} A,B")
    for value in values:
        if values.count(value) > 1:
            raise OptionError(f"{name} has {value} twice", hint="name it once")
    return values
