"""`hyperskip export` and `hyperskip import`: vectors to and from other programs."""

from collections.abc import Iterable
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.declared_options import completed_from, with_default
from hyperskip.cli.messages import counted
from hyperskip.cli.parameters import Model
from hyperskip.errors import alternatives
from hyperskip.files.targets import check_writable, is_folder
from hyperskip.geometry.names import ANGLE, MEASURES
from hyperskip.progress.messages import say
from hyperskip.vectors.exchange.names import (
    AUTO,
    BALL,
    FAISS,
    FASTTEXT_BINARY,
    FLORET,
    FORMATS,
    KEEP_TIME,
    MINKOWSKI,
    NPZ,
    POINTS,
    PROJECTOR,
    READ_COORDINATES,
    READ_FORMATS,
    SPATIAL,
    TOOLS,
    WRITTEN_COORDINATES,
)

if TYPE_CHECKING:
    from hyperskip.vectors.exchange.exporting import Export

_NOTES = {
    MINKOWSKI: " (CSV of the paper's authors)",
    PROJECTOR: " (TensorFlow Embedding Projector)",
    FASTTEXT_BINARY: " (a model of fastText, with n-grams)",
    FLORET: " (a table of n-grams)",
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
            metavar="OUT",
            help=f"The file to write; a folder with --format {PROJECTOR}, and with --for, except "
            f"for {_listed(name for name in TOOLS if not TOOLS[name].is_folder)}.",
        ),
    ],
    tool: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="TOOL",
            help=f"Write what this library loads as it is: {_listed(TOOLS)}.",
            autocompletion=completed_from(list(TOOLS)),
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(MEASURES),
            help=with_default(
                f"With --for {FAISS}: the measure of similarity that a search ranks by.",
                f"{TOOLS[FAISS].measures[0]}; all other libraries compare by cosine, which is "
                f"{ANGLE}",
            ),
            autocompletion=completed_from(MEASURES),
        ),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=with_default(f"Format of OUT: {_listed(FORMATS)}.", "by the extension of OUT"),
            autocompletion=completed_from(list(FORMATS)),
        ),
    ] = None,
    coordinates: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=with_default(
                f"Coordinates to write: {_listed(WRITTEN_COORDINATES)}.",
                f"{SPATIAL}; {POINTS} for {' and '.join(KEEP_TIME)}, and for Euclidean vectors",
            ),
            autocompletion=completed_from(list(WRITTEN_COORDINATES)),
        ),
    ] = None,
) -> None:
    """Convert a model to a format of other programs.

    Example: hyperskip export model.safetensors vectors.bin --for gensim
    """
    from hyperskip.vectors.exchange.exporting import planned_export
    from hyperskip.vectors.exchange.text_formats import PROJECTOR_FILES

    targets = [out / name for name in PROJECTOR_FILES] if is_folder(out) else [out]
    for target in targets:
        check_writable(target, inputs=[model])
    plan = planned_export(
        model, out, format=format_, coordinates=coordinates, tool=tool, measure=measure
    )
    written = plan.write()
    for path in written if plan.format is not None else [out]:
        say(f"wrote {path}")
    say(_about(plan))


def _about(plan: "Export") -> str:
    """What other programs compute from the numbers that were written, and how to read them."""
    if plan.tool is not None:
        about = f"{plan.tool} ranks as --measure {plan.measure}; load it with:"
        return "\n".join([about, *(f"  {line}" for line in plan.usage())])
    if plan.measure is None:
        return (
            "these are points of the hyperboloid with their time: other programs that compare by "
            f"cosine will not rank as hyperskip does; for them, use --for or --coordinates "
            f"{SPATIAL}"
        )
    about = f"their cosine in other programs ranks as --measure {plan.measure}"
    if plan.format == FLORET:
        command = f"spacy init vectors LANG {quote(str(plan.path))} FOLDER --mode floret"
        return f"{about}; to load the table into spaCy: {command}"
    if plan.coordinates == POINTS or plan.format not in READ_FORMATS or plan.format == NPZ:
        return about
    command = f"hyperskip import {quote(str(plan.path))} MODEL --coordinates {plan.coordinates}"
    return f"{about}; to read the file back: {command}"


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
            autocompletion=completed_from(list(READ_FORMATS)),
        ),
    ] = None,
    coordinates: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"Coordinates in FILE: {_listed(READ_COORDINATES)}; {AUTO} recognizes them by "
            "their values.",
            autocompletion=completed_from(list(READ_COORDINATES)),
        ),
    ] = AUTO,
) -> None:
    """Convert vectors of another program to a model.

    Example: hyperskip import glove.6B.100d.txt model.safetensors
    """
    from hyperskip.vectors.exchange.importing import import_vectors

    check_writable(model, inputs=[file])
    vectors = import_vectors(file, format=format_, coordinates=coordinates)
    vectors.save(model)
    ngrams = vectors.subwords
    say(
        f"wrote {model}: {counted(len(vectors))}, dimension {vectors.dimension}, geometry "
        f"{vectors.geometry}"
        + (f", {len(ngrams):,} buckets of n-grams" if ngrams is not None else "")
    )
