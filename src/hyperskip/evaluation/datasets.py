"""One evaluation set: a public one by name, from disk or downloaded; a built-in one; or a file."""

import contextlib
import io
import logging
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import platformdirs

from hyperskip import builtin
from hyperskip.builtin import BUILTIN
from hyperskip.errors import DatasetError, shown
from hyperskip.evaluation.analogy import Question
from hyperskip.evaluation.known_sets import (
    ANALOGY_SETS,
    DATA_VARIABLE,
    HYPERNYMY_SETS,
    SIMILARITY_SETS,
    NamedDataset,
)
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import check_local

_LARGEST_BYTES = 1 << 24  # decompressed; 25 times the largest known set

# Labels of hypernymy sets; the names of relations are abbreviated in many ways.
_YES = re.compile("true|yes|is-?a|hyper.*")
_NO = re.compile(
    "false|no|none|no-?rel.*|hypo.*|co-?ord.*|co-?hyp.*|mero.*|holo.*|attri.*|event.*|rand.*|"
    "syn.*|ant.*|other.*"
)
_NOUN = ("n", "noun")
# Errors of requests, which pooch loads only for a download.
_NO_CONNECTION = ("ConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "SSLError")
_PAIR_LINE = "a line has two words and a score, such as: dog cat 7.5"
_LABEL_LINE = (
    "a line has two words and a label, such as: dog animal true. A label is a number, true or "
    "false, or a relation such as hyper"
)
_QUESTION_LINE = (
    "a line has four words, such as: man king woman queen; or a colon and the name of a section"
)
_SKIPPED_FIELDS = 2  # at most, between words and score: a part of speech and a relation


def similarity_pairs(name: str, folder: Path | None = None) -> list[RatedPair]:
    """Pairs of a named similarity set, of the built-in one, or of a file.

    Raises:
        DatasetError: It is unknown, not available, or not a list of `word word score`.
    """
    if name == BUILTIN:
        return [RatedPair(*pair) for pair in builtin.similarity_pairs()]
    path = _path(name, SIMILARITY_SETS, folder)
    return [pair for pair, _ in _rated_pairs(path, _score, _PAIR_LINE)]


def hypernymy_pairs(name: str, folder: Path | None = None) -> dict[str, list[RatedPair]]:
    """Pairs of a named hypernymy set, of the built-in one, or of a file, by title.

    The label says whether, or how much, the first word is a kind of the second. If the file has
    parts of speech, the nouns are also a set of their own.

    Raises:
        DatasetError: It is unknown, not available, or not a list of `word word label`.
    """
    if name == BUILTIN:
        return {name: [RatedPair(*pair) for pair in builtin.hypernymy_pairs()]}
    path = _path(name, HYPERNYMY_SETS, folder)
    pairs = _rated_pairs(path, _label, _LABEL_LINE)
    nouns = [pair for pair, third_field in pairs if third_field.lower() in _NOUN]
    parts = {name: [pair for pair, _ in pairs]}
    return parts | {f"{name}, nouns": nouns} if 0 < len(nouns) < len(pairs) else parts


def _rated_pairs(
    path: Path, read: Callable[[list[str]], float | None], expected: str
) -> list[tuple[RatedPair, str]]:
    """Pairs with the score that `read` finds in the fields after the words, and the third field.

    The first line may be a header: a line without a number.
    """
    pairs: list[tuple[RatedPair, str]] = []
    for position, (number, line) in enumerate(_lines(path)):
        fields = _fields(line)
        score = read(fields[2:])
        if score is not None and all(fields[:2]):
            pairs.append((RatedPair(fields[0], fields[1], score), fields[2]))
        elif position > 0 or any(_number(field) is not None for field in fields[2:]):
            raise _malformed(path, number, line, expected)
    if not pairs:
        raise DatasetError(f"{path} has no pairs", hint=expected)
    return pairs


def _fields(line: str) -> list[str]:
    """Fields between tabs, semicolons, commas or spaces, without quotation marks."""
    separator = next((mark for mark in "\t;," if line.count(mark) >= 2), None)
    return [field.strip().strip('"') for field in line.split(separator)]


def _score(fields: list[str]) -> float | None:
    """The first number, possibly after a part of speech and a relation."""
    numbers = (_number(field) for field in fields[: _SKIPPED_FIELDS + 1])
    score = next((number for number in numbers if number is not None), None)
    return score if score is not None and math.isfinite(score) else None


def _label(fields: list[str]) -> float | None:
    """A score; 1 for yes and 0 for no."""
    word = fields[0].lower() if fields else ""
    if _YES.fullmatch(word):
        return 1.0
    return 0.0 if _NO.fullmatch(word) else _score(fields)


def _number(field: str) -> float | None:
    try:
        return float(field.replace(",", "."))
    except ValueError:
        return None


def analogy_questions(name: str, folder: Path | None = None) -> dict[str, list[Question]]:
    """Questions of a named analogy set, of the built-in one, or of a file, by section.

    Raises:
        DatasetError: It is unknown, not available, or does not have four words per line.
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
            raise _malformed(path, number, line, _QUESTION_LINE)
        sections.setdefault(section, []).append(Question(*fields))
    if not sections:
        raise DatasetError(f"{path} has no questions", hint=_QUESTION_LINE)
    return sections


def _path(name: str, named: dict[str, NamedDataset], folder: Path | None) -> Path:
    if name in named:
        return _on_disk(named[name], folder) or _fetched(name, named[name])
    check_local(Path(name), DatasetError)
    with contextlib.suppress(OSError):  # a name that is too long for a file
        if Path(name).is_file():
            return Path(name)
    raise DatasetError(
        f"there is no data set or file {name!r}",
        hint=f"give a file, or one of {', '.join([*named, BUILTIN])}",
    )


def _on_disk(dataset: NamedDataset, folder: Path | None) -> Path | None:
    for place in _folders(folder):
        for file in dataset.files:
            if (place / file).is_file():
                return place / file
    return None


def check_folder(names: Iterable[str], folder: Path | None) -> None:
    """Check that a folder exists; HYPERSKIP_DATA matters only if a set is read from it.

    Raises:
        DatasetError: The folder does not exist.
    """
    public = SIMILARITY_SETS | ANALOGY_SETS | HYPERNYMY_SETS
    if folder is not None or any(name in public for name in names):
        _folders(folder)


def _folders(folder: Path | None) -> list[Path]:
    variable = os.environ.get(DATA_VARIABLE)
    folders = {"`data`": folder, DATA_VARIABLE: Path(variable) if variable else None}
    given = {source: place for source, place in folders.items() if place is not None}
    for source, place in list(given.items())[:1]:  # the second may be missing
        check_local(place, DatasetError)
        if not place.is_dir():
            raise DatasetError(f"the folder {place} does not exist", hint=f"check {source}")
    return list(given.values())


def _fetched(name: str, dataset: NamedDataset) -> Path:
    hint = f"put {' or '.join(dataset.files)} into a folder and pass the folder as `data` (or set "
    hint += f"{DATA_VARIABLE})"
    if dataset.download is None:
        raise DatasetError(f"the data set {name} is not on disk", hint=hint)
    import pooch  # imports tqdm, which warns in some notebooks

    pooch.get_logger().setLevel(logging.WARNING)
    file, site = dataset.files[-1], dataset.download.site
    try:
        fetched = pooch.retrieve(
            site + file,
            known_hash=f"sha256:{dataset.download.sha256}",
            fname=file,
            path=platformdirs.user_cache_path("hyperskip"),
        )
    except (OSError, ValueError) as error:  # no network, no disk space; a wrong checksum
        raise DatasetError(
            f"the data set {name} is not on disk and could not be downloaded: {_reason(error)}",
            hint=f"{hint}; it can be downloaded from {site}{file}",
        ) from error
    return Path(fetched)


def _reason(error: Exception) -> str:
    """Why a download failed."""
    if isinstance(error, ValueError):
        return "the file has another checksum"
    if type(error).__name__ in _NO_CONNECTION:
        return "no connection"
    return reason_of(error)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without empty lines and comments."""
    try:
        with open_decompressed(path) as (stream, _):
            data = stream.read(_LARGEST_BYTES + 1)
        if len(data) > _LARGEST_BYTES:
            raise DatasetError(
                f"{path} has more than {_LARGEST_BYTES >> 20} MiB of text",
                hint="check that it is an evaluation set; split a large set into several files",
            )
        text = data.decode("utf-8-sig")
    except (*READING_ERRORS, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot read {path}: {error}", hint="it must be UTF-8 text") from error
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _malformed(path: Path, number: int, line: str, expected: str) -> DatasetError:
    return DatasetError(f"line {number} of {path} is {shown(line)}", hint=expected)
