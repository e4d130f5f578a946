"""How text is split into words: the tokenizers, their options, and the defaults of each."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hyperskip.errors import OptionError, alternatives, shown
from hyperskip.options import is_function_name

TokenizerFunction = Callable[[str], Iterable[str]]

PAPER, WHITESPACE, ICU = "paper", "whitespace", "icu"
TOKENIZERS = PAPER, WHITESPACE, ICU
DROP, KEEP, SPLIT = "drop", "keep", "split"
NO_FORM, NFC, NFKC = "none", "nfc", "nfkc"

# The values of each option. The first one is the default, except that whitespace keeps the case.
CHOICES: dict[str, tuple[Any, ...]] = {
    "lowercase": (True, False),
    "numbers": (DROP, KEEP),
    "apostrophes": (SPLIT, KEEP),
    "hyphens": (SPLIT, KEEP),
    "normalize": (NO_FORM, NFC, NFKC),
}
_OPTIONS = {
    PAPER: tuple(CHOICES),
    WHITESPACE: ("lowercase", "normalize"),
    ICU: ("lowercase", "numbers", "normalize"),
}


@dataclass(frozen=True)
class WordRules:
    """The tokenizer and the value of each of its options.

    An option that the tokenizer does not have is None.
    """

    tokenizer: str | TokenizerFunction = PAPER
    lowercase: bool | None = True
    numbers: str | None = DROP
    apostrophes: str | None = SPLIT
    hyphens: str | None = SPLIT
    normalize: str | None = NO_FORM


def word_rules(values: Mapping[str, Any]) -> WordRules:
    """Return the rules with these values; missing options, and those that are None, have defaults.

    Raises:
        OptionError: A value is not allowed, or the tokenizer does not have the option.
    """
    tokenizer = values["tokenizer"]
    if tokenizer not in TOKENIZERS and not (callable(tokenizer) or is_function_name(tokenizer)):
        raise OptionError(
            f"`tokenizer` must be {alternatives(TOKENIZERS)}, got {shown(tokenizer)}",
            hint="a later version of hyperskip may have it",
        )
    own = _OPTIONS.get(tokenizer, ()) if isinstance(tokenizer, str) else ()
    settled: dict[str, Any] = {}
    for name, choices in CHOICES.items():
        value = values.get(name)
        if value is not None and name not in own:
            raise _not_an_option(name, value, tokenizer)
        if value is not None and value not in choices:
            allowed = alternatives(map(str, choices))
            raise OptionError(
                f"`{name}` must be {allowed}, got {shown(value)}", hint=f"leave out `{name}`"
            )
        settled[name] = _default(name, tokenizer) if value is None and name in own else value
    return WordRules(tokenizer, **settled)


def _default(name: str, tokenizer: str) -> Any:
    return CHOICES[name][0] if (name, tokenizer) != ("lowercase", WHITESPACE) else False


def _not_an_option(name: str, value: object, tokenizer: object) -> OptionError:
    having = [f"`tokenizer={each!r}`" for each in TOKENIZERS if name in _OPTIONS[each]]
    given = f"`tokenizer` is {tokenizer!r}" if isinstance(tokenizer, str) else "it is a function"
    hint = f"leave out `{name}`"
    if not isinstance(tokenizer, str):
        hint += ", and do this in the function"
    return OptionError(f"`{name}={value!r}` needs {alternatives(having)}, and {given}", hint=hint)
