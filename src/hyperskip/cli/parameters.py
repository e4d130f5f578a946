"""Parameters of commands: made from declared options, or shared by several commands."""

import inspect
import re
import shlex
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape

from hyperskip.devices import AUTO, DEVICES, check_device
from hyperskip.options import Declaration, Options, declarations


def with_default(text: str, default: str) -> str:
    """The help of an option that is None by default, followed by what happens then."""
    return f"{text} [dim]{escape(f'[default: {default}]')}[/dim]"


def _checked_device(device: str) -> str:
    check_device(device)
    return device


MEASURES = "product|distance|angle"
MEASURES_HELP = (
    "product: the Minkowski product, as in the paper (for Euclidean vectors, the cosine); "
    "distance: the negative distance; angle: the cosine of the angle at the base point."
)

Corpus = Annotated[
    list[str],
    typer.Argument(metavar="CORPUS", help="Text files, folders or globs, or - for standard input."),
]
Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Count = Annotated[
    int, typer.Option("--count", "-n", min=1, metavar="N", help="Number of words to list.")
]
Device = Annotated[
    str,
    typer.Option(
        metavar="|".join(DEVICES),
        callback=_checked_device,
        help=f"Device to compute on; {AUTO} uses the GPU, if there is one, for large tasks.",
    ),
]
Measure = Annotated[
    str, typer.Option(metavar=MEASURES, help=f"Measure of similarity. {MEASURES_HELP}")
]
Data = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help=with_default(
            "Folder that contains the named sets.",
            "the folder in the environment variable HYPERSKIP_DATA; otherwise the sets are "
            "downloaded, except for hyperlex and bless",
        ),
    ),
]

_FLAGS = {"tied": "--tied/--untied"}
_METAVARS = {int: "N", float: "X", str: "TEXT"}
_RESUMPTION = ("--resume", "--restart")


def typed_command(*flags: str) -> str:
    """The command as the user has typed it, with these flags for --resume and --restart."""
    name, *arguments = sys.argv[1:]
    kept = [argument for argument in arguments if argument not in _RESUMPTION]
    return shlex.join(["hyperskip", name, *flags, *kept])


def command_of(
    run: Callable[..., None], parameters: list[inspect.Parameter], description: str
) -> Callable[..., None]:
    """Make a command with these parameters; it calls `run` with those that are not None."""

    def command(**arguments: Any) -> None:
        run(**{name: value for name, value in arguments.items() if value is not None})

    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__doc__ = description
    return command


def option_parameters(
    panel: str,
    group: type[Options],
    *,
    without: Container[str] = (),
    defaults: Mapping[str, Any] | None = None,
) -> list[inspect.Parameter]:
    """Make a parameter for every option of a group.

    Args:
        panel: The heading above them in the help.
        group: The options.
        without: The names of options that the command does not have.
        defaults: The defaults of the command that differ from those of the group.
    """
    chosen = defaults or {}
    return [
        declared_parameter(
            name,
            replace(declaration, default=chosen[name], rule="") if name in chosen else declaration,
            panel,
        )
        for name, declaration in declarations(group).items()
        if name not in without
    ]


def declared_parameter(
    name: str,
    declaration: Declaration,
    panel: str | None = None,
    *,
    metavar: str | None = None,
    flags: Sequence[str] = (),
    kind: Any = None,
) -> inspect.Parameter:
    """Make a parameter from a declaration; it is None unless the user sets it.

    Args:
        name: The name of the option in Python.
        declaration: The option.
        panel: The heading above it in the help.
        metavar: The name of its value in the help.
        flags: The flags. Default: made from the name.
        kind: The type on the command line, if it is not that of the declaration.
    """
    return parameter(
        name,
        Annotated[
            (kind or declaration.kind) | None,
            typer.Option(
                *(flags or [_FLAGS.get(name, _flag(name))]),
                help=help_of(declaration),
                metavar=metavar or _METAVARS.get(declaration.kind),
                show_default=False,
                rich_help_panel=panel,
            ),
        ],
        None,
    )


def parameter(
    name: str, annotation: Any, default: Any = inspect.Parameter.empty
) -> inspect.Parameter:
    """Make a parameter of a command."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )


def help_of(declaration: Declaration) -> str:
    """The help of a declared option as a sentence, followed by its default and its range."""
    text = re.sub("`([a-z_]+)`", lambda match: _flag(match[1]), declaration.help)
    if not text.startswith(declaration.choices):  # which are written in lower case
        text = text[:1].upper() + text[1:]
    default = declaration.default_in_words
    details = [f"[default: {default}]"] if default else []
    details += [f"[{declaration.limits}]"] if declaration.limits else []
    return escape(f"{text}.") + f" [dim]{escape(' '.join(details))}[/dim]"


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
