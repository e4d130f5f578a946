"""The program `hyperskip`: its commands, and how errors become messages and exit codes."""

import errno
import io
import os
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.commands import (
    add_hierarchy,
    convert,
    demo,
    doctor,
    download,
    encode,
    evaluate,
    experiment,
    explore,
    graph,
    hierarchy,
    phrases,
    plot,
    publish,
    relations,
    train,
    words,
)
from hyperskip.cli.first_steps import FIRST_STEPS
from hyperskip.cli.option_names import check_foreign, in_options
from hyperskip.cli.signals import signals_raised
from hyperskip.documentation import address_of
from hyperskip.errors import HyperskipError, InputError
from hyperskip.files.failures import reason_of
from hyperskip.progress.messages import say
from hyperskip.version import VERSION

EXIT_FAILED, EXIT_BAD_INPUT = 1, 2

_CANNOT_WRITE = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", None))

app = typer.Typer(
    name="hyperskip",
    help="Embeddings in hyperbolic space: of words from plain text, and of taxonomies and graphs.",
    invoke_without_command=True,  # then it shows the first steps
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_TRAIN, _USE, _COMPARE = "Train a model", "Use a model", "Compare models"
_INSTALLATION = "Check the installation"

app.command(rich_help_panel=_TRAIN)(demo.demo)
app.command(name="encode", rich_help_panel=_TRAIN)(encode.command())
app.command(name="train", rich_help_panel=_TRAIN)(train.command())
app.command(name="phrases", rich_help_panel=_TRAIN)(phrases.command())
app.command(name="relations", rich_help_panel=_TRAIN)(relations.command())
app.command(name="add-hierarchy", rich_help_panel=_TRAIN)(add_hierarchy.command())
app.command(name="graph", rich_help_panel=_TRAIN)(graph.command())
app.command(rich_help_panel=_USE)(download.download)
app.command(rich_help_panel=_USE)(words.info)
app.command(rich_help_panel=_USE)(words.neighbors)
app.command(rich_help_panel=_USE)(words.analogy)
app.command(rich_help_panel=_USE)(words.distance)
app.command(rich_help_panel=_USE)(words.similarity)
app.command(rich_help_panel=_USE)(words.generality)
app.command(rich_help_panel=_USE)(hierarchy.hypernyms)
app.command(rich_help_panel=_USE)(hierarchy.hyponyms)
app.command(rich_help_panel=_USE)(hierarchy.is_a)
app.command(rich_help_panel=_USE)(hierarchy.taxonomy)
app.command(rich_help_panel=_USE)(hierarchy.ancestors)
app.command(rich_help_panel=_USE)(hierarchy.descendants)
app.command(rich_help_panel=_USE)(hierarchy.tree)
app.command(name="plot", rich_help_panel=_USE)(plot.command())
app.command(name="explore", rich_help_panel=_USE)(explore.command())
app.command(name="export", rich_help_panel=_USE)(convert.export)
app.command(name="import", rich_help_panel=_USE)(convert.import_)
app.command(rich_help_panel=_USE)(publish.publish)
app.command(name="evaluate", rich_help_panel=_COMPARE)(evaluate.command())
app.command(name="experiment", rich_help_panel=_COMPARE)(experiment.command())
app.command(rich_help_panel=_INSTALLATION)(doctor.doctor)


_WORDS = ("info", "neighbors", "analogy", "distance", "similarity")
_KINDS = ("hypernyms", "hyponyms", "is-a", "taxonomy", "ancestors", "descendants", "tree")
PAGES = {  # that explain the commands
    "demo": "using.html#first-steps",
    "encode": "training.html#encode-once-train-often",
    "train": "reference/commands.html#train",
    "phrases": "phrases.html",
    "relations": "relations.html",
    "add-hierarchy": "hierarchy.html",
    "download": "pretrained.html",
    "publish": "pretrained.html",
    "graph": "graphs.html",
    **dict.fromkeys(_WORDS, "using.html#neighbors-and-analogies"),
    **dict.fromkeys(_KINDS, "using.html#broader-and-narrower-words"),
    "generality": "using.html#order-words-by-radius",
    "plot": "pictures.html",
    "explore": "explorer.html",
    "export": "exporting.html",
    "import": "formats.html#vectors-of-other-programs",
    "evaluate": "using.html#evaluate",
    "experiment": "experiments.html",
    "doctor": "troubleshooting.html",
}


def _print_version(context: typer.Context, requested: bool) -> None:
    if requested and not context.resilient_parsing:  # which the shell asks for, to complete a line
        print(f"hyperskip {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback prints
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Embeddings in hyperbolic space: of words from plain text, and of taxonomies and graphs."""
    if context.invoked_subcommand is None:
        print(FIRST_STEPS)


def main() -> None:
    """Run the program; an error of hyperskip becomes a message and an exit code."""
    with signals_raised():
        _run()


def _run() -> None:
    warnings.showwarning = _show_warning
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # the stream is closed
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # for words in any script
    try:
        _run_command()
    except InputError as error:
        _fail(error, EXIT_BAD_INPUT)
    except HyperskipError as error:
        _fail(error, EXIT_FAILED)
    except MemoryError as error:
        hint = "choose a smaller --dimension or a larger --min-count"
        _fail(HyperskipError(f"not enough memory: {error}", hint=hint), EXIT_FAILED)
    except RuntimeError as error:
        if "start new thread" not in str(error):
            raise
        hint = (
            "allow more processes for this user (ulimit -u), or use fewer threads (--threads, if "
            "the command has it)"
        )
        _fail(HyperskipError("cannot start more threads", hint=hint), EXIT_FAILED)
    except BrokenPipeError:  # the reader of the output has closed it, like `head`
        sys.exit(EXIT_FAILED)
    except OSError as error:
        _fail(_system_error(error), EXIT_FAILED)


def _run_command() -> None:
    """Run the command and flush its output, so that a full disk is reported."""
    check_foreign(sys.argv[2:], _parameters)
    try:
        app(prog_name=app.info.name)  # also as `python -m hyperskip`, for completion
    except SystemExit as error:
        if error.code == EXIT_BAD_INPUT:  # typer has said what is wrong with the line
            say(f"see: {address_of(_reference())}")
        try:
            sys.stdout.flush()
        except OSError:
            sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - so that Python does not flush again
            raise
        raise


def _reference() -> str:
    """The page with all options of the command that was typed, or of all commands."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    return f"reference/commands.html#{name}" if name in PAGES else "reference/commands.html"


def _system_error(error: OSError) -> HyperskipError:
    """The message for an unexpected error of the operating system."""
    reason = reason_of(error)
    if error.filename is not None:
        return HyperskipError(f"{error.filename}: {reason}")
    if error.errno in _CANNOT_WRITE:  # errors on files name the file
        return HyperskipError(
            f"cannot write to standard output: {reason}",
            hint="free some disk space, or redirect the output to another place",
        )
    return HyperskipError(f"the operating system reported: {reason}")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    say(in_typed_options(f"warning: {message}"))


def _fail(error: HyperskipError, exit_code: int) -> None:
    say(in_typed_options(f"error: {error.message}"))
    if error.hint:
        say(in_typed_options(f"hint: {error.hint}"))
    page = _page_of_command(error) or error.page
    if page:
        say(f"see: {page}")
    sys.exit(exit_code)


def _page_of_command(error: HyperskipError) -> str | None:
    """The page about the command that was typed, for errors that have no page of their own."""
    is_general = error.page == address_of(str(InputError.explained_on))
    page = PAGES.get(sys.argv[1]) if is_general and len(sys.argv) > 1 else None
    return None if page is None else address_of(page)


def in_typed_options(text: str) -> str:
    """Show a message in the words of the command that was typed."""
    return in_options(text, _parameters()) if "`" in text else text


def _parameters() -> list[Any]:
    """The parameters of the command that was typed; none if there is no such command."""
    commands: Any = typer.main.get_command(app)
    command = commands.commands.get(sys.argv[1]) if len(sys.argv) > 1 else None
    return [] if command is None else command.params
