"""The program `hyperskip`: its commands, and how errors end it."""

import errno
import io
import os
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.commands import (
    convert,
    demo,
    encode,
    evaluate,
    experiment,
    explore,
    plot,
    train,
    words,
)
from hyperskip.cli.messages import say
from hyperskip.cli.option_names import in_options
from hyperskip.cli.signals import signals_raised
from hyperskip.errors import HyperskipError, InputError
from hyperskip.files.failures import reason_of
from hyperskip.version import VERSION

EXIT_FAILED, EXIT_BAD_INPUT = 1, 2

_CANNOT_WRITE = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", None))

app = typer.Typer(
    name="hyperskip",
    help="Word embeddings in hyperbolic space, learned from plain text.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command()(demo.demo)
app.command(name="encode")(encode.command())
app.command(name="train")(train.command())
app.command()(words.info)
app.command()(words.neighbors)
app.command()(words.analogy)
app.command()(words.generality)
app.command()(evaluate.evaluate)
app.command(name="export")(convert.export)
app.command(name="import")(convert.import_)
app.command()(plot.plot)
app.command()(explore.explore)
app.command(name="experiment")(experiment.command())


def _print_version(asked: bool) -> None:
    if asked:
        print(f"hyperskip {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Word embeddings in hyperbolic space, learned from plain text."""


def main() -> None:
    """Run the program; an error of ours becomes a message and an exit code."""
    with signals_raised():
        _run()


def _run() -> None:
    warnings.showwarning = _show_warning
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed; what goes there is not wanted
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - for good
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a word may be of any script
    try:
        _run_command()
    except InputError as error:
        _fail(error, EXIT_BAD_INPUT)
    except HyperskipError as error:
        _fail(error, EXIT_FAILED)
    except MemoryError as error:
        hint = "choose a smaller --dimension, or a larger --min-count"
        _fail(HyperskipError(f"there is not enough memory: {error}", hint=hint), EXIT_FAILED)
    except RuntimeError as error:
        if "start new thread" not in str(error):
            raise
        hint = (
            "allow this user more processes (ulimit -u), or pass a smaller --threads to a command "
            "that has this option"
        )
        _fail(HyperskipError("no more threads can be started", hint=hint), EXIT_FAILED)
    except BrokenPipeError:  # the reader of the output has left, as `head` does
        sys.exit(EXIT_FAILED)
    except OSError as error:
        _fail(_of_the_system(error), EXIT_FAILED)


def _run_command() -> None:
    """Run a command to the end of what it prints."""
    try:
        app()
    except SystemExit:
        try:
            sys.stdout.flush()
        except OSError:
            sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - at exit, it is not tried again
            raise
        raise


def _of_the_system(error: OSError) -> HyperskipError:
    """What to say of an error that nobody expected: what it is about, and the reason."""
    reason = reason_of(error)
    if error.filename is not None:
        return HyperskipError(f"{error.filename}: {reason}")
    if error.errno in _CANNOT_WRITE:  # whoever writes a file says so
        return HyperskipError(
            f"cannot write to standard output: {reason}",
            hint="free some disk space, or write to another place",
        )
    return HyperskipError(f"the system reported: {reason}")


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    say(_in_options(f"warning: {message}"))


def _fail(error: HyperskipError, exit_code: int) -> None:
    say(_in_options(f"error: {error.message}"))
    if error.hint:
        say(_in_options(f"hint: {error.hint}"))
    sys.exit(exit_code)


def _in_options(text: str) -> str:
    """Show a message in the words of the command that was typed."""
    commands: Any = typer.main.get_command(app)
    command = commands.commands.get(sys.argv[1]) if len(sys.argv) > 1 else None
    return text if command is None else in_options(text, command.params)
