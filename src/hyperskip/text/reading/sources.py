"""Where text comes from: files of any compression, folders, globs, tables, standard input.

Every source becomes one stream of pieces of valid UTF-8 with two rules: a newline ends a document,
and a piece is cut only at white space. So a corpus on a single line is read in bounded memory, too.
"""

import codecs
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from hyperskip.errors import CorpusError
from hyperskip.files.compression import READING_ERRORS, open_decompressed, read_start
from hyperskip.files.failures import reason_of
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import USUAL_SIZES, Sizes, batched
from hyperskip.text.reading.tables import column_missing, column_text, delimiter_by_name
from hyperskip.text.reading.wikipedia import dump_text, is_dump

_LOOK_BYTES = 1 << 14  # that tell what a file is
_GATHERED_CHARACTERS = 1 << 18

Advance = Callable[[int], None]  # told of the bytes taken from disk since the last call


def total_bytes(files: Sequence[Path | None]) -> int | None:
    """How many bytes the files take on disk, or None where that cannot be known."""
    sizes = [source.size for source in map(source_file, files) if source is not None]
    return sum(sizes) if len(sizes) == len(files) else None


@dataclass(frozen=True)
class SourceFile:
    """A file that text was read from, and how to tell whether it has changed since."""

    path: str  # absolute
    size: int
    modified_ns: int


def source_file(file: Path | None) -> SourceFile | None:
    """The file as it is now; None for standard input, a pipe, and what is not there."""
    if file is None or not file.is_file():
        return None
    try:
        status = file.stat()
        return SourceFile(str(file.absolute()), status.st_size, status.st_mtime_ns)
    except OSError as error:  # one that cannot be looked at will not be readable, either
        raise _unreadable(str(file), error) from error


def read_files(
    files: Sequence[Path | None],
    options: TextOptions,
    advance: Advance,
    threads: int = 1,
    sizes: Sizes = USUAL_SIZES,
) -> Iterator[bytes]:
    """The text of the files, one after another, in pieces; so many threads may work on one.

    Raises:
        CorpusError: A file cannot be read, or is not text, or has changed while it was read.
    """
    for file, source in zip(files, list(map(source_file, files)), strict=True):
        name = "standard input" if file is None else str(file)
        try:
            with open_decompressed(file) as (stream, raw):
                position = 0
                for piece in _document_text(stream, file, name, options, threads, sizes):
                    yield piece
                    if raw.seekable():
                        advance(raw.tell() - position)
                        position = raw.tell()
        except (CorpusError, *READING_ERRORS) as error:
            _check_unchanged(source, name)  # which would be why it looks damaged
            if isinstance(error, CorpusError):
                raise
            raise _unreadable(name, error) from error
        _check_unchanged(source, name)


def _check_unchanged(before: SourceFile | None, name: str) -> None:
    """Refuse a file that somebody wrote to, or replaced, while it was read.

    One that was removed is fine: an open file stays whole.
    """
    now = None if before is None else source_file(Path(before.path))
    if before is not None and now is not None and now != before:
        raise CorpusError(
            f"{name} changed while it was read: it had {before.size:,} bytes, and has "
            f"{now.size:,} now",
            hint="wait until nothing writes to it, or read a copy",
        )


def _unreadable(name: str, error: Exception) -> CorpusError:
    return CorpusError(
        f"cannot read {name}: {reason_of(error)}", hint="check that it is whole and readable"
    )


def _document_text(
    stream: IO[bytes],
    file: Path | None,
    name: str,
    options: TextOptions,
    threads: int,
    sizes: Sizes,
) -> Iterator[bytes]:
    start, stream = read_start(stream, _LOOK_BYTES)
    if is_dump(start):
        if options.column is not None:
            raise CorpusError(
                f"{name} is a dump of a wiki, which has no columns, and --column was passed",
                hint="read tables and dumps apart: hyperskip encode each, or leave out --column",
            )
        return gathered(dump_text(stream, name, threads))
    if _is_model(start):
        raise CorpusError(
            f"{name} is a model (safetensors), and not text",
            hint="name the text to learn from; hyperskip info tells what a model holds",
        )
    pieces = _validated(stream, name, options.encoding_errors, sizes)
    delimiter = delimiter_by_name(file)
    if options.column is not None:
        chunks = (piece.decode() for piece in pieces)
        return gathered(column_text(chunks, name, options.column, delimiter))
    if delimiter is not None:
        raise column_missing((piece.decode() for piece in pieces), name, delimiter)
    return pieces


def _is_model(start: bytes) -> bool:
    """Whether a file starts as safetensors does: by the size of its header, in 8 bytes, and JSON.

    The size is far below 2^48, so that the last two of the bytes are 0, as never in text.
    """
    return start[6:10] == b'\0\0{"'


def gathered(documents: Iterable[str]) -> Iterator[bytes]:
    """Documents, each ended by a newline, together in pieces that are worth a thread's while."""
    for batch in batched(documents, _GATHERED_CHARACTERS):
        yield "".join(batch).encode("utf-8", "surrogatepass")


def _validated(stream: IO[bytes], name: str, encoding_errors: str, sizes: Sizes) -> Iterator[bytes]:
    """Valid UTF-8 in pieces cut at white space; the last document is ended."""
    offset = 0
    carried = b""
    while block := stream.read(sizes.piece_bytes):
        carried += block
        cut = _last_blank(carried, sizes.longest_word_bytes)
        if cut:
            yield _valid(carried[:cut], offset, name, encoding_errors)
            carried = carried[cut:]
            offset += cut
    yield _valid(carried, offset, name, encoding_errors) + b"\n"


def _last_blank(piece: bytes, longest_word_bytes: int) -> int:
    """Where to cut: after the last newline or blank, or 0 where more must be read first."""
    cut = max(piece.rfind(b"\n"), piece.rfind(b" ")) + 1
    if cut == 0 and len(piece) >= longest_word_bytes:
        cut = len(piece)
        for back in range(1, 4):  # not inside a UTF-8 sequence, which has 4 bytes at most
            if piece[-back] & 0xC0 != 0x80:
                return cut - back
    return cut


def _valid(piece: bytes, offset: int, name: str, encoding_errors: str) -> bytes:
    strict = encoding_errors == "strict"
    try:
        if not piece.isascii():
            piece.decode()
    except UnicodeDecodeError as error:
        if strict:
            raise _not_utf8(piece, error.start, offset, name) from None
        piece = piece.decode("utf-8", encoding_errors).encode()
    if strict and 0 in piece:
        raise CorpusError(
            f"{name} is not text: there is a NUL byte at offset {offset + piece.find(0)}",
            hint="is it a binary file, or UTF-16? Convert it (iconv -f utf-16 -t utf-8)",
        )
    return piece.removeprefix(codecs.BOM_UTF8) if offset == 0 else piece


def _not_utf8(piece: bytes, at: int, offset: int, name: str) -> CorpusError:
    return CorpusError(
        f"{name} is not UTF-8: byte {piece[at]:#04x} at offset {offset + at}",
        hint="is it UTF-16? Convert it (iconv -f utf-16 -t utf-8)"
        if piece.startswith((b"\xff\xfe", b"\xfe\xff"))
        else "if it is text in another encoding, convert it (iconv -f latin1 -t utf-8) or pass "
        "--encoding-errors replace",
    )
