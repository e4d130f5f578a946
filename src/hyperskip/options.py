"""What every group of options shares: a declared range for each, checked once and in one place.

A group is a frozen, keyword-only dataclass on top of `Options`, its fields made by `option`.
The command line reads the same declarations, so that help, default and range are written once.
"""

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, Self

from hyperskip.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class Range:
    """The values a number may take; a bound that is None is open."""

    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None

    def admits(self, value: float) -> bool:
        """Whether the value is finite and inside."""
        return (
            (isinstance(value, int) or math.isfinite(value))
            and (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (self.at_most is None or value <= self.at_most)
        )

    def __str__(self) -> str:
        bounds = [
            f"{word} {bound if isinstance(bound, int) else format(bound, 'g')}"
            for word, bound in (
                ("above", self.above),
                ("at least", self.at_least),
                ("at most", self.at_most),
            )
            if bound is not None
        ]
        return " and ".join(bounds) or "any finite value"


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """What a field of an options group may hold, and what it means.

    Args:
        kind: The type of its values.
        help: What it is for.
        default: The value that is used if none is chosen; None if `rule` decides.
        rule: The default in words, if it depends on other options or on the text.
        limits: The range of a number.
        choices: The only values, if they are few.
        formerly: Choices that had another name before, by that name.
        optional: Whether the field is None until a value is chosen.
    """

    kind: type
    help: str
    default: Any = None
    rule: str = ""
    limits: Range | None = None
    choices: tuple[str, ...] = ()
    formerly: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False

    @property
    def default_in_words(self) -> str:
        """The default as help texts show it; empty if there is none, or if it is false."""
        if self.rule or self.default is None or self.default is False:
            return self.rule
        return format(self.default, "g") if self.kind is float else str(self.default)

    def checked(self, name: str, value: Any) -> Any:
        """The value as a plain Python one, if it is of the type, in range and among the choices."""
        if value is None and self.optional:
            return None
        if not self._has_kind(value):
            raise _refused(name, value, self.allowed())
        # As the declared type: a whole number for a rate becomes a float, NumPy's become Python's.
        plain = self.kind(value) if self.limits else value
        plain = self.formerly.get(plain, plain) if self.choices else plain
        if (self.choices and plain not in self.choices) or (
            self.limits and not self.limits.admits(plain)
        ):
            raise _refused(name, value, self.allowed())
        return plain

    def _has_kind(self, value: object) -> bool:
        """Whether the type fits; NumPy's numbers are numbers, too, and true is none."""
        if self.kind is bool or isinstance(value, bool):
            return self.kind is bool and isinstance(value, bool)
        kinds: dict[type, type] = {int: Integral, float: Real}
        return isinstance(value, kinds.get(self.kind, self.kind))

    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return " or ".join(self.choices)
        noun = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}
        text = noun[self.kind]
        return f"{text} {self.limits}" if self.limits else text


def _refused(name: str, value: object, allowed: str) -> OptionError:
    shown = name.replace("_", "-")
    return OptionError(f"{shown} is {value!r}", hint=f"{shown} takes {allowed}")


def option(
    default: Any,
    kind: type,
    help: str,  # noqa: A002 - the word that the command line uses
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    choices: tuple[str, ...] = (),
    formerly: Mapping[str, str] | None = None,
    optional: bool = False,
    rule: str = "",
) -> Any:
    """Declare a field of an options group; the arguments are those of `Declaration`."""
    limits = None
    if kind in (int, float):
        limits = Range(at_least=at_least, above=above, at_most=at_most)
    declaration = Declaration(
        kind=kind,
        help=help,
        default=default,
        rule=rule,
        limits=limits,
        choices=choices,
        formerly=formerly or {},
        optional=optional,
    )
    return field(default=None if optional else default, metadata={"declaration": declaration})


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of every options group: checks each field against its declaration."""

    def __post_init__(self) -> None:
        for name, declaration in declarations(type(self)).items():
            object.__setattr__(self, name, declaration.checked(name, getattr(self, name)))

    @classmethod
    def of(cls, values: dict[str, Any]) -> Self:
        """A group with these values; an unknown name is refused with those that there are."""
        check_names(values, cls)
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """The options as plain values, to be stored with the vectors."""
        return dataclasses.asdict(self)


def declarations(group: type[Options]) -> dict[str, Declaration]:
    """The declaration of each field of a group, in order."""
    return {field.name: field.metadata["declaration"] for field in dataclasses.fields(group)}


def check_names(values: Iterable[str], *groups: type[Options]) -> None:
    """Refuse a name that is no option of these groups."""
    known = {name for group in groups for name in declarations(group)}
    for name in values:
        if name not in known:
            raise OptionError(
                f"there is no option {name!r}", hint="options are " + ", ".join(sorted(known))
            )
