"""`hyperskip experiment`: the paper's grid of trainings, as one command that can be taken up."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.messages import printable, say
from hyperskip.cli.parameters import AS_JSON, command_of, option_parameters, parameter
from hyperskip.cli.tables import print_table
from hyperskip.errors import OptionError
from hyperskip.experiment.design.options import (
    ALL,
    BEST,
    FASTTEXT,
    MODELS,
    NONE,
    NOT_SHARED,
    SETTINGS,
    ExperimentOptions,
    parsed_model,
)
from hyperskip.text.options import TextOptions
from hyperskip.training.options import WINDOW, TrainingOptions
from hyperskip.training.presets import PRESETS

if TYPE_CHECKING:
    from hyperskip.experiment.experiment import Experiment

_PANEL = "For all models"


def command() -> Callable[..., None]:
    """The command as a function whose signature lists every option."""

    def flag(kind: Any, description: str, *names: str, **others: Any) -> Any:
        return Annotated[kind, typer.Option(*names, help=description, **others)]

    usual = ExperimentOptions()
    # What models have values of their own for has no default here.
    shown = dict.fromkeys(PRESETS["paper"].always) | SETTINGS
    shown["schedule"] = WINDOW
    return command_of(
        run,
        [
            parameter("corpus", Annotated[list[str], typer.Argument(
                metavar="CORPUS", help="Files, folders, globs, or an encoded corpus.")]),
            parameter("output", Annotated[Path, typer.Option(
                "--output", "-o", metavar="FOLDER", help="Where runs, models and report go.")]),
            parameter("dimensions", flag(
                str, "Dimensions, between commas.", metavar="N,N",
            ), _listed(usual.dimensions)),
            parameter("rates", flag(
                str, "Learning rates to choose among.", metavar="X,X",
            ), _listed(usual.rates)),
            parameter("models", flag(
                str, f"Of {', '.join(MODELS)}: default is hyperskip's own, at its usual rate; "
                "paper and euclidean are the paper's two, over all rates.", metavar="NAME,NAME",
            ), ",".join(MODELS)),
            parameter("model", flag(
                list[str] | None, "One more model, on top of hyperskip's defaults, over all rates "
                "(or rate=usual, rate=NUMBER; preset=paper starts from the paper's). May be "
                "repeated.", metavar="NAME:option=value,...",
            ), None),
            parameter("seeds", flag(
                int, "Train each so often; means and spreads are shown.", min=1, max=1000), 1),
            parameter("compare", flag(
                str | None, "fasttext: train that, too, at all rates.", metavar=FASTTEXT), None),
            parameter("equal_time", flag(
                bool, "With --compare: train default once more, for as long as fastText takes.",
                "--equal-time",
            ), False),
            parameter("similarity", flag(
                list[str] | None, "A similarity set, as for `hyperskip evaluate`."), None),
            parameter("analogies", flag(
                list[str] | None, "An analogy set, as for `hyperskip evaluate`."), None),
            parameter("hypernymy", flag(
                list[str] | None, "A hypernymy set, as for `hyperskip evaluate`. Default: hyperlex "
                "and bless, if they are on disk and no other set is named."), None),
            parameter("data", flag(
                Path | None, "Folder with the evaluation sets; else HYPERSKIP_DATA, else they are "
                "downloaded, but for hyperlex and bless.", metavar="DIR"), None),
            parameter("keep_models", flag(
                str, f"{BEST}: keep the models that the tables show; {ALL}; {NONE}."), BEST),
            parameter("restart", flag(
                bool, "Remove the runs that are there, and begin anew.", "--restart"), False),
            parameter("as_json", AS_JSON, False),
            *option_parameters(_PANEL, TrainingOptions, without=NOT_SHARED, defaults=shown),
            *option_parameters(_PANEL, TextOptions, defaults=shown),
        ],
        "Repeat the paper's experiments: train every model at every dimension and rate, evaluate, "
        "choose the best rate of each by similarity, and write a report.\n\n"
        "Each finished run is kept in FOLDER, and the same command again does what is missing. "
        "The report is report.html, report.md and runs.csv.\n\n"
        "Trainings take hyperskip's fast schedule; --schedule pairwise is the paper's to the "
        "letter, and takes some 25 times as long. A rate means less in that one: 0.01 is about the "
        "usual in the fast schedule with window 10, and 0.05 in the other.\n\n"
        "Text, min-count, subsampling and epochs are the same for all models. Else default has the "
        "values of `hyperskip train`, and paper, euclidean and fasttext have those of its --preset "
        "paper; what is given here goes before both.",
    )  # fmt: skip


def _listed(values: tuple[float, ...]) -> str:
    return ",".join(f"{value:g}" for value in values)


def run(
    corpus: list[str],
    output: Path,
    *,
    dimensions: str,
    rates: str,
    models: str,
    seeds: int,
    equal_time: bool,
    keep_models: str,
    restart: bool,
    as_json: bool,
    model: list[str] | None = None,
    compare: str | None = None,
    similarity: list[str] | None = None,
    analogies: list[str] | None = None,
    hypernymy: list[str] | None = None,
    data: Path | None = None,
    **shared: Any,
) -> None:
    """Check the options, run what is missing, and print the tables."""
    options = ExperimentOptions(
        dimensions=tuple(_numbers("dimensions", dimensions, int)),
        rates=tuple(_numbers("rates", rates, float)),
        models=(*_names(models), *(parsed_model(text) for text in model or ())),
        seeds=seeds,
        compare=tuple(_names(compare or "")),
        equal_time=equal_time,
        similarity=None if similarity is None else tuple(similarity),
        analogies=None if analogies is None else tuple(analogies),
        hypernymy=None if hypernymy is None else tuple(hypernymy),
        data=data,
        keep_models=keep_models,
        shared=shared,
    )
    from hyperskip.cli.progress.experiment import ExperimentDisplay
    from hyperskip.experiment.experiment import run_experiment

    with ExperimentDisplay(output, _again()) as display:
        experiment = run_experiment(
            [Path(path) for path in corpus],
            output,
            options,
            restart=restart,
            report=display,
            command=_again(),
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


def _numbers(name: str, text: str, kind: type) -> list[Any]:
    try:
        return [kind(part) for part in _names(text)]
    except ValueError as error:
        raise OptionError(
            f"{name} is {text!r}", hint=f"{name} takes numbers between commas, without blanks"
        ) from error


def _summary(experiment: "Experiment") -> dict[str, Any]:
    return {
        "report": str(experiment.report),
        "runs": len(experiment.records),
        "failed": [record.name for record in experiment.records if record.failure],
        "chosen": [
            {
                "model": choice.model,
                "dimension": choice.dimension,
                "rate": choice.rate,
                "runs": [record.name for record in choice.records],
                "scores": [record.scores for record in choice.records],
            }
            for choice in experiment.choices
        ],
    }


def _again() -> str:
    """The command that was typed, which goes on where it stopped."""
    return shlex.join(
        ["hyperskip", *(argument for argument in sys.argv[1:] if argument != "--restart")]
    )
