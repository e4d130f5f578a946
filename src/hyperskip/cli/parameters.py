"""Parameters that several commands share."""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.builtin import BUILTIN
from hyperskip.cli.declared_options import (
    checked_option,
    completed_from,
    declared_help,
    with_default,
)
from hyperskip.devices import DEVICE, DEVICES, check_device
from hyperskip.evaluation.known_sets import (
    ANALOGY_SETS,
    DATA_VARIABLE,
    HYPERNYMY_SETS,
    SIMILARITY_SETS,
)
from hyperskip.geometry.names import ANGLE, DISTANCE, MEASURES, PRODUCT
from hyperskip.projection.methods import METHOD
from hyperskip.vectors.listed_words import COUNT
from hyperskip.vectors.strictness import STRICT


def _set_option(kind: str, sets: Collection[str], file: str) -> Any:
    """An option that names data sets; by default, those that have a name."""
    *others, last = sets
    default = f"{', '.join(others)} and {last}" if others else last
    text = f"{kind}: {', '.join(sets)}, {BUILTIN}, or a file with {file}."
    return typer.Option(
        metavar="SET",
        help=with_default(f"{text} Repeat the option for more sets.", default),
        autocompletion=completed_from([*sets, BUILTIN]),
    )


def _checked_device(context: typer.Context, device: str) -> str:
    if not context.resilient_parsing:  # the shell completes the line, and PyTorch is slow to load
        check_device(device)
    return device


def model_file(context: typer.Context, model: Path | None) -> Path | None:
    """Return the file of a model, which may be given by its name."""
    if model is None or context.resilient_parsing:  # the shell completes the line
        return model
    from hyperskip.vectors.named_models import model_path

    return model_path(model)


_KINDS_OF_MEASURE = {
    PRODUCT: "the Minkowski product, as in the paper (for Euclidean vectors, the cosine)",
    DISTANCE: "the negative distance",
    ANGLE: "the cosine of the angle at the base point",
}
MEASURES_HELP = "; ".join(f"{name}: {kind}" for name, kind in _KINDS_OF_MEASURE.items()) + "."

Corpus = Annotated[
    list[str],
    typer.Argument(
        metavar="CORPUS", help="Text files, folders, globs or URLs, or - for standard input."
    ),
]
Output = Annotated[
    Path,
    typer.Option("--output", "-o", metavar="MODEL", help="The model file to write or replace."),
]
_MODEL_HELP = "A model file, or the name of a model: hyperskip download lists them."
Model = Annotated[Path, typer.Argument(metavar="MODEL", callback=model_file, help=_MODEL_HELP)]
# The command looks up the name itself, after it has checked its options.
ModelOrName = Annotated[Path, typer.Argument(metavar="MODEL", help=_MODEL_HELP)]
AsJson = Annotated[bool, typer.Option("--json", metavar="", help="Print the result as JSON.")]
Count = Annotated[int, checked_option(COUNT, "--count", "-n")]
Device = Annotated[
    str,
    typer.Option(
        metavar="|".join(DEVICES),
        callback=_checked_device,
        help=declared_help(DEVICE),
        show_default=False,
        autocompletion=completed_from(DEVICES),
    ),
]
Measure = Annotated[
    str,
    typer.Option(
        metavar="|".join(MEASURES),
        help=f"Measure of similarity. {MEASURES_HELP}",
        autocompletion=completed_from(MEASURES),
    ),
]
Similarity = Annotated[
    list[str] | None,
    _set_option("A similarity set", SIMILARITY_SETS, "a word, a word and a score on each line"),
]
Analogies = Annotated[
    list[str] | None,
    _set_option("An analogy set", ANALOGY_SETS, "four words on each line"),
]
Hypernymy = Annotated[
    list[str] | None,
    _set_option(
        "A hypernymy set",
        HYPERNYMY_SETS,
        "a word, a word and a label on each line, or in the layout of any of these sets; the label "
        "says whether, or how much, the first word is a kind of the second",
    ),
]
Data = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help=with_default(
            "Folder that contains the named sets.",
            f"the folder in the environment variable {DATA_VARIABLE}; otherwise the sets are "
            "downloaded, except for those of hypernymy",
        ),
    ),
]
Strict = Annotated[bool, checked_option(STRICT, "--strict")]
Projection = Annotated[str, checked_option(METHOD)]
