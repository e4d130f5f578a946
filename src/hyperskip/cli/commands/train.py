"""`hyperskip train`: learn a model from text or an encoded corpus."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    command_of,
    declared_parameter,
    option_parameters,
    parameter,
)
from hyperskip.cli.messages import counted, progress_output, typed_command
from hyperskip.cli.parameters import AsJson, Corpus
from hyperskip.cluster.options import ClusterOptions
from hyperskip.errors import OutputError
from hyperskip.files.known_folders import CHECKPOINTS_SUFFIX
from hyperskip.files.locks import only_writer
from hyperskip.files.remote import location
from hyperskip.files.targets import check_writable
from hyperskip.progress.messages import say
from hyperskip.text.options import TextOptions
from hyperskip.training.options import CheckpointOptions, TrainingOptions
from hyperskip.training.presets import PRESET


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option."""
    output = Annotated[
        Path,
        typer.Option("--output", "-o", metavar="MODEL", help="The model file to write or replace."),
    ]
    init = Annotated[
        Path | None,
        typer.Option(
            metavar="MODEL",
            help="Start from the vectors of this model; new words of the text are added.",
        ),
    ]
    return command_of(
        run_training,
        [
            parameter("corpus", Corpus),
            parameter("output", output),
            declared_parameter("preset", PRESET, metavar="|".join(PRESET.choices)),
            parameter("init", init, None),
            parameter("as_json", AsJson, False),
            *option_parameters("Training", TrainingOptions),
            *option_parameters("Checkpoints", CheckpointOptions),
            *option_parameters("Cluster", ClusterOptions),
            *option_parameters("Text", TextOptions),
        ],
        "Learn word vectors from text and save them in MODEL.\n\n"
        "CORPUS is plain text with one document per line, CSV, TSV, JSON Lines or Parquet (with "
        "--column), or a Wikipedia dump (XML). Files compressed as .gz, .bz2, .xz or .zst are read "
        "directly. It can also be a folder written by `hyperskip encode`. Text and folder can be "
        "URLs, such as s3://bucket/text.\n\n"
        "Checkpoints are written to the folder MODEL.checkpoints. After a crash or Ctrl-C, run the "
        "same command with --resume to continue.\n\n"
        "Example: hyperskip train corpus.txt -o model.safetensors --dimension 20",
    )


def run_training(
    corpus: list[str],
    output: Path,
    *,
    preset: str = PRESET.default,
    as_json: bool,
    init: Path | None = None,
    **options: Any,
) -> None:
    """Train and write the model; the output is checked first, and then the options."""
    from hyperskip.progress.training import TrainingDisplay
    from hyperskip.text.reading.paths import input_files
    from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder
    from hyperskip.training.trainer import train

    check_writable(output, inputs=[*input_files(corpus), *([init] if init else [])])
    resume_command = typed_command("--resume")
    folder = CheckpointFolder(output.with_name(output.name + CHECKPOINTS_SUFFIX))
    with only_writer(output):
        with TrainingDisplay(
            progress_output(),
            lost="nothing was saved",
            checkpoints=folder,
            to_resume=f"to resume: {resume_command}",
        ) as display:
            vectors = train(
                [location(path) for path in corpus],
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
                    error.hint = (
                        f"the training is saved in {folder.files()[0]}; fix this, then resume "
                        f"with: {resume_command}"
                    )
                raise
        folder.discard()
    say(f"wrote {output}: {counted(len(vectors))}")
    if as_json:
        summary = {
            "model": str(output),
            "words": len(vectors),
            "tokens": int(vectors.counts.sum()),
            "history": [dict(epoch) for epoch in vectors.history],
        }
        print(json.dumps(summary, indent=2))
