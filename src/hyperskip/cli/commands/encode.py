"""`hyperskip encode`: text to an encoded corpus that is kept, for training many times."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.messages import say
from hyperskip.cli.parameters import AS_JSON, CORPUS, command_of, option_parameters, parameter
from hyperskip.text.options import TextOptions


def command() -> Callable[..., None]:
    """The command as a function whose signature lists every option."""
    output = Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="The folder to make.")
    ]
    force = Annotated[
        bool, typer.Option("--force", help="Replace an encoded corpus that is there already.")
    ]
    threads = Annotated[
        int, typer.Option(min=0, max=1024, help="Threads that tokenize; 0 takes every core.")
    ]
    return command_of(
        run_encoding,
        [
            parameter("corpus", CORPUS),
            parameter("output", output),
            parameter("force", force, False),
            parameter("threads", threads, 0),
            parameter("as_json", AS_JSON, False),
            *option_parameters("Text", TextOptions),
        ],
        "Read and tokenize text once, and keep it as integers in FOLDER, for `hyperskip train`.\n\n"
        "CORPUS is what `hyperskip train` takes. If the text changes, FOLDER is refused.",
    )


def run_encoding(
    corpus: list[str],
    output: Path,
    *,
    force: bool,
    threads: int,
    as_json: bool,
    **options: Any,
) -> None:
    """Encode (which checks options and output first), and say what was found."""
    from hyperskip.cli.progress.training import ProgressDisplay
    from hyperskip.text.encoding.encoder import encode

    with ProgressDisplay("nothing was kept") as display:
        encoded = encode(
            [Path(path) for path in corpus],
            output,
            force=force,
            threads=threads,
            report=display,
            **options,
        )
    words, tokens = len(encoded.vocabulary), len(encoded.tokens)
    sentences = len(encoded.sentence_starts) - 1
    say(f"{words:,} words, {tokens:,} tokens, {sentences:,} sentences in {output}")
    if as_json:
        summary = {
            "folder": str(output),
            "words": words,
            "tokens": tokens,
            "sentences": sentences,
            "pruned": asdict(encoded.pruned),
        }
        print(json.dumps(summary, indent=2))
