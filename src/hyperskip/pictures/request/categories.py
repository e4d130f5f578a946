"""Categories and parents of words: from a dictionary, a file or the built-in taxonomy."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hyperskip import builtin
from hyperskip.builtin import BUILTIN
from hyperskip.errors import InputError, shown
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import check_local

_LARGEST_BYTES = 1 << 24
_EXPECTED = "each line has a word, a tab and its category, optionally a tab and its parent word"


@dataclass(frozen=True)
class Taxonomy:
    """Categories of words, and edges from words to their parents."""

    categories: Mapping[str, str]  # in the order in which words are labeled
    parents: tuple[tuple[str, str], ...] = ()  # word, parent

    @property
    def words(self) -> list[str]:
        """All words, parents first."""
        return list(dict.fromkeys([*(parent for _, parent in self.parents), *self.categories]))


def taxonomy_of(given: Mapping[str, str] | Taxonomy | str | os.PathLike[str]) -> Taxonomy:
    """Return the categories that were given.

    Args:
        given: The category of each word, the name of a file, or 'builtin'.

    Raises:
        InputError: The file cannot be read, or one of its lines is malformed.
    """
    if isinstance(given, Taxonomy):
        return given
    if isinstance(given, Mapping):
        return Taxonomy({word: str(category) for word, category in given.items()})
    if not isinstance(given, str | os.PathLike):
        raise InputError(
            f"`categories` must be a dictionary, a file or 'builtin', got {given!r}",
            hint=f"in a file, {_EXPECTED}",
        )
    return builtin_taxonomy() if given == BUILTIN else read_taxonomy(Path(given))


def builtin_taxonomy() -> Taxonomy:
    """Return the nouns of the built-in corpus, grouped by the top of their branch.

    Each has an edge to its parent. Plurals are left out, as the taxonomy does not contain them.
    """
    # The nearest hypernym of a noun is listed first, and is its parent.
    parents: dict[str, str] = {}
    for word, hypernym in builtin.hypernym_pairs():
        parents.setdefault(word, hypernym)
    category_of = builtin.categories()
    words = dict.fromkeys([*parents.values(), *parents])
    return Taxonomy({word: category_of[word] for word in words}, tuple(parents.items()))


def read_taxonomy(path: Path, *, largest_bytes: int = _LARGEST_BYTES) -> Taxonomy:
    """Read lines of `word<TAB>category`, with an optional third column for the parent word.

    Empty lines and lines that start with `#` are skipped.

    Args:
        path: The file.
        largest_bytes: Maximum size of the file.

    Raises:
        InputError: The file cannot be read, or one of its lines is malformed.
    """
    categories: dict[str, str] = {}
    parents: dict[tuple[str, str], int] = {}  # and the number of the line
    for number, line in enumerate(_lines(path, largest_bytes), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        word, category, parent = _fields(path, number, line)
        if categories.setdefault(word, category) != category:
            raise _malformed(
                path,
                number,
                f"{word!r} has two categories, {categories[word]!r} and {category!r}",
                "give each word one category",
            )
        if parent:
            parents[word, parent] = number
    for (_, parent), number in parents.items():
        if parent not in categories:
            raise _malformed(
                path, number, f"the parent {parent!r} has no category", "add a line for it"
            )
    if not categories:
        raise InputError(f"{path} contains no words", hint=_EXPECTED)
    return Taxonomy(categories, tuple(parents))


def _fields(path: Path, number: int, line: str) -> tuple[str, str, str]:
    word, *rest = (field.strip() for field in line.split("\t"))
    if not word or not 1 <= len(rest) <= 2 or not rest[0]:
        raise _malformed(path, number, f"{shown(line)} is not a word and its category", _EXPECTED)
    return word, rest[0], rest[1] if len(rest) == 2 else ""


def _malformed(path: Path, number: int, complaint: str, hint: str) -> InputError:
    return InputError(f"{path}, line {number}: {complaint}", hint=hint)


def _lines(path: Path, largest_bytes: int) -> list[str]:
    from hyperskip.files.compression import READING_ERRORS, open_decompressed

    check_local(path, InputError)
    try:
        with open_decompressed(path) as (stream, _):
            data = stream.read(largest_bytes + 1)
    except READING_ERRORS as error:
        raise InputError(
            f"cannot read the categories in {path}: {reason_of(error)}",
            hint="give a readable file, or builtin for the built-in taxonomy",
        ) from error
    if len(data) > largest_bytes:
        raise InputError(
            f"{path} is larger than {largest_bytes:,} bytes",
            hint="give a list of words",
        )
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise _malformed(path, line, "it is not UTF-8", "save the file as UTF-8") from error
