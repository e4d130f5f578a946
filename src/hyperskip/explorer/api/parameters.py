"""What a question may say: each parameter is declared once, and checked and documented by that."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from hyperskip.errors import OptionError
from hyperskip.geometry.measures import ANGLE, DISTANCE, PRODUCT

LONGEST_WORD = 1000

# Longer ones are refused before they are read as numbers, which takes long for a million digits.
_LONGEST_NUMBER = 40
_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_MOST_FIELDS = 20


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a question. It must be given if it has no default."""

    name: str
    kind: type  # int, float or str
    description: str
    example: Any
    default: Any = None
    least: float | None = None
    greatest: float | None = None
    choices: tuple[str, ...] = ()
    may_be_empty: bool = False

    def value_of(self, text: str) -> Any:
        """The value that a text stands for.

        Raises:
            OptionError: It stands for none, or for one out of range.
        """
        value = self._read(text)
        if value is None or not self._admits(value):
            shown = text if len(text) <= 2 * _LONGEST_NUMBER else text[:_LONGEST_NUMBER] + "..."
            raise OptionError(
                f"{self.name} is {shown!r}", hint=f"{self.name} takes {self.allowed()}"
            )
        return value

    def allowed(self) -> str:
        """The allowed values in words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind is str:
            least = 0 if self.may_be_empty else 1
            return f"a text of {least} to {LONGEST_WORD} letters"
        noun = "a whole number" if self.kind is int else "a number"
        return f"{noun} from {self.least} to {self.greatest}"

    def schema(self) -> dict[str, Any]:
        """The same as a JSON schema."""
        schema: dict[str, Any] = {
            "type": {int: "integer", float: "number", str: "string"}[self.kind]
        }
        if self.choices:
            schema["enum"] = list(self.choices)
        elif self.kind is str:
            schema |= {"minLength": 0 if self.may_be_empty else 1, "maxLength": LONGEST_WORD}
        else:
            schema |= {"minimum": self.least, "maximum": self.greatest}
        if self.default is not None:
            schema["default"] = self.default
        return schema

    def _read(self, text: str) -> Any:
        if self.kind is str:
            return text
        pattern = _WHOLE if self.kind is int else _DECIMAL
        if len(text) > _LONGEST_NUMBER or not pattern.fullmatch(text):
            return None
        return self.kind(text)

    def _admits(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices
        if isinstance(value, str):
            return (self.may_be_empty or value != "") and len(value) <= LONGEST_WORD
        return (
            math.isfinite(value)
            and (self.least is None or value >= self.least)
            and (self.greatest is None or value <= self.greatest)
        )


def word(name: str, description: str, example: str) -> Parameter:
    """A parameter that is a word of the vocabulary."""
    return Parameter(name=name, kind=str, description=description, example=example)


COUNT = Parameter(
    name="count", kind=int, description="How many words to list.", example=5,
    default=10, least=1, greatest=100,
)  # fmt: skip
MEASURE = Parameter(
    name="measure", kind=str, example=ANGLE,
    description="What nearness goes by. Products of hyperboloids have no distance to go by.",
    default=PRODUCT, choices=(PRODUCT, DISTANCE, ANGLE),
)  # fmt: skip
STEPS = Parameter(
    name="steps", kind=int, description="How many points of the way to show, with both ends.",
    example=5, default=12, least=2, greatest=50,
)  # fmt: skip
PREFIX = Parameter(
    name="prefix", kind=str, description="How the words begin, in small or capital letters.",
    example="fr", default="", may_be_empty=True,
)  # fmt: skip
SUGGESTED = Parameter(
    name="limit", kind=int, description="How many words to list.", example=3,
    default=8, least=1, greatest=100,
)  # fmt: skip
# Of a square around the disc; what is outside the disc is refused by whoever knows both.
X, Y = (
    Parameter(
        name=name, kind=float, description=f"The middle of the view on the disc: {name}.",
        example=0.25, default=0.0, least=-1.0, greatest=1.0,
    )
    for name in ("x", "y")
)  # fmt: skip
VIEW_RADIUS = Parameter(
    name="radius", kind=float, description="How far the view reaches, as a hyperbolic distance.",
    example=1.5, default=100.0, least=0.0, greatest=100.0,
)  # fmt: skip
POINTS = Parameter(
    name="limit", kind=int, description="How many words to show, the most frequent in view.",
    example=100, default=50_000, least=1, greatest=50_000,
)  # fmt: skip


def values_of(query: bytes, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The value of each parameter in the query of an address.

    Raises:
        OptionError: One is missing, unknown, given twice, or has a value that it does not take.
    """
    given = _given(query)
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise OptionError(f"there is no parameter {name[:100]!r}", hint=_listed(known))
    values = {}
    for name, parameter in known.items():
        if name in given:
            values[name] = parameter.value_of(given[name])
        elif parameter.default is not None:
            values[name] = parameter.default
        else:
            hint = f"{name} takes {parameter.allowed()}"
            raise OptionError(f"the parameter {name} is missing", hint=hint)
    return values


def _given(query: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_FIELDS,
        )
    except UnicodeDecodeError:
        raise OptionError(
            "the address is not valid UTF-8", hint="encode each letter's UTF-8 bytes by percents"
        ) from None
    except ValueError:
        hint = f"give at most {_MOST_FIELDS}"
        raise OptionError("there are too many parameters", hint=hint) from None
    given: dict[str, str] = {}
    for name, text in pairs:
        if name in given:
            raise OptionError(f"the parameter {name[:100]!r} is given twice", hint="give it once")
        given[name] = text
    return given


def _listed(known: Mapping[str, Parameter]) -> str:
    if not known:
        return "this address takes no parameters"
    return "this address takes " + ", ".join(known)
