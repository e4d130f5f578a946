"""The options of reading, tokenizing and counting words."""

from dataclasses import dataclass

from hyperskip.options import Options, option


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
        "for CSV and TSV: the column that contains the text, by its name in the header or, in a "
        "table without a header, by its number, from 1",
        optional=True,
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
