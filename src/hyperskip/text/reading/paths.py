"""The paths of a corpus: which files do they name?

A path names a file, a folder or a glob; "-" is standard input. Everything that takes a corpus
expands its paths here.
"""

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from hyperskip.errors import CorpusError
from hyperskip.files.failures import reason_of
from hyperskip.files.known_folders import CHECKPOINTS_SUFFIX, ENCODED_HEADER, is_encoded

STANDARD_INPUT = "-"
_PASS_PATH = "pass the path of a text; a text itself goes into a list, as in train([text])"


def corpus_files(
    paths: Iterable[str | os.PathLike[str]], *, may_be_text: bool = False
) -> list[Path | None]:
    """List the text files that paths, folders and globs name; None is standard input.

    A folder names all files below it, sorted by name, without hidden files and checkpoints. A glob
    names the files that match. Both leave out the files of encoded corpora.

    Args:
        paths: The paths.
        may_be_text: Whether a path may be a text by mistake, as in train("some text").

    Raises:
        CorpusError: There is no such file, a path is an encoded corpus, or standard input is named
            twice.
    """
    files: list[Path | None] = []
    for path in paths:
        name = os.fspath(path)
        if not name:
            if may_be_text:
                raise CorpusError("the corpus is an empty string", hint=_PASS_PATH)
            raise CorpusError("a path of the corpus is empty", hint="is a shell variable unset?")
        if name == STANDARD_INPUT:
            if None in files:
                raise CorpusError(
                    "standard input (-) was given twice", hint="it can be read only once"
                )
            files.append(None)
        elif not path_exists(name):
            files.extend(_matches(name, may_be_text=may_be_text))
        elif is_encoded(Path(name)):
            raise CorpusError(
                f"{name} is an encoded corpus, not text",
                hint="to train on it, pass it as the only path; to encode, pass the text",
            )
        elif Path(name).is_dir():
            files.extend(_files_below(Path(name)))
        else:
            files.append(Path(name))
    return files


def input_files(paths: Sequence[str | os.PathLike[str]]) -> list[Path | None]:
    """List the files that training on these paths reads: those of an encoded corpus, or text.

    Raises:
        CorpusError: As `corpus_files`.
    """
    if len(paths) == 1 and is_encoded(Path(paths[0])):
        return list(Path(paths[0]).iterdir())
    return corpus_files(paths)


def path_exists(text: str) -> bool:
    """Whether a file or folder of this name exists; False if the text cannot be a name."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def absolute(name: str) -> str:
    """Make a path or glob absolute; special characters of the current folder are escaped."""
    if path_exists(name):
        return str(Path(name).absolute())
    return str(Path(glob.escape(str(Path.cwd())), name))


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
        files += [Path(place, name) for name in names if not name.startswith(".")]
    files = sorted(path for path in files if path.is_file())
    if not files:
        raise CorpusError(
            f"there are no files in the folder {folder}",
            hint="put text files into it, or pass another; hidden files are not read",
        )
    return files


def _matches(pattern: str, *, may_be_text: bool) -> list[Path]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - takes absolute patterns
    paths = (Path(match) for match in matches)
    files = [path for path in paths if path.is_file() and not is_encoded(path.parent)]
    if not files:
        what = "no file matches" if glob.has_magic(pattern) else "there is no file or folder"
        raise CorpusError(
            f"{what} {pattern if len(pattern) < 200 else pattern[:60] + '…'}",
            hint=_PASS_PATH if may_be_text else "check the path",
        )
    return files
