"""From text to phrases: reading, counting and scoring."""

from __future__ import annotations  # help() shows Corpus, not what it expands to

from typing import Any

from hyperskip.devices import THREADS
from hyperskip.errors import CorpusError
from hyperskip.files.scratch import scratch_folder
from hyperskip.options import check_progress, check_report, named_arguments
from hyperskip.text.encoding.encoding_events import Report
from hyperskip.text.encoding.reading_pass import read_unfiltered
from hyperskip.text.options import TextOptions
from hyperskip.text.phrases.passes import find_in
from hyperskip.text.phrases.phrases import Phrases
from hyperskip.text.pieces import DEFAULT_SIZES, Sizes
from hyperskip.text.reading.corpus import Corpus
from hyperskip.text.word_rules import TokenizerFunction


@named_arguments
def find_phrases(
    corpus: Corpus,
    *,
    tokenizer: str | TokenizerFunction | None = None,
    lowercase: bool | None = None,
    numbers: str | None = None,
    apostrophes: str | None = None,
    hyphens: str | None = None,
    normalize: str | None = None,
    column: str | None = None,
    delimiter: str | None = None,
    encoding_errors: str | None = None,
    vocabulary_limit: int | None = None,
    phrase_score: str | None = None,
    phrase_threshold: float | None = None,
    phrase_min_count: int | None = None,
    phrase_connectors: str | None = None,
    phrase_passes: int | None = None,
    phrase_limit: int | None = None,
    threads: int = 0,
    report: Report | None = None,
    progress: bool | None = None,
) -> Phrases:
    """Find phrases in a text: words that occur next to each other more often than by chance.

    Phrases do not cross the ends of lines, or of documents. `hyperskip.train(phrases=True)` finds
    the same phrases and joins them.

    Args:
        corpus: As for `hyperskip.encode`: a path, folder, glob or URL ("-" is standard input); a
            list of pathlib.Path or hyperskip.RemotePath; an iterable of documents, each a string or
            a list of tokens; an iterable of records; or a data frame, table or column. An iterable
            is read once.
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
        threads: Number of threads that tokenize; 0 uses every core. The result is the same.
        report: Called with progress events, from the calling thread.
        progress: Whether to show progress; None: only in a terminal or a notebook, and only if
            `report` is None. True writes lines to standard error if there is neither.

    Returns:
        The phrases, as a mapping from "new_york" to its score and count.

    Raises:
        OptionError: An option is not allowed. Nothing has been read.
        CorpusError: The text is missing, unreadable or empty.
        OutputError: There is too little space for temporary files.
        MissingPackageError: The text is a Wikipedia dump or Parquet, which requires the extra
            `wikipedia` or `parquet`, or the protocol of a URL requires a package.
    """
    chosen: dict[str, Any] = {
        "tokenizer": tokenizer,
        "lowercase": lowercase,
        "numbers": numbers,
        "apostrophes": apostrophes,
        "hyphens": hyphens,
        "normalize": normalize,
        "column": column,
        "delimiter": delimiter,
        "encoding_errors": encoding_errors,
        "vocabulary_limit": vocabulary_limit,
        "phrase_score": phrase_score,
        "phrase_threshold": phrase_threshold,
        "phrase_min_count": phrase_min_count,
        "phrase_connectors": phrase_connectors,
        "phrase_passes": phrase_passes,
        "phrase_limit": phrase_limit,
    }
    given = {name: value for name, value in chosen.items() if value is not None}
    options = TextOptions(phrases=True, **given)
    threads = THREADS.checked("threads", threads)
    check_report(report)
    check_progress(progress)

    from hyperskip.progress.automatic import progress_shown

    with progress_shown(progress, report) as show:
        return found_in(corpus, options, show, threads=threads)


def found_in(
    corpus: Corpus,
    options: TextOptions,
    report: Report | None = None,
    *,
    threads: int = 0,
    sizes: Sizes = DEFAULT_SIZES,
) -> Phrases:
    """Read a corpus once, and find its phrases.

    Args:
        corpus: As for `find_phrases`.
        options: How to read, tokenize and find phrases.
        report: Called with progress events, from the calling thread.
        threads: Number of threads that tokenize; 0 uses every core.
        sizes: How much is read, or held in memory, at once.

    Raises:
        CorpusError: The text is missing, unreadable or empty.
        OutputError: There is too little space for temporary files.
    """
    report = report or (lambda _: None)
    with scratch_folder() as folder:
        _, text = read_unfiltered(corpus, options, folder, report, threads=threads, sizes=sizes)
        if not text.token_count:
            raise CorpusError("no words were found in the corpus", hint="is it empty?")
        return find_in(text, options.phrase_rules, report, join_all=False)
