"""From text to relations, in one pass over the text."""

from __future__ import annotations  # help() shows Corpus, not what it expands to

import os
from collections.abc import Generator
from contextlib import closing

from hyperskip.devices import THREADS, core_count
from hyperskip.errors import CorpusError, CorpusWarning, warn
from hyperskip.options import check_progress, check_report, named_arguments
from hyperskip.text.encoding.encoding_events import EncodingProgress
from hyperskip.text.pieces import DEFAULT_SIZES, Sizes, map_in_order, size_of, whole_documents
from hyperskip.text.reading.corpus import Corpus, CorpusReader
from hyperskip.text.relations.matcher import Found, Matcher
from hyperskip.text.relations.options import RelationOptions
from hyperskip.text.relations.pair_counts import PairCounts
from hyperskip.text.relations.pattern_file import Language, read_language
from hyperskip.text.relations.relation_events import ExtractionSummary, RelationReport
from hyperskip.text.relations.relations import Relations
from hyperskip.text.relations.workers import matching_workers

_FEW_WORDS = 10_000  # a text with fewer words is too small for a warning
_FEW_PAIRS = 1e-4  # for each word
_SMALL = 4  # workers start above this multiple of a small text


@named_arguments
def extract_relations(
    corpus: Corpus,
    *,
    patterns: str | os.PathLike[str] | None = None,
    min_count: int = 1,
    pair_limit: int = 5_000_000,
    column: str | None = None,
    delimiter: str | None = None,
    encoding_errors: str = "strict",
    threads: int = 0,
    report: RelationReport | None = None,
    progress: bool | None = None,
) -> Relations:
    """Find what a text says is a kind of what: pairs of a narrower and a broader term.

    "Animals such as dogs and cats" gives (dog, animal) and (cat, animal). Terms are in lower case
    and in the singular. A phrase gives its last word and the whole phrase: "large dogs" gives dog
    and large dog. The text needs its punctuation and capital letters.

    Args:
        corpus: As for `hyperskip.encode`: a path, folder, glob or URL ("-" is standard input); a
            list of pathlib.Path or hyperskip.RemotePath; an iterable of documents or records; or a
            data frame, table or column. An iterable is read once. "X is a Y" is taken from the
            first sentence of each document, or of each line of a text file, only.
        patterns: A file with patterns, for another language (default: English).
        min_count: Leave out pairs that were found less often (between 1 and 1000000000;
            default: 1).
        pair_limit: Maximum number of different pairs counted at a time, which limits memory: a
            million pairs take 300 to 550 MB; above the limit, the rarest pairs are dropped, and
            this is reported (between 1000 and 1000000000; default: 5000000).
        column: The column or key that contains the text, for CSV, TSV, JSON Lines, Parquet, data
            frames and records; in a CSV or TSV file without a header, its number, from 1.
        delimiter: The character between the cells of a CSV file, such as ; or tab (default: from
            the name of the file and its first line).
        encoding_errors: Bytes that are not UTF-8: strict stops with an error, replace inserts
            U+FFFD (default: strict).
        threads: Number of processes that find pairs, and of threads that read; 0 uses every core.
            The result is the same.
        report: Called with progress events, from the calling thread.
        progress: Whether to show progress; None: only in a terminal or a notebook, and only if
            `report` is None. True writes lines to standard error if there is neither.

    Returns:
        The pairs, the most frequent first.

    Raises:
        OptionError: An option is not allowed, or the pattern file cannot be read. Nothing of the
            corpus has been read.
        CorpusError: The text is missing, unreadable or empty.
        MissingPackageError: The text is a Wikipedia dump or Parquet, which requires the extra
            `wikipedia` or `parquet`, or the protocol of a URL requires a package.
    """
    options = RelationOptions(
        min_count=min_count,
        pair_limit=pair_limit,
        column=column,
        delimiter=delimiter,
        encoding_errors=encoding_errors,
    )
    threads = THREADS.checked("threads", threads)
    check_report(report)
    check_progress(progress)
    language = read_language(patterns)

    from hyperskip.progress.automatic import progress_shown

    with progress_shown(progress, report) as show:
        return extracted(corpus, language, options, show, threads=threads)


def extracted(
    corpus: Corpus,
    language: Language,
    options: RelationOptions,
    report: RelationReport | None = None,
    *,
    threads: int = 0,
    sizes: Sizes = DEFAULT_SIZES,
) -> Relations:
    """Read a corpus once, and count the pairs that it states.

    Args:
        corpus: As for `extract_relations`.
        language: The patterns and words.
        options: How to read and count.
        report: Called with progress events, from the calling thread.
        threads: Number of processes that find pairs; 0 uses every core.
        sizes: How much is read at once.

    Raises:
        CorpusError: The text is missing, unreadable or empty.
    """
    report = report or (lambda _: None)
    threads = threads or core_count()
    reader = CorpusReader(corpus, options.reading(), threads, sizes)
    counter = RelationCounter(language, options, report)
    with closing(_found(reader, language, threads, sizes)) as pieces:
        for found in pieces:
            counter.add(found)
            report(EncodingProgress(counter.words, reader.bytes_read, reader.bytes_total))
    if not counter.words:
        raise CorpusError("no words were found in the corpus", hint="is it empty?")
    return counter.relations()


class RelationCounter:
    """Counts the pairs of a text, piece by piece.

    Args:
        language: The patterns and words.
        options: How to count.
        report: Called with progress events.
    """

    def __init__(
        self, language: Language, options: RelationOptions, report: RelationReport
    ) -> None:
        self._options, self._report = options, report
        self._pairs = PairCounts(options.pair_limit, language.pattern_names)
        self._sentences = 0
        self.words = 0

    def add(self, found: Found) -> None:
        """Count the pairs of the next piece. Pieces are added in the order of the text."""
        self.words += found.words
        self._sentences += found.sentences
        for match in found.matches:
            self._pairs.add(*match)
        # Pieces depend on the text only, so what is pruned does not depend on threads.
        if self._pairs.prune():
            self._report(self._pairs.pruned)

    def relations(self) -> Relations:
        """Return the pairs of all pieces, the most frequent first.

        Warns:
            CorpusWarning: There are very few.
        """
        total = self._pairs.total
        if self.words >= _FEW_WORDS and total < _FEW_PAIRS * self.words:
            warn(
                f"found only {total:,} pairs in {self.words:,} words; patterns need text with "
                "punctuation and capital letters, in the language of the patterns",
                CorpusWarning,
            )
        relations = self._pairs.relations(self._options.min_count)
        self._report(
            ExtractionSummary(
                self.words, self._sentences, total, len(relations), self._pairs.pruned
            )
        )
        return relations


def _found(
    reader: CorpusReader, language: Language, threads: int, sizes: Sizes
) -> Generator[Found, None, None]:
    """Find the pairs of each piece: in this process, and with workers if there is much text."""
    size = 0
    with closing(iter(reader)) as read:  # ends the reader's threads after an error here
        pieces = whole_documents(read, sizes.longest_word_bytes)
        matcher = Matcher(language)
        for piece in pieces:
            yield matcher.find(piece)
            size += size_of(piece)
            if threads > 1 and max(size, reader.bytes_total or 0) > _SMALL * sizes.small_bytes:
                break
        else:
            return
        with matching_workers(threads, language) as workers:
            yield from map_in_order(workers.find, pieces, threads, workers.stop)
