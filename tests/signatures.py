"""Checks that the keywords of a function are the declared options."""

import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hyperskip.options import Declaration, Options, declarations
from hyperskip.text.word_rules import TokenizerFunction


def check_keywords(
    function: Callable[..., Any],
    own: Sequence[str],
    *groups: type[Options] | Mapping[str, Declaration],
) -> None:
    """Check that every option is a typed keyword, documented as it is declared.

    Args:
        function: A public function.
        own: Its arguments that are not options.
        groups: The options that are its other arguments, each None if not chosen.
    """
    declared = {
        name: each
        for group in groups
        for name, each in (declarations(group) if isinstance(group, type) else group).items()
    }
    parameters = inspect.signature(function).parameters
    hints = typing.get_type_hints(function)
    documentation = re.sub(r"\s+", " ", inspect.getdoc(function) or "")
    assert [name for name in parameters if name not in declared] == own
    assert [name for name in parameters if name in declared] == list(declared)
    for name, declaration in declared.items():
        parameter = parameters[name]
        assert (parameter.kind, parameter.default) == (parameter.KEYWORD_ONLY, None), name
        assert isinstance(hints[name], types.UnionType), name
        kinds: set[Any] = {declaration.kind, type(None)}
        kinds |= {TokenizerFunction} if declaration.functions else set()
        assert set(typing.get_args(hints[name])) == kinds, name
        assert described(name, declaration) in documentation
    for name in parameters:
        assert f" {name}: " in documentation


def described(name: str, declaration: Declaration) -> str:
    """An option as the documentation of a function describes it."""
    text = declaration.help
    if not text.split()[0].endswith(":"):  # the name of a choice stays as it is
        text = text[0].upper() + text[1:]
    default = declaration.default_in_words
    notes = [str(declaration.limits or ""), f"default: {default}" if default else ""]
    noted = "; ".join(filter(None, notes))
    return f"{name}: {text} ({noted})." if noted else f"{name}: {text}."
