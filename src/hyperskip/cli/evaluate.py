"""`hyperskip evaluate`: a model against data sets of similarity and analogy."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from hyperskip.cli.inspect import AsJson, Model
from hyperskip.cli.tables import number, print_table
from hyperskip.errors import DatasetError, OptionError

if TYPE_CHECKING:
    from hyperskip.evaluation.analogy import AnalogyReport, AnalogyScore, Question
    from hyperskip.evaluation.similarity import RatedPair
    from hyperskip.vectors.word_vectors import WordVectors

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
    as_json: AsJson = False,
) -> None:
    """Score a model on word similarity and word analogies."""
    from hyperskip.evaluation import datasets
    from hyperskip.vectors.store import load

    vectors = load(model)
    # Whoever names only one kind of set wants only that kind.
    neither = similarity is None and analogies is None
    pairs = _read_all(
        similarity if similarity is not None else list(datasets.SIMILARITY_SETS) * neither,
        lambda name: datasets.similarity_pairs(name, data),
        required=similarity is not None,
    )
    questions = _read_all(
        analogies if analogies is not None else list(datasets.ANALOGY_SETS) * neither,
        lambda name: datasets.analogy_questions(name, data),
        required=analogies is not None,
    )
    if not pairs and not questions:
        raise DatasetError(
            "none of the data sets is on disk, and none could be downloaded",
            hint="pass --data FOLDER with the files, or --similarity builtin --analogies builtin",
        )
    print_evaluation(vectors, pairs, questions, list_sections=sections, as_json=as_json)


def _read_all(names: list[str], read: Callable[[str], T], *, required: bool) -> dict[str, T]:
    """Read the sets; one that cannot be had is an error only if it was asked for by name."""
    found: dict[str, T] = {}
    for name in names:
        if name in found:
            raise OptionError(f"the data set {name} was given twice")
        try:
            found[name] = read(name)
        except DatasetError as error:
            if required:
                raise
            print(f"warning: left out: {error}", file=sys.stderr)
    return found


def print_evaluation(
    vectors: "WordVectors",
    pairs: "dict[str, list[RatedPair]]",
    questions: "dict[str, dict[str, list[Question]]]",
    *,
    list_sections: bool,
    as_json: bool,
) -> None:
    """Evaluate on the given sets and print tables or JSON."""
    from hyperskip.evaluation.analogy import evaluate_analogies
    from hyperskip.evaluation.similarity import average_spearman, evaluate_similarity
    from hyperskip.vectors.space import ROUTES

    similarity = {name: evaluate_similarity(vectors, pairs[name]) for name in pairs}
    average = average_spearman(list(similarity.values()))
    sections = {
        (name if len(questions) == 1 else f"{source}/{name}"): asked
        for source, by_section in questions.items()
        for name, asked in by_section.items()
    }
    flat = vectors.geometry == "euclidean"  # where both routes lead to the same point
    reports = {
        route: evaluate_analogies(vectors, sections, route) for route in ROUTES[: 1 if flat else 2]
    }
    if flat:
        reports["Z'"] = reports["Z"]
    if as_json:
        scores = {name: vars(score) for name, score in similarity.items()}
        result: dict[str, Any] = {}
        if pairs:
            result["similarity"] = {"sets": scores, "average": average}
        if questions:
            result["analogy"] = {route: _plain_report(report) for route, report in reports.items()}
        print(json.dumps(result, indent=2))
        return
    if pairs:
        rows = [
            (name, number(score.spearman), str(score.found), str(score.pairs))
            for name, score in similarity.items()
        ]
        rows.append(("weighted average", number(average), "", ""))
        print_table(("similarity", "Spearman", "found", "pairs"), rows)
    for route, report in reports.items() if questions else ():
        if not (flat and route == "Z'"):
            name = "b - a + c" if flat else route
            _print_report(f"analogy {name}", report, list_sections=list_sections)


def _plain_report(report: "AnalogyReport") -> dict[str, Any]:
    return {
        **_plain_score(report.total),
        "semantic": _plain_score(report.semantic),
        "syntactic": _plain_score(report.syntactic),
        "sections": {name: _plain_score(score) for name, score in report.sections.items()},
    }


def _plain_score(score: "AnalogyScore") -> dict[str, Any]:
    return {
        "accuracy": score.accuracy,
        "accuracy_unknown_wrong": score.accuracy_unknown_wrong,
        **vars(score),
    }


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
