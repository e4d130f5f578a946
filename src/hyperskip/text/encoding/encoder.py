"""From text to integers, in one pass over the text.

While words are counted, they get provisional ids in order of first appearance. A second pass, over
integers only, replaces these by final ids and drops rare words. Memory holds the vocabulary, never
the corpus. The corpus may be a generator or a pipe, which can be read only once.
"""

from __future__ import annotations  # help() shows Corpus and Report, not what they expand to

import dataclasses
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.cluster.options import CLUSTER
from hyperskip.devices import THREADS
from hyperskip.errors import CorpusError, CorpusWarning, OptionError, shown, warn
from hyperskip.options import check_progress, check_report, named_arguments
from hyperskip.text.encoding.corpus_folder import (
    checked_folder,
    complete_folder,
    write_corpus,
)
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoding_events import Report
from hyperskip.text.encoding.integers import IntegerFile
from hyperskip.text.encoding.phrase_joining import PhraseJoining
from hyperskip.text.encoding.reading_pass import read_scans, read_unfiltered
from hyperskip.text.encoding.unfiltered_corpus import (
    STARTS_NAME,
    TOKENS_NAME,
    UnfilteredCorpus,
    writing_to,
)
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import (
    DEFAULT_SIZES,
    Piece,
    Sizes,
)
from hyperskip.text.reading.corpus import Corpus, CorpusReader
from hyperskip.text.word_rules import ICU, PAPER, WHITESPACE, TokenizerFunction
from hyperskip.text.words.lexicon import Lexicon
from hyperskip.text.words.scan import Scan, words_of
from hyperskip.text.words.unsegmented import is_unsegmented
from hyperskip.text.words.vocabulary import Vocabulary, frequent

_EXAMINED_TOKENS = 1000  # in the hint of an error


@named_arguments
def encode(
    corpus: Corpus,
    folder: str | os.PathLike[str],
    *,
    options: TextOptions | None = None,
    tokenizer: str | TokenizerFunction | None = None,
    lowercase: bool | None = None,
    numbers: str | None = None,
    apostrophes: str | None = None,
    hyphens: str | None = None,
    normalize: str | None = None,
    min_count: int | None = None,
    column: str | None = None,
    delimiter: str | None = None,
    encoding_errors: str | None = None,
    vocabulary_limit: int | None = None,
    phrases: bool | None = None,
    phrase_file: str | None = None,
    phrase_score: str | None = None,
    phrase_threshold: float | None = None,
    phrase_min_count: int | None = None,
    phrase_connectors: str | None = None,
    phrase_passes: int | None = None,
    phrase_limit: int | None = None,
    force: bool = False,
    threads: int = 0,
    cluster: str | None = None,
    report: Report | None = None,
    progress: bool | None = None,
) -> EncodedCorpus:
    """Read and tokenize a corpus once, and store it as integers in a folder that `train` takes.

    Args:
        corpus: A path, folder, glob or URL ("-" is standard input) of text, CSV, TSV, JSON Lines,
            Parquet or a Wikipedia dump; a list of pathlib.Path or hyperskip.RemotePath; an iterable
            of documents, each a string or a list of tokens (strings or integers); an iterable of
            records (dicts), or a data frame, table or column of pandas, polars, Arrow or Hugging
            Face datasets. An iterable is read once.
        folder: The folder to create, or its URL. It is written completely or not at all.
        options: Options of reading and tokenizing; keyword arguments override them.
        tokenizer: paper: lower-case words of two or more letters or digits that do not start with a
            digit; whitespace: everything between blanks, unchanged, such as item_1 or B00-XYZ1;
            icu: words of any script, also of those without blanks, such as Chinese or Thai; in
            Python also a function that returns the words of a text (default: paper).
        lowercase: Change words to lower case (default: True, except with whitespace).
        numbers: Words that start with a digit, such as 1984, 3rd or 3.14: drop or keep; paper and
            icu only (default: drop).
        apostrophes: Words such as don't or l'homme: split (don, homme) or keep; paper only
            (default: split).
        hyphens: Words such as well-known: split (well, known) or keep; paper only (default: split).
        normalize: Unicode normalization form: none, nfc (one spelling of each accented letter), or
            nfkc (also of full-width letters, ligatures and the like) (default: none).
        min_count: Leave out words that occur less often (between 1 and 1000000000; default: 5).
        column: The column or key that contains the text, for CSV, TSV, JSON Lines, Parquet, data
            frames and records; in a CSV or TSV file without a header, its number, from 1.
        delimiter: The character between the cells of a CSV file, such as ; or tab (default: from
            the name of the file and its first line).
        encoding_errors: Bytes that are not UTF-8: strict stops with an error, replace inserts
            U+FFFD (default: strict).
        vocabulary_limit: Maximum number of distinct words counted at a time, which limits memory: a
            million words take 80 to 100 MB, or 140 MB with 32 letters each, and longer words count
            as several; above the limit, the rarest words are dropped, and this is reported (between
            1000 and 1000000000; default: 20000000).
        phrases: Find phrases, words that often occur next to each other, and join them to one word:
            new_york.
        phrase_file: Join the phrases of a file that hyperskip phrases wrote, instead of finding
            them in this text.
        phrase_score: The score of a phrase: default, which grows with the size of the text, or
            npmi, the normalized pointwise mutual information, between -1 and 1 (default: default).
        phrase_threshold: Join phrases with a higher score; a higher threshold gives fewer phrases
            (between -1 and 1000000000000; default: 10, or 0.5 with npmi).
        phrase_min_count: Leave out phrases that occur less often (between 1 and 1000000000;
            default: 5).
        phrase_connectors: Words that may be inside of a phrase, but not at its ends, as in
            bank_of_america: english (a, of, the and the like), or the words themselves, separated
            by blanks.
        phrase_passes: Number of passes; each can join the phrases of the pass before: new_york_city
            (between 1 and 10; default: 1).
        phrase_limit: Maximum number of different pairs of words counted at a time, which limits
            memory: a million pairs take 22 to 64 MB; above the limit, the rarest pairs are dropped,
            and this is reported (between 1000 and 1000000000; default: 20000000).
        force: Replace an encoded corpus that already exists in the folder.
        threads: Number of threads that tokenize; 0 uses every core. The result is the same. Nodes
            of a cluster use all their CPUs.
        cluster: Encode on all nodes of a Ray cluster: auto (the one in RAY_ADDRESS, the one started
            on this machine with ray start without --temp-dir, or else a new one on this machine),
            or the address of its head node, HOST:PORT. All nodes must be able to read the text. The
            result is the same.
        report: Called with progress events, from the calling thread.
        progress: Whether to show progress; None: only in a terminal or a notebook, and only if
            `report` is None. True writes lines to standard error if there is neither.

    Returns:
        The encoded corpus, opened.

    Raises:
        OptionError: An option is unknown or not allowed. Nothing has been read.
        CorpusError: The text is missing, unreadable or too small.
        OutputError: The folder cannot be written, already exists, or another process is writing it.
        MissingPackageError: The text is a Wikipedia dump or Parquet, which requires the extra
            `wikipedia` or `parquet`, or the protocol of a URL requires a package; or `cluster` was
            passed, which requires the extra `cluster`.
        ClusterError: There is no such cluster, its nodes differ, or it failed.
    """
    if not isinstance(options, TextOptions | None):
        raise OptionError(
            f"`options` must be TextOptions, got {options!r}",
            hint="pass hyperskip.TextOptions(...), or single options as keyword arguments",
        )
    chosen: dict[str, Any] = {
        "tokenizer": tokenizer,
        "lowercase": lowercase,
        "numbers": numbers,
        "apostrophes": apostrophes,
        "hyphens": hyphens,
        "normalize": normalize,
        "min_count": min_count,
        "column": column,
        "delimiter": delimiter,
        "encoding_errors": encoding_errors,
        "vocabulary_limit": vocabulary_limit,
        "phrases": phrases,
        "phrase_file": phrase_file,
        "phrase_score": phrase_score,
        "phrase_threshold": phrase_threshold,
        "phrase_min_count": phrase_min_count,
        "phrase_connectors": phrase_connectors,
        "phrase_passes": phrase_passes,
        "phrase_limit": phrase_limit,
    }
    text_options = dataclasses.replace(
        options or TextOptions(),
        **{name: value for name, value in chosen.items() if value is not None},
    )
    threads = THREADS.checked("threads", threads)
    check_report(report)
    check_progress(progress)
    cluster = CLUSTER.checked("cluster", cluster)

    from hyperskip.progress.automatic import progress_shown

    def write(temporary: Path) -> None:
        with progress_shown(progress, report) as show:
            if cluster is None:
                encoded = encode_into(corpus, text_options, temporary, show, threads=threads)
            else:
                encoded = _encode_on(cluster, corpus, text_options, temporary, show)
        with writing_to(temporary):
            complete_folder(encoded, temporary)

    return write_corpus(checked_folder(folder), write, force=force)


def _encode_on(
    address: str, corpus: Corpus, options: TextOptions, folder: Path, report: Report | None
) -> EncodedCorpus:
    from hyperskip.cluster.connection import connected
    from hyperskip.text.encoding.cluster.encoder import ClusterEncoder

    with connected(address) as cluster:
        cluster.check_versions()
        return ClusterEncoder(corpus, options, folder, cluster, report).into_files()


def encode_into(
    corpus: Corpus,
    options: TextOptions,
    folder: Path,
    report: Report | None = None,
    *,
    threads: int = 0,
    sizes: Sizes = DEFAULT_SIZES,
    watch: Callable[[Piece], None] | None = None,
) -> EncodedCorpus:
    """Read a corpus once, and write its integers, without a header, into an existing folder.

    Args:
        corpus: As for `encode`.
        options: How to read, tokenize and count.
        folder: The folder for the files that the result maps.
        report: Called with progress events, from the calling thread.
        threads: Number of threads that tokenize; 0 uses every core. The result is the same.
        sizes: How much is read, or held in memory, at once.
        watch: Called with each piece before it is encoded; it has whole documents.

    Raises:
        CorpusError: The text is missing, unreadable or empty, or too few words are frequent enough.
        OutputError: The folder cannot hold the corpus.
    """
    report = report or (lambda _: None)
    joining = PhraseJoining(options)
    reader, unfiltered = read_unfiltered(
        corpus, options, folder, report, threads=threads, sizes=sizes, watch=watch
    )
    joining.join(unfiltered, report)
    encoded = _finalized(unfiltered, reader, options, folder)
    return dataclasses.replace(encoded, phrase_file=joining.file)


def encode_scans(
    scans: Iterable[Scan],
    unfiltered: UnfilteredCorpus,
    reader: CorpusReader,
    options: TextOptions,
    folder: Path,
    report: Report,
) -> EncodedCorpus:
    """Write the integers of pieces that were scanned.

    Args:
        scans: The pieces.
        unfiltered: Where they are written to first; it is in the folder.
        reader: What reads the text.
        options: How to count.
        folder: The folder for the files that the result maps.
        report: Called with progress events.

    Raises:
        CorpusError: As `encode_into`.
        OutputError: The folder cannot hold the corpus.
    """
    read_scans(scans, unfiltered, reader, options, report)
    return _finalized(unfiltered, reader, options, folder)


def _finalized(
    unfiltered: UnfilteredCorpus, reader: CorpusReader, options: TextOptions, folder: Path
) -> EncodedCorpus:
    """Select the words, and write the integers in final ids."""
    vocabulary, final_ids = chosen_words(unfiltered.lexicon, options, reader)
    unfiltered.finalize(final_ids)
    with writing_to(folder):
        tokens = IntegerFile(folder / TOKENS_NAME, np.int32)
        starts = IntegerFile(folder / STARTS_NAME, np.int64)
    return EncodedCorpus(
        options.without_function(),
        vocabulary,
        tokens.mapped,
        starts.mapped,
        unfiltered.pruned,
        reader.given,
        reader.sources,
        tokens,
        starts,
    )


def _origin(reader: CorpusReader) -> str:
    """The text that was read, as errors name it."""
    files = [source.path for source in reader.sources]
    if not files:
        return "the corpus"
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more"


def _hint_for_no_words(options: TextOptions) -> str:
    if options.tokenizer == WHITESPACE:
        return "is it empty?"
    if callable(options.tokenizer):
        return "is it empty, or does `tokenizer` return no words?"
    shortest = ""
    if options.tokenizer == PAPER:
        shortest = f"with `tokenizer='{PAPER}'`, a word has at least two letters or digits; "
    return (
        f"is it empty? {shortest}`tokenizer='{WHITESPACE}'` keeps everything between blanks, also "
        "numbers and names such as 42, item_1 or B00-XYZ1"
    )


def _hint_for_blanks(lexicon: Lexicon) -> str:
    """What to do if tokens are whole texts; empty if the first tokens have no blanks."""
    first = np.arange(min(_EXAMINED_TOKENS, len(lexicon.counts)))
    for token in words_of(*lexicon.spelled(first)):
        if " " in token:
            return (
                f"the token {shown(token)} contains blanks: if it is a text, pass the texts "
                "themselves, not lists of them"
            )
    return ""


def chosen_words(
    lexicon: Lexicon, options: TextOptions, reader: CorpusReader
) -> tuple[Vocabulary, npt.NDArray[np.int32]]:
    """Select the frequent words; returns them, and the final id of each word, or -1."""
    counts = lexicon.counts
    distinct = np.count_nonzero(counts)  # some words may occur in phrases only
    if not distinct:
        text = _origin(reader)
        raise CorpusError(f"no words were found in {text}", hint=_hint_for_no_words(options))
    segmenting = ""
    is_split_at_blanks = options.tokenizer in (PAPER, WHITESPACE) and not reader.has_tokens
    if is_split_at_blanks and is_unsegmented(lexicon):
        segmenting = f"`tokenizer='{ICU}'` finds words in scripts without blanks"
    is_text = _hint_for_blanks(lexicon) if reader.has_tokens else ""
    order, final_ids = frequent(counts, options.min_count)
    if distinct < 2:
        raise CorpusError(
            "the corpus has only one distinct word; training requires at least two",
            hint=segmenting or is_text or "add text",
        )
    if len(order) < 2:
        most = int(counts.max())
        raise CorpusError(
            f"`min_count={options.min_count}` leaves {len(order)} of the {distinct} words of "
            "the corpus; training requires at least two (the most frequent word occurs "
            f"{most} {'time' if most == 1 else 'times'})",
            hint=segmenting or is_text or "use a smaller `min_count`, or more text",
        )
    if segmenting:
        warn(
            "much of the text has no blanks between words, and its phrases were taken for words: "
            f"{segmenting}",
            CorpusWarning,
        )
    return Vocabulary(*lexicon.spelled(order), counts[order]), final_ids
