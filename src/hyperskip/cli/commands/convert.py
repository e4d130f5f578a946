"""`hyperskip export` and `hyperskip import`: vectors out to other programs, and in from them."""

from pathlib import Path
from typing import Annotated

import typer

from hyperskip.cli.commands.words import Model
from hyperskip.cli.messages import say
from hyperskip.files.targets import check_writable, is_folder

_FORMATS = "word2vec, word2vec-binary, fasttext, glove, minkowski (the authors' csv), npz"


def export(
    model: Model,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    format_: Annotated[
        str | None,
        typer.Option(
            "--format", help=f"{_FORMATS}, or projector (a folder). Default: told by OUT's ending."
        ),
    ] = None,
    coordinates: Annotated[
        str,
        typer.Option(
            help="What to write: points (time last), points-time-first, spatial, or ball."
        ),
    ] = "points",
) -> None:
    """Write the vectors in a format of other programs."""
    from hyperskip.vectors.exchange.convert import PROJECTOR_FILES, export_vectors
    from hyperskip.vectors.model_file import load

    targets = [out / name for name in PROJECTOR_FILES] if is_folder(out) else [out]
    for target in targets:
        check_writable(target, inputs=[model])
    for path in export_vectors(load(model), out, format=format_, coordinates=coordinates):
        say(f"wrote {path}")


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Vectors of another program.")],
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model file to write.")],
    format_: Annotated[
        str | None,
        typer.Option("--format", help=f"{_FORMATS}. Default: told by FILE's ending."),
    ] = None,
    coordinates: Annotated[
        str,
        typer.Option(
            help="What FILE holds: points (time last), points-time-first, spatial, ball, "
            "euclidean, or auto to tell by the numbers."
        ),
    ] = "auto",
) -> None:
    """Read vectors of another program into a model file."""
    from hyperskip.vectors.exchange.convert import import_vectors

    check_writable(model, inputs=[file])
    vectors = import_vectors(file, format=format_, coordinates=coordinates)
    vectors.save(model)
    say(
        f"{len(vectors):,} words of dimension {vectors.dimension}, taken as {vectors.geometry}, "
        f"in {model}"
    )
