"""The file of an evaluation set: a public one by name, from disk or downloaded; or any other."""

import contextlib
import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from hyperskip.builtin import BUILTIN
from hyperskip.errors import DatasetError, shown
from hyperskip.evaluation.known_sets import (
    ANALOGY_SETS,
    DATA_VARIABLE,
    HYPERNYMY_SETS,
    SIMILARITY_SETS,
    NamedDataset,
)
from hyperskip.files.compression import READING_ERRORS, open_decompressed
from hyperskip.files.downloads import download, download_folder
from hyperskip.files.remote import check_local

_LARGEST_BYTES = 1 << 24  # decompressed; 10 times the largest known set


def file_of_set(name: str, named: dict[str, NamedDataset], folder: Path | None) -> Path:
    """Return the file of a named set, or a file of the user.

    Raises:
        DatasetError: The name is unknown, or the set is not available.
    """
    if name in named:
        return path_on_disk(named[name], folder) or _fetched(name, named[name])
    check_local(Path(name), DatasetError)
    with contextlib.suppress(OSError):  # a name that is too long for a file
        if Path(name).is_file():
            return Path(name)
    raise DatasetError(
        f"there is no data set or file {name!r}",
        hint=f"give a file, or one of {', '.join([*named, BUILTIN])}",
    )


def check_folder(names: Iterable[str], folder: Path | None) -> None:
    """Check that a folder exists; HYPERSKIP_DATA matters only if a set is read from it.

    Raises:
        DatasetError: The folder does not exist.
    """
    public = SIMILARITY_SETS | ANALOGY_SETS | HYPERNYMY_SETS
    if folder is not None or any(name in public for name in names):
        _folders(folder)


def path_on_disk(dataset: NamedDataset, folder: Path | None) -> Path | None:
    """The file of a public set in a folder, or in that of HYPERSKIP_DATA; None if there is none."""
    for place in _folders(folder):
        for file in dataset.files:
            if (place / file).is_file():
                return place / file
    return None


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
    by_hand = f"put {' or '.join(dataset.files)} into a folder and pass the folder as `data` (or "
    by_hand += f"set {DATA_VARIABLE})"
    if dataset.download is None:
        raise DatasetError(f"the data set {name} is not on disk", hint=by_hand)
    file = dataset.files[-1]
    address = dataset.download.site + file

    def failed(reason: str, hint: str | None = None) -> DatasetError:
        return DatasetError(
            f"the data set {name} is not on disk and could not be downloaded: {reason}",
            hint=hint or f"{by_hand}; it can be downloaded from {address}",
        )

    target = download_folder() / file
    download(address, target, dataset.download.sha256, failed, most_bytes=_LARGEST_BYTES)
    return target


def text_of(path: Path) -> str:
    """Return the text of a file, which may be compressed.

    Raises:
        DatasetError: The file is not text, or too large for an evaluation set.
    """
    try:
        with open_decompressed(path) as (stream, _):
            data = stream.read(_LARGEST_BYTES + 1)
        if len(data) > _LARGEST_BYTES:
            raise DatasetError(
                f"{path} has more than {_LARGEST_BYTES >> 20} MiB of text",
                hint="check that it is an evaluation set; split a large set into several files",
            )
        return data.decode("utf-8-sig")
    except (*READING_ERRORS, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot read {path}: {error}", hint="it must be UTF-8 text") from error


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without empty lines and comments."""
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def fields_of(line: str) -> list[str]:
    """Fields between tabs, semicolons, commas or spaces, without quotation marks."""
    separator = next((mark for mark in "\t;," if line.count(mark) >= 2), None)
    return [field.strip().strip('"') for field in line.split(separator)]


def number_in(field: str) -> float | None:
    """The number in a field, with a decimal point or comma; None if there is none."""
    try:
        return float(field.replace(",", "."))
    except ValueError:
        return None


def malformed(path: Path, place: str, content: str, expected: str) -> DatasetError:
    """The error for a line, or an item of a list, that is not as expected."""
    return DatasetError(f"{place} of {path} is {shown(content)}", hint=expected)
