"""From text to words: the paper's preprocessing (appendix A.1), and a plain split at blanks."""

import re
from collections.abc import Callable

import regex

Tokenizer = Callable[[str], list[str]]

# To be raised whenever a rule gives other words than it did.
RULES_VERSION = 1

# "words consisting of at least 2 alpha-numeric characters that do not start with a number":
# the look-behind keeps "rd" from being found inside "3rd". Punctuation, underscore included,
# separates. A letter's combining marks belong to it (as in Hindi or decomposed accents).
LETTERS, MARKS_AND_NUMBERS = r"\p{L}", r"\p{M}\p{N}"
_UNICODE_WORD = regex.compile(
    rf"(?<![{LETTERS}{MARKS_AND_NUMBERS}])[{LETTERS}][{LETTERS}{MARKS_AND_NUMBERS}]+"
)
# The same rule where only ASCII is possible: twice as fast, and most text is ASCII.
_ASCII_WORD = re.compile(r"(?<![a-z0-9])[a-z][a-z0-9]+")


def paper_tokens(text: str) -> list[str]:
    """Lower-case words of the paper's corpus: `It's the 3rd café` gives `it the café`."""
    lowered = text.lower()
    if lowered.isascii():
        return _ASCII_WORD.findall(lowered)
    words: list[str] = _UNICODE_WORD.findall(lowered)
    return words


def whitespace_tokens(text: str) -> list[str]:
    """Whatever stands between blanks, unchanged: for text that is already tokenized."""
    return text.split()


def tokenizer_named(name: str) -> Tokenizer:
    """The tokenizer that the options call by this name."""
    return {"paper": paper_tokens, "whitespace": whitespace_tokens}[name]
