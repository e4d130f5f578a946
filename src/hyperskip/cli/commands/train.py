"""`hyperskip train`: text, or an encoded corpus, to a model."""

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.messages import say
from hyperskip.cli.parameters import AS_JSON, CORPUS, command_of, option_parameters, parameter
from hyperskip.errors import OutputError
from hyperskip.files.known_folders import CHECKPOINTS_SUFFIX
from hyperskip.files.locks import only_writer
from hyperskip.files.targets import check_writable
from hyperskip.text.options import TextOptions
from hyperskip.training.options import CheckpointOptions, TrainingOptions
from hyperskip.training.presets import PRESETS


def command() -> Callable[..., None]:
    """The command as a function whose signature lists every option."""
    output = Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="The model file to write.")
    ]
    preset = Annotated[
        str, typer.Option(help=f"Start from a set of values: {' or '.join(PRESETS)}.")
    ]
    init = Annotated[
        Path | None,
        typer.Option(
            metavar="MODEL",
            help="A model to start from: its words stay, and those of the text are added.",
        ),
    ]
    return command_of(
        run_training,
        [
            parameter("corpus", CORPUS),
            parameter("output", output),
            parameter("preset", preset, "default"),
            parameter("as_json", AS_JSON, False),
            parameter("init", init, None),
            *option_parameters("Training", TrainingOptions),
            *option_parameters("Checkpoints", CheckpointOptions),
            *option_parameters("Text", TextOptions),
        ],
        "Learn word vectors from text and write them to MODEL.\n\n"
        "CORPUS is a file, a folder or a glob, several of them, or - for standard input: plain "
        "text with one document a line, a CSV or TSV with --column, or a dump of Wikipedia (XML); "
        ".gz, .bz2, .xz and .zst are read as they are. Or it is the folder that `hyperskip encode` "
        "made.\n\n"
        "While it trains, checkpoints are written to the folder MODEL.checkpoints; after a crash, "
        "or Ctrl-C, the same command with --resume goes on from there.",
    )


def run_training(
    corpus: list[str],
    output: Path,
    preset: str,
    *,
    as_json: bool,
    init: Path | None = None,
    **options: Any,
) -> None:
    """Check the output, train (which checks the options first), and write the model."""
    from hyperskip.cli.progress.training import ProgressDisplay
    from hyperskip.text.reading.paths import input_files
    from hyperskip.training.checkpoints.folder import CheckpointFolder
    from hyperskip.training.trainer import train

    check_writable(output, inputs=[*input_files(corpus), *([init] if init else [])])
    folder = CheckpointFolder(output.with_name(output.name + CHECKPOINTS_SUFFIX))
    with only_writer(output):
        with ProgressDisplay("this training was not saved", folder, _again()) as display:
            vectors = train(
                [Path(path) for path in corpus],
                preset=preset,
                init=init,
                checkpoints=folder.path,
                report=display,
                **options,
            )
            try:
                vectors.save(output)
            except OutputError as error:
                if folder.files():
                    error.hint = f"mend that, then go on from {folder.files()[0]}: {_again()}"
                raise
        folder.discard()
    say(f"{len(vectors):,} words in {output}")
    if as_json:
        summary = {
            "model": str(output),
            "words": len(vectors),
            "tokens": int(vectors.counts.sum()),
            "history": [dict(epoch) for epoch in vectors.history],
        }
        print(json.dumps(summary, indent=2))


def _again() -> str:
    """The command that was typed, with --resume."""
    arguments = [argument for argument in sys.argv[2:] if argument not in ("--resume", "--restart")]
    return shlex.join(["hyperskip", "train", "--resume", *arguments])
