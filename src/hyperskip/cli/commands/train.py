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
from hyperskip.cli.messages import counted
from hyperskip.cli.parameters import AsJson, Corpus, Output
from hyperskip.cli.training_output import train_into
from hyperskip.cluster.options import ClusterOptions
from hyperskip.files.remote import location
from hyperskip.progress.messages import say
from hyperskip.text.options import TextOptions
from hyperskip.training.hierarchy.options import HierarchyOptions
from hyperskip.training.options import CheckpointOptions, TrainingOptions
from hyperskip.training.presets import PRESET
from hyperskip.training.subword_options import SubwordOptions


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option."""
    init = Annotated[
        Path | None,
        typer.Option(
            metavar="MODEL",
            help="Start from the vectors of this model; new words of the text are added.",
        ),
    ]
    relations = Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Learn what is a kind of what, too, from these relations: a file that `hyperskip "
            "relations` wrote, or pairs of a narrower and a broader term.",
        ),
    ]
    return command_of(
        run_training,
        [
            parameter("corpus", Corpus),
            parameter("output", Output),
            declared_parameter("preset", PRESET, metavar="|".join(PRESET.choices)),
            parameter("init", init, None),
            parameter("relations", relations, None),
            parameter("as_json", AsJson, False),
            *option_parameters("Training", TrainingOptions),
            *option_parameters("Subwords", SubwordOptions),
            *option_parameters("Hierarchy", HierarchyOptions),
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
    relations: Path | None = None,
    phrase_file: str | None = None,
    **options: Any,
) -> None:
    """Train and write the model; the output is checked first, and then the options."""
    from hyperskip.training.trainer import train

    vectors = train_into(
        *(output, corpus, [init, relations, Path(phrase_file) if phrase_file else None]),
        lambda checkpoints, report: train(
            [location(path) for path in corpus],
            preset=preset,
            init=init,
            relations=relations,
            phrase_file=phrase_file,
            checkpoints=checkpoints,
            report=report,
            **options,
        ),
    )
    say(f"wrote {output}: {counted(len(vectors))}")
    if as_json:
        summary = {
            "model": str(output),
            "words": len(vectors),
            "tokens": int(vectors.counts.sum()),
            "history": [dict(epoch) for epoch in vectors.history],
        }
        print(json.dumps(summary, indent=2))
