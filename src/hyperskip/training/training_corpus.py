"""The corpus of a training: an encoded one, or a text that is encoded for this training only."""

import contextlib
from collections.abc import Callable, Container, Iterator

from hyperskip.cluster.nodes import Cluster
from hyperskip.errors import CorpusError, OptionError
from hyperskip.files.scratch import scratch_folder
from hyperskip.text.encoding.corpus_folder import open_if_encoded
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.encoding.encoding_events import Report
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Piece
from hyperskip.text.reading.corpus import Corpus
from hyperskip.text.word_rules import ICU, PAPER, WHITESPACE
from hyperskip.text.words.scan import words_of
from hyperskip.text.words.unsegmented import have_no_blanks

_EXAMINED_WORDS = 1000  # in the hint of an error


@contextlib.contextmanager
def encoded_corpus(
    corpus: Corpus | EncodedCorpus,
    options: TextOptions,
    chosen: Container[str],
    preset: str,
    threads: int,
    report: Report | None,
    cluster: Cluster | None = None,
    watch: Callable[[Piece], None] | None = None,
) -> Iterator[EncodedCorpus]:
    """Open an encoded corpus, or encode a text into a temporary folder.

    Args:
        corpus: What `hyperskip.train` takes.
        options: How to read a text.
        chosen: The names of the options that were chosen; an encoded corpus must have these values.
        preset: The preset that may have chosen some of them.
        threads: Number of threads that tokenize; 0 uses all cores.
        report: Called with progress events.
        cluster: The cluster that encodes a text, and keeps it in its object store, if any.
        watch: Called with each piece of the text; not on a cluster.

    Raises:
        OptionError: The text was to be watched, but it was encoded before.
    """
    opened = open_if_encoded(corpus) or corpus
    if isinstance(opened, EncodedCorpus):
        opened.check_options(options, chosen, preset=preset)
        if watch is not None:
            raise OptionError(
                "`hierarchy=True` requires the text itself, not an encoded corpus",
                hint="extract the relations from the text first, and pass them as `relations`",
            )
        yield opened
    else:
        with scratch_folder() as folder:
            if cluster is None:
                yield encode_into(opened, options, folder, report, threads=threads, watch=watch)
            else:
                from hyperskip.text.encoding.cluster.encoder import ClusterEncoder

                yield ClusterEncoder(opened, options, folder, cluster, report).into_shards()


def check_contexts(encoded: EncodedCorpus) -> None:
    """Check that words have contexts.

    Raises:
        CorpusError: Every document is a single word.
    """
    if len(encoded.sentence_starts) > encoded.token_count:  # no sentence is empty
        raise CorpusError(
            "every document of the corpus is a single word, so there are no contexts",
            hint=_hint_for_single_words(encoded),
        )


def _hint_for_single_words(encoded: EncodedCorpus) -> str:
    words = encoded.vocabulary
    some = words_of(words.letters, words.starts[: _EXAMINED_WORDS + 1])
    if encoded.options.tokenizer in (PAPER, WHITESPACE) and have_no_blanks(some):
        return f"use `tokenizer='{ICU}'` for whole texts in scripts without blanks"
    return (
        "put a whole document on each line; in Python, pass whole texts, or lists of words: "
        "[['small', 'dog'], ['red', 'car']]"
    )
