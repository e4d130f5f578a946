"""The text of files: plain, compressed, tables, JSON Lines, Parquet or Wikipedia dumps.

A file becomes a stream of pieces: valid UTF-8, or lists of tokens if its cells are lists. A newline
ends a document, and a piece ends at white space, so that even a corpus on a single line is read in
bounded memory.
"""

import codecs
import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from hyperskip.errors import CorpusError
from hyperskip.files.compression import READING_ERRORS, open_decompressed, read_start
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import CHECK_ACCESS, Location, RemotePath, is_url, location
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Piece, Sizes
from hyperskip.text.reading.documents import as_pieces, gathered
from hyperskip.text.reading.json_lines import is_json_lines, json_documents
from hyperskip.text.reading.parquet import is_parquet, parquet_documents
from hyperskip.text.reading.tables import (
    check_no_delimiter,
    column_missing,
    column_text,
    delimiter_by_name,
)
from hyperskip.text.reading.wikipedia import dump_text, is_dump

_START_BYTES = 1 << 14  # enough to recognize the kind of a file

Advance = Callable[[int], None]  # called with the number of bytes read since the last call


def total_bytes(files: Sequence[Location | None]) -> int | None:
    """The total size of the files on disk; None if it is not known."""
    sizes = [source.size for source in map(source_file, files) if source is not None]
    return sum(sizes) if len(sizes) == len(files) else None


@dataclass(frozen=True)
class SourceFile:
    """A file that text was read from, with the facts that show whether it has changed."""

    path: str  # absolute, or a URL
    size: int
    modified_ns: int  # 0 if a remote storage does not report it


def source_file(file: Location | None) -> SourceFile | None:
    """The current state of a file; None for standard input, a pipe or a missing file."""
    if isinstance(file, RemotePath):
        try:
            found = file.status()
            return None if found is None else SourceFile(file.url, *found)
        except OSError as error:
            raise _unreadable(file.url, error) from error
    if file is None or not file.is_file():
        return None
    try:
        status = file.stat()
        return SourceFile(str(file.absolute()), status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise _unreadable(str(file), error) from error


@dataclass(frozen=True)
class Span:
    """A file; or bytes of a plain text file, from the end of a piece to the end of another."""

    file: Location | None  # None is standard input
    name: str  # in messages
    begin: int = 0
    end: int | None = None  # None: all of the rest

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole file."""
        return self.begin == 0 and self.end is None


def read_files(
    files: Sequence[Location | None],
    options: TextOptions,
    advance: Advance,
    threads: int = 1,
    sizes: Sizes = DEFAULT_SIZES,
) -> Iterator[Piece]:
    """Read the text of files, one after another, in pieces; None is standard input.

    The other arguments and the errors are those of `read_spans`.
    """
    spans = [Span(file, "standard input" if file is None else str(file)) for file in files]
    return read_spans(spans, options, advance, threads, sizes)


def read_spans(
    spans: Sequence[Span],
    options: TextOptions,
    advance: Advance,
    threads: int = 1,
    sizes: Sizes = DEFAULT_SIZES,
) -> Iterator[Piece]:
    """Read the text of files or parts of files, one after another, in pieces.

    The pieces of parts are those of the whole file.

    Args:
        spans: The files, or parts of them.
        options: How to read them.
        advance: Called with the number of bytes read since the last call.
        threads: Number of threads and processes for a Wikipedia dump.
        sizes: How much is read at once.

    Raises:
        CorpusError: A file cannot be read, is not text, or has changed while it was read.
        MissingPackageError: A file is a Wikipedia dump or Parquet, which requires the extra
            wikipedia or parquet.
    """
    sources = [source_file(span.file) for span in spans]
    for span, source in zip(spans, sources, strict=True):
        with open_source(span.file, span.name, source) as (stream, raw):
            report = _progress(raw, span, advance)
            for piece in _span_text(stream, raw, span, options, threads, sizes):
                yield piece
                report()
            report()


@contextlib.contextmanager
def open_source(
    file: Location | None, name: str, source: SourceFile | None, *, in_memory: bool = False
) -> Iterator[tuple[IO[bytes], io.BufferedReader]]:
    """Open a file, or standard input for None, and check at the end that it has not changed.

    Args:
        file: The file.
        name: Its name in messages.
        source: Its state before it was opened.
        in_memory: See `open_decompressed`, which also tells what is yielded.

    Raises:
        CorpusError: It cannot be read, or has changed.
    """
    try:
        with open_decompressed(file, in_memory=in_memory) as streams:
            yield streams
    except (CorpusError, *READING_ERRORS) as error:
        check_unchanged(source, name)  # a change may be the cause of the error
        if isinstance(error, CorpusError):
            raise
        raise _unreadable(name, error) from error
    check_unchanged(source, name)


def _progress(raw: IO[bytes], span: Span, advance: Advance) -> Callable[[], None]:
    """Return a function that reports how much was read since its last call."""
    position = span.begin

    def report() -> None:
        nonlocal position
        if raw.seekable():
            # A part is read to the end of a block, of which the rest is read again.
            now = raw.tell() if span.end is None else min(raw.tell(), span.end)
            advance(now - position)
            position = now

    return report


def can_be_cut(file: Location, options: TextOptions) -> bool:
    """Whether parts of a file can be read: if it is plain text and not compressed."""
    if options.column or options.delimiter or delimiter_by_name(file):
        return False
    try:
        with open_decompressed(file) as (stream, raw):
            start = stream.read(_START_BYTES)
            raw.seek(0)
            is_compressed = raw.read(len(start)) != start
    except READING_ERRORS:
        return False  # reading it reports the error
    return not (
        is_compressed
        or is_dump(start)
        or _is_model(start)
        or is_parquet(file, start)
        or is_json_lines(file, start)
    )


def piece_ends(
    file: Location, size: int, distance: int, sizes: Sizes = DEFAULT_SIZES
) -> Iterator[int]:
    """Find ends of pieces of a plain text file, about `distance` bytes apart.

    A piece ends at the last blank before a multiple of `sizes.piece_bytes`. If there is no blank in
    the bytes between two multiples, the end depends on the text before, and the next multiple is
    tried.

    Args:
        file: The file.
        size: Its size.
        distance: The distance, rounded up to a multiple of the size of pieces.
        sizes: The size of pieces.

    Raises:
        OSError: It cannot be read.
    """
    block = sizes.piece_bytes
    step = -(-distance // block) * block
    with open_decompressed(file) as (_, raw):
        multiple = step
        while multiple < size:
            end = 0
            for searched in (min(_START_BYTES, block), block):  # usually, there are many blanks
                raw.seek(multiple - searched)
                end = _after_last_blank(raw.read(searched))
                if end:
                    yield multiple - searched + end
                    break
            multiple += step if end else block


def check_unchanged(before: SourceFile | None, name: str) -> None:
    """Check that a file was not changed or replaced while it was read.

    Deleting it does no harm: an open file stays readable.

    Raises:
        CorpusError: It was.
    """
    file = None if before is None else location(before.path)
    if isinstance(file, RemotePath):
        file.refresh()
    now = source_file(file)
    if before is not None and now is not None and now != before:
        raise CorpusError(
            f"{name} changed while it was read, from {before.size:,} to {now.size:,} bytes",
            hint="wait until it is complete, or read a copy",
        )


def _unreadable(name: str, error: Exception) -> CorpusError:
    in_storage = isinstance(error, OSError) and is_url(str(error.filename))
    hint = CHECK_ACCESS if in_storage else "check that it is complete and readable"
    return CorpusError(f"cannot read {name}: {reason_of(error)}", hint=hint)


def _span_text(
    stream: IO[bytes],
    raw: IO[bytes],
    span: Span,
    options: TextOptions,
    threads: int,
    sizes: Sizes,
) -> Iterator[Piece]:
    if span.is_whole:
        return _file_text(stream, raw, span.file, span.name, options, threads, sizes)
    raw.seek(span.begin)
    return utf8_pieces(raw, span.name, options.encoding_errors, sizes, span.begin, span.end)


def _file_text(
    stream: IO[bytes],
    raw: IO[bytes],
    file: Location | None,
    name: str,
    options: TextOptions,
    threads: int,
    sizes: Sizes,
) -> Iterator[Piece]:
    """Read a file by its kind, which its name or its first bytes show."""
    column, errors = options.column, options.encoding_errors
    start, stream = read_start(stream, _START_BYTES)
    if is_dump(start):
        if column is not None:
            raise CorpusError(
                f"{name} is a Wikipedia dump, which has no columns, but `column` is {column!r}",
                hint="leave out `column`, or read tables and dumps separately",
            )
        return gathered(dump_text(stream, name, threads))
    if _is_model(start):
        raise CorpusError(
            f"{name} is a model (safetensors), not text",
            hint="pass the text to train on; hyperskip.load(path) reads a model (on the command "
            "line: hyperskip info)",
        )
    if is_parquet(file, start):
        check_no_delimiter(options.delimiter, name)
        return as_pieces(parquet_documents(raw, name, column, errors))
    by_name = delimiter_by_name(file)
    if by_name is None and is_json_lines(file, start):
        check_no_delimiter(options.delimiter, name)
        return as_pieces(json_documents(stream, name, column, errors))
    pieces = utf8_pieces(stream, name, errors, sizes)
    chunks = (piece.decode() for piece in pieces)
    if column is not None:
        return gathered(column_text(chunks, name, column, by_name, options.delimiter))
    if by_name is not None or options.delimiter is not None:
        raise column_missing(chunks, name, by_name, options.delimiter)
    return pieces


def _is_model(start: bytes) -> bool:
    """Whether a file starts like safetensors: the size of its header in 8 bytes, then JSON.

    The size is far below 2^48, so that the last two of its bytes are 0, which never occurs in text.
    """
    return start[6:10] == b'\0\0{"'


def utf8_pieces(
    stream: IO[bytes],
    name: str,
    encoding_errors: str,
    sizes: Sizes,
    begin: int = 0,
    end: int | None = None,
) -> Iterator[bytes]:
    """Read valid UTF-8 in pieces that end at white space; a newline ends the last document.

    Args:
        stream: The text from `begin`.
        name: The name of the file in messages.
        encoding_errors: What to do about bytes that are not UTF-8.
        sizes: The size of pieces.
        begin: The offset of the stream in the file: the start, or the end of a piece.
        end: The end of another piece, if only a part of the file is read.
    """
    offset = begin
    carried = stream.read(-begin % sizes.piece_bytes)  # the rest after the end of a piece
    while offset != end and (block := stream.read(sizes.piece_bytes)):
        carried += block
        cut = _end_of_piece(carried, sizes.longest_word_bytes)
        if cut:
            yield _valid(carried[:cut], offset, name, encoding_errors)
            carried = carried[cut:]
            offset += cut
    if offset != end:
        yield _valid(carried, offset, name, encoding_errors) + b"\n"


def _end_of_piece(text: bytes, longest_word_bytes: int) -> int:
    """The end of the last newline or blank; 0 if more must be read first."""
    cut = _after_last_blank(text)
    if cut == 0 and len(text) >= longest_word_bytes:
        cut = len(text)
        for back in range(1, 4):  # not inside a UTF-8 sequence of up to 4 bytes
            if text[-back] & 0xC0 != 0x80:
                return cut - back
    return cut


def _after_last_blank(text: bytes) -> int:
    return max(text.rfind(b"\n"), text.rfind(b" ")) + 1


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
            f"{name} is not text: it has a NUL byte at offset {offset + piece.find(0)}",
            hint="is it a binary file, or UTF-16? Convert it (iconv -f utf-16 -t utf-8)",
        )
    return piece.removeprefix(codecs.BOM_UTF8) if offset == 0 else piece


def _not_utf8(piece: bytes, at: int, offset: int, name: str) -> CorpusError:
    return CorpusError(
        f"{name} is not UTF-8: byte {piece[at]:#04x} at offset {offset + at}",
        hint="is it UTF-16? Convert it (iconv -f utf-16 -t utf-8)"
        if piece.startswith((b"\xff\xfe", b"\xfe\xff"))
        else "if it is text in another encoding, convert it (iconv -f latin1 -t utf-8) or use "
        "`encoding_errors='replace'`",
    )
