"""Commands whose options are read off the declared options, so that they say the same."""

import inspect
from collections.abc import Callable, Container, Mapping
from typing import Annotated, Any

import typer

from hyperskip.options import Declaration, Options, declarations

CORPUS = Annotated[list[str], typer.Argument(metavar="CORPUS", help="Files, folders, globs, or -.")]
AS_JSON = Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")]

_FLAGS = {"tied": "--tied/--untied"}


def command_of(
    run: Callable[..., None], parameters: list[inspect.Parameter], description: str
) -> Callable[..., None]:
    """A command whose signature lists these parameters; what is not given does not reach it."""

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
    """A parameter for every option of a group.

    Args:
        panel: The heading that they stand under.
        group: The options.
        without: Those that the command does not take.
        defaults: What the command takes where it differs from the group.
    """
    shown = {name: "" if value is None else str(value) for name, value in (defaults or {}).items()}
    return [
        parameter(
            name,
            _annotation(name, declaration, panel, shown.get(name, declaration.default_in_words)),
            None,
        )
        for name, declaration in declarations(group).items()
        if name not in without
    ]


def _annotation(name: str, declaration: Declaration, panel: str, default: str) -> Any:
    flag = _FLAGS.get(name, "--" + name.replace("_", "-"))
    return Annotated[
        declaration.kind | None,
        typer.Option(
            flag,
            help=declaration.help + _allowed(declaration),
            show_default=default or False,
            rich_help_panel=panel,
        ),
    ]


def _allowed(declaration: Declaration) -> str:
    return f" ({declaration.limits})" if declaration.limits else ""


def parameter(
    name: str, annotation: Any, default: Any = inspect.Parameter.empty
) -> inspect.Parameter:
    """A parameter of a command."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )
