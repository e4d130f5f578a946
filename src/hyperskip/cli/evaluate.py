"""`hyperskip evaluate`: a model against data sets of similarity and analogy."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from hyperskip.cli.inspect import AsJson, Device, Model
from hyperskip.cli.messages import say
from hyperskip.cli.tables import number, print_table
from hyperskip.devices import AUTO
from hyperskip.errors import DatasetError, OptionError

if TYPE_CHECKING:
    from hyperskip.evaluation.analogy import AnalogyReport
    from hyperskip.evaluation.scores import Evaluation

T = TypeVar("T")


def evaluate(
    model: Model,
    similarity: Annotated[
        list[str] | None,
        typer.Option(
            help="A similarity set: ws353, simlex999, men, builtin, or a file of `word word "
            "score`. May be repeated. Default: the first three."
        ),
    ] = None,
    analogies: Annotated[
        list[str] | None,
        typer.Option(
            help="An analogy set: google, builtin, or a file of four words a line. May be "
            "repeated. Default: google."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with the named sets; else HYPERSKIP_DATA, else they are downloaded.",
        ),
    ] = None,
    sections: Annotated[
        bool, typer.Option("--sections", help="List every section of the analogies.")
    ] = False,
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """Score a model on word similarity and word analogies."""
    from hyperskip.evaluation import datasets, scores
    from hyperskip.vectors.space import ROUTES
    from hyperskip.vectors.store import load

    vectors = load(model)
    if similarity is None and analogies is None:
        similarity_names, analogy_names = (
            list(datasets.SIMILARITY_SETS),
            list(datasets.ANALOGY_SETS),
        )
    else:  # whoever names one kind of set only wants that kind only
        similarity_names, analogy_names = similarity or [], analogies or []
    datasets.check_folder([*similarity_names, *analogy_names], data)
    pairs = _read_all(
        similarity_names,
        lambda name: datasets.similarity_pairs(name, data),
        required=similarity is not None,
    )
    questions = _read_all(
        analogy_names,
        lambda name: datasets.analogy_questions(name, data),
        required=analogies is not None,
    )
    if not pairs and not questions:
        raise DatasetError(
            "none of the data sets is on disk, and none could be downloaded",
            hint="pass --data FOLDER with the files, or --similarity builtin --analogies builtin",
        )
    asked = sum(len(section) for by_name in questions.values() for section in by_name.values())
    vectors = vectors.on(device, questions=len(ROUTES) * asked)
    evaluation = scores.evaluate(vectors, pairs, questions)
    if as_json:
        print(json.dumps(evaluation.as_dict(), indent=2))
        return
    print_evaluation(evaluation, vectors.geometry, list_sections=sections)


def _read_all(names: list[str], read: Callable[[str], T], *, required: bool) -> dict[str, T]:
    """Read the sets; one that cannot be had is an error only if it was asked for by name."""
    found: dict[str, T] = {}
    for name in names:
        if name in found:
            raise OptionError(f"the data set {name} was given twice", hint="name it once")
        try:
            found[name] = read(name)
        except DatasetError as error:
            if required:
                raise
            say(f"warning: left out: {error}")
    return found


def print_evaluation(evaluation: "Evaluation", geometry: str, *, list_sections: bool) -> None:
    """Print scores as tables."""
    if evaluation.similarity:
        rows = [
            (name, number(score.spearman), str(score.found), str(score.pairs))
            for name, score in evaluation.similarity.items()
        ]
        rows.append(("weighted average", number(evaluation.average), "", ""))
        print_table(("similarity", "Spearman", "found", "pairs"), rows)
    titles = {route: f"analogy {route}" for route in evaluation.analogy}
    if geometry == "euclidean":  # where both routes are the same
        titles = dict.fromkeys(list(titles)[:1], "analogy b - a + c")
    for route, title in titles.items():
        _print_report(title, evaluation.analogy[route], list_sections=list_sections)


def _print_report(title: str, report: "AnalogyReport", *, list_sections: bool) -> None:
    rows = [
        ("semantic", report.semantic),
        ("syntactic", report.syntactic),
        ("total", report.total),
    ]
    if list_sections:
        rows = [*report.sections.items(), *rows]
    print_table(
        (title, "accuracy", "correct", "answerable", "unknown = wrong", "asked", "total"),
        [
            (
                name,
                number(score.accuracy),
                str(score.correct),
                str(score.answerable),
                number(score.accuracy_unknown_wrong),
                str(score.asked),
                str(score.total),
            )
            for name, score in rows
        ],
    )
