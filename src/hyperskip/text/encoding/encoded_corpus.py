"""The corpus as integers: word ids and sentence starts in memory-mapped files.

Text is read once. Words get provisional ids in order of first appearance while they are counted;
a second pass, over integers only, turns those into final ids and drops rare words. Memory holds
the vocabulary and never the corpus, and a generator or a pipe, which cannot be read twice, will do.
"""

from bisect import bisect_left
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hyperskip.devices import core_count
from hyperskip.errors import CorpusError
from hyperskip.text.encoding.first_pass import (
    STARTS_NAME,
    TOKENS_NAME,
    ProvisionalCorpus,
    Pruned,
    writing_to,
)
from hyperskip.text.encoding.integers import IntegerFile
from hyperskip.text.encoding.sizes import USUAL_SIZES, Sizes
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import Corpus, CorpusReader
from hyperskip.text.reading.sources import SourceFile
from hyperskip.text.words.lexicon import Lexicon
from hyperskip.text.words.pipeline import in_order
from hyperskip.text.words.scan import Scan, Scanner
from hyperskip.text.words.vocabulary import Vocabulary, frequent

_REPORT_TOKENS = 1 << 17


@dataclass(frozen=True)
class EncodingProgress:
    """Progress: how far the reading of the corpus is."""

    tokens: int
    bytes_read: int
    bytes_total: int | None  # None where it cannot be known


@dataclass(frozen=True)
class CompilingScanner:
    """Progress: the tokenizer's kernel is being compiled, or taken from the cache on disk."""


Progress = EncodingProgress | CompilingScanner | Pruned
Report = Callable[[Progress], None]


@dataclass(frozen=True, eq=False)
class EncodedCorpus:
    """Sentences of word ids; sentence i is tokens[sentence_starts[i]:sentence_starts[i + 1]]."""

    options: TextOptions  # how it was read
    vocabulary: Vocabulary
    tokens: npt.NDArray[np.int32]  # (tokens,), memory-mapped
    sentence_starts: npt.NDArray[np.int64]  # (sentences + 1,), memory-mapped
    pruned: Pruned = field(default_factory=Pruned)  # dropped to keep memory bounded
    given: tuple[str, ...] = ()  # the paths, folders and globs that it was read from
    sources: tuple[SourceFile, ...] = ()  # the files that they stood for, as those were then
    token_file: IntegerFile[np.int32] | None = None  # what tokens are mapped from, if they are
    start_file: IntegerFile[np.int64] | None = None  # and sentence starts

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """The word ids of tokens[begin:end], which may be trusted, for any thread.

        They are read and checked: a mapped file that somebody cuts would end the process, and one
        that somebody changes would lead kernels astray.

        Raises:
            CorpusError: They are not there any more, or not in the vocabulary.
        """
        file = self.token_file
        ids = self.tokens[begin:end] if file is None else file.stretch(begin, end)
        if len(ids) and not 0 <= ids.min() <= ids.max() < len(self.vocabulary):
            raise _changed("a token is not in the vocabulary")
        return ids

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """The sentence starts from one token to before another, as trustworthy as a stretch.

        Raises:
            CorpusError: They are not there any more, or do not follow one another.
        """
        file = self.start_file
        places = self.sentence_starts if file is None else file
        first = bisect_left(places, begin)
        # No sentence is empty: there are no more starts than tokens.
        last = bisect_left(places, end, first, min(len(places), first + max(end - begin, 0)))
        starts = self.sentence_starts[first:last] if file is None else file.stretch(first, last)
        if (np.diff(starts, prepend=begin - 1, append=end) < 1).any():
            raise _changed("sentences do not follow one another")
        return starts


def _changed(reason: str) -> CorpusError:
    return CorpusError(
        f"the encoded corpus has changed since it was opened: {reason}",
        hint="encode the text again, and let nothing write to it while it is trained on",
    )


def encode(
    corpus: Corpus,
    options: TextOptions,
    folder: Path,
    report: Report | None = None,
    *,
    threads: int = 0,
    sizes: Sizes = USUAL_SIZES,
) -> EncodedCorpus:
    """Read a corpus once and leave it, as integers, in a folder.

    Args:
        corpus: What `CorpusReader` takes.
        options: How to read, tokenize and count.
        folder: An existing folder for the files that the result maps.
        report: Called now and then with the progress, from the calling thread.
        threads: How many tokenize; 0 takes every core. The result does not depend on it.
        sizes: How much is read, or held in memory, at once.

    Raises:
        CorpusError: The text is missing, unreadable or empty, or no word is frequent enough.
        OutputError: The folder cannot hold the corpus.
    """
    report = report or (lambda _: None)
    threads = threads or core_count()
    reader = CorpusReader(corpus, options, threads, sizes)
    reported = 0
    with (
        ProvisionalCorpus(folder, sizes.tokens_in_memory) as provisional,
        closing(
            _scans(reader, options.tokenizer, provisional, threads, report, sizes.small_bytes)
        ) as scans,
    ):
        for scan in scans:
            provisional.append(scan)
            # Pieces are cut by the text alone: what is pruned does not depend on threads.
            if provisional.prune(options.vocabulary_limit):
                report(provisional.pruned)
            if provisional.token_count >= reported + _REPORT_TOKENS:
                reported = provisional.token_count
                report(EncodingProgress(reported, reader.bytes_read, reader.bytes_total))
        provisional.finish()
    report(EncodingProgress(provisional.token_count, reader.bytes_read, reader.bytes_total))
    vocabulary, final_ids = _frequent(provisional.lexicon, options.min_count)
    provisional.finalize(final_ids)
    with writing_to(folder):
        tokens = IntegerFile(folder / TOKENS_NAME, np.int32)
        starts = IntegerFile(folder / STARTS_NAME, np.int64)
    return EncodedCorpus(
        options,
        vocabulary,
        tokens.mapped,
        starts.mapped,
        provisional.pruned,
        reader.given,
        reader.sources,
        tokens,
        starts,
    )


def _scans(
    reader: CorpusReader,
    tokenizer: str,
    provisional: ProvisionalCorpus,
    threads: int,
    report: Report,
    small_bytes: int,
) -> Generator[Scan, None, None]:
    """The words of each piece: by plain Python, and by the kernel once there is much text."""
    plain = Scanner(tokenizer)
    size = 0
    with closing(iter(reader)) as pieces:  # so that an error here ends what reads
        for piece in pieces:
            size += len(piece) if isinstance(piece, bytes) else _letters_in(piece)
            if max(size, reader.bytes_total or 0) > small_bytes:
                break
            yield plain.scan(piece)
        else:
            return
        report(CompilingScanner())
        from hyperskip.text.words.compiled import compiled  # loads the compiler

        scanner, provisional.lexicon = compiled(tokenizer, provisional.lexicon)
        yield from in_order(scanner.scan, chain([piece], pieces), threads)


def _letters_in(documents: list[Sequence[str]]) -> int:
    return sum(len(word) for document in documents for word in document)


def _frequent(lexicon: Lexicon, min_count: int) -> tuple[Vocabulary, npt.NDArray[np.int32]]:
    counts = lexicon.counts
    if not len(counts):
        raise CorpusError(
            "no words were found in the corpus",
            hint="is it empty? The paper's tokenizer keeps words of two letters or more; "
            "--tokenizer whitespace keeps everything between blanks",
        )
    order, final_ids = frequent(counts, min_count)
    if len(counts) < 2:
        raise CorpusError(
            "the corpus has only one word, and learning takes at least two", hint="add text"
        )
    if len(order) < 2:
        raise CorpusError(
            f"min-count {min_count} leaves {len(order)} of the {len(counts)} words of the corpus, "
            "and learning takes at least two (the most frequent word occurs "
            f"{int(counts.max())} times)",
            hint="pass a smaller --min-count, or more text",
        )
    return Vocabulary(*lexicon.spelled(order), counts[order]), final_ids
