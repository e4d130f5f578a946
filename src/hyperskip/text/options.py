"""The options of reading, tokenizing and counting words."""

from dataclasses import dataclass
from typing import Any

from hyperskip.options import Declaration, Options, Range, declarations, option, option_of

# Options that were added later: while they are not chosen, they are not stored, so that the files
# of encoded corpora and checkpoints stay the same.
_ADDED = ("delimiter",)


@dataclass(frozen=True, kw_only=True)
class TextOptions(Options):
    """The options of reading, tokenizing and counting words.

    Values are checked when the object is created. `hyperskip.encode` describes each field.
    """

    tokenizer: str = option(
        "paper",
        str,
        "paper: lower-case words of two or more letters or digits that do not start with a digit; "
        "whitespace: everything between blanks, unchanged",
        choices=("paper", "whitespace"),
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
            formerly={"tab": "\t", r"\t": "\t"},
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
        if self.delimiter is not None and self.delimiter in '\n\r\0"':
            raise declarations(TextOptions)["delimiter"].refusal("delimiter", self.delimiter)

    def as_dict(self) -> dict[str, Any]:
        """Return the options as plain values, as they are stored."""
        values = super().as_dict()
        return {name: value for name, value in values.items() if value or name not in _ADDED}
