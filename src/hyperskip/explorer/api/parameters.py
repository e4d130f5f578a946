"""Query parameters of the API: each is declared once, then checked and documented from that."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

from hyperskip.errors import OptionError
from hyperskip.geometry.names import ANGLE, DISTANCE, PRODUCT
from hyperskip.options import Declaration, Range
from hyperskip.projection.methods import MAP_WORDS

_LONGEST_WORD = 1000  # characters
_MOST_PARAMETERS = 20
_LONGEST_NAME = 100  # characters of an unknown name in an error

# Longer texts are refused before they are parsed: that would take long for a million digits.
_LONGEST_NUMBER = 40
_NUMBERS = {
    int: re.compile(r"[+-]?[0-9]+"),
    float: re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"),
}
_JSON_TYPES = {int: "integer", float: "number", str: "string"}


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One query parameter; it is required if it has no default."""

    name: str
    declaration: Declaration
    example: Any

    @property
    def is_required(self) -> bool:
        """Whether a request must give it."""
        return self.declaration.default is None

    @property
    def largest(self) -> float | None:
        """The largest allowed number, or the largest length of a text."""
        limits = self.declaration.limits or self.declaration.length
        return None if limits is None else limits.at_most

    def value_of(self, text: str) -> Any:
        """Return the value that a text stands for.

        Raises:
            OptionError: The value is not allowed.
        """
        kind = self.declaration.kind
        is_number = kind in _NUMBERS and (
            len(text) <= _LONGEST_NUMBER and _NUMBERS[kind].fullmatch(text) is not None
        )
        return self.declaration.checked(self.name, kind(text) if is_number else text)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema."""
        declaration = self.declaration
        schema: dict[str, Any] = {"type": _JSON_TYPES[declaration.kind]}
        if declaration.choices:
            schema["enum"] = list(declaration.choices)
        if (limits := declaration.limits) is not None:
            schema |= {"minimum": limits.at_least, "maximum": limits.at_most}
        if (length := declaration.length) is not None:
            schema |= {"minLength": length.at_least, "maxLength": length.at_most}
        if not self.is_required:
            schema["default"] = declaration.default
        return schema


def word(name: str, description: str, example: str) -> Parameter:
    """Return a required parameter that is a word of the vocabulary."""
    length = Range(at_least=1, at_most=_LONGEST_WORD)
    declaration = Declaration(kind=str, help=description, length=length)
    return Parameter(name=name, declaration=declaration, example=example)


def _number(
    name: str, kind: type, description: str, bounds: tuple[float, float], default: Any, example: Any
) -> Parameter:
    least, most = bounds
    limits = Range(at_least=least, at_most=most)
    declaration = Declaration(kind=kind, help=description, default=default, limits=limits)
    return Parameter(name=name, declaration=declaration, example=example)


COUNT = _number("count", int, "Number of words to return.", (1, 100), 10, 5)
LENS_COUNT = _number("count", int, "Number of words around the word.", (1, 200), 100, 50)
STEPS = _number("steps", int, "Number of points on the path, ends included.", (2, 50), 12, 5)
SUGGESTIONS = _number("limit", int, "Maximum number of words to return.", (1, 100), 8, 3)
# A square around the disc; points of it that are outside the disc are refused with the answer.
X, Y = (
    _number(name, float, f"Center of the view on the disc: {name}.", (-1.0, 1.0), 0.0, 0.25)
    for name in ("x", "y")
)
VIEW_RADIUS = _number(
    "radius", float, "Radius of the view, as a hyperbolic distance.", (0.0, 100.0), 100.0, 1.5
)
POINTS = Parameter(
    name="limit",
    declaration=replace(MAP_WORDS, help="Maximum number of words; the most frequent are returned."),
    example=100,
)
MEASURE = Parameter(
    name="measure",
    declaration=Declaration(
        kind=str,
        help="Measure of nearness. Product spaces do not support distance.",
        default=PRODUCT,
        choices=(PRODUCT, DISTANCE, ANGLE),
    ),
    example=ANGLE,
)
PREFIX = Parameter(
    name="prefix",
    declaration=Declaration(
        kind=str,
        help="First letters of the words; case is ignored.",
        default="",
        length=Range(at_least=0, at_most=_LONGEST_WORD),
    ),
    example="fr",
)

TEXT = Parameter(
    name="text",
    declaration=Declaration(
        kind=str,
        help="Letters anywhere in the words; case is ignored, and words that start with them come "
        "first. Between slashes: a regular expression of letters, `.`, `[...]`, `\\d`, `\\w`, "
        "`\\s`, `*`, `+`, `?`, `{m,n}`, `|`, groups, `^` and `$`.",
        default="",
        length=Range(at_least=0, at_most=_LONGEST_WORD),
    ),
    example="/^un.*ness$/",
)


def parse_query(query: bytes, parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the value of each parameter of a query string.

    Raises:
        OptionError: A parameter is missing, unknown, repeated, or its value is not allowed.
    """
    given = _fields(query)
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            hint = f"the parameters are: {', '.join(known)}" if known else "there are no parameters"
            raise OptionError(f"there is no parameter {_quoted(name)}", hint=hint)
    values = {}
    for name, parameter in known.items():
        if name in given:
            values[name] = parameter.value_of(given[name])
        elif not parameter.is_required:
            values[name] = parameter.declaration.default
        else:
            allowed = parameter.declaration.allowed()
            raise OptionError(
                f"the parameter {_quoted(name)} is missing", hint=f"it must be {allowed}"
            )
    return values


def _fields(query: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(
            query.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=_MOST_PARAMETERS,
        )
    except UnicodeDecodeError:
        raise OptionError(
            "the URL is not valid UTF-8", hint="percent-encode the UTF-8 bytes of each character"
        ) from None
    except ValueError:
        raise OptionError(
            "there are too many parameters", hint=f"at most {_MOST_PARAMETERS} are allowed"
        ) from None
    fields: dict[str, str] = {}
    for name, text in pairs:
        if name in fields:
            raise OptionError(f"the parameter {_quoted(name)} is repeated", hint="give it once")
        fields[name] = text
    return fields


def _quoted(name: str) -> str:
    """Quote a name as `Declaration` does; control characters are escaped."""
    return f"`{repr(name[:_LONGEST_NAME])[1:-1]}`"
