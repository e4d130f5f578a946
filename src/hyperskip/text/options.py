"""How text becomes words: the options of reading, tokenizing and counting."""

from dataclasses import dataclass

from hyperskip.options import Options, option


@dataclass(frozen=True, kw_only=True)
class TextOptions(Options):
    """Options of reading, tokenizing and counting, checked when made."""

    tokenizer: str = option(
        "paper",
        str,
        "paper: lower-case words of two or more letters or digits that do not start with a digit; "
        "whitespace: whatever stands between blanks, as it is",
        choices=("paper", "whitespace"),
    )
    min_count: int = option(
        5, int, "leave out words that occur less often", at_least=1, at_most=10**9
    )
    column: str | None = option(
        None,
        str,
        "for CSV and TSV: the column with the text, by the name in its header or, in a table "
        "without header, by its number from 1",
        optional=True,
    )
    encoding_errors: str = option(
        "strict",
        str,
        "bytes that are not UTF-8: strict stops with file and offset, replace puts a mark",
        choices=("strict", "replace"),
    )
    vocabulary_limit: int = option(
        20_000_000,
        int,
        "the most distinct words that are counted at a time, which bounds memory: a million words "
        "take 80 to 100 MB at the peak, or 140 MB with 32 letters each, and longer words count as "
        "several; above the limit, the rarest are dropped, and that is reported",
        at_least=1000,
        at_most=10**9,
    )
