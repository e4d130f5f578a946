"""`hyperskip add-hierarchy`: add what is a kind of what to a model."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.declared_options import command_of, declared_parameter, parameter, with_default
from hyperskip.cli.messages import counted
from hyperskip.cli.parameters import Model, Output
from hyperskip.files.targets import check_writable
from hyperskip.options import declarations
from hyperskip.progress.messages import say
from hyperskip.training.hierarchy.options import HierarchyOptions
from hyperskip.training.options import TrainingOptions


def command() -> Callable[..., None]:
    """Make the command."""
    relations = Annotated[
        Path,
        typer.Argument(
            metavar="RELATIONS",
            help="A file that `hyperskip relations` wrote, or pairs of a narrower and a broader "
            "term: every file that `hyperskip graph` reads.",
        ),
    ]
    patterns = Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help=with_default("The pattern file that the relations were found with.", "English"),
        ),
    ]
    dimension = replace(
        declarations(HierarchyOptions)["hierarchy_dimension"],
        help="dimension of the hierarchy, in addition to that of the vectors",
    )
    return command_of(
        run_adding,
        [
            parameter("vectors", Model),
            parameter("relations", relations),
            parameter("output", Output),
            declared_parameter("dimension", dimension),
            declared_parameter("seed", declarations(TrainingOptions)["seed"]),
            parameter("patterns", patterns, None),
        ],
        "Add what is a kind of what to a model.\n\n"
        "Each word gets a second point: the broader the word, the nearer it lies to the middle. "
        "Words without relations are placed by those of similar words. The vectors, and so all "
        "similarities, stay the same.\n\n"
        "Example: hyperskip add-hierarchy model.safetensors relations.tsv -o hierarchy.safetensors",
    )


def run_adding(vectors: Path, relations: Path, output: Path, **options: Any) -> None:
    """Add the hierarchy and write the model; the output is checked first."""
    from hyperskip.training.hierarchy.adding import add_hierarchy
    from hyperskip.vectors.model_file import load

    check_writable(output, inputs=[vectors, relations])
    model = load(vectors)
    say(f"placing {counted(len(model))} in a hierarchy")
    added = add_hierarchy(model, relations, **options)
    added.save(output)
    assert added.hierarchy is not None
    known = int((added.hierarchy.evidence > 0).sum())
    say(f"wrote {output}: {counted(len(added))}, {known:,} of them with relations")
