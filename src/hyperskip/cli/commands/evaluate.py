"""`hyperskip evaluate`: a model against data sets of similarity, analogy and hypernymy."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.commands.words import MEASURES_HELP, AsJson, Device, Model
from hyperskip.cli.tables import print_table
from hyperskip.devices import AUTO

if TYPE_CHECKING:
    from hyperskip.evaluation.scores import Scores


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
    from hyperskip.evaluation.evaluating import evaluate as evaluate_vectors

    scores = evaluate_vectors(
        model,
        similarity=similarity,
        analogies=analogies,
        hypernymy=hypernymy,
        measure=measure,
        data=data,
        device=device,
    )
    if as_json:
        print(json.dumps(scores.as_dict(), indent=2))
        return
    print_scores(scores, sections=sections)


def print_scores(scores: "Scores", *, sections: bool) -> None:
    """Print scores as tables."""
    from hyperskip.evaluation.score_tables import score_tables

    for table in score_tables(scores, sections=sections):
        print_table(table.header, table.rows)
