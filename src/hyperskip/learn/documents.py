"""Documents that the user passes, as words with points: checked, tokenized, and in batches.

Only one batch is in memory, so a generator of documents may be longer than the memory.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from hyperskip.errors import InputError, shown
from hyperskip.files.scratch import scratch_folder
from hyperskip.geometry.arrays import Rows
from hyperskip.text.reading.documents import Document, document_cells
from hyperskip.text.reading.frames import cells_of
from hyperskip.text.words.tokens import Tokenizer
from hyperskip.vectors.found_words import FoundWords
from hyperskip.vectors.word_vectors import WordVectors

Documents = Iterable[object]  # strings, and lists or arrays of tokens

_TOKENS_AT_ONCE = 1 << 16  # words of the documents in a batch


class Batch(NamedTuple):
    """Some documents; unknown words are left out."""

    words: FoundWords  # (tokens,): of the vocabulary, or composed from n-grams
    starts: Rows  # (documents + 1,): document i is words[starts[i]:starts[i + 1]]

    @property
    def document_of_token(self) -> Rows:
        """The number of the document of each token (tokens,)."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def empty_documents(self) -> int:
        """The number of documents without known words."""
        return int((np.diff(self.starts) == 0).sum())


def checked_documents(documents: object) -> Iterator[Document]:
    """Yield each document, as a string or as a list of strings.

    Raises:
        InputError: It is not an iterable of documents.
        CorpusError: One of them is neither a string nor a list of tokens.
    """
    if isinstance(documents, str | bytes):
        raise InputError(
            f"the documents must be an iterable of texts, got one text: {shown(documents)}",
            hint="put it into a list: [text]",
        )
    shape = getattr(documents, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:
        raise InputError(
            f"the documents must have one dimension, got {type(documents).__name__} with shape "
            f"{shape}",
            hint="pass the column with the texts, such as frame['text'] or array[:, 0]",
        )
    if isinstance(documents, Mapping) or not isinstance(documents, Iterable):
        raise InputError(
            f"the documents must be an iterable of texts, got {type(documents).__name__}",
            hint="pass a list, a Series, an array or a generator of texts",
        )
    cells = cells_of(documents, None)  # of a Series, which names its rows
    yield from (document_cells(documents) if cells is None else cells).documents()


def batches(
    documents: object, vectors: WordVectors, make_tokenizer: Callable[[], Tokenizer]
) -> Iterator[Batch]:
    """Yield the documents in batches.

    Lists of tokens are not tokenized. An unknown token is looked up in lower case, too. If the
    vectors have subwords, it is composed from n-grams.

    Args:
        documents: Strings and lists of tokens.
        vectors: The words.
        make_tokenizer: Called before the first string, for the function that splits strings.

    Raises:
        InputError: See `checked_documents`.
    """
    tokenizer: Tokenizer | None = None
    tokens: list[str] = []
    starts = [0]
    for document in checked_documents(documents):
        if isinstance(document, str):
            tokenizer = tokenizer or make_tokenizer()
            tokens += tokenizer(document)
        else:
            tokens += document
        starts.append(len(tokens))
        if len(tokens) >= _TOKENS_AT_ONCE or len(starts) > _TOKENS_AT_ONCE:
            yield _known(vectors, tokens, starts)
            tokens, starts = [], [0]
    if len(starts) > 1:
        yield _known(vectors, tokens, starts)


def _known(vectors: WordVectors, tokens: list[str], starts: list[int]) -> Batch:
    """The known tokens, and where each document starts without the unknown ones."""
    found = vectors.find(tokens, any_case=True, skip_unknown=True)
    known = found.is_known
    known_before = np.concatenate(([0], np.cumsum(known)))
    return Batch(found[known], known_before[starts])


@contextmanager
def rereadable(documents: Documents) -> Iterator[Documents]:
    """Provide documents that can be read several times.

    Documents that can be read only once, such as those of a generator, are written to a temporary
    file, which is removed at the end.

    Raises:
        InputError: See `checked_documents`.
    """
    if not isinstance(documents, Iterator):
        yield documents
        return
    with scratch_folder() as folder:
        path = folder / "documents"
        with path.open("wb") as file:
            for document in checked_documents(documents):
                pickle.dump(document, file)
        yield _StoredDocuments(path)


class _StoredDocuments:
    """Documents in a temporary file of this process."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[Document]:
        with self._path.open("rb") as file:
            while file.peek(1):
                yield pickle.load(file)
