"""`hyperskip graph`: learn a model from the edges of a taxonomy or another graph."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    command_of,
    declared_parameter,
    option_parameters,
    parameter,
)
from hyperskip.cli.messages import counted
from hyperskip.cli.parameters import AsJson, Output
from hyperskip.cli.training_output import train_into
from hyperskip.files.remote import location
from hyperskip.graphs.options import GraphOptions, HoldoutOptions
from hyperskip.progress.messages import say
from hyperskip.training.graph_options import (
    METHOD,
    RANKING,
    WALKS,
    cluster_options,
    learning_options,
    options_of,
)
from hyperskip.training.options import CheckpointOptions


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option."""
    edges = Annotated[
        list[str],
        typer.Argument(
            metavar="EDGES", help="Files with edges, folders, globs or URLs, or - for stdin."
        ),
    ]
    init = Annotated[
        Path | None,
        typer.Option(
            metavar="MODEL",
            help="Start from the vectors of this model; new nodes of the graph are added. Pass the "
            "old edges too: only nodes of the graph are negative samples.",
        ),
    ]
    return command_of(
        run_embedding,
        [
            parameter("edges", edges),
            parameter("output", Output),
            declared_parameter("method", METHOD, metavar="|".join(METHOD.choices)),
            parameter("init", init, None),
            parameter("as_json", AsJson, False),
            *option_parameters("Graph", GraphOptions),
            *option_parameters("Graph", HoldoutOptions),
            *_learning_parameters(),
            *option_parameters("Checkpoints", CheckpointOptions),
            *option_parameters("Cluster", cluster_options()),
        ],
        "Learn vectors for the nodes of a graph, such as a taxonomy, and save them in MODEL.\n\n"
        "EDGES are tables (CSV, TSV, or columns separated by blanks) with a child and its parent "
        "on each line, JSON Lines, text trees whose lines are indented below their parents, or "
        "Matrix Market files. Files compressed as .gz, .bz2, .xz or .zst are read directly.\n\n"
        "Checkpoints are written to the folder MODEL.checkpoints. After a crash or Ctrl-C, run the "
        "same command with --resume to continue.\n\n"
        "Example: hyperskip graph animals.tsv -o animals.safetensors --closure",
    )


def _learning_parameters() -> list[inspect.Parameter]:
    """The options of both methods, then those of one method only."""
    panels = {"Training": set(options_of(RANKING)) & set(options_of(WALKS))}
    panels["Training by ranking"] = set(options_of(RANKING)) - panels["Training"]
    panels["Training by walks"] = set(options_of(WALKS)) - panels["Training"]
    declared = learning_options()
    return [
        each
        for panel, names in panels.items()
        for each in option_parameters(
            panel, {name: declared[name] for name in declared if name in names}
        )
    ]


def run_embedding(
    edges: list[str], output: Path, *, as_json: bool, init: Path | None = None, **options: Any
) -> None:
    """Train and write the model; the output is checked first, and then the options."""
    from hyperskip.graphs.reading.edges import errors_about_edges
    from hyperskip.training.graph_embedding import embed_graph

    with errors_about_edges():
        vectors = train_into(
            *(output, edges, [init]),
            lambda checkpoints, report: embed_graph(
                [location(path) for path in edges],
                init=init,
                checkpoints=checkpoints,
                report=report,
                **options,
            ),
        )
    say(f"wrote {output}: {counted(len(vectors), 'node')}")
    if as_json:
        summary = {
            "model": str(output),
            "nodes": len(vectors),
            "edges": vectors.options["edge_count"],
            "history": [dict(epoch) for epoch in vectors.history],
        }
        print(json.dumps(summary, indent=2))
