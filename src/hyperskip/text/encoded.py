"""The corpus as integers: word ids and sentence starts in memory-mapped files.

Text is read once. Words get provisional ids in order of first appearance while they are counted;
a second pass, over integers only, turns those into final ids and drops rare words. Memory holds
the vocabulary and never the corpus, and a generator or a pipe, which cannot be read twice, will do.
"""

import contextlib
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError, OutputError
from hyperskip.files import reason_of
from hyperskip.text.corpus import Corpus, CorpusReader
from hyperskip.text.options import TextOptions
from hyperskip.text.vocabulary import Vocabulary, keep_frequent

_TOKENS_IN_MEMORY = 1 << 21
_REPORT_TOKENS = 1 << 17


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

    options: TextOptions  # how it was read
    vocabulary: Vocabulary
    tokens: npt.NDArray[np.int32]  # (tokens,), memory-mapped
    sentence_starts: npt.NDArray[np.int64]  # (sentences + 1,), memory-mapped


def encode(
    corpus: Corpus, options: TextOptions, folder: Path, report: Report | None = None
) -> EncodedCorpus:
    """Read a corpus once and leave it, as integers, in a folder.

    Args:
        corpus: What `CorpusReader` takes.
        options: How to read, tokenise and count.
        folder: An existing folder for the files that the result maps.
        report: Called now and then with the progress.

    Raises:
        CorpusError: The text is missing, unreadable or empty, or no word is frequent enough.
        OutputError: The folder cannot hold the corpus.
    """
    reader = CorpusReader(corpus, options)
    reported = 0
    with _ProvisionalCorpus(folder) as provisional:
        for tokens, ends_sentence in reader:
            provisional.append(tokens, ends_sentence)
            if report and provisional.token_count >= reported + _REPORT_TOKENS:
                reported = provisional.token_count
                report(EncodingProgress(reported, reader.bytes_read, reader.bytes_total))
        provisional.finish()
    if report:
        report(EncodingProgress(provisional.token_count, reader.bytes_read, reader.bytes_total))
    return _selected(provisional, options, folder)


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot keep the encoded corpus in {folder}: {reason_of(error)}",
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
    tokens, sentence_starts = _finalised(provisional, final_ids, folder)
    return EncodedCorpus(options, vocabulary, tokens, sentence_starts)


def _too_few_words(
    vocabulary: Vocabulary, provisional: "_ProvisionalCorpus", min_count: int
) -> CorpusError:
    total = len(provisional.numbering)
    most_frequent = int(provisional.counts.max())
    if total < 2:
        return CorpusError(
            "the corpus has only one word, and learning takes at least two", hint="add text"
        )
    return CorpusError(
        f"min-count {min_count} leaves {len(vocabulary)} of the {total} words of the corpus, and "
        f"learning takes at least two (the most frequent word occurs {most_frequent} times)",
        hint="pass a smaller --min-count, or more text",
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
        self._folder = folder
        with _writing(folder):
            self._tokens_file: IO[bytes] = self.tokens_path.open("wb")
            self._starts_file: IO[bytes] = self.starts_path.open("wb")
        self._tokens = array("i")
        self._starts = array("q", [0])

    def __enter__(self) -> "_ProvisionalCorpus":
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._tokens_file, self._starts_file):
            with contextlib.suppress(OSError):  # what could not be written was said by `finish`
                file.close()

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
        last = self._starts.pop()  # stays: the next start is compared with it
        with _writing(self._folder):
            self._tokens.tofile(self._tokens_file)
            self._starts.tofile(self._starts_file)
        self._tokens = array("i")
        self._starts = array("q", [last])

    def finish(self) -> None:
        self._flush()
        if self._starts[-1] != self.token_count:
            self._starts.append(self.token_count)
        with _writing(self._folder):
            self._starts.tofile(self._starts_file)
            self._tokens_file.flush()
            self._starts_file.flush()


def _finalised(
    provisional: _ProvisionalCorpus, final_ids: npt.NDArray[np.int32], folder: Path
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Turn provisional ids into final ones, without the words that were dropped."""
    tokens = np.memmap(provisional.tokens_path, dtype=np.int32, mode="r")
    starts = np.memmap(provisional.starts_path, dtype=np.int64, mode="r")
    tokens_path, starts_path = folder / "tokens.i32", folder / "sentence-starts.i64"
    kept_before_block = 0
    previous_start = -1
    with (
        _writing(folder),
        tokens_path.open("wb") as tokens_file,
        starts_path.open("wb") as starts_file,
    ):
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
    return (
        np.memmap(tokens_path, dtype=np.int32, mode="r"),
        np.memmap(starts_path, dtype=np.int64, mode="r"),
    )
