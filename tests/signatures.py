"""Checks that the keywords of a function are the options that are declared."""

import inspect
import re
from collections.abc import Callable
from typing import Any

from hyperskip.options import Options, declarations


def check_keywords(function: Callable[..., Any], *groups: type[Options]) -> None:
    """Check that every option is a typed, documented keyword that is None if not chosen."""
    parameters = inspect.signature(function).parameters
    documented = documented_arguments(function)
    for group in groups:
        for name, declaration in declarations(group).items():
            parameter = parameters[name]
            assert parameter.kind is parameter.KEYWORD_ONLY, name
            assert parameter.default is None, name
            assert parameter.annotation == (declaration.kind | None), name
            assert declaration.default_in_words in documented[name].replace(",", ""), name
    assert set(documented) == set(parameters)


def documented_arguments(function: Callable[..., Any]) -> dict[str, str]:
    """The entries of the Args section of a docstring, by name."""
    section = re.search(r"^Args:\n(.*?)(\n\n|\Z)", inspect.getdoc(function) or "", re.M | re.S)
    assert section, "no Args"
    entries = re.findall(r"^    (\w+): (.*(?:\n     .*)*)", section[1], re.M)
    return {name: " ".join(text.split()) for name, text in entries}
