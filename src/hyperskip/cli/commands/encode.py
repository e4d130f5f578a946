"""`hyperskip encode`: tokenize text once, for several trainings."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    command_of,
    declared_parameter,
    option_parameters,
    parameter,
)
from hyperskip.cli.messages import counted, progress_output
from hyperskip.cli.parameters import AsJson, Corpus
from hyperskip.cluster.options import CLUSTER
from hyperskip.devices import THREADS
from hyperskip.progress.messages import say
from hyperskip.text.options import TextOptions

_THREADS_HELP = "threads on the CPU; 0 uses all cores; nodes of a cluster use all their CPUs"


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option."""
    output = Annotated[
        str, typer.Option("--output", "-o", metavar="FOLDER", help="The folder or URL to create.")
    ]
    force = Annotated[
        bool, typer.Option("--force", metavar="", help="Replace an existing encoded corpus.")
    ]
    return command_of(
        run_encoding,
        [
            parameter("corpus", Corpus),
            parameter("output", output),
            parameter("force", force, False),
            declared_parameter("threads", replace(THREADS, help=_THREADS_HELP)),
            declared_parameter("cluster", CLUSTER),
            parameter("as_json", AsJson, False),
            *option_parameters("Text", TextOptions),
        ],
        "Tokenize text once and save it in FOLDER, which `hyperskip train` takes as CORPUS.\n\n"
        "See `hyperskip train --help` for the kinds of text. If the text changes later, `hyperskip "
        "train` refuses FOLDER, and it must be encoded again with --force.\n\n"
        "Example: hyperskip encode wiki.xml.bz2 -o wiki",
    )


def run_encoding(
    corpus: list[str],
    output: str,
    *,
    force: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Encode and print a summary; `encode` checks the options and the output first."""
    from hyperskip.files.remote import location
    from hyperskip.progress.training import TrainingDisplay
    from hyperskip.text.encoding.encoder import encode
    from hyperskip.text.reading.paths import corpus_files

    corpus_files(corpus)  # an empty path is refused here; as a Path it is the current folder
    folder = location(output)
    with TrainingDisplay(progress_output(), lost="nothing was saved") as display:
        encoded = encode(
            [location(path) for path in corpus],
            folder,
            force=force,
            report=display,
            **options,
        )
    words, tokens = len(encoded.vocabulary), encoded.token_count
    sentences = len(encoded.sentence_starts) - 1
    size = f"{counted(tokens, 'token')}, {counted(sentences, 'sentence')}"
    say(f"wrote {folder}: {size}, vocabulary of {counted(words)}")
    if as_json:
        summary = {
            "folder": str(folder),
            "words": words,
            "tokens": tokens,
            "sentences": sentences,
            "pruned": asdict(encoded.pruned),
        }
        print(json.dumps(summary, indent=2))
