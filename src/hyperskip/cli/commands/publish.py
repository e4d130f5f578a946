"""`hyperskip publish`: a folder with a model, its card and an entry for a registry."""

from pathlib import Path
from typing import Annotated

import typer

from hyperskip.cli.declared_options import checked_option
from hyperskip.cli.messages import counted
from hyperskip.cli.parameters import Data, ModelOrName
from hyperskip.errors import DatasetError
from hyperskip.options import Declaration, Range
from hyperskip.progress.messages import say

_WORDS = Declaration(
    kind=int, help="number of the most frequent words to keep", limits=Range(at_least=1)
)


def publish(
    model: ModelOrName,
    folder: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder to write.")
    ],
    name: Annotated[
        str, typer.Option(metavar="NAME", help="The name that users load the model by.")
    ],
    license_: Annotated[
        str,
        typer.Option("--license", metavar="ID", help="License of the vectors: an SPDX identifier."),
    ],
    words: Annotated[int | None, checked_option(_WORDS)] = None,
    compact: Annotated[
        bool, typer.Option("--compact", metavar="", help="Write coordinates with 16 bits.")
    ] = False,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where the model file will be; without it, the entry names the file in FOLDER.",
        ),
    ] = None,
    about: Annotated[
        str,
        typer.Option(metavar="TEXT", help="What the model is, in one line.", show_default=False),
    ] = "",
    data: Data = None,
) -> None:
    """Evaluate a model, and write it to a folder with a card and a registry entry.

    FOLDER gets model.safetensors, config.json, README.md with the scores, and models.json. Users
    who set HYPERSKIP_MODELS to models.json load the model by its name. FOLDER must be new or empty,
    or have an earlier publication of the same name alone, which is replaced.

    Example: hyperskip publish model.safetensors -o out --name wiki-en-20 --license CC-BY-SA-4.0
    """
    from hyperskip.evaluation.evaluating import evaluate
    from hyperskip.files.scratch import scratch_folder
    from hyperskip.vectors.model_file import load
    from hyperskip.vectors.sharing import publishing

    publishing.check_publication(folder, model, name=name, license=license_, url=url, about=about)
    vectors = load(model)
    if words is not None:
        vectors = publishing.most_frequent(vectors, words)
    if compact:  # the scores are those of the rounded coordinates
        with scratch_folder() as scratch:
            vectors.save(scratch / "rounded.safetensors", compact=True)
            vectors = load(scratch / "rounded.safetensors")
    try:
        scores = evaluate(vectors, data=data)
    except DatasetError as error:
        if data is not None:
            raise
        say(f"warning: the card has no scores: {error.message}; --data names a folder with sets")
        scores = None
    publishing.publish(
        vectors,
        folder,
        name=name,
        license=license_,
        scores=scores,
        url=url,
        about=about or f"{len(vectors):,} words, {vectors.dimension} dimensions",
        compact=compact,
    )
    say(f"wrote {folder}: {counted(len(vectors))}")
