"""Reading a corpus of any kind that the user may pass: paths, data frames, records, documents."""

import os
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Protocol

from hyperskip.errors import CorpusError
from hyperskip.files.remote import Location, RemotePath, is_url
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Piece, Sizes
from hyperskip.text.reading.columns import check_no_column
from hyperskip.text.reading.documents import Cells, as_pieces, document_cells
from hyperskip.text.reading.frames import cells_of
from hyperskip.text.reading.paths import (
    STANDARD_INPUT,
    absolute,
    checked_paths,
    corpus_files,
    path_exists,
)
from hyperskip.text.reading.records import record_cells
from hyperskip.text.reading.refusals import check_iterable
from hyperskip.text.reading.sources import SourceFile, read_files, source_file, total_bytes
from hyperskip.text.reading.tables import check_no_delimiter


class ArrowStream(Protocol):
    """A table of any library that has the stream protocol of Arrow."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


# A path; or an iterable of paths, of documents or of records; or a data frame.
Corpus = str | os.PathLike[str] | Iterable[object] | ArrowStream

_NOTHING = object()


class CorpusReader:
    """Reads a corpus once; iterating yields its text, or its tokens, in pieces.

    Args:
        corpus: A path, folder, glob or URL ("-" is standard input); several paths (Path or
            RemotePath objects); a data frame, table or column of pandas, polars, Arrow or Hugging
            Face datasets; an iterable of records (dicts); or an iterable of documents, each a
            string or a list of tokens (strings or integers).
        options: How to read and tokenize.
        threads: Number of threads and processes for reading.
        sizes: How much is read at once.
    """

    def __init__(
        self, corpus: Corpus, options: TextOptions, threads: int, sizes: Sizes = DEFAULT_SIZES
    ) -> None:
        self.bytes_read = 0
        self.bytes_total: int | None = None  # None if it is not known
        self.given: tuple[str, ...] = ()  # paths, folders and globs, absolute, and URLs
        self.sources: tuple[SourceFile, ...] = ()  # their state before they were read
        self.has_tokens = False  # whether a document is a list of tokens, which are not split
        self._corpus = corpus
        self._options = options
        self._threads = threads
        self._sizes = sizes

    def __iter__(self) -> Generator[Piece, None, None]:
        with closing(self._pieces()) as pieces:
            for piece in pieces:
                self.has_tokens |= isinstance(piece, list)
                yield piece

    def _pieces(self) -> Generator[Piece, None, None]:
        column = self._options.column
        if isinstance(self._corpus, str | os.PathLike):
            return self._read_paths([self._corpus])
        cells = cells_of(self._corpus, column)
        if cells is not None:
            return self._read_cells(cells)
        check_iterable(self._corpus)
        documents: Iterator[object] = iter(self._corpus)  # type: ignore[arg-type] # it was checked
        first = next(documents, _NOTHING)
        if first is _NOTHING:
            raise CorpusError(
                "the corpus is an empty iterable",
                hint="was it a generator that was already exhausted?",
            )
        if isinstance(first, os.PathLike):
            return self._read_paths(chain([first], documents))
        if isinstance(first, Mapping):
            return self._read_cells(record_cells(documents, first, column))
        check_no_column(column, "a corpus of texts or tokens")
        return self._read_cells(document_cells(chain([first], documents)))

    def shared_files(self) -> list[Location] | None:
        """List the files, which other machines may read, too; None if only this process can.

        Only this process can read standard input, pipes, documents and memory:// URLs.

        Raises:
            CorpusError: There is no such file.
        """
        paths: Sequence[object] = ()
        if isinstance(self._corpus, str | os.PathLike):
            paths = [self._corpus]
        elif isinstance(self._corpus, Sequence) and isinstance(
            next(iter(self._corpus), None), os.PathLike
        ):
            paths = self._corpus
        files = self._files(paths) if paths else []
        shared = [
            file
            for file in files
            if file is not None and not (isinstance(file, RemotePath) and not file.is_shared)
        ]
        return shared if len(self.sources) == len(files) == len(shared) > 0 else None

    def _read_paths(self, paths: Iterable[object]) -> Generator[Piece, None, None]:
        files = self._files(paths)
        yield from read_files(files, self._options, self._advance, self._threads, self._sizes)

    def _files(self, paths: Iterable[object]) -> list[Location | None]:
        names = [os.fspath(path) for path in checked_paths(paths)]
        files = corpus_files(names, may_be_text=isinstance(self._corpus, str))
        self.given = tuple(absolute(name) for name in names if name != STANDARD_INPUT)
        self.bytes_total = total_bytes(files)
        self.sources = tuple(source for file in files if (source := source_file(file)) is not None)
        return files

    def _read_cells(self, cells: Cells) -> Generator[Piece, None, None]:
        check_no_delimiter(self._options.delimiter, "the corpus")
        documents = cells.documents()
        first = next(documents, None)
        if first is None:
            raise CorpusError("the corpus has no rows", hint="pass a data frame that has rows")
        if isinstance(first, str) and _names_file(first):
            raise CorpusError(
                f"the first document of the corpus, {first!r}, is the name of a file",
                hint="a list of strings is a list of texts; for files, pass pathlib.Path objects, "
                "or hyperskip.RemotePath for URLs",
            )
        yield from as_pieces(chain([first], documents))

    def _advance(self, count: int) -> None:
        self.bytes_read += count


def _names_file(document: str) -> bool:
    """Whether a document is the name of a file, or a URL that is not a web address."""
    if is_url(document):
        return " " not in document and not document.startswith("http")
    return path_exists(document) and Path(document).is_file()
