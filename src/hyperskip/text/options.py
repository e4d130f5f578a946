"""The options of reading, tokenizing and counting words."""

import os
from dataclasses import dataclass, replace
from typing import Any

from hyperskip.errors import OptionError, shown
from hyperskip.options import (
    Declaration,
    Options,
    Range,
    declarations,
    function_name,
    option,
    option_of,
)
from hyperskip.text.phrase_rules import (
    DEFAULT,
    NPMI,
    SCORES,
    PhraseRules,
    connector_words,
    default_threshold,
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
# The options that `find_phrases` and `hyperskip phrases` do not have.
NOT_FOR_PHRASES = ("min_count", "phrases", "phrase_file")
_PHRASE_FILE, _PHRASE_THRESHOLD = "phrase_file", "phrase_threshold"


def _word_option(name: str, help: str, **declared: Any) -> Any:  # noqa: A002
    """Declare an option of the tokenizer, which is None until a value is chosen."""
    choices = CHOICES[name]
    return option(None, str, help, choices=choices, rule=choices[0], optional=True, **declared)


@dataclass(frozen=True, kw_only=True, repr=False)
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
    phrases: bool = option(
        False,
        bool,
        "find phrases, words that often occur next to each other, and join them to one word: "
        "new_york",
    )
    phrase_file: str | None = option(
        None,
        str,
        "join the phrases of a file that hyperskip phrases wrote, instead of finding them in this "
        "text",
        optional=True,
        noun="the path of a file",
    )
    phrase_score: str = option(
        DEFAULT,
        str,
        "the score of a phrase: default, which grows with the size of the text, or npmi, the "
        "normalized pointwise mutual information, between -1 and 1",
        choices=SCORES,
    )
    phrase_threshold: float | None = option(
        None,
        float,
        "join phrases with a higher score; a higher threshold gives fewer phrases",
        at_least=-1,
        at_most=10**12,
        rule=f"{default_threshold(DEFAULT):g}, or {default_threshold(NPMI):g} with npmi",
        optional=True,
    )
    phrase_min_count: int = option(
        5,
        int,
        "leave out phrases that occur less often",
        at_least=1,
        at_most=10**9,
    )
    phrase_connectors: str | None = option(
        None,
        str,
        "words that may be inside of a phrase, but not at its ends, as in bank_of_america: "
        "english (a, of, the and the like), or the words themselves, separated by blanks",
        optional=True,
    )
    phrase_passes: int = option(
        1,
        int,
        "number of passes; each can join the phrases of the pass before: new_york_city",
        at_least=1,
        at_most=10,
    )
    phrase_limit: int = option(
        20_000_000,
        int,
        "maximum number of different pairs of words counted at a time, which limits memory: a "
        "million pairs take 22 to 64 MB; above the limit, the rarest pairs are dropped, and this "
        "is reported",
        at_least=1000,
        at_most=10**9,
    )

    def __post_init__(self) -> None:
        if isinstance(self.phrase_file, os.PathLike):
            object.__setattr__(self, _PHRASE_FILE, os.fspath(self.phrase_file))
        super().__post_init__()
        _ = self.word_rules  # raises an error for an option that the tokenizer does not have
        self._check_phrases()
        if self.delimiter is not None and self.delimiter in '\n\r\0"':
            raise declarations(TextOptions)["delimiter"].refusal("delimiter", self.delimiter)

    def __repr__(self) -> str:
        """What differs from the defaults, as it is written in Python."""
        declared = declarations(TextOptions)
        values = {name: getattr(self, name) for name in declared}
        changed = [
            f"{name}={value!r}"
            for name, value in values.items()
            if value != (None if declared[name].optional else declared[name].default)
        ]
        return f"TextOptions({', '.join(changed)})"

    def _check_phrases(self) -> None:
        """Check the options of phrases, which depend on each other."""
        if self.phrase_file == "":
            raise declarations(TextOptions)[_PHRASE_FILE].refusal(_PHRASE_FILE, self.phrase_file)
        if self.phrases and self.phrase_file is not None:
            raise OptionError(
                "`phrases=True` and `phrase_file` cannot be given together",
                hint="`phrases=True` finds phrases in the text; `phrase_file` has those of "
                "another text",
            )
        advice = "add `phrases=True`, or " if self.phrase_file is None else ""
        declared = declarations(TextOptions)
        for name in declared:
            value = getattr(self, name)
            is_of_phrases = name.startswith("phrase_") and name != _PHRASE_FILE
            if is_of_phrases and value != declared[name].default and not self.phrases:
                raise OptionError(
                    f"`{name}={value!r}` requires `phrases=True`",
                    hint=f"{advice}leave out `{name}`",
                )
        if self.phrases:
            self._check_threshold()

    def _check_threshold(self) -> None:
        threshold = self.effective(_PHRASE_THRESHOLD)
        is_allowed = threshold <= 1 if self.phrase_score == NPMI else threshold > 0
        if not is_allowed:
            allowed = "between -1 and 1" if self.phrase_score == NPMI else "greater than 0"
            raise OptionError(
                f"`{_PHRASE_THRESHOLD}` must be {allowed} with `phrase_score="
                f"{self.phrase_score!r}`, got {shown(threshold)}",
                hint=f"leave out `{_PHRASE_THRESHOLD}` for the default: "
                f"{default_threshold(self.phrase_score):g}",
            )

    @property
    def joins_phrases(self) -> bool:
        """Whether words are joined to phrases."""
        return self.phrases or self.phrase_file is not None

    @property
    def phrase_rules(self) -> PhraseRules:
        """How phrases are found, with all defaults filled in."""
        return PhraseRules(
            self.phrase_score,
            self.effective(_PHRASE_THRESHOLD),
            self.phrase_min_count,
            connector_words(self.phrase_connectors),
            self.phrase_passes,
            self.phrase_limit,
        )

    @property
    def word_rules(self) -> WordRules:
        """The tokenizer and its options, with all defaults filled in."""
        return word_rules({name: getattr(self, name) for name in ("tokenizer", *CHOICES)})

    def effective(self, name: str) -> Any:
        """The value of an option, or its default; a function as tokenizer is given by its name."""
        value = getattr(self.word_rules if name in CHOICES else self, name)
        if name == _PHRASE_THRESHOLD and value is None and self.phrases:
            return default_threshold(self.phrase_score)
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
    def format_version(self) -> int:
        """The format of the first versions of hyperskip that can read them.

        1: only the first options; 2: options of tokenizers; 3: phrases.
        """
        if self.joins_phrases:
            return 3
        is_first = self.as_dict().keys() <= set(_ALWAYS_STORED)
        return 1 if is_first and self.tokenizer in _FIRST_TOKENIZERS else 2
