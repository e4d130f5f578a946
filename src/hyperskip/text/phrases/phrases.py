"""Phrases with their scores and counts; and the file of them."""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from numbers import Real
from pathlib import Path
from typing import IO, NamedTuple

from hyperskip.errors import CorpusError, InputError, shown
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.failures import reason_of
from hyperskip.files.writing import replacing
from hyperskip.options import checked_path
from hyperskip.text.phrase_rules import DELIMITER
from hyperskip.text.phrases.phrase_tree import PhraseTree

HEADER = ("words", "score", "count", "pass")
_LONGEST_LINE = 1 << 24
_MOST_COUNT = 1 << 62
_MOST_PASSES = 100
# How a word is written that contains a blank, or is empty. Words of text contain none of these.
_ESCAPES = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_UNESCAPED = {escape[1]: character for character, escape in _ESCAPES.items()}
_EMPTY = "\\e"


class Phrase(NamedTuple):
    """A phrase that was found in a text."""

    words: tuple[str, ...]  # two or more; in a later pass, they may be phrases
    score: float
    count: int  # type: ignore[assignment] # hides the method of tuples
    pass_number: int  # from 1

    @property
    def joined(self) -> str:
        """The phrase as one word."""
        return DELIMITER.join(self.words)


class Phrases(Mapping[str, Phrase]):
    """Phrases as a mapping from "new_york" to its `Phrase`; immutable.

    The phrases of each pass are ordered by score, the highest first. If two phrases are spelled
    alike when joined, the mapping has the first of them.

    Args:
        phrases: The phrases.

    Attributes:
        rows: All phrases, pass by pass.

    Raises:
        InputError: These are not phrases.
    """

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self.rows = tuple(
            sorted(_checked(phrases), key=lambda row: (row.pass_number, -row.score, row.words))
        )
        self._by_name: dict[str, Phrase] = {}
        for row in self.rows:
            self._by_name.setdefault(row.joined, row)

    def __getitem__(self, phrase: str) -> Phrase:
        return self._by_name[phrase]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"<Phrases: {len(self):,}>"

    def passes(self) -> Iterator[list[Phrase]]:
        """The phrases of each pass, in the order of passes."""
        for _, rows in groupby(self.rows, key=lambda row: row.pass_number):
            yield list(rows)

    def join(self, words: Sequence[str]) -> list[str]:
        """Join the phrases in a list of words, as training does with each line or document.

        Phrases are joined from left to right, the longest at each place, in one pass after another.

        Args:
            words: The words of a document, in their order.

        Returns:
            The words, with phrases as single words: ["in", "new_york"].

        Raises:
            InputError: It is not a list of words.
        """
        if isinstance(words, str) or not isinstance(words, Sequence):
            raise InputError(
                f"`words` must be a list of words, got {shown(words)}",
                hint='split the text into words first: phrases.join("in new york".split())',
            )
        for word in words:
            if not isinstance(word, str):
                raise InputError(
                    f"`words` must be a list of words, got {shown(word)} in it",
                    hint="for several documents: [phrases.join(words) for words in documents]",
                )
        for tree in self._trees:
            words = [word if word is not None else only[0] for word, only in tree.split(words)]
        return list(words)

    @cached_property
    def _trees(self) -> list[PhraseTree[str, str]]:
        return [PhraseTree((row.words, row.joined) for row in rows) for rows in self.passes()]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a table with tabs and the header words, score, count, pass.

        The words of a phrase are separated by blanks.

        Args:
            path: The file to write or replace. It is written completely or not at all.

        Raises:
            OutputError: The file cannot be written.
        """
        with (
            replacing(checked_path("path", path)) as temporary,
            temporary.open("w", encoding="utf-8", newline="\n", errors="surrogatepass") as file,
        ):
            file.write("\t".join(HEADER) + "\n")
            for words, score, count, number in self.rows:
                file.write(f"{' '.join(map(_escaped, words))}\t{score!r}\t{count}\t{number}\n")


def read_phrases(path: str | os.PathLike[str]) -> Phrases:
    """Read a file that `Phrases.save` or `hyperskip phrases` has written, or a list of phrases.

    Args:
        path: The file, which may be compressed (.gz, .bz2, .xz, .zst). The header may be missing,
            and all columns but the first: a line may be just "new york".

    Raises:
        CorpusError: The file is missing, unreadable or malformed.
    """
    location = checked_path("path", path)
    try:
        with open_decompressed(location) as (file, _):
            return Phrases(_rows(file, location))
    except READING_ERRORS as error:
        raise CorpusError(
            f"cannot read {location}: {reason_of(error)}",
            hint="pass a file that hyperskip phrases has written",
        ) from error


def _checked(phrases: object) -> Iterator[Phrase]:
    if isinstance(phrases, str) or not isinstance(phrases, Iterable):
        raise InputError(
            f"`phrases` must be a list of hyperskip.Phrase, got {shown(phrases)}",
            hint="to read a file of phrases, use hyperskip.read_phrases",
        )
    for row in phrases:
        if not _is_phrase(row):
            raise InputError(
                f"`phrases` must be a list of hyperskip.Phrase, got {shown(row)} in it",
                hint="two or more words, score, count and pass: "
                "hyperskip.Phrase(('new', 'york'), 9.5, 20, 1)",
            )
        yield row


def _is_phrase(row: object) -> bool:
    return (
        isinstance(row, Phrase)
        and isinstance(row.words, tuple)
        and len(row.words) > 1
        and all(isinstance(word, str) for word in row.words)
        and all(isinstance(number, Real) for number in row[1:])
    )


def _rows(file: IO[bytes], path: Path) -> Iterator[Phrase]:
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        try:
            if len(line) >= _LONGEST_LINE:
                raise ValueError("the line is too long")
            text = line.decode("utf-8", "surrogatepass")
            cells = text.removeprefix("\ufeff" if number == 1 else "").rstrip("\r\n").split("\t")
            if cells != [""] and not (number == 1 and tuple(cells) == HEADER[: len(cells)]):
                yield _phrase(cells)
        except UnicodeDecodeError:
            raise _malformed(path, number, "it is not UTF-8") from None
        except ValueError as error:
            raise _malformed(path, number, str(error)) from None


def _phrase(cells: list[str]) -> Phrase:
    """The phrase of a line; columns that are missing have a score and count of 0, and pass 1."""
    words = tuple(map(_unescaped, filter(None, cells[0].split(" "))))
    if len(words) < 2 or len(cells) > len(HEADER):
        raise ValueError(
            f"expected {', '.join(HEADER)} with tabs between them, and two or more words"
        )
    score, count, number = (*cells[1:], *("0", "0", "1")[len(cells) - 1 :])
    return Phrase(
        words,
        _number("score", score),
        _whole("count", count, 0, _MOST_COUNT),
        _whole("pass", number, 1, _MOST_PASSES),
    )


def _number(name: str, text: str) -> float:
    try:
        value = float(text) if text.isascii() else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"the {name} must be a number, got {shown(text)}")
    return value


def _whole(name: str, text: str, least: int, most: int) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) < 20
    if not is_number or not least <= int(text) <= most:
        raise ValueError(
            f"the {name} must be a whole number between {least} and {most}, got {shown(text)}"
        )
    return int(text)


def _escaped(word: str) -> str:
    if not word:
        return _EMPTY
    return "".join(_ESCAPES.get(character, character) for character in word)


def _unescaped(text: str) -> str:
    if "\\" not in text or text == _EMPTY:
        return "" if text == _EMPTY else text
    parts = iter(text)
    word = []
    for character in parts:
        if character == "\\":
            escape = next(parts, "")
            if escape not in _UNESCAPED:
                raise ValueError(
                    f"unknown escape {shown(character + escape)}: write \\\\ for a backslash"
                )
            character = _UNESCAPED[escape]
        word.append(character)
    return "".join(word)


def _malformed(path: Path, line: int, problem: str) -> CorpusError:
    return CorpusError(
        f"{path}, line {line}: {problem}",
        hint="hyperskip phrases (in Python: Phrases.save) writes such files",
    )
