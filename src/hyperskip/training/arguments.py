"""The arguments of `hyperskip.train` as groups of options."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from hyperskip.cluster.options import ClusterOptions
from hyperskip.errors import OptionError
from hyperskip.options import Options, check_names, declarations
from hyperskip.text.options import TextOptions
from hyperskip.training.hierarchy.options import HierarchyOptions
from hyperskip.training.options import CheckpointOptions, TrainingOptions
from hyperskip.training.presets import with_preset
from hyperskip.training.settled_options import SettledOptions
from hyperskip.training.shared_plan import Plan
from hyperskip.training.start.from_model import check_same_space, inherited_options
from hyperskip.training.subword_options import SubwordOptions
from hyperskip.vectors.model_file import given_model
from hyperskip.vectors.word_vectors import WordVectors

GROUPS: tuple[type[Options], ...] = (
    *(TrainingOptions, SubwordOptions, TextOptions, CheckpointOptions, ClusterOptions),
    HierarchyOptions,
)
OPTION_NAMES = frozenset(name for group in GROUPS for name in declarations(group))


def initial_model(init: object) -> WordVectors | None:
    """The model to start from, read if it is a file; None if there is none."""
    return None if init is None else given_model("init", init)


def chosen_options(
    options: TrainingOptions | None,
    keywords: Mapping[str, Any],
    model: WordVectors | None,
    preset: str,
) -> dict[str, Any]:
    """All option values that are not defaults: keywords win, then options, model and preset."""
    if not isinstance(options, TrainingOptions | None):
        raise OptionError(
            f"`options` must be TrainingOptions, got {options!r}",
            hint="pass hyperskip.TrainingOptions(...), or single options as keyword arguments",
        )
    chosen = {} if options is None else options.chosen()
    chosen |= {name: value for name, value in keywords.items() if value is not None}
    inherited = {} if model is None else inherited_options(model, chosen)
    return with_preset(preset, inherited | chosen)


class OptionGroups(NamedTuple):
    """The options of a training, in groups."""

    text: TextOptions
    training: TrainingOptions
    subwords: SubwordOptions
    checkpoints: CheckpointOptions
    cluster: ClusterOptions
    hierarchy: HierarchyOptions


def split_options(values: Mapping[str, Any]) -> OptionGroups:
    """Sort option values into their groups, which check them."""
    check_names(values, *GROUPS)

    def of(group: type[Options]) -> Any:
        return group(**{name: values[name] for name in values if name in declarations(group)})

    return OptionGroups(
        of(TextOptions),
        of(TrainingOptions),
        of(SubwordOptions),
        of(CheckpointOptions),
        of(ClusterOptions),
        of(HierarchyOptions),
    )


def check_start(model: WordVectors | None, chosen: SettledOptions | Plan) -> None:
    """Check that the options, with their defaults, fit the initial model.

    Raises:
        OptionError: They do not, or they need a model and there is none.
    """
    if model is not None:
        check_same_space(model, chosen)
    elif chosen.freeze:
        raise OptionError(
            "`freeze=True` requires `init`", hint="pass a model as `init`, or leave out `freeze`"
        )
