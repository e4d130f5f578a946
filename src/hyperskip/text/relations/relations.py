"""Pairs of a narrower and a broader term, with counts and patterns; and the file of them."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError, MissingPackageError, shown
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.failures import reason_of
from hyperskip.files.writing import replacing
from hyperskip.options import checked_path

HEADER = ("narrower", "broader", "count", "patterns")
_LONGEST_LINE = 1 << 16
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")  # other than a whole number, it is refused
_MOST_COUNT = 1 << 62


class Relation(NamedTuple):
    """A pair: the first term is a kind of the second one."""

    narrower: str
    broader: str
    count: int  # type: ignore[assignment] # hides the method of tuples
    patterns: tuple[str, ...]  # that found the pair


class Relations:
    """Pairs of a narrower and a broader term, the most frequent first; immutable.

    Iterating yields `Relation` tuples: narrower, broader, count, patterns.

    Attributes:
        terms: All terms.
        narrower: The index of the narrower term of each pair.
        broader: The index of the broader term of each pair.
        counts: The count of each pair.
        patterns: The names of the patterns that found each pair.
    """

    def __init__(
        self,
        terms: Iterable[str],
        narrower: npt.ArrayLike,
        broader: npt.ArrayLike,
        counts: npt.ArrayLike,
        patterns: Iterable[tuple[str, ...]],
    ) -> None:
        self.terms = tuple(terms)
        self.narrower = _frozen(narrower, np.int32)
        self.broader = _frozen(broader, np.int32)
        self.counts = _frozen(counts, np.int64)
        self.patterns = tuple(patterns)

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[str, str, int, tuple[str, ...]]]) -> "Relations":
        """Make relations from narrower terms, broader terms, counts and names of patterns."""
        numbers: dict[str, int] = {}
        narrower, broader, counts, patterns = [], [], [], []
        for first, second, count, names in rows:
            narrower.append(numbers.setdefault(first, len(numbers)))
            broader.append(numbers.setdefault(second, len(numbers)))
            counts.append(count)
            patterns.append(names)
        return cls(numbers, narrower, broader, counts, patterns)

    def __len__(self) -> int:
        return len(self.counts)

    def __iter__(self) -> Iterator[Relation]:
        columns = self.narrower.tolist(), self.broader.tolist(), self.counts.tolist()
        for first, second, count, names in zip(*columns, self.patterns, strict=True):
            yield Relation(self.terms[first], self.terms[second], count, names)

    def __repr__(self) -> str:
        return f"<Relations: {len(self):,} pairs of {len(self.terms):,} terms>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a table with tabs and the header narrower, broader, count, patterns.

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
            for first, second, count, names in self:
                file.write(f"{first}\t{second}\t{count}\t{','.join(names)}\n")

    def to_pandas(self) -> Any:
        """Return the pairs as a data frame of pandas.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise MissingPackageError("pandas", None, "to_pandas()") from error
        return pd.DataFrame(list(self), columns=list(HEADER))


def _frozen(values: npt.ArrayLike, kind: type[np.generic]) -> npt.NDArray[Any]:
    array = np.array(values, dtype=kind)
    array.flags.writeable = False
    return array


def read_relations(path: str | os.PathLike[str]) -> Relations:
    """Read a file that `Relations.save` or `hyperskip relations` has written.

    Args:
        path: The file, which may be compressed (.gz, .bz2, .xz, .zst). The header and the column
            of patterns may be missing.

    Returns:
        The relations, in the order of the file.

    Raises:
        CorpusError: The file is missing, unreadable or malformed.
    """
    location = checked_path("path", path)
    try:
        with open_decompressed(location) as (file, _):
            return Relations.of_rows(_rows(file, location))
    except READING_ERRORS as error:
        raise CorpusError(
            f"cannot read {location}: {reason_of(error)}",
            hint="pass a file that hyperskip relations has written",
        ) from error


def has_counts(path: str | os.PathLike[str]) -> bool:
    """Whether a file starts like one that `read_relations` reads.

    Raises:
        CorpusError: The file is missing or unreadable.
    """
    location = checked_path("path", path)
    try:
        with open_decompressed(location) as (file, _):
            start = file.readline(_LONGEST_LINE)
    except READING_ERRORS as error:
        raise CorpusError(
            f"cannot read {location}: {reason_of(error)}", hint="pass a file of relations"
        ) from error
    cells = start.decode("utf-8-sig", "replace").rstrip("\r\n").split("\t")
    return tuple(cells[:3]) == HEADER[:3] or _is_headless(cells)


def _is_headless(cells: list[str]) -> bool:
    """Whether the first line of a file is a pair with its count, and not a header."""
    return 3 <= len(cells) <= 4 and _NUMBER.fullmatch(cells[2]) is not None


def _rows(file: IO[bytes], path: Path) -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    names: dict[str, tuple[str, ...]] = {}
    number = 0
    while line := file.readline(_LONGEST_LINE):
        number += 1
        try:
            if len(line) >= _LONGEST_LINE:
                raise ValueError("the line is too long")
            cells = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n").split("\t")
            if number == 1 and not _is_headless(cells):
                if tuple(cells[:3]) != HEADER[:3]:
                    raise ValueError(f"the header must be {', '.join(HEADER)}")
                continue
            row = _row(cells, names)
        except UnicodeDecodeError:
            raise _malformed(path, number, "it is not UTF-8") from None
        except ValueError as error:
            raise _malformed(path, number, str(error)) from None
        if row is not None:
            yield row
    if number == 0:
        raise _malformed(path, 1, "the file is empty")


def _row(
    cells: list[str], names: dict[str, tuple[str, ...]]
) -> tuple[str, str, int, tuple[str, ...]] | None:
    """The values of a line; None if it is empty."""
    if cells == [""]:
        return None
    if not 3 <= len(cells) <= 4 or not cells[0].strip() or not cells[1].strip():
        raise ValueError(f"expected {', '.join(HEADER)} with tabs between them")
    digits = cells[2]
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20):
        raise ValueError(f"the count must be a whole number, got {shown(digits)}")
    if not 1 <= int(digits) < _MOST_COUNT:
        raise ValueError(f"the count must be 1 or more, got {shown(digits)}")
    text = cells[3] if len(cells) == 4 else ""
    if text not in names:
        names[text] = tuple(name for name in text.split(",") if name)
    return cells[0], cells[1], int(digits), names[text]


def _malformed(path: Path, line: int, problem: str) -> CorpusError:
    return CorpusError(
        f"{path}, line {line}: {problem}",
        hint="hyperskip relations, or Relations.save, writes such files",
    )
