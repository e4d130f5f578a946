"""Where text comes from: files of any compression, folders, globs, tables, standard input.

Every source becomes one stream of text chunks with two rules: a newline ends a document, and a
chunk is cut only at white space. So a corpus on a single line is read in bounded memory, too.
"""

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from hyperskip.errors import CorpusError
from hyperskip.files import READING_ERRORS, opened, reason_of
from hyperskip.text.options import TextOptions
from hyperskip.text.tables import column_missing, column_text, delimiter_by_name

STANDARD_INPUT = "-"

_CHUNK_BYTES = 1 << 20
_LONGEST_WORD_BYTES = 1 << 22  # without any blank for so long, it is cut: no word is longer

Advance = Callable[[int], None]  # told of the bytes taken from disk since the last call


def expand(arguments: Iterable[str | os.PathLike[str]]) -> list[Path | None]:
    """The files that paths, folders and globs stand for; None stands for standard input.

    A folder stands for all files under it, sorted by name, hidden ones left out.
    """
    files: list[Path | None] = []
    for argument in arguments:
        name = os.fspath(argument)
        if not name:
            raise CorpusError("a path of the corpus is empty", hint="is a shell variable unset?")
        if name == STANDARD_INPUT:
            files.append(None)
        elif not names_something(name):
            files.extend(_matches(name))
        elif Path(name).is_dir():
            files.extend(_files_below(Path(name)))
        else:
            files.append(Path(name))
    return files


def names_something(text: str) -> bool:
    """Whether a file or folder of that name exists; a text too long to be a name is none."""
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def _files_below(folder: Path) -> list[Path]:
    def fail(error: OSError) -> None:
        raise CorpusError(
            f"cannot read the folder {error.filename}: {reason_of(error)}", hint="check permissions"
        )

    files = []
    for place, folders, names in os.walk(folder, onerror=fail):
        folders[:] = (name for name in folders if not name.startswith("."))
        files += [Path(place, name) for name in names if not name.startswith(".")]
    files = sorted(path for path in files if path.is_file())
    if not files:
        raise CorpusError(
            f"there are no files in the folder {folder}", hint="hidden files are left out"
        )
    return files


def _matches(pattern: str) -> list[Path]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - takes absolute patterns
    files = [Path(match) for match in matches if Path(match).is_file()]
    if not files:
        what = "no file matches" if glob.has_magic(pattern) else "there is no file"
        raise CorpusError(
            f"{what} {pattern if len(pattern) < 200 else pattern[:60] + '…'}",
            hint="check the path, or pass - for standard input; in Python, a text goes in a list: "
            "train([text])",
        )
    return files


def total_bytes(files: Sequence[Path | None]) -> int | None:
    """How many bytes the files take on disk, or None where that cannot be known."""
    if any(file is None or not file.is_file() for file in files):
        return None
    return sum(file.stat().st_size for file in files if file is not None)


def read_files(
    files: Sequence[Path | None], options: TextOptions, advance: Advance
) -> Iterator[str]:
    """The text of the files, one after another, in chunks."""
    for file in files:
        name = "standard input" if file is None else str(file)
        try:
            with opened(file) as (stream, raw):
                position = 0
                for chunk in _document_text(stream, file, name, options):
                    yield chunk
                    if raw.seekable():
                        advance(raw.tell() - position)
                        position = raw.tell()
        except READING_ERRORS as error:
            raise CorpusError(
                f"cannot read {name}: {reason_of(error)}",
                hint="check that it is whole and readable",
            ) from error


def _document_text(
    stream: IO[bytes], file: Path | None, name: str, options: TextOptions
) -> Iterator[str]:
    chunks = _decoded(stream, name, options.encoding_errors)
    delimiter = delimiter_by_name(file)
    if options.column is not None:
        return column_text(chunks, name, options.column, delimiter)
    if delimiter is not None:
        raise column_missing(chunks, name, delimiter)
    return chunks


def _decoded(stream: IO[bytes], name: str, encoding_errors: str) -> Iterator[str]:
    """Decode UTF-8 in chunks cut at white space, and end the last document."""
    offset = 0
    carried = b""
    while block := stream.read(_CHUNK_BYTES):
        carried += block
        cut = _last_blank(carried)
        if cut:
            yield _text(carried[:cut], offset, name, encoding_errors)
            carried = carried[cut:]
            offset += cut
    yield _text(carried, offset, name, encoding_errors) + "\n"


def _last_blank(piece: bytes) -> int:
    """Where to cut: after the last newline or blank, or 0 where more must be read first."""
    cut = max(piece.rfind(b"\n"), piece.rfind(b" ")) + 1
    if cut == 0 and len(piece) >= _LONGEST_WORD_BYTES:
        cut = len(piece)
        for back in range(1, 4):  # not inside a UTF-8 sequence, which has 4 bytes at most
            if piece[-back] & 0xC0 != 0x80:
                return cut - back
    return cut


def _text(piece: bytes, offset: int, name: str, encoding_errors: str) -> str:
    try:
        text = piece.decode("utf-8", encoding_errors)
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{name} is not UTF-8: byte {piece[error.start]:#04x} at offset {offset + error.start}",
            hint="is it UTF-16? Convert it (iconv -f utf-16 -t utf-8)"
            if piece.startswith((b"\xff\xfe", b"\xfe\xff"))
            else "if it is text in another encoding, convert it (iconv -f latin1 -t utf-8) or pass "
            "--encoding-errors replace",
        ) from None
    if "\0" in text and encoding_errors == "strict":
        raise CorpusError(
            f"{name} is not text: there is a NUL byte at offset {offset + piece.find(0)}",
            hint="is it a binary file, or UTF-16? Convert it (iconv -f utf-16 -t utf-8)",
        )
    return text.removeprefix("\ufeff") if offset == 0 else text  # a byte order mark
