"""`hyperskip experiment`: the paper's grid of trainings and a report, in one command."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    command_of,
    declared_parameter,
    option_parameters,
    parameter,
)
from hyperskip.cli.messages import progress_output, typed_command
from hyperskip.cli.parameters import Analogies, AsJson, Data, Hypernymy, Similarity
from hyperskip.cli.tables import print_table
from hyperskip.errors import OptionError
from hyperskip.experiment.design.options import (
    COMPARE,
    KEEP_MODELS,
    MODELS,
    NOT_SHARED,
    SEEDS,
    SHARED_DEFAULTS,
    USUAL,
    ExperimentOptions,
    Model,
)
from hyperskip.experiment.design.peer_programs import FASTTEXT, PEERS
from hyperskip.options import Declaration, check_names, declarations
from hyperskip.progress.messages import printable, say
from hyperskip.text.options import TextOptions
from hyperskip.training.options import WINDOW, TrainingOptions
from hyperskip.training.presets import PRESET, PRESETS

if TYPE_CHECKING:
    from hyperskip.experiment.experiment import Experiment

_PANEL = "Options of all models"
_MODEL_FORM = "NAME:option=value,..."
_OWN_OPTIONS = ("seeds", "similarity", "analogies", "hypernymy", "data", "keep_models")
_YES_OR_NO = {"true": True, "yes": True, "false": False, "no": False}


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option."""

    def flag(kind: Any, description: str, *names: str, **others: Any) -> Any:
        shown = {"metavar": ""} if kind is bool else {}
        return Annotated[kind, typer.Option(*names, help=description, **shown | others)]

    defaults = ExperimentOptions()
    shown = _defaults_of_models() | {name: str(value) for name, value in SHARED_DEFAULTS.items()}
    shown["schedule"] = WINDOW
    return command_of(
        run,
        [
            parameter("corpus", Annotated[list[str], typer.Argument(
                metavar="CORPUS",
                help="Text files, folders, globs or URLs, or one encoded corpus.")]),
            parameter("output", Annotated[Path, typer.Option(
                "--output", "-o", metavar="FOLDER", help="Folder for runs, models and report.")]),
            parameter("dimensions", flag(
                str, "Dimensions, separated by commas.", metavar="N,N,...",
            ), _joined(defaults.dimensions)),
            parameter("epochs", flag(
                str, "Numbers of epochs, separated by commas. Models are compared after the same "
                "number.", metavar="N,N,...",
            ), _joined(defaults.epochs)),
            parameter("rates", flag(
                str, "Learning rates to choose from, separated by commas.", metavar="X,X,...",
            ), _joined(defaults.rates)),
            parameter("models", flag(
                str, "Models, separated by commas. default: hyperskip's defaults, at the usual "
                "rate only; default-euclidean: the same in Euclidean space; paper: the paper's "
                "hyperbolic model; euclidean: the paper's Euclidean model.", metavar="NAME,...",
            ), ",".join(defaults.model_names)),
            parameter("model", flag(
                list[str] | None, "One more model: hyperskip's defaults with these options, "
                f"trained at every rate. rate=X or rate={USUAL} sets a single rate; preset=paper "
                "starts from the paper's options. Repeat the option for more models.",
                metavar=_MODEL_FORM,
            ), None),
            declared_parameter("seeds", SEEDS),
            declared_parameter("compare", COMPARE, metavar="NAME,..."),
            parameter("peer_rates", flag(
                str | None, "With --compare: learning rates of the other programs to choose from, "
                f"separated by commas. [dim]\\[default: their own, {_default_rates()}][/dim]",
                metavar="X,X,...",
            ), None),
            parameter("equal_time", flag(
                bool, f"With --compare {FASTTEXT}: train the model default once more, for as long "
                "as fastText takes.", "--equal-time",
            ), False),
            parameter("similarity", Similarity, None),
            parameter("analogies", Analogies, None),
            parameter("hypernymy", Hypernymy, None),
            parameter("data", Data, None),
            declared_parameter("keep_models", KEEP_MODELS),
            parameter("restart", flag(
                bool, "Remove the finished runs and start again.", "--restart"), False),
            parameter("as_json", AsJson, False),
            *option_parameters(_PANEL, TrainingOptions, without=NOT_SHARED, defaults=shown),
            *option_parameters(_PANEL, TextOptions, defaults=shown),
        ],
        "Repeat the paper's experiments: train a grid of models and write a report.\n\n"
        "Every model is trained in every dimension, with every number of epochs and at every rate, "
        "and evaluated. The report shows the rate with the best similarity score; it is written to "
        "FOLDER as report.html, report.md and runs.csv.\n\n"
        "Finished runs are saved in FOLDER. Run the same command again to do the missing ones.\n\n"
        "All models use the same text, --min-count, --subsample and --epochs. The other options "
        "are those of `hyperskip train` for the model default, and of its --preset paper for "
        "paper, euclidean, fasttext and gensim, unless you set them here.\n\n"
        "The schedule is hyperskip's fast one. --schedule pairwise is the paper's, except for "
        "what docs/model.md lists, and takes about 25 times as long. The same rate has less effect "
        "there: the usual rate of the paper's model is about 0.01 in the fast schedule and 0.05 in "
        "the pairwise one.\n\n"
        "Example: hyperskip experiment corpus.txt -o results --dimensions 5,20 --seeds 3",
    )  # fmt: skip


def _defaults_of_models() -> dict[str, str]:
    """The defaults of the options that the paper's preset sets."""
    paper = PRESETS["paper"]
    names = [*paper.always, *(name for _, _, values in paper.conditional for name in values)]
    return dict.fromkeys(names, "that of each model")


def _default_rates() -> str:
    return ", ".join(f"{name} {peer.rate:g}" for name, peer in PEERS.items())


def _joined(values: tuple[float, ...]) -> str:
    return ",".join(f"{value:g}" for value in values)


def run(
    corpus: list[str],
    output: Path,
    *,
    dimensions: str,
    epochs: str,
    rates: str,
    models: str,
    equal_time: bool,
    restart: bool,
    as_json: bool,
    model: list[str] | None = None,
    compare: str | None = None,
    peer_rates: str | None = None,
    **chosen: Any,
) -> None:
    """Check the options, do the missing runs, and print the tables."""
    own: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in chosen.items()
        if name in _OWN_OPTIONS
    }
    options = ExperimentOptions(
        dimensions=tuple(_numbers("--dimensions", dimensions, int)),
        epochs=tuple(_numbers("--epochs", epochs, int)),
        rates=tuple(_numbers("--rates", rates, float)),
        models=(*map(_known_model, _names(models)), *map(parse_model, model or ())),
        compare=() if compare is None else tuple(_names(compare) or [compare]),
        peer_rates=tuple(_numbers("--peer-rates", peer_rates, float))
        if peer_rates is not None
        else (),
        equal_time=equal_time,
        shared={name: value for name, value in chosen.items() if name not in own},
        **own,
    )
    from hyperskip.cli.experiment_display import ExperimentDisplay
    from hyperskip.experiment.experiment import run_experiment
    from hyperskip.files.remote import location

    with ExperimentDisplay(progress_output(), output, typed_command()) as display:
        experiment = run_experiment(
            [location(path) for path in corpus],
            output,
            options,
            restart=restart,
            report=display,
            command=typed_command(),
        )
    if as_json:
        print(json.dumps(_summary(experiment), indent=2))
    else:
        for table in experiment.tables:
            print(printable(table.title))
            print_table(table.header, [[cell.text for cell in row] for row in table.rows])
            print()
    say(f"report: {experiment.report}")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _numbers(flag: str, text: str, kind: type) -> list[Any]:
    try:
        return [kind(part) for part in _names(text) or [text]]
    except ValueError as error:
        noun = "whole numbers" if kind is int else "numbers"
        raise OptionError(
            f"{flag} must be {noun} separated by commas, got {text!r}",
            hint=f"for example: {flag} {'5,20' if kind is int else '0.1,0.05'}",
        ) from error


def _known_model(name: str) -> Model:
    if name not in MODELS:
        raise OptionError(
            f"--models contains {name!r}, which is not a model",
            hint=f"the models are {', '.join(MODELS)}; define others with --model {_MODEL_FORM}",
        )
    return MODELS[name]


def parse_model(text: str) -> Model:
    """Parse a model as --model takes it: `NAME:option=value,option=value`.

    Raises:
        OptionError: The text has another form, or an option or a value is not allowed.
    """
    name, _, listed = text.partition(":")
    declared = declarations(TrainingOptions) | {"preset": PRESET}
    options: dict[str, Any] = {}
    model = Model(name)
    for part in filter(None, listed.split(",")):
        flag, separator, value = (piece.strip() for piece in part.partition("="))
        option = flag.replace("-", "_")
        if not separator:
            raise OptionError(
                f"--model {name}: {part!r} is not of the form option=value",
                hint=f"write --model {_MODEL_FORM}",
            )
        if option in options:
            raise OptionError(f"--model {name}: {flag} is set twice", hint="set it once")
        if option == "rate" and value == USUAL:
            options[option] = value
        elif option in declared:
            with _errors_of_model(name):
                options[option] = _parsed(option, value, declared[option])
        elif option in declarations(TextOptions):
            raise OptionError(
                f"--model {name}: {flag} is a text option, and all models share the text",
                hint=f"pass --{option.replace('_', '-')} to the experiment",
            )
        else:
            with _errors_of_model(name):
                check_names([option], TrainingOptions)
    special = {key: options.pop(key) for key in ("preset", "rate") if key in options}
    return replace(model, options=options, **special)


@contextmanager
def _errors_of_model(name: str) -> Iterator[None]:
    """Name the model in errors, and its options as --model takes them: without dashes."""
    try:
        yield
    except OptionError as error:
        message, hint = (text.replace("`", "") for text in (error.message, error.hint or ""))
        raise OptionError(f"--model {name}: {message}", hint=hint) from error


def _parsed(name: str, text: str, declaration: Declaration) -> Any:
    """The value of an option; the declaration raises an error for a text without a value."""
    parsers: dict[type, Callable[[str], Any]] = {
        int: int,
        float: float,
        bool: lambda word: _YES_OR_NO[word.lower()],
        str: str,
    }
    try:
        value = parsers[declaration.kind](text)
    except (ValueError, KeyError):
        value = text
    if declaration.kind is bool:
        declaration = replace(declaration, noun="yes or no")
    return declaration.checked(name, value)


def _summary(experiment: "Experiment") -> dict[str, Any]:
    return {
        "report": str(experiment.report),
        "runs": len(experiment.records),
        "failed": [record.name for record in experiment.records if record.failure],
        "chosen": [
            {
                "model": choice.model,
                "dimension": choice.dimension,
                "epochs": choice.epochs,
                "rate": choice.rate,
                "runs": [record.name for record in choice.records],
                "scores": [record.scores for record in choice.records],
            }
            for choice in experiment.choices
        ],
    }
