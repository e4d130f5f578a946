"""`hyperskip evaluate`: scores of a model on similarity, analogies and hypernymy."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.messages import say
from hyperskip.cli.parameters import (
    MEASURES,
    MEASURES_HELP,
    AsJson,
    Data,
    Device,
    Model,
    with_default,
)
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
            metavar="SET",
            help=with_default(
                "A similarity set: ws353, simlex999, men, builtin, or a file with a word, a word "
                "and a score on each line. Repeat the option for more sets.",
                "ws353, simlex999 and men",
            ),
        ),
    ] = None,
    analogies: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SET",
            help=with_default(
                "An analogy set: google, builtin, or a file with four words on each line. Repeat "
                "the option for more sets.",
                "google",
            ),
        ),
    ] = None,
    hypernymy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SET",
            help=with_default(
                "A hypernymy set: hyperlex, bless, builtin, or a file with a word, a word and a "
                "label on each line; the label says whether, or how much, the first word is a kind "
                "of the second. Repeat the option for more sets.",
                "hyperlex and bless",
            ),
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar=MEASURES,
            help=with_default(
                f"A second measure to score by, in addition to product. {MEASURES_HELP}",
                "angle for similarity on the hyperboloid, otherwise none",
            ),
        ),
    ] = None,
    data: Data = None,
    sections: Annotated[
        bool, typer.Option("--sections", help="Show every section of the analogy sets.")
    ] = False,
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """Score a model on word similarity, word analogies and hypernymy.

    By default all known sets are used, and sets that cannot be read are skipped with a warning. If
    you name sets of one kind, the other kinds are left out.

    Example: hyperskip evaluate model.safetensors --similarity men --analogies google
    """
    from hyperskip.evaluation.sets import read_sets
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    if measure is not None:
        vectors = vectors.measured_by(measure)
    sets = read_sets(similarity, analogies, hypernymy, data)
    for reason in sets.missing:
        say(f"warning: skipped an evaluation set: {reason}")
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
    """Print a row for each data set and a column for each way to score its pairs."""
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
