"""`hyperskip evaluate`: scores of a model on similarity, analogies, hypernymy and graphs."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    command_of,
    completed_from,
    declared_parameter,
    option_parameters,
    parameter,
    with_default,
)
from hyperskip.cli.messages import progress_output
from hyperskip.cli.parameters import (
    MEASURES_HELP,
    Analogies,
    AsJson,
    Data,
    Device,
    Hypernymy,
    Model,
    Similarity,
    Strict,
)
from hyperskip.cli.tables import print_table
from hyperskip.devices import AUTO
from hyperskip.geometry.names import ANGLE, MEASURES, PRODUCT
from hyperskip.graphs.options import SEED, GraphOptions, HoldoutOptions

if TYPE_CHECKING:
    from hyperskip.evaluation.scores import Scores

_GRAPH = "Graph"
_OF_TRAINING = "that of the training"


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option of reading edges."""
    measure = Annotated[
        str,
        typer.Option(
            metavar="|".join(MEASURES),
            help=with_default(
                f"A second measure to score by, in addition to {PRODUCT}. {MEASURES_HELP} Edges "
                f"are ranked by distance, or by {ANGLE}.",
                f"{ANGLE} for similarity on the hyperboloid, otherwise none",
            ),
            autocompletion=completed_from(MEASURES),
        ),
    ]
    sections = Annotated[
        bool, typer.Option("--sections", metavar="", help="Show every section of the analogy sets.")
    ]
    edges = Annotated[
        str,
        typer.Option(
            metavar="EDGES",
            help="Score the edges of a graph by their ranks: a table, JSON Lines, a tree of text, "
            "or - for standard input.",
            rich_help_panel=_GRAPH,
        ),
    ]
    known = Annotated[
        str,
        typer.Option(
            metavar="EDGES",
            help="For link prediction: the edges that the model was trained on, if --edges are "
            "others.",
            rich_help_panel=_GRAPH,
        ),
    ]
    return command_of(
        evaluate,
        [
            parameter("model", Model),
            parameter("similarity", Similarity, None),
            parameter("analogies", Analogies, None),
            parameter("hypernymy", Hypernymy, None),
            parameter("measure", measure, None),
            parameter("data", Data, None),
            parameter("sections", sections, False),
            parameter("device", Device, AUTO),
            parameter("strict", Strict, False),
            parameter("as_json", AsJson, False),
            parameter("edges", edges, None),
            parameter("known", known, None),
            *option_parameters(_GRAPH, HoldoutOptions, defaults={"holdout": _OF_TRAINING}),
            declared_parameter("seed", replace(SEED, rule=_OF_TRAINING), _GRAPH),
            *option_parameters(
                _GRAPH,
                GraphOptions,
                defaults=dict.fromkeys(("order", "directed", "closure"), _OF_TRAINING),
            ),
        ],
        "Score a model on word similarity, word analogies and hypernymy, or on a graph.\n\n"
        "By default all known sets are used, and sets that cannot be read are skipped with a "
        "warning.\n\n"
        "If you name sets of one kind, or --edges, the other kinds are left out.\n\n"
        "Example: hyperskip evaluate model.safetensors --similarity men --analogies google\n\n"
        "Example: hyperskip evaluate model.safetensors --edges taxonomy.tsv --closure",
    )


def evaluate(model: Path, *, sections: bool, as_json: bool, **options: Any) -> None:
    """Score a model and print the scores."""
    from hyperskip.evaluation.evaluating import evaluate as evaluate_vectors
    from hyperskip.progress.display import RankingDisplay

    given = {name: value for name, value in options.items() if value != []}
    with RankingDisplay(progress_output()) as report:
        scores = evaluate_vectors(model, report=report, **given)
    if as_json:
        print(json.dumps(scores.as_dict(), indent=2))
        return
    print_scores(scores, sections=sections)


def print_scores(scores: "Scores", *, sections: bool) -> None:
    """Print scores as tables."""
    for table in scores.tables(sections=sections):
        print_table(table.header, table.rows)
