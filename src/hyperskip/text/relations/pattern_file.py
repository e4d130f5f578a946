"""Reading a pattern file: how a language says that one thing is a kind of another.

`data/english.txt` is the file of English, and describes the format.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from itertools import product
from pathlib import Path

from hyperskip.errors import InputError, OptionError, alternatives, shown
from hyperskip.files.failures import reason_of
from hyperskip.options import checked_path

ENGLISH = "english"

BROADER, BROADERS, NARROWER, NARROWERS = "BROADER", "BROADERS", "NARROWER", "NARROWERS"
FIRST, KIND = "FIRST", "KIND"
SLOTS = BROADER, BROADERS, NARROWER, NARROWERS

PATTERNS, SETTINGS, SINGULAR = "patterns", "settings", "singular"
NOUNS, CONJUNCTIONS, PREPOSITIONS = "nouns", "conjunctions", "prepositions"
DETERMINERS, STOP_WORDS, PARTICIPLES = "determiners", "stop words", "participles"
ADJECTIVES, KINDS, NEVER_TERMS = "adjectives", "kinds", "never terms"
WORD_SECTIONS = (
    *(NOUNS, CONJUNCTIONS, PREPOSITIONS, DETERMINERS, STOP_WORDS, PARTICIPLES, ADJECTIVES),
    *(KINDS, NEVER_TERMS),
)
SECTIONS = PATTERNS, SETTINGS, SINGULAR, *WORD_SECTIONS

_MOST_BYTES = 1 << 22
_MOST_VARIANTS = 10_000
_MOST_ELEMENTS = 20  # in a pattern
_MOST_PATTERNS = 62  # the patterns of a pair are bits of an integer
_NAME = re.compile(r"[\w.-]+")
_WORD = re.compile(r"[^\s|\[\]]+")


@dataclass(frozen=True)
class Pattern:
    """One way of writing a pattern: a slot, words, and another slot.

    Attributes:
        name: The name of the pattern.
        before: Words before the first slot.
        left: The first slot.
        words: Words between the slots; KIND is any phrase that ends with a word for kinds.
        right: The second slot.
        is_first: Whether it applies to the start of a document only.
    """

    name: str
    before: tuple[str, ...]
    left: str
    words: tuple[str, ...]
    right: str
    is_first: bool


@dataclass(frozen=True)
class Language:
    """The content of a pattern file."""

    patterns: tuple[Pattern, ...] = ()
    words: dict[str, frozenset[str]] = field(default_factory=dict)  # of each section
    suffixes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each section
    singulars: dict[str, str] = field(default_factory=dict)  # of irregular words
    singular_suffixes: dict[str, str] = field(default_factory=dict)  # the longest suffix first
    nouns_are_capitalized: bool = False

    @property
    def pattern_names(self) -> tuple[str, ...]:
        """The names of the patterns, in the order of the file."""
        return tuple(dict.fromkeys(pattern.name for pattern in self.patterns))


def read_language(patterns: str | os.PathLike[str] | None) -> Language:
    """Read a pattern file; None is English.

    Raises:
        OptionError: It is not a path, or the file is missing, unreadable or malformed.
    """
    if patterns is None or patterns == ENGLISH:
        source = resources.files("hyperskip.text.relations") / "data" / f"{ENGLISH}.txt"
        return parsed_language(source.read_text(encoding="utf-8"), ENGLISH)
    path = checked_path("patterns", patterns)
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise OptionError(
            f"cannot read the pattern file {path}: {reason_of(error)}",
            hint="pass the path of a text file with patterns",
        ) from error
    if len(content) > _MOST_BYTES:
        raise OptionError(
            f"the pattern file {path} has more than {_MOST_BYTES:,} bytes",
            hint="is it a pattern file?",
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise _malformed(path, line, "it is not UTF-8") from error
    return parsed_language(text, path)


def parsed_language(text: str, path: str | Path) -> Language:
    """Parse the text of a pattern file; `path` is its name in errors."""
    patterns: list[Pattern] = []
    words: dict[str, list[str]] = {section: [] for section in WORD_SECTIONS}
    singulars: dict[str, str] = {}
    settings = {"capitals": "names"}
    section = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            if header := re.fullmatch(r"\[([\w ]+)\]", line):
                section = header[1]
                if section not in SECTIONS:
                    known = alternatives(SECTIONS)
                    raise ValueError(f"unknown section {shown(section)}: write {known}")
            elif section is None:
                raise ValueError("text before the first section, such as [patterns]")
            elif section == PATTERNS:
                patterns.extend(_variants(line))
                if len(patterns) > _MOST_VARIANTS:
                    raise ValueError("the alternatives of all patterns are too many")
            elif section == SETTINGS:
                settings.update([_setting(line)])
            elif section == SINGULAR:
                singulars.update([_singular(line)])
            else:
                words[section].extend(line.lower().split())
        except ValueError as error:
            raise _malformed(path, number, str(error)) from None
    if not patterns:
        raise _malformed(path, 1, "there are no patterns below a line [patterns]")
    if len({pattern.name for pattern in patterns}) > _MOST_PATTERNS:
        raise _malformed(path, 1, f"there are more than {_MOST_PATTERNS} patterns")
    if not words[KINDS] and any(KIND in pattern.words for pattern in patterns):
        raise _malformed(path, 1, f"a pattern uses {KIND}, and there are no words below [kinds]")
    suffixes = {word[1:]: single[1:] for word, single in singulars.items() if word[0] == "-"}
    return Language(
        patterns=tuple(patterns),
        words={
            name: frozenset(word for word in found if not _is_suffix(word))
            for name, found in words.items()
        },
        suffixes={
            name: tuple(word[1:] for word in found if _is_suffix(word))
            for name, found in words.items()
        },
        singulars={word: single for word, single in singulars.items() if word[0] != "-"},
        singular_suffixes=dict(sorted(suffixes.items(), key=lambda rule: -len(rule[0]))),
        nouns_are_capitalized=settings["capitals"] == "nouns",
    )


def _is_suffix(word: str) -> bool:
    return word.startswith("-") and len(word) > 1


def _setting(line: str) -> tuple[str, str]:
    name, _, value = (part.strip() for part in line.partition(":"))
    if name != "capitals" or value not in ("names", "nouns"):
        raise ValueError(f"{shown(line)}: write 'capitals: names' or 'capitals: nouns'")
    return name, value


def _singular(line: str) -> tuple[str, str]:
    parts = line.lower().split()
    if len(parts) != 2 or (_is_suffix(parts[0]) and parts[1][0] != "-") or parts[0] == "-":
        raise ValueError(
            f"{shown(line)}: write a plural and its singular, or two endings such as '-ies -y'"
        )
    return parts[0], parts[1]


def _variants(line: str) -> Iterator[Pattern]:
    """All ways of writing a pattern: one for each choice among its alternatives."""
    name, colon, text = (part.strip() for part in line.partition(":"))
    if not colon or not _NAME.fullmatch(name):
        raise ValueError(f"{shown(line)}: write a name, a colon and a pattern")
    elements = [_alternatives(element) for element in text.split()]
    if len(elements) > _MOST_ELEMENTS:
        raise ValueError(f"the pattern {shown(name)} has more than {_MOST_ELEMENTS} words")
    count = 1
    for element in elements:
        count *= len(element)
        if count > _MOST_VARIANTS:
            raise ValueError(f"the pattern {shown(name)} has too many alternatives")
    for chosen in product(*elements):
        yield _pattern(name, [word for word in chosen if word])


def _alternatives(element: str) -> list[str]:
    optional = element.startswith("[") and element.endswith("]")
    words = (element[1:-1] if optional else element).split("|")
    if not all(_WORD.fullmatch(word) for word in words):
        raise ValueError(f"{shown(element)}: write word, word|word, [word] or [word|word]")
    if len(words) > 1 and any(word in (*SLOTS, FIRST, KIND) for word in words):
        raise ValueError(f"{shown(element)}: a word in capitals cannot have alternatives")
    lower = [word if word in (*SLOTS, FIRST, KIND) else word.lower() for word in words]
    return [*lower, ""] if optional else lower


def _pattern(name: str, elements: list[str]) -> Pattern:
    is_first = elements[:1] == [FIRST]
    rest = elements[is_first:]
    at = [index for index, element in enumerate(rest) if element in SLOTS]
    roles = {rest[index].rstrip("S") for index in at}
    if len(at) != 2 or roles != {BROADER, NARROWER}:
        raise ValueError(
            f"the pattern {shown(name)} needs one of {alternatives(SLOTS[:2])}, and one of "
            f"{alternatives(SLOTS[2:])}"
        )
    first, second = at
    words = tuple(rest[first + 1 : second])
    before = tuple(rest[:first])
    if second != len(rest) - 1:
        raise ValueError(f"the pattern {shown(name)} must end with a slot")
    if not words or words[0] == KIND:
        raise ValueError(f"the pattern {shown(name)} needs a word after its first slot")
    if FIRST in rest or KIND in before or words.count(KIND) > 1:
        raise ValueError(f"{FIRST} must be the first word, and {KIND} between the slots")
    if is_first and (before or rest[first] != NARROWER):
        raise ValueError(f"a pattern with {FIRST} starts with {FIRST} {NARROWER}")
    return Pattern(name, before, rest[first], words, rest[second], is_first)


def _malformed(path: str | Path, line: int, problem: str) -> InputError:
    return OptionError(
        f"{path}, line {line}: {problem}", hint="the documentation of relations has an example"
    )
