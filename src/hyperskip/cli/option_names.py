"""Errors of the Python interface in the words of a command: `rate=0.1` becomes --rate 0.1."""

import re
from collections.abc import Callable
from typing import Any

from typer.core import TyperArgument

from hyperskip.errors import OptionError
from hyperskip.options import our_name

_ARGUMENT = re.compile(r"`([a-z_]+)(?:=([^`]*))?`")
_QUOTED = re.compile(r"^(['\"])([\w./-]+)\1$")  # a string that the shell needs no quotes for


def in_options(text: str, parameters: list[Any]) -> str:
    """Replace each Python argument between backticks by the option of a command.

    Args:
        text: A message. A name in it that is no parameter of the command stays as it is.
        parameters: The parameters of the command, as Typer has them.
    """
    # A command calls a parameter `format_`, so that it does not hide Python's `format`.
    by_name = {parameter.name.rstrip("_"): parameter for parameter in parameters}

    def replacement(match: re.Match[str]) -> str:
        name, value = match.groups()
        return _shown(by_name[name], value) if name in by_name else match.group()

    return _ARGUMENT.sub(replacement, text)


def _shown(parameter: Any, value: str | None) -> str:
    if isinstance(parameter, TyperArgument):
        return str(parameter.metavar or parameter.name).upper()
    flag = str(max(parameter.opts, key=len))
    if value is None or value == "True":
        return flag
    if value == "False" and parameter.secondary_opts:
        return str(max(parameter.secondary_opts, key=len))
    return flag + " " + _QUOTED.sub(r"\2", value)


def check_foreign(arguments: list[str], parameters: Callable[[], list[Any]]) -> None:
    """Check that no option belongs to another program, such as gensim's --vector-size.

    Args:
        arguments: What was typed after the command.
        parameters: Returns the parameters of the command, as Typer has them.

    Raises:
        OptionError: One does; the error names ours.
    """
    for argument in arguments:
        flag = argument.partition("=")[0]
        meant = our_name(flag[2:].replace("-", "_")) if flag.startswith("--") else None
        if meant is None:
            continue
        ours = {parameter.name: parameter for parameter in parameters()}
        flags = [each for own in ours.values() for each in (*own.opts, *own.secondary_opts)]
        if meant in ours and flag.replace("_", "-") not in flags:
            raise OptionError(
                f"there is no option {flag}", hint=f"did you mean {_shown(ours[meant], None)}?"
            )
