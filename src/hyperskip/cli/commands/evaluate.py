"""`hyperskip evaluate`: scores of a model on similarity, analogies and hypernymy."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.declared_options import with_default
from hyperskip.cli.parameters import (
    MEASURES_HELP,
    Analogies,
    AsJson,
    Data,
    Device,
    Hypernymy,
    Model,
    Similarity,
)
from hyperskip.cli.tables import print_table
from hyperskip.devices import AUTO
from hyperskip.geometry.names import ANGLE, MEASURES, PRODUCT

if TYPE_CHECKING:
    from hyperskip.evaluation.scores import Scores


def evaluate(
    model: Model,
    similarity: Similarity = None,
    analogies: Analogies = None,
    hypernymy: Hypernymy = None,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(MEASURES),
            help=with_default(
                f"A second measure to score by, in addition to {PRODUCT}. {MEASURES_HELP}",
                f"{ANGLE} for similarity on the hyperboloid, otherwise none",
            ),
        ),
    ] = None,
    data: Data = None,
    sections: Annotated[
        bool, typer.Option("--sections", metavar="", help="Show every section of the analogy sets.")
    ] = False,
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """Score a model on word similarity, word analogies and hypernymy.

    By default all known sets are used, and sets that cannot be read are skipped with a warning.

    If you name sets of one kind, the other kinds are left out.

    Example: hyperskip evaluate model.safetensors --similarity men --analogies google
    """
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
    for table in scores.tables(sections=sections):
        print_table(table.header, table.rows)
