"""The tokenizers: the preprocessing of the paper (appendix A.1), and a split at blanks."""

import re
from collections.abc import Callable

import regex

Tokenizer = Callable[[str], list[str]]

# Increase it when a change of the rules gives different words.
RULES_VERSION = 1

# "words consisting of at least 2 alpha-numeric characters that do not start with a number":
# the look-behind prevents a match of "rd" in "3rd". Punctuation, including the underscore,
# separates words. Combining marks belong to their letter (as in Hindi or decomposed accents).
LETTERS, MARKS_AND_NUMBERS = r"\p{L}", r"\p{M}\p{N}"
_UNICODE_WORD = regex.compile(
    rf"(?<![{LETTERS}{MARKS_AND_NUMBERS}])[{LETTERS}][{LETTERS}{MARKS_AND_NUMBERS}]+"
)
# The same rule for ASCII, which is twice as fast; most text is ASCII.
_ASCII_WORD = re.compile(r"(?<![a-z0-9])[a-z][a-z0-9]+")


def paper_tokens(text: str) -> list[str]:
    """Split text as the paper does: "It's the 3rd café" gives "it", "the", "café"."""
    lowered = text.lower()
    if lowered.isascii():
        return _ASCII_WORD.findall(lowered)
    words: list[str] = _UNICODE_WORD.findall(lowered)
    return words


def whitespace_tokens(text: str) -> list[str]:
    """Split text at blanks, for text that is already tokenized."""
    return text.split()


def tokenizer_named(name: str) -> Tokenizer:
    """The tokenizer with this name in the options."""
    return {"paper": paper_tokens, "whitespace": whitespace_tokens}[name]
