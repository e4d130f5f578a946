"""A corpus in any form that a user may give it, as runs of words."""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from hyperskip.errors import CorpusError
from hyperskip.text.options import TextOptions
from hyperskip.text.sources import expand, names_something, read_files, total_bytes
from hyperskip.text.tokens import tokenizer_named

Document = str | Sequence[str]
Corpus = str | os.PathLike[str] | Iterable[os.PathLike[str]] | Iterable[Document]

TokenRun = tuple[Sequence[str], bool]  # words in order, and whether a sentence ends behind them

_NOTHING = object()


class CorpusReader:
    """Reads a corpus, once; iterating gives its words in runs.

    Args:
        corpus: A path, folder or glob ("-" is standard input); several paths (Path objects); or
            an iterable of documents, each a string or a list of tokens.
        options: How to read and tokenise.
    """

    def __init__(self, corpus: Corpus, options: TextOptions) -> None:
        self.bytes_read = 0
        self.bytes_total: int | None = None  # stays None where it cannot be known
        self._corpus = corpus
        self._options = options
        self._tokenize = tokenizer_named(options.tokenizer)

    def __iter__(self) -> Iterator[TokenRun]:
        if isinstance(self._corpus, str | os.PathLike):
            return self._read_paths([self._corpus])
        if not isinstance(self._corpus, Iterable):
            raise CorpusError(
                f"the corpus is of type {type(self._corpus).__name__}",
                hint="a corpus is a path, or an iterable of texts, token lists or paths",
            )
        documents = iter(self._corpus)
        first: object = next(documents, _NOTHING)
        if first is _NOTHING:
            raise CorpusError(
                "the corpus is an iterable without any document",
                hint="was it a generator that had been used up?",
            )
        everything = chain([first], documents)
        if isinstance(first, os.PathLike):
            return self._read_paths(everything)
        return self._read_documents(everything, first)

    def _read_paths(self, paths: Iterable[object]) -> Iterator[TokenRun]:
        files = expand(_checked_paths(paths))
        self.bytes_total = total_bytes(files)
        for chunk in read_files(files, self._options, self._advance):
            *ended, rest = chunk.split("\n")
            for document in ended:
                yield self._tokenize(document), True
            if rest:
                yield self._tokenize(rest), False

    def _read_documents(self, documents: Iterable[object], first: object) -> Iterator[TokenRun]:
        if isinstance(first, str) and names_something(first) and Path(first).is_file():
            raise CorpusError(
                f"the first document of the corpus, {first!r}, is the name of a file",
                hint="a list of strings is a list of texts; for files pass pathlib.Path objects",
            )
        for document in documents:
            if isinstance(document, str):
                yield self._tokenize(document), True
            elif isinstance(document, Sequence) and all(isinstance(word, str) for word in document):
                yield document, True
            else:
                raise CorpusError(
                    f"a document of the corpus is of type {type(document).__name__}",
                    hint="a document is a string, or a list of strings (its tokens)",
                )

    def _advance(self, count: int) -> None:
        self.bytes_read += count


def _checked_paths(paths: Iterable[object]) -> Iterator[str | os.PathLike[str]]:
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise CorpusError(
                f"among the files of the corpus there is a {type(path).__name__}",
                hint="pass pathlib.Path objects only, or texts only",
            )
        yield path
