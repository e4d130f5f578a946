"""Parameters that several commands share."""

from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.declared_options import checked_option, declared_help, with_default
from hyperskip.devices import DEVICE, DEVICES, check_device
from hyperskip.projection.methods import METHOD
from hyperskip.vectors.listed_words import COUNT


def _set_option(text: str, default: str) -> Any:
    return typer.Option(
        metavar="SET", help=with_default(f"{text} Repeat the option for more sets.", default)
    )


def _checked_device(device: str) -> str:
    check_device(device)
    return device


MEASURES = "product|distance|angle"
MEASURES_HELP = (
    "product: the Minkowski product, as in the paper (for Euclidean vectors, the cosine); "
    "distance: the negative distance; angle: the cosine of the angle at the base point."
)

Corpus = Annotated[
    list[str],
    typer.Argument(metavar="CORPUS", help="Text files, folders or globs, or - for standard input."),
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file.")]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print the result as JSON.")]
Count = Annotated[int, checked_option(COUNT, "--count", "-n")]
Device = Annotated[
    str,
    typer.Option(
        metavar="|".join(DEVICES),
        callback=_checked_device,
        help=declared_help(DEVICE),
        show_default=False,
    ),
]
Measure = Annotated[
    str, typer.Option(metavar=MEASURES, help=f"Measure of similarity. {MEASURES_HELP}")
]
Similarity = Annotated[
    list[str] | None,
    _set_option(
        "A similarity set: ws353, simlex999, men, builtin, or a file with a word, a word and a "
        "score on each line.",
        "ws353, simlex999 and men",
    ),
]
Analogies = Annotated[
    list[str] | None,
    _set_option(
        "An analogy set: google, builtin, or a file with four words on each line.", "google"
    ),
]
Hypernymy = Annotated[
    list[str] | None,
    _set_option(
        "A hypernymy set: hyperlex, bless, builtin, or a file with a word, a word and a label on "
        "each line; the label says whether, or how much, the first word is a kind of the second.",
        "hyperlex and bless",
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help=with_default(
            "Folder that contains the named sets.",
            "the folder in the environment variable HYPERSKIP_DATA; otherwise the sets are "
            "downloaded, except for hyperlex and bless",
        ),
    ),
]
Projection = Annotated[str, checked_option(METHOD)]
