"""`hyperskip publish`: a folder with a model, its card and an entry for a registry."""

from pathlib import Path
from typing import Annotated

import typer

from hyperskip.cli.declared_options import checked_option
from hyperskip.cli.messages import counted
from hyperskip.cli.parameters import Data, Model
from hyperskip.errors import OptionError, shown
from hyperskip.options import Declaration, Range
from hyperskip.progress.messages import say

_WORDS = Declaration(
    kind=int, help="number of the most frequent words to keep", limits=Range(at_least=1)
)


def publish(
    model: Model,
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
    who set HYPERSKIP_MODELS to models.json load the model by its name.

    Example: hyperskip publish model.safetensors -o out --name wiki-en-20 --license CC-BY-SA-4.0
    """
    from hyperskip.evaluation.evaluating import evaluate
    from hyperskip.files.remote import is_url
    from hyperskip.files.scratch import scratch_folder
    from hyperskip.files.targets import check_writable_folder
    from hyperskip.files.writing import replacing
    from hyperskip.vectors.model_file import load
    from hyperskip.vectors.named_models import LONGEST_NAME, is_plain, registry_entry
    from hyperskip.vectors.sharing.model_card import check_license
    from hyperskip.vectors.sharing.pretrained import MODEL_FILE

    if not is_plain(name):
        raise OptionError(
            f"--name must have at most {LONGEST_NAME} letters, digits, hyphens and underscores, "
            f"got {shown(name)}",
            hint="choose a name such as wiki-en-100",
        )
    if url is not None and not is_url(url):
        raise OptionError(f"--url must be a URL, got {url!r}", hint="start it with https://")
    check_license(license_)
    check_writable_folder(folder)
    vectors = load(model)
    if words is not None:
        vectors = vectors.subset(list(vectors.words[:words]))
    if compact:  # the scores are those of the rounded coordinates
        with scratch_folder() as scratch:
            vectors.save(scratch / MODEL_FILE, compact=True)
            vectors = load(scratch / MODEL_FILE)
    scores = evaluate(vectors, data=data)
    vectors.save_pretrained(
        folder, scores=scores, license=license_, replace_card=True, compact=compact
    )
    about = about or f"{len(vectors):,} words, {vectors.dimension} dimensions"
    entry = registry_entry(name, folder / MODEL_FILE, url or MODEL_FILE, license_, about)
    with replacing(folder / "models.json") as temporary:
        temporary.write_text(entry, encoding="utf-8")
    say(f"wrote {folder}: {counted(len(vectors))}")
