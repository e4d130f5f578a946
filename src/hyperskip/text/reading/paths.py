"""The paths of a corpus or graph: which files do they name?

A path or URL names a file, a folder or a glob; "-" is standard input. Everything that takes a
corpus or edges expands its paths here.
"""

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from hyperskip.errors import CorpusError
from hyperskip.files.failures import reason_of
from hyperskip.files.known_folders import CHECKPOINTS_SUFFIX, ENCODED_HEADER, is_encoded
from hyperskip.files.remote import CHECK_ACCESS, Location, RemotePath, location, was_url

STANDARD_INPUT = "-"
_MARKERS = (
    "_SUCCESS",
    "_metadata",
    "_common_metadata",
)  # of Spark and Hadoop, beside Parquet files
_PASS_PATH = "pass the path of a text; a text itself goes into a list, as in train([text])"
_PASS_URL = (
    "pass a URL as a string or hyperskip.RemotePath: pathlib.Path removes one of its slashes"
)


def corpus_files(
    paths: Iterable[str | os.PathLike[str]], *, may_be_text: bool = False
) -> list[Location | None]:
    """List the files that paths, folders and globs name; None is standard input.

    A folder names all files below it, sorted by name, without hidden files and checkpoints. A glob
    names the files that match. Both leave out the files of encoded corpora, and those that Spark
    writes beside Parquet files.

    Args:
        paths: The paths.
        may_be_text: Whether a path may be a text by mistake, as in train("some text").

    Raises:
        CorpusError: There is no such file, a path is an encoded corpus, or standard input is named
            twice.
        InputError: The protocol of a URL is unknown, or its package is not installed.
    """
    files: list[Location | None] = []
    for path in paths:
        name = os.fspath(path)
        if not name:
            if may_be_text:
                raise CorpusError("the corpus is an empty string", hint=_PASS_PATH)
            raise CorpusError("a path is an empty string", hint="is a shell variable unset?")
        if name == STANDARD_INPUT:
            if None in files:
                raise CorpusError(
                    "standard input (-) was given twice", hint="it can be read only once"
                )
            files.append(None)
        elif isinstance(place := location(path), RemotePath):
            files.extend(_remote_files(place))
        elif not path_exists(str(place)):
            files.extend(_matches(str(place), may_be_text=may_be_text))
        elif is_encoded(place):
            raise _encoded(place)
        elif place.is_dir():
            files.extend(_files_below(place))
        else:
            files.append(place)
    return files


def checked_paths(paths: Iterable[object]) -> Iterator[str | os.PathLike[str]]:
    """Check that all paths are strings or Path objects.

    Raises:
        CorpusError: One is not.
    """
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise CorpusError(
                f"a path is of type {type(path).__name__}",
                hint="pass pathlib.Path objects only, or none",
            )
        yield path


def input_files(paths: Sequence[str | os.PathLike[str]]) -> list[Location | None]:
    """List the files that training on these paths reads: those of an encoded corpus, or text.

    Raises:
        CorpusError: As `corpus_files`.
    """
    if len(paths) == 1 and is_encoded(place := location(paths[0])):
        return list(place.iterdir())
    return corpus_files(paths)


def path_exists(text: str) -> bool:
    """Whether a file or folder of this name exists; False if the text cannot be a name."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def absolute(name: str) -> str:
    """Make a path or glob absolute; special characters of the current folder are escaped."""
    place = location(name)
    if isinstance(place, RemotePath):
        return place.url
    name = str(place)
    if path_exists(name):
        return str(Path(name).absolute())
    return str(Path(glob.escape(str(Path.cwd())), name))


def _encoded(folder: Location) -> CorpusError:
    return CorpusError(
        f"{folder} is an encoded corpus, not text",
        hint="to train on it, pass it as the only path; to encode, pass the text",
    )


def _files_below(folder: Path) -> list[Path]:
    def fail(error: OSError) -> None:
        raise CorpusError(
            f"cannot read the folder {error.filename}: {reason_of(error)}", hint="check permissions"
        )

    files = []
    for place, folders, names in os.walk(folder, onerror=fail):
        if ENCODED_HEADER in names:
            folders.clear()
            continue
        folders[:] = (
            name
            for name in folders
            if not (name.startswith(".") or name.endswith(CHECKPOINTS_SUFFIX))
        )
        files += [
            Path(place, name) for name in names if not name.startswith(".") and name not in _MARKERS
        ]
    files = sorted(path for path in files if path.is_file())
    if not files:
        raise _no_files(folder)
    return files


def _no_files(folder: Location) -> CorpusError:
    return CorpusError(
        f"there are no files in the folder {folder}",
        hint="put files into it, or pass another; hidden files are not read",
    )


def _matches(pattern: str, *, may_be_text: bool) -> list[Path]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - takes absolute patterns
    paths = (Path(match) for match in matches)
    files = [
        path
        for path in paths
        if path.is_file() and path.name not in _MARKERS and not is_encoded(path.parent)
    ]
    if not files:
        hint = _PASS_PATH if may_be_text else "check the path"
        raise _no_match(pattern, _PASS_URL if was_url(Path(pattern)) else hint)
    return files


def _no_match(pattern: str, hint: str) -> CorpusError:
    what = "no file matches" if glob.has_magic(pattern) else "there is no file or folder"
    return CorpusError(f"{what} {pattern if len(pattern) < 200 else pattern[:60] + '…'}", hint=hint)


def _remote_files(place: RemotePath) -> list[RemotePath]:
    """List the files that a URL names, by the same rules as for local paths."""
    try:
        place.refresh()
        if place.is_file():
            return [place]
        if is_encoded(place):
            raise _encoded(place)
        if place.is_dir():
            if files := _remote_text(place):
                return files
            raise _no_files(place)
        matches = place.matches()
        encoded = {folder for folder in {file.parent for file in matches} if is_encoded(folder)}
        if files := [
            file for file in matches if file.parent not in encoded and file.name not in _MARKERS
        ]:
            return files
    except OSError as error:
        raise CorpusError(f"cannot read {place}: {reason_of(error)}", hint=CHECK_ACCESS) from error
    raise _no_match(place.url, "check the URL")


def _remote_text(folder: RemotePath) -> list[RemotePath]:
    """List the files below a folder, without hidden files, checkpoints and encoded corpora."""
    files = folder.files_below()
    encoded = tuple(f"{file.parent}/" for file in files if file.name == ENCODED_HEADER)
    return [
        file
        for file in files
        if not file.url.startswith(encoded)
        and file.name not in _MARKERS
        and not any(
            part.startswith(".") or part.endswith(CHECKPOINTS_SUFFIX)
            for part in file.url.removeprefix(folder.url).split("/")
        )
    ]
