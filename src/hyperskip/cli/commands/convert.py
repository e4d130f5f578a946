"""`hyperskip export` and `hyperskip import`: vectors to and from other programs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from hyperskip.cli.declared_options import with_default
from hyperskip.cli.messages import counted
from hyperskip.cli.parameters import Model
from hyperskip.errors import alternatives
from hyperskip.files.targets import check_writable, is_folder
from hyperskip.progress.messages import say
from hyperskip.vectors.exchange.names import (
    AUTO,
    BALL,
    FORMATS,
    MINKOWSKI,
    POINTS,
    PROJECTOR,
    READ_COORDINATES,
    READ_FORMATS,
    SPATIAL,
    WRITTEN_COORDINATES,
)

_NOTES = {
    MINKOWSKI: " (CSV of the paper's authors)",
    PROJECTOR: " (TensorFlow Embedding Projector)",
    POINTS: " (time last)",
    SPATIAL: " (without time)",
    BALL: " (Poincaré ball)",
}


def _listed(names: Iterable[str]) -> str:
    return alternatives(name + _NOTES.get(name, "") for name in names)


def export(
    model: Model,
    out: Annotated[
        Path,
        typer.Argument(
            metavar="OUT", help=f"The file to write; with --format {PROJECTOR}, a folder."
        ),
    ],
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=with_default(f"Format of OUT: {_listed(FORMATS)}.", "by the extension of OUT"),
        ),
    ] = None,
    coordinates: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"Coordinates to write: {_listed(WRITTEN_COORDINATES)}.",
        ),
    ] = POINTS,
) -> None:
    """Convert a model to a format of other programs.

    Example: hyperskip export model.safetensors vectors.txt --format glove
    """
    from hyperskip.vectors.exchange.convert import PROJECTOR_FILES, export_vectors
    from hyperskip.vectors.model_file import load

    targets = [out / name for name in PROJECTOR_FILES] if is_folder(out) else [out]
    for target in targets:
        check_writable(target, inputs=[model])
    for path in export_vectors(load(model), out, format=format_, coordinates=coordinates):
        say(f"wrote {path}")


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A vector file of another program.")],
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model file to write.")],
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=with_default(
                f"Format of FILE: {_listed(READ_FORMATS)}.", "by the extension of FILE"
            ),
        ),
    ] = None,
    coordinates: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"Coordinates in FILE: {_listed(READ_COORDINATES)}; {AUTO} recognizes them by "
            "their values.",
        ),
    ] = AUTO,
) -> None:
    """Convert vectors of another program to a model.

    Example: hyperskip import glove.6B.100d.txt model.safetensors
    """
    from hyperskip.vectors.exchange.convert import import_vectors

    check_writable(model, inputs=[file])
    vectors = import_vectors(file, format=format_, coordinates=coordinates)
    vectors.save(model)
    say(
        f"wrote {model}: {counted(len(vectors))}, dimension {vectors.dimension}, geometry "
        f"{vectors.geometry}"
    )
