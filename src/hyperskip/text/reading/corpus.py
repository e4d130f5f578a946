"""Reading a corpus of any kind that the user may pass: paths, texts or lists of tokens."""

import os
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import chain, groupby, starmap
from pathlib import Path

from hyperskip.errors import CorpusError
from hyperskip.files.remote import Location, RemotePath, is_url
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Piece, Sizes, batched
from hyperskip.text.reading.paths import STANDARD_INPUT, absolute, corpus_files, path_exists
from hyperskip.text.reading.sources import (
    SourceFile,
    gathered,
    read_files,
    source_file,
    total_bytes,
)

Document = str | Sequence[str]
Corpus = str | os.PathLike[str] | Iterable[os.PathLike[str]] | Iterable[Document]

_PIECE_TOKENS = 1 << 16
_NOTHING = object()


class CorpusReader:
    """Reads a corpus once; iterating yields its text, or its tokens, in pieces.

    Args:
        corpus: A path, folder, glob or URL ("-" is standard input); several paths (Path or
            RemotePath objects); or an iterable of documents, each a string or a list of tokens.
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
        self._corpus = corpus
        self._options = options
        self._threads = threads
        self._sizes = sizes

    def __iter__(self) -> Generator[Piece, None, None]:
        if isinstance(self._corpus, str | os.PathLike):
            return self._read_paths([self._corpus])
        if isinstance(self._corpus, bytes | bytearray):
            raise CorpusError(
                f"`corpus` must be a path or a list of texts, got {type(self._corpus).__name__}",
                hint="decode it first: train([data.decode()])",
            )
        if not isinstance(self._corpus, Iterable):
            raise CorpusError(
                f"`corpus` must be a path or an iterable, got {type(self._corpus).__name__}",
                hint="pass a path, or an iterable of texts, token lists or pathlib.Path objects",
            )
        documents = iter(self._corpus)
        first: object = next(documents, _NOTHING)
        if first is _NOTHING:
            raise CorpusError(
                "the corpus is an empty iterable",
                hint="was it a generator that was already exhausted?",
            )
        everything = chain([first], documents)
        if isinstance(first, os.PathLike):
            return self._read_paths(everything)
        return self._read_documents(everything, first)

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
        names = [os.fspath(path) for path in _checked_paths(paths)]
        files = corpus_files(names, may_be_text=isinstance(self._corpus, str))
        self.given = tuple(absolute(name) for name in names if name != STANDARD_INPUT)
        self.bytes_total = total_bytes(files)
        self.sources = tuple(source for file in files if (source := source_file(file)) is not None)
        return files

    def _read_documents(
        self, documents: Iterable[object], first: object
    ) -> Generator[Piece, None, None]:
        if isinstance(first, str) and _names_file(first):
            raise CorpusError(
                f"the first document of the corpus, {first!r}, is the name of a file",
                hint="a list of strings is a list of texts; for files, pass pathlib.Path objects, "
                "or hyperskip.RemotePath for URLs",
            )
        checked = starmap(_checked_document, enumerate(documents, start=1))
        for are_texts, group in groupby(checked, key=lambda document: isinstance(document, str)):
            in_pieces = _as_text if are_texts else _in_lists
            yield from in_pieces(group)

    def _advance(self, count: int) -> None:
        self.bytes_read += count


def _names_file(document: str) -> bool:
    """Whether a document is the name of a file, or a URL that is not a web address."""
    if is_url(document):
        return " " not in document and not document.startswith("http")
    return path_exists(document) and Path(document).is_file()


def _checked_paths(paths: Iterable[object]) -> Iterator[str | os.PathLike[str]]:
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise CorpusError(
                f"a path of the corpus is of type {type(path).__name__}",
                hint="pass pathlib.Path objects only, or texts only",
            )
        yield path


def _checked_document(number: int, document: object) -> Document:
    if isinstance(document, str):
        return document
    hint = "a document is a string, or a list of strings (its tokens)"
    if isinstance(document, bytes):
        raise CorpusError(
            f"document {number} of the corpus is of type bytes", hint=f"decode it first; {hint}"
        )
    if not isinstance(document, Sequence):
        kind = type(document).__name__
        raise CorpusError(f"document {number} of the corpus is of type {kind}", hint=hint)
    if not all(isinstance(word, str) for word in document):
        wrong = next(word for word in document if not isinstance(word, str))
        raise CorpusError(
            f"document {number} of the corpus contains {repr(wrong)[:100]} "
            f"({type(wrong).__name__})",
            hint=hint,
        )
    return document


def _as_text(documents: Iterable[Document]) -> Iterator[bytes]:
    return gathered(str(document).replace("\n", " ") + "\n" for document in documents)


def _in_lists(documents: Iterable[Document]) -> Iterator[list[Sequence[str]]]:
    yield from batched(documents, _PIECE_TOKENS)
