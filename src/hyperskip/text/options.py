"""The options of reading, tokenizing and counting words."""

from dataclasses import dataclass, replace
from typing import Any

from hyperskip.options import (
    Declaration,
    Options,
    Range,
    declarations,
    function_name,
    option,
    option_of,
)
from hyperskip.text.word_rules import (
    CHOICES,
    NFC,
    NFKC,
    PAPER,
    TOKENIZERS,
    WHITESPACE,
    TokenizerFunction,
    WordRules,
    word_rules,
)

# Stored with every model and corpus. The others were added later, and are stored if they differ
# from their defaults: files with the first options stay the same.
_ALWAYS_STORED = ("tokenizer", "min_count", "column", "encoding_errors", "vocabulary_limit")
_FIRST_TOKENIZERS = (PAPER, WHITESPACE)


def _word_option(name: str, help: str, **declared: Any) -> Any:  # noqa: A002
    """Declare an option of the tokenizer, which is None until a value is chosen."""
    choices = CHOICES[name]
    return option(None, str, help, choices=choices, rule=choices[0], optional=True, **declared)


@dataclass(frozen=True, kw_only=True)
class TextOptions(Options):
    """The options of reading, tokenizing and counting words.

    Values are checked when the object is created. `hyperskip.encode` describes each field.
    """

    tokenizer: str | TokenizerFunction = option(
        "paper",
        str,
        "paper: lower-case words of two or more letters or digits that do not start with a digit; "
        "whitespace: everything between blanks, unchanged, such as item_1 or B00-XYZ1; icu: words "
        "of any script, also of those without blanks, such as Chinese or Thai; in Python also a "
        "function that returns the words of a text",
        choices=TOKENIZERS,
        functions=True,
    )
    lowercase: bool | None = option(
        None, bool, "change words to lower case", rule="True, except with whitespace", optional=True
    )
    numbers: str | None = _word_option(
        "numbers",
        "words that start with a digit, such as 1984, 3rd or 3.14: drop or keep; paper and icu "
        "only",
    )
    apostrophes: str | None = _word_option(
        "apostrophes",
        "words such as don't or l'homme: split (don, homme) or keep; paper only",
    )
    hyphens: str | None = _word_option(
        "hyphens", "words such as well-known: split (well, known) or keep; paper only"
    )
    normalize: str | None = _word_option(
        "normalize",
        "Unicode normalization form: none, nfc (one spelling of each accented letter), or nfkc "
        "(also of full-width letters, ligatures and the like)",
        aliases={"NFC": NFC, "NFKC": NFKC},
    )
    min_count: int = option(
        5, int, "leave out words that occur less often", at_least=1, at_most=10**9
    )
    column: str | None = option(
        None,
        str,
        "the column or key that contains the text, for CSV, TSV, JSON Lines, Parquet, data frames "
        "and records; in a CSV or TSV file without a header, its number, from 1",
        optional=True,
    )
    delimiter: str | None = option_of(
        Declaration(
            kind=str,
            help="the character between the cells of a CSV file, such as ; or tab",
            rule="from the name of the file and its first line",
            length=Range(at_least=1, at_most=1),
            aliases={"tab": "\t", r"\t": "\t"},
            optional=True,
            noun="one character that is neither a quotation mark nor a line break",
        )
    )
    encoding_errors: str = option(
        "strict",
        str,
        "bytes that are not UTF-8: strict stops with an error, replace inserts U+FFFD",
        choices=("strict", "replace"),
    )
    vocabulary_limit: int = option(
        20_000_000,
        int,
        "maximum number of distinct words counted at a time, which limits memory: a million words "
        "take 80 to 100 MB, or 140 MB with 32 letters each, and longer words count as several; "
        "above the limit, the rarest words are dropped, and this is reported",
        at_least=1000,
        at_most=10**9,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.word_rules  # raises an error for an option that the tokenizer does not have
        if self.delimiter is not None and self.delimiter in '\n\r\0"':
            raise declarations(TextOptions)["delimiter"].refusal("delimiter", self.delimiter)

    @property
    def word_rules(self) -> WordRules:
        """The tokenizer and its options, with all defaults filled in."""
        return word_rules({name: getattr(self, name) for name in ("tokenizer", *CHOICES)})

    def effective(self, name: str) -> Any:
        """The value of an option, or its default; a function as tokenizer is given by its name."""
        value = getattr(self.word_rules if name in CHOICES else self, name)
        return function_name(value) if callable(value) else value

    def as_dict(self) -> dict[str, Any]:
        """Return the options as plain values, to be stored with the vectors."""
        values = {name: self.effective(name) for name in declarations(type(self))}
        defaults = TextOptions(tokenizer=values["tokenizer"])
        return {
            name: value
            for name, value in values.items()
            if name in _ALWAYS_STORED or value != defaults.effective(name)
        }

    def without_function(self) -> "TextOptions":
        """Return the options with the name of a function instead of the function."""
        return replace(self, tokenizer=self.effective("tokenizer"))

    @property
    def are_of_the_first_format(self) -> bool:
        """Whether versions of hyperskip with only the first options can read them."""
        return self.tokenizer in _FIRST_TOKENIZERS and self.as_dict().keys() <= set(_ALWAYS_STORED)
