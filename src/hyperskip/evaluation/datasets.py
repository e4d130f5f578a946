"""Evaluation sets: named ones found on disk, downloaded or built in, and anybody's own files."""

import contextlib
import io
import logging
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs
import pooch

from hyperskip import builtin
from hyperskip.errors import DatasetError
from hyperskip.evaluation.analogy import Question
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.files import READING_ERRORS, opened

BUILTIN = "builtin"
DATA_VARIABLE = "HYPERSKIP_DATA"

_SIMILARITY_SITE = (
    "https://raw.githubusercontent.com/valentinp72/svd2vec/"
    "60cdeeeeb5f08e3a0f6f71c38ed710be4d78e132/svd2vec/datasets/similarities/"
)
_LARGEST_BYTES = 1 << 24  # unpacked, and 25 times the largest of those below
_GOOGLE_SITE = (
    "https://raw.githubusercontent.com/piskvorky/gensim/"
    "a97b67942a0a3656337d394e1cfb8b8df3c78268/gensim/test/test_data/"
)


@dataclass(frozen=True)
class NamedDataset:
    """A public data set: the names of its file, and where to fetch it."""

    files: tuple[str, ...]  # the last is the one to download
    site: str
    sha256: str


SIMILARITY_SETS = {
    "ws353": NamedDataset(
        ("EN-WS-353-ALL.txt", "wordsim353.txt"),
        _SIMILARITY_SITE,
        "bddf950c5a8291d3e04386c2b7fb7a8c8e89fd45432a7696e968df6ee4e6fed6",
    ),
    "simlex999": NamedDataset(
        ("EN-SIMLEX-999.txt", "simlex999.txt"),
        _SIMILARITY_SITE,
        "440aaebb115dff91a4779113e56b0c9bfea2d08e5350a2f997dcab3bdf2000b6",
    ),
    "men": NamedDataset(
        ("EN-MEN-TR-3k.txt", "men_dataset.txt"),
        _SIMILARITY_SITE,
        "ea61f7a7cbbddcc4c548a4d5586e68c2ab0b51bd0cb7505a01f14f30f4ea0656",
    ),
}
ANALOGY_SETS = {
    "google": NamedDataset(
        ("questions-words.txt",),
        _GOOGLE_SITE,
        "8c29b3332afc46f3fb8be04cb5297bf96f39aa7131272dff57869b4485b22a36",
    ),
}


def similarity_pairs(name: str, folder: Path | None = None) -> list[RatedPair]:
    """The pairs of a named similarity set, of the built-in one, or of a file.

    Raises:
        DatasetError: It is unknown, cannot be had, or is not a list of `word word score`.
    """
    if name == BUILTIN:
        return [RatedPair(*pair) for pair in builtin.similarity_pairs()]
    path = _path(name, SIMILARITY_SETS, folder)
    pairs: list[RatedPair] = []
    for position, (number, line) in enumerate(_lines(path)):
        pair = _rated_pair(line)
        if pair is not None:
            pairs.append(pair)
        elif position > 0:  # else it is the header
            raise _malformed(path, number, line, "word word score")
    if not pairs:
        raise DatasetError(f"{path} has no pairs", hint="write one `word word score` a line")
    return pairs


def _rated_pair(line: str) -> RatedPair | None:
    """Three fields between tabs, semicolons, commas or blanks; None if that is not what it is."""
    separator = next((mark for mark in "\t;," if line.count(mark) >= 2), None)
    fields = [field.strip() for field in line.split(separator)]
    try:
        score = float(fields[2].replace(",", "."))
    except (IndexError, ValueError):
        return None
    return RatedPair(fields[0], fields[1], score) if math.isfinite(score) else None


def analogy_questions(name: str, folder: Path | None = None) -> dict[str, list[Question]]:
    """The questions of a named analogy set, of the built-in one, or of a file, by section.

    Raises:
        DatasetError: It is unknown, cannot be had, or is not a list of four words a line.
    """
    if name == BUILTIN:
        return {
            section: [Question(*question) for question in questions]
            for section, questions in builtin.analogy_questions().items()
        }
    path = _path(name, ANALOGY_SETS, folder)
    sections: dict[str, list[Question]] = {}
    section = path.stem
    for number, line in _lines(path):
        if line.startswith(":"):
            section = line[1:].strip()
            continue
        fields = line.split()
        if len(fields) != 4:
            raise _malformed(path, number, line, "four words, or `: section`")
        sections.setdefault(section, []).append(Question(*fields))
    if not sections:
        raise DatasetError(f"{path} has no questions", hint="write one `a b c d` a line")
    return sections


def _path(name: str, named: dict[str, NamedDataset], folder: Path | None) -> Path:
    if name in named:
        return _on_disk(named[name], folder) or _downloaded(name, named[name])
    with contextlib.suppress(OSError):  # too long to be a name
        if Path(name).is_file():
            return Path(name)
    raise DatasetError(
        f"there is no data set {name!r}",
        hint=f"name a file, or one of {', '.join([*named, BUILTIN])}",
    )


def _on_disk(dataset: NamedDataset, folder: Path | None) -> Path | None:
    for place in _folders(folder):
        for file in dataset.files:
            if (place / file).is_file():
                return place / file
    return None


def check_folder(names: Iterable[str], folder: Path | None) -> None:
    """Refuse a folder that is not there, if one of the data sets would be looked for in it."""
    if any(name in SIMILARITY_SETS or name in ANALOGY_SETS for name in names):
        _folders(folder)


def _folders(folder: Path | None) -> list[Path]:
    variable = os.environ.get(DATA_VARIABLE)
    folders = {"--data": folder, DATA_VARIABLE: Path(variable) if variable else None}
    given = {source: place for source, place in folders.items() if place is not None}
    for source, place in list(given.items())[:1]:  # a second one may be missing
        if not place.is_dir():
            raise DatasetError(f"there is no folder {place}", hint=f"check {source}")
    return list(given.values())


def _downloaded(name: str, dataset: NamedDataset) -> Path:
    pooch.get_logger().setLevel(logging.WARNING)
    file = dataset.files[-1]
    try:
        fetched = pooch.retrieve(
            dataset.site + file,
            known_hash=f"sha256:{dataset.sha256}",
            fname=file,
            path=platformdirs.user_cache_path("hyperskip"),
        )
    except (OSError, ValueError) as error:  # no network, no room; another checksum
        raise DatasetError(
            f"the data set {name} is not on disk and could not be downloaded: "
            f"{type(error).__name__}",
            hint=f"put {' or '.join(dataset.files)} into a folder and pass --data FOLDER (or set "
            f"{DATA_VARIABLE}); it can be fetched from {dataset.site}{file}",
        ) from error
    return Path(fetched)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that are not empty and not comments, with their numbers."""
    try:
        with opened(path) as (stream, _):
            data = stream.read(_LARGEST_BYTES + 1)
        if len(data) > _LARGEST_BYTES:
            raise DatasetError(
                f"{path} has more than {_LARGEST_BYTES >> 20} MiB of text",
                hint="check that it is an evaluation set; a large one can be cut into several",
            )
        text = data.decode("utf-8-sig")
    except (*READING_ERRORS, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot read {path}: {error}", hint="is it UTF-8 text?") from error
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _malformed(path: Path, number: int, line: str, expected: str) -> DatasetError:
    return DatasetError(f"{path}, line {number}: {line[:60]!r}", hint=f"a line is {expected}")
