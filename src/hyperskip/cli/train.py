"""`hyperskip train`: text, or an encoded corpus, to a model."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.corpus import check_outside, input_files
from hyperskip.cli.messages import say
from hyperskip.cli.parameters import AS_JSON, CORPUS, command_of, option_parameters, parameter
from hyperskip.files import check_writable
from hyperskip.text.options import TextOptions
from hyperskip.training.options import PRESETS, TrainingOptions


def command() -> Callable[..., None]:
    """The command as a function whose signature lists every option."""
    output = Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="The model file to write.")
    ]
    preset = Annotated[
        str, typer.Option(help=f"Start from a set of values: {' or '.join(PRESETS)}.")
    ]
    return command_of(
        run_training,
        [
            parameter("corpus", CORPUS),
            parameter("output", output),
            parameter("preset", preset, "default"),
            parameter("as_json", AS_JSON, False),
            *option_parameters("Training", TrainingOptions),
            *option_parameters("Text", TextOptions),
        ],
        "Learn word vectors from text and write them to MODEL.\n\n"
        "CORPUS is a file, a folder or a glob, several of them, or - for standard input: plain "
        "text with one document a line, a CSV or TSV with --column, or a dump of Wikipedia (XML); "
        ".gz, .bz2, .xz and .zst are read as they are. Or it is the folder that `hyperskip encode` "
        "made.",
    )


def run_training(
    corpus: list[str], output: Path, preset: str, *, as_json: bool, **options: Any
) -> None:
    """Check the output, train (which checks the options first), and write the model."""
    from hyperskip.cli.progress import ProgressDisplay
    from hyperskip.training.trainer import train

    check_writable(output, inputs=input_files(corpus))
    check_outside(output)
    with ProgressDisplay("this training was not saved") as display:
        vectors = train([Path(path) for path in corpus], preset=preset, report=display, **options)
    vectors.save(output)
    say(f"{len(vectors):,} words in {output}")
    if as_json:
        summary = {
            "model": str(output),
            "words": len(vectors),
            "tokens": int(vectors.counts.sum()),
            "history": [dict(epoch) for epoch in vectors.history],
        }
        print(json.dumps(summary, indent=2))
