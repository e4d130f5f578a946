"""The pass over the text: reading and tokenizing, into provisional ids on disk."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

from hyperskip.devices import core_count
from hyperskip.text.encoding.encoding_events import CompilingScanner, EncodingProgress, Report
from hyperskip.text.encoding.unfiltered_corpus import UnfilteredCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import (
    DEFAULT_SIZES,
    Piece,
    Sizes,
    map_in_order,
    size_of,
    whole_documents,
)
from hyperskip.text.reading.corpus import Corpus, CorpusReader
from hyperskip.text.word_rules import WordRules
from hyperskip.text.words.function_scanner import FunctionScanner
from hyperskip.text.words.scan import Scan, Scanner

_REPORT_TOKENS = 1 << 17


def read_unfiltered(
    corpus: Corpus,
    options: TextOptions,
    folder: Path,
    report: Report,
    *,
    threads: int = 0,
    sizes: Sizes = DEFAULT_SIZES,
    watch: Callable[[Piece], None] | None = None,
) -> tuple[CorpusReader, UnfilteredCorpus]:
    """Read a corpus once, with rare words and in provisional ids; arguments as of `encode_into`."""
    threads = threads or core_count()
    reader = CorpusReader(corpus, options, threads, sizes)
    unfiltered = UnfilteredCorpus(folder, sizes.tokens_in_memory)
    scanned = _scans(reader, options.word_rules, unfiltered, threads, report, sizes, watch)
    with closing(scanned) as scans:
        read_scans(scans, unfiltered, reader, options, report)
    return reader, unfiltered


def read_scans(
    scans: Iterable[Scan],
    unfiltered: UnfilteredCorpus,
    reader: CorpusReader,
    options: TextOptions,
    report: Report,
) -> None:
    """Write all pieces in provisional ids."""
    reported = 0
    with unfiltered:
        for scan in scans:
            unfiltered.append(scan)
            # Pieces depend on the text only, so what is pruned does not depend on threads.
            if unfiltered.prune(options.vocabulary_limit):
                report(unfiltered.pruned)
            if unfiltered.token_count >= reported + _REPORT_TOKENS:
                reported = unfiltered.token_count
                report(EncodingProgress(reported, reader.bytes_read, reader.bytes_total))
        unfiltered.finish()
    report(EncodingProgress(unfiltered.token_count, reader.bytes_read, reader.bytes_total))


def _scans(
    reader: CorpusReader,
    rules: WordRules,
    unfiltered: UnfilteredCorpus,
    threads: int,
    report: Report,
    sizes: Sizes,
    watch: Callable[[Piece], None] | None,
) -> Generator[Scan, None, None]:
    """Scan each piece: in plain Python at first, and with the kernel if there is much text."""
    function = rules.tokenizer if callable(rules.tokenizer) else None
    plain = Scanner(rules) if function is None else FunctionScanner(function)
    size = 0
    with closing(iter(reader)) as read:  # ends the reader's threads after an error here
        pieces: Iterator[Piece] = read
        if function is not None or watch is not None:
            pieces = whole_documents(read, sizes.longest_word_bytes)
        if watch is not None:
            pieces = _watched(pieces, watch)
        for piece in pieces:
            size += size_of(piece)
            if max(size, reader.bytes_total or 0) > sizes.small_bytes:
                break
            yield plain.scan(piece)
        else:
            return
        report(CompilingScanner())
        from hyperskip.text.words.compiled import compiled  # loads the compiler

        scanner, unfiltered.lexicon = compiled(rules, unfiltered.lexicon)
        rest = chain([piece], pieces)
        if scanner is None:  # Python runs one thread at a time
            yield from map(plain.scan, rest)
        else:
            yield from map_in_order(scanner.scan, rest, threads)


def _watched(pieces: Iterable[Piece], watch: Callable[[Piece], None]) -> Iterator[Piece]:
    for piece in pieces:
        watch(piece)
        yield piece
