"""`hyperskip relations`: find what a text says is a kind of what."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    command_of,
    declared_parameter,
    option_parameters,
    parameter,
    with_default,
)
from hyperskip.cli.messages import counted, progress_output
from hyperskip.cli.parameters import AsJson, Corpus
from hyperskip.cli.tables import print_table
from hyperskip.devices import THREADS
from hyperskip.files.targets import check_writable
from hyperskip.progress.messages import say
from hyperskip.text.relations.options import RelationOptions

if TYPE_CHECKING:
    from hyperskip.text.relations.relation_events import ExtractionSummary

_SHOWN_PAIRS = 10
_NOTHING_FOUND = (
    "hint: patterns need text with punctuation and capital letters; for text that is not English, "
    "pass --patterns"
)
_THREADS_HELP = "processes that find pairs; 0 uses all cores; the result is the same"


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option."""
    output = Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="The table to write or replace."),
    ]
    patterns = Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=with_default("A pattern file.", "English")),
    ]
    return command_of(
        run_extraction,
        [
            parameter("corpus", Corpus),
            parameter("output", output),
            parameter("patterns", patterns, None),
            declared_parameter("threads", replace(THREADS, help=_THREADS_HELP)),
            parameter("as_json", AsJson, False),
            *option_parameters("Text", RelationOptions),
        ],
        "Find what a text says is a kind of what, and write the pairs to FILE.\n\n"
        '"Animals such as dogs and cats" gives dog, animal and cat, animal. FILE is a table with '
        "tabs: narrower term, broader term, count, patterns; the most frequent pairs come first. "
        "The text needs its punctuation and capital letters. See `hyperskip train --help` for the "
        "kinds of text.\n\n"
        "Example: hyperskip relations wiki.xml.bz2 -o relations.tsv",
    )


def run_extraction(corpus: list[str], output: Path, *, as_json: bool, **options: Any) -> None:
    """Extract, write and print a summary; the output is checked first, and then the options."""
    from hyperskip.files.remote import location
    from hyperskip.progress.training import TrainingDisplay
    from hyperskip.text.reading.paths import corpus_files, input_files
    from hyperskip.text.relations.extracting import extract_relations
    from hyperskip.text.relations.relation_events import ExtractionSummary

    corpus_files(corpus)  # an empty path is refused here; as a Path it is the current folder
    check_writable(output, inputs=input_files(corpus))
    summaries: list[ExtractionSummary] = []
    started = time.monotonic()
    with TrainingDisplay(progress_output(), lost="nothing was saved") as display:

        def report(event: Any) -> None:
            if isinstance(event, ExtractionSummary):
                summaries.append(event)
            display(event)

        relations = extract_relations([location(path) for path in corpus], report=report, **options)
        relations.save(output)
    summary = summaries[0]
    say(f"wrote {output}: {_summary_line(summary, time.monotonic() - started)}")
    if not summary.pairs:
        say(_NOTHING_FOUND)
    elif not summary.different_pairs:
        say("hint: all pairs are rarer than --min-count")
    if as_json:
        print(json.dumps({"file": str(output), **asdict(summary)}, indent=2))
        return
    print_table(
        ["narrower", "broader", "count"],
        [
            [pair.narrower, pair.broader, f"{pair.count:,}"]
            for pair in islice(relations, _SHOWN_PAIRS)
        ],
    )


def _summary_line(summary: "ExtractionSummary", seconds: float) -> str:
    parts = [
        f"{summary.different_pairs:,} different pairs",
        f"{counted(summary.pairs, 'pair')} found in {counted(summary.sentences, 'sentence')}",
        counted(summary.words),
        f"{summary.words / max(seconds, 1e-3):,.0f} words/s",
    ]
    if summary.pruned.pairs:
        parts.insert(1, f"{summary.pruned.pairs:,} rare pairs were dropped")
    return ", ".join(parts)
