"""The tokenizers: the preprocessing of the paper (appendix A.1), a split at blanks, and ICU.

`unicode_rules.py` computes the tables of the kernel from the same rules.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import regex

from hyperskip.errors import MissingPackageError, OptionError
from hyperskip.options import is_function_name
from hyperskip.text.word_rules import ICU, KEEP, NO_FORM, PAPER, WordRules, word_rules

Tokenizer = Callable[[str], list[str]]

# Increase it when a change of the rules gives different words.
RULES_VERSION = 1

# "words consisting of at least 2 alpha-numeric characters that do not start with a number":
# the look-behind prevents a match of "rd" in "3rd". Punctuation, including the underscore,
# separates words. Combining marks belong to their letter (as in Hindi or decomposed accents).
LETTERS, MARKS, NUMBERS = r"\p{L}", r"\p{M}", r"\p{N}"
FEWEST_CHARACTERS = 2

# Characters that join two parts of a word if an option keeps them, and how they are written then.
APOSTROPHES = {"'": "'", "\u2019": "'", "\u02bc": "'", "\uff07": "'"}
HYPHENS = {"-": "-", "\u2010": "-", "\u2011": "-"}
# They join two digits from 0 to 9 in a number that is kept, as in 3.14 or 1,000.
DIGIT_JOINERS = ".,"


# Normalization takes quadratic time for runs of marks. Like the Stream-Safe Text Format of Unicode,
# we interrupt runs of more than 30 marks, which do not occur in any language.
_MARK = rf"[{MARKS}\uFF9E\uFF9F]"  # the last two become marks
_LONG_RUN_OF_MARKS = regex.compile(f"({_MARK}{{30}})(?={_MARK})")
_JOINER = "\u034f"  # the combining grapheme joiner, a mark that others do not move across


def joiners(rules: WordRules) -> dict[str, str]:
    """The characters that join two parts of a word, and how they are written then."""
    apostrophes = APOSTROPHES if rules.apostrophes == KEEP else {}
    return apostrophes | (HYPHENS if rules.hyphens == KEEP else {})


def _word_pattern(letters: str, marks: str, numbers: str, rules: WordRules) -> str:
    """A pattern for words; the arguments are the content of character classes."""
    inside = f"{letters}{marks}{numbers}"
    first = f"{letters}{numbers}" if rules.numbers == KEEP else letters
    before, parts = f"(?<![{inside}])", [f"[{inside}]+"]
    if joining := "".join(sorted(set(joiners(rules).values()), reverse=True)):  # - is last
        before += f"(?<![{inside}][{joining}])"
        parts.append(f"[{joining}](?=[{inside}])")
    if rules.numbers == KEEP:
        before += f"(?<![0-9][{DIGIT_JOINERS}](?=[0-9]))"
        parts.append(f"(?<=[0-9])[{DIGIT_JOINERS}](?=[0-9])")
    rest = parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})+"
    return f"{before}[{first}]{rest}"


_UNICODE_WORD = regex.compile(_word_pattern(LETTERS, MARKS, NUMBERS, WordRules()))
# The same rule for ASCII, which is twice as fast; most text is ASCII.
_ASCII_WORD = re.compile(_word_pattern("a-z", "", "0-9", WordRules()))


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


def tokenizer_for(rules: WordRules) -> Tokenizer:
    """Make a tokenizer that follows the rules; a function as tokenizer is not called here.

    Raises:
        OptionError: The rules have the name of a function.
        MissingPackageError: ICU is not installed.
    """
    if not isinstance(rules.tokenizer, str) or is_function_name(rules.tokenizer):
        raise OptionError(
            f"`tokenizer` is the name of a function, {rules.tokenizer!r}",
            hint="in Python, pass the function itself; on the command line, functions cannot be "
            "used",
        )
    if rules == WordRules():
        return paper_tokens
    if rules.tokenizer == PAPER:
        split = _paper_split(rules)
    elif rules.tokenizer == ICU:
        split = _icu_split(rules)
    else:
        split = whitespace_tokens

    def tokens(text: str) -> list[str]:
        text = normalized(text, rules)
        return split(text.lower() if rules.lowercase else text)

    return tokens


def recorded_tokenizer(options: Mapping[str, object]) -> Tokenizer:
    """Make the tokenizer of a model from its options, to tokenize other text in the same way.

    Args:
        options: `WordVectors.options`.

    Raises:
        OptionError: The model was trained with a function as tokenizer, or its options do not say
            how its text was tokenized; `tokenizer` must be passed.
        MissingPackageError: The model was trained with ICU, which is not installed.
    """
    recorded = options.get("tokenizer")
    if recorded is None or is_function_name(recorded):
        by = f"the {recorded}, which is" if recorded else "a tokenizer that is"
        raise OptionError(
            f"the text of the model was split into words by {by} not stored with the model",
            hint="pass the same function as `tokenizer`"
            if recorded
            else "pass `tokenizer`: its name, or a function",
        )
    return tokenizer_for(word_rules(options))


def icu_version() -> str | None:
    """The version of ICU, whose rules and dictionaries change; None if it is not installed."""
    try:
        import icu4py
    except ImportError:
        return None
    return icu4py.icu_version


def normalized(text: str, rules: WordRules) -> str:
    """Apply the Unicode normalization form of the rules."""
    if rules.normalize in (None, NO_FORM) or text.isascii():
        return text
    form: Any = str(rules.normalize).upper()
    return unicodedata.normalize(form, _LONG_RUN_OF_MARKS.sub(r"\1" + _JOINER, text))


def _paper_split(rules: WordRules) -> Tokenizer:
    """Split text that is normalized and in its final case."""
    ascii_letters = "a-z" if rules.lowercase else "A-Za-z"
    ascii_word = re.compile(_word_pattern(ascii_letters, "", "0-9", rules))
    unicode_word = regex.compile(_word_pattern(LETTERS, MARKS, NUMBERS, rules))
    spelling = str.maketrans(joiners(rules))

    def split(text: str) -> list[str]:
        if text.isascii():
            return ascii_word.findall(text)
        words: list[str] = unicode_word.findall(text.translate(spelling) if spelling else text)
        return words

    return split


def _icu_split(rules: WordRules) -> Tokenizer:
    """Split text at ICU's word boundaries; it has dictionaries for scripts without blanks."""
    try:
        from icu4py.breakers import WordBreaker
    except ImportError as error:
        raise MissingPackageError("icu4py", "segmentation", f"`tokenizer='{ICU}'`") from error
    keep_numbers = rules.numbers == KEEP
    # Other segments are punctuation, symbols and blanks.
    pattern = f"[{LETTERS}{NUMBERS}]" if keep_numbers else f"(?!{NUMBERS}).*{LETTERS}"
    is_word = regex.compile(pattern)
    match = is_word.search if keep_numbers else is_word.match
    spelling = str.maketrans(APOSTROPHES)

    def split(text: str) -> list[str]:
        if not text.isascii():  # ICU refuses halves of surrogate pairs
            text = text.translate(spelling).encode("utf-8", "replace").decode()
        return [
            segment
            for segment in WordBreaker(text, "root")
            # Most segments are words of letters, or blanks; these tests are faster.
            if segment.isalpha() or (segment != " " and match(segment))
        ]

    return split
