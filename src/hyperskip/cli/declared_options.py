"""Commands whose options are made from declarations, so that help and limits are written once."""

import inspect
import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from hyperskip.options import Declaration, Options, declarations

_FLAGS = {
    "tied": "--tied/--untied",
    "lowercase": "--lowercase/--keep-case",
    "directed": "--directed/--undirected",
    "weighted": "--weighted/--unweighted",
    "closure": "--closure/--no-closure",
}
_METAVARS = {
    int: "N",
    float: "X",
    str: "NAME",
    bool: "",
    "cluster": "auto|ADDRESS",
    "columns": "NAMES",
    "delimiter": "CHARACTER",
    "phrase_connectors": "WORDS",
    "phrase_file": "FILE",
}


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
    options: type[Options] | Mapping[str, Declaration],
    *,
    without: Container[str] = (),
    defaults: Mapping[str, str] | None = None,
) -> list[inspect.Parameter]:
    """Make a parameter for every option.

    Args:
        panel: The heading above them in the help.
        options: A group of options, or their declarations.
        without: The names of options that the command does not have.
        defaults: The defaults, in words, that differ from those of the group.
    """
    rules = defaults or {}
    declared = declarations(options) if isinstance(options, type) else options
    return [
        declared_parameter(
            name, replace(declaration, rule=rules.get(name, declaration.rule)), panel
        )
        for name, declaration in declared.items()
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
                help=declared_help(declaration),
                metavar=metavar or _METAVARS.get(name) or _METAVARS.get(declaration.kind),
                show_default=False,
                rich_help_panel=panel,
                parser=_number_parser(declaration.kind) if kind is None else None,
                autocompletion=completed_from(declaration.choices),
            ),
        ],
        None,
    )


def checked_option(declaration: Declaration, *flags: str, metavar: str | None = None) -> Any:
    """Make an option of a command that is written by hand; its value is checked at once.

    Args:
        declaration: The option.
        flags: The flags. Default: made from the name of the parameter.
        metavar: The name of its value in the help.
    """

    def check(context: typer.Context, declared: typer.CallbackParam, value: Any) -> Any:
        if value is None or context.resilient_parsing:
            return value
        return declaration.checked(str(declared.name), value)

    return typer.Option(
        *flags,
        help=declared_help(declaration),
        metavar=metavar or _METAVARS.get(declaration.kind),
        show_default=False,
        callback=check,
        parser=_number_parser(declaration.kind),
        autocompletion=completed_from(declaration.choices),
    )


def completed_from(choices: Sequence[str]) -> Callable[[str], list[str]] | None:
    """Return a function that completes a value in the shell; None if there are no choices."""
    if not choices:
        return None

    def complete(incomplete: str) -> list[str]:
        return [choice for choice in choices if choice.startswith(incomplete)]

    return complete


def _number_parser(kind: type) -> Callable[[str], Any] | None:
    """Return a function that reads a number, and leaves other text to the declaration to refuse."""
    if kind not in (int, float):
        return None

    def parse(text: str) -> Any:
        try:
            return kind(text)
        except ValueError:
            return text

    return parse


def parameter(
    name: str, annotation: Any, default: Any = inspect.Parameter.empty
) -> inspect.Parameter:
    """Make a parameter of a command."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )


def with_default(text: str, default: str) -> str:
    """The help of an option that is None by default, followed by what happens then."""
    return _with_details(text, f"[default: {default}]")


def declared_help(declaration: Declaration) -> str:
    """The help of an option as a sentence, followed by its default and the allowed values.

    Choices that the sentence names are not repeated.
    """
    text = re.sub("`([a-z_]+)`", lambda match: _flag(match[1]), declaration.help)
    if not text.startswith(declaration.choices):  # which are written in lower case
        text = text[:1].upper() + text[1:]
    default = declaration.default_in_words
    if declaration.kind is bool:
        default = default.replace("True", "yes")
    details = [f"[default: {default}]"] if default else []
    if declaration.limits:
        details.append(f"[{declaration.limits}]")
    elif not all(choice in text for choice in declaration.choices):
        details.append(f"[{declaration.allowed()}]")
    return _with_details(f"{text}.", *details)


def _with_details(text: str, *details: str) -> str:
    """Add details in dim type; a backslash keeps brackets from being read as markup."""
    dim = " ".join(details).replace("[", r"\[")
    return f"{text} [dim]{dim}[/dim]" if details else text


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")
