"""`hyperskip phrases`: find words that often occur next to each other."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
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
from hyperskip.cli.tables import print_table
from hyperskip.decimals import decimals
from hyperskip.devices import THREADS
from hyperskip.files.targets import check_writable
from hyperskip.progress.messages import say
from hyperskip.text.options import NOT_FOR_PHRASES, TextOptions

_SHOWN_PHRASES = 10
_NOTHING_FOUND = "hint: use a lower --phrase-threshold or --phrase-min-count, or more text"
_THREADS_HELP = "threads on the CPU; 0 uses all cores; the result is the same"


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option."""
    output = Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The table to write or replace."),
    ]
    return command_of(
        run_finding,
        [
            parameter("corpus", Corpus),
            parameter("output", output),
            declared_parameter("threads", replace(THREADS, help=_THREADS_HELP)),
            parameter("as_json", AsJson, False),
            *option_parameters("Text", TextOptions, without=NOT_FOR_PHRASES),
        ],
        "Find phrases, words that often occur next to each other, and write them to FILE.\n\n"
        "FILE is a table with tabs: words, score, count, pass; the phrases of each pass are "
        "ordered by score. `hyperskip train --phrase-file FILE` joins them in a text: new_york. "
        "`hyperskip train --phrases` does both for one text. See `hyperskip train --help` for the "
        "kinds of text.\n\n"
        "Example: hyperskip phrases wiki.xml.bz2 -o phrases.tsv",
    )


def run_finding(corpus: list[str], output: Path, *, as_json: bool, **options: Any) -> None:
    """Find, write and print a summary; the output is checked first, and then the options."""
    from hyperskip.files.remote import location
    from hyperskip.progress.training import TrainingDisplay
    from hyperskip.text.encoding.encoding_events import EncodingProgress
    from hyperskip.text.phrases.finding import find_phrases
    from hyperskip.text.phrases.phrase_events import PrunedCandidates
    from hyperskip.text.reading.paths import corpus_files, input_files

    corpus_files(corpus)  # an empty path is refused here; as a Path it is the current folder
    check_writable(output, inputs=input_files(corpus))
    words, pruned = 0, PrunedCandidates()
    started = time.monotonic()
    with TrainingDisplay(progress_output(), lost="nothing was saved") as display:

        def report(event: Any) -> None:
            nonlocal words, pruned
            if isinstance(event, EncodingProgress):
                words = event.tokens
            elif isinstance(event, PrunedCandidates):
                pruned = event
            display(event)

        phrases = find_phrases([location(path) for path in corpus], report=report, **options)
        phrases.save(output)
    speed = words / max(time.monotonic() - started, 1e-3)
    found = counted(len(phrases.rows), "phrase")
    say(f"wrote {output}: {found}, {counted(words)}, {speed:,.0f} words/s")
    if not phrases:
        say(_NOTHING_FOUND)
    if as_json:
        found_in_text = {"words": words, "phrases": len(phrases.rows), "pruned": asdict(pruned)}
        print(json.dumps({"file": str(output), **found_in_text}, indent=2))
        return
    print_table(
        ["phrase", "score", "count"],
        [
            [row.joined, decimals(row.score), f"{row.count:,}"]
            for row in islice(phrases.rows, _SHOWN_PHRASES)
        ],
    )
