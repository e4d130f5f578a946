"""The corpus as integers: word ids and sentence starts in memory-mapped files.

Text is read once. Words get provisional ids in order of first appearance while they are counted;
a second pass, over integers only, turns those into final ids and drops rare words. Memory holds
the vocabulary and never the corpus, and a generator or a pipe, which cannot be read twice, will do.
"""

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError, OutputError
from hyperskip.text.options import TextOptions
from hyperskip.text.sources import expand, read_files, total_bytes
from hyperskip.text.tokens import Tokenizer, tokenizer_named
from hyperskip.text.vocabulary import Vocabulary, keep_frequent

Document = str | Sequence[str]
Corpus = str | os.PathLike[str] | Iterable[os.PathLike[str]] | Iterable[Document]

_TOKENS_IN_MEMORY = 1 << 21
_NOTHING = object()


@dataclass(frozen=True)
class EncodingProgress:
    """How far the reading of the corpus is."""

    tokens: int
    bytes_read: int
    bytes_total: int | None  # None where it cannot be known


Report = Callable[[EncodingProgress], None]


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """Sentences of word ids; sentence i is tokens[sentence_starts[i]:sentence_starts[i + 1]]."""

    vocabulary: Vocabulary
    tokens: npt.NDArray[np.int32]  # (tokens,), memory-mapped
    sentence_starts: npt.NDArray[np.int64]  # (sentences + 1,), memory-mapped


def encode(
    corpus: Corpus, options: TextOptions, folder: Path, report: Report | None = None
) -> EncodedCorpus:
    """Read a corpus once and leave it, as integers, in a folder.

    Args:
        corpus: A path, folder or glob ("-" is standard input); several paths (Path objects); or
            an iterable of documents, each a string or a list of tokens.
        options: How to read, tokenise and count.
        folder: An existing folder for the files that the result maps.
        report: Called now and then with the progress.

    Raises:
        CorpusError: The text is missing, unreadable or empty, or no word is frequent enough.
        OutputError: The folder cannot hold the corpus.
    """
    try:
        with _ProvisionalCorpus(folder) as provisional:
            for tokens, ends_sentence in _token_runs(corpus, options, provisional, report):
                provisional.append(tokens, ends_sentence)
            provisional.finish()
        return _selected(provisional, options, folder)
    except OSError as error:
        raise OutputError(
            f"cannot keep the encoded corpus in {folder}: {error.strerror or error}",
            hint="it takes about 8 bytes a word; set TMPDIR to a folder with more room",
        ) from error


def _selected(
    provisional: "_ProvisionalCorpus", options: TextOptions, folder: Path
) -> EncodedCorpus:
    if not provisional.numbering:
        raise CorpusError(
            "no words were found in the corpus",
            hint="is it empty? The paper's tokeniser keeps words of two letters or more; "
            "--tokenizer whitespace keeps everything between blanks",
        )
    vocabulary, final_ids = keep_frequent(
        list(provisional.numbering), provisional.counts, options.min_count
    )
    if len(vocabulary) < 2:
        raise _too_few_words(vocabulary, provisional, options.min_count)
    return _finalised(provisional, vocabulary, final_ids, folder)


def _too_few_words(
    vocabulary: Vocabulary, provisional: "_ProvisionalCorpus", min_count: int
) -> CorpusError:
    total = len(provisional.numbering)
    most_frequent = int(provisional.counts.max())
    if total < 2:
        return CorpusError("the corpus has only one word, and learning takes at least two")
    return CorpusError(
        f"min-count {min_count} leaves {len(vocabulary)} of the {total} words of the corpus, and "
        f"learning takes at least two (the most frequent word occurs {most_frequent} times)",
        hint="pass a smaller --min-count, or more text",
    )


def _token_runs(
    corpus: Corpus, options: TextOptions, provisional: "_ProvisionalCorpus", report: Report | None
) -> Iterator[tuple[Sequence[str], bool]]:
    """Tokens in order; the flag says that a sentence ends behind them."""
    tokenizer = tokenizer_named(options.tokenizer)
    if isinstance(corpus, str | os.PathLike):
        files = expand([corpus])
    else:
        documents = iter(corpus)
        first: object = next(documents, _NOTHING)
        if first is _NOTHING:
            raise CorpusError("the corpus is an iterable without any document")
        everything = chain([first], documents)
        if not isinstance(first, os.PathLike):
            yield from _document_runs(everything, first, tokenizer)
            return
        files = expand(everything)  # type: ignore[arg-type]

    bytes_total, bytes_read = total_bytes(files), 0

    def advance(count: int) -> None:
        nonlocal bytes_read
        bytes_read += count
        if report:
            report(EncodingProgress(provisional.token_count, bytes_read, bytes_total))

    for chunk in read_files(files, options, advance):
        *ended, rest = chunk.split("\n")
        for document in ended:
            yield tokenizer(document), True
        if rest:
            yield tokenizer(rest), False


def _document_runs(
    documents: Iterable[object], first: object, tokenizer: Tokenizer
) -> Iterator[tuple[Sequence[str], bool]]:
    if isinstance(first, str) and len(first) < 256 and Path(first).is_file():
        raise CorpusError(
            f"the first document of the corpus, {first!r}, is the name of a file",
            hint="a list of strings is a list of texts; for files pass pathlib.Path objects",
        )
    for document in documents:
        if isinstance(document, str):
            yield tokenizer(document), True
        elif isinstance(document, Sequence) and all(isinstance(word, str) for word in document):
            yield document, True
        else:
            raise CorpusError(
                f"a document of the corpus is of type {type(document).__name__}",
                hint="a document is a string, or a list of strings (its tokens)",
            )


class _Numbering(dict[str, int]):
    """Numbers words in order of first appearance, as they are looked up."""

    def __missing__(self, word: str) -> int:
        number = len(self)
        self[word] = number
        return number


class _ProvisionalCorpus:
    """The corpus in provisional ids: on disk, but for the newest tokens."""

    def __init__(self, folder: Path) -> None:
        self.numbering = _Numbering()
        self.counts = np.zeros(0, dtype=np.int64)
        self.token_count = 0
        self.tokens_path = folder / "provisional-tokens.i32"
        self.starts_path = folder / "provisional-starts.i64"
        self._tokens_file: IO[bytes] = self.tokens_path.open("wb")
        self._starts_file: IO[bytes] = self.starts_path.open("wb")
        self._tokens = array("i")
        self._starts = array("q", [0])

    def __enter__(self) -> "_ProvisionalCorpus":
        return self

    def __exit__(self, *_: object) -> None:
        self._tokens_file.close()
        self._starts_file.close()

    def append(self, tokens: Sequence[str], ends_sentence: bool) -> None:
        self._tokens.extend(map(self.numbering.__getitem__, tokens))
        self.token_count += len(tokens)
        if ends_sentence and self.token_count != self._starts[-1]:
            self._starts.append(self.token_count)
        if len(self._tokens) >= _TOKENS_IN_MEMORY or len(self._starts) >= _TOKENS_IN_MEMORY:
            self._flush()

    def _flush(self) -> None:
        ids = np.frombuffer(self._tokens, dtype=np.int32)
        counted = np.bincount(ids, minlength=len(self.numbering))
        counted[: len(self.counts)] += self.counts
        self.counts = counted
        self._tokens.tofile(self._tokens_file)
        self._tokens = array("i")
        last = self._starts.pop()  # stays: the next start is compared with it
        self._starts.tofile(self._starts_file)
        self._starts = array("q", [last])

    def finish(self) -> None:
        self._flush()
        if self._starts[-1] != self.token_count:
            self._starts.append(self.token_count)
        self._starts.tofile(self._starts_file)


def _finalised(
    provisional: _ProvisionalCorpus,
    vocabulary: Vocabulary,
    final_ids: npt.NDArray[np.int32],
    folder: Path,
) -> EncodedCorpus:
    tokens = np.memmap(provisional.tokens_path, dtype=np.int32, mode="r")
    starts = np.memmap(provisional.starts_path, dtype=np.int64, mode="r")
    tokens_path, starts_path = folder / "tokens.i32", folder / "sentence-starts.i64"
    kept_before_block = 0
    previous_start = -1
    with tokens_path.open("wb") as tokens_file, starts_path.open("wb") as starts_file:
        for begin in range(0, len(tokens), _TOKENS_IN_MEMORY):
            block = tokens[begin : begin + _TOKENS_IN_MEMORY]
            ids = final_ids[block]
            kept = ids >= 0
            ids[kept].tofile(tokens_file)
            kept_before = np.concatenate(([0], np.cumsum(kept))) + kept_before_block
            first, last = np.searchsorted(starts, (begin, begin + len(block)))
            moved = kept_before[starts[first:last] - begin]
            # A sentence whose words were all dropped starts where the next one does.
            distinct = np.diff(moved, prepend=previous_start) > 0
            moved[distinct].astype(np.int64).tofile(starts_file)
            if len(moved):
                previous_start = int(moved[-1])
            kept_before_block = int(kept_before[-1])
        if previous_start != kept_before_block:
            np.array([kept_before_block], dtype=np.int64).tofile(starts_file)
    del tokens, starts
    provisional.tokens_path.unlink()
    provisional.starts_path.unlink()
    return EncodedCorpus(
        vocabulary,
        np.memmap(tokens_path, dtype=np.int32, mode="r"),
        np.memmap(starts_path, dtype=np.int64, mode="r"),
    )
