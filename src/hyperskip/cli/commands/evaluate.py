"""`hyperskip evaluate`: a model against data sets of similarity, analogy and hypernymy."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.commands.words import MEASURES_HELP, AsJson, Device, Model
from hyperskip.cli.messages import say
from hyperskip.cli.tables import number, print_table
from hyperskip.devices import AUTO

if TYPE_CHECKING:
    from hyperskip.evaluation.analogy import AnalogyReport
    from hyperskip.evaluation.hypernymy import HypernymyScore
    from hyperskip.evaluation.scores import Evaluation


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
    hypernymy: Annotated[
        list[str] | None,
        typer.Option(
            help="A hypernymy set: hyperlex, bless, builtin, or a file of `word word label`, where "
            "the label says whether, or how much, the first is a kind of the second. May be "
            "repeated. Default: the first two."
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="product|distance|angle",
            help=f"A measure to score by, beside the paper's. {MEASURES_HELP} Default: for "
            "similarity on the hyperboloid, the angle.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Folder with the named sets; else HYPERSKIP_DATA, else they are downloaded, but "
            "for hyperlex and bless.",
        ),
    ] = None,
    sections: Annotated[
        bool, typer.Option("--sections", help="List every section of the analogies.")
    ] = False,
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """Score a model on word similarity, word analogies and hypernymy."""
    from hyperskip.evaluation.sets import read_sets
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    if measure is not None:
        vectors = vectors.measured_by(measure)
    sets = read_sets(similarity, analogies, hypernymy, data)
    for reason in sets.missing:
        say(f"warning: left out: {reason}")
    evaluation = sets.evaluate(vectors, device)
    if as_json:
        print(json.dumps(evaluation.as_dict(), indent=2))
        return
    print_evaluation(evaluation, vectors.space.routes, list_sections=sections)


def print_evaluation(
    evaluation: "Evaluation", routes: tuple[str, ...], *, list_sections: bool
) -> None:
    """Print scores as tables."""
    if evaluation.similarity:
        _print_similarity(evaluation)
    for measure, by_route in evaluation.analogy.items():
        titles = {route: f"analogy {route} by {measure}" for route in by_route}
        if len(routes) == 1:
            titles = dict.fromkeys(list(titles)[:1], f"analogy b - a + c by {measure}")
        for route, title in titles.items():
            _print_report(title, by_route[route], list_sections=list_sections)
    if evaluation.hypernymy:
        _print_hypernymy(evaluation.hypernymy)


def _print_similarity(evaluation: "Evaluation") -> None:
    measures = list(evaluation.similarity)
    rows = [
        (
            name,
            *(number(evaluation.similarity[measure][name].spearman) for measure in measures),
            str(score.found),
            str(score.pairs),
        )
        for name, score in evaluation.similarity[measures[0]].items()
    ]
    averages = [number(evaluation.average_by(measure)) for measure in measures]
    rows.append(("weighted average", *averages, "", ""))
    titles = [f"Spearman by {measure}" for measure in measures]
    print_table(("similarity", *titles, "found", "pairs"), rows)


def _print_hypernymy(by_name: "dict[str, HypernymyScore]") -> None:
    """A row a data set, a column a way to score its pairs."""
    ways = list(next(iter(by_name.values())).agreement)
    rows = [
        (
            *(name, score.figure),
            *(number(score.agreement[way]) for way in ways),
            *(number(score.chance), str(score.found), str(score.pairs)),
        )
        for name, score in by_name.items()
    ]
    print_table(("hypernymy", "figure", *ways, "chance", "found", "pairs"), rows)


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
