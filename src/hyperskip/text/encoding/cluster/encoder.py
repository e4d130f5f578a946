"""Encoding on all nodes of a Ray cluster, byte for byte the same as on one machine.

Tasks scan parts of the text. This process merges the words of the parts in the order of the text
and selects the vocabulary. Then tasks write the parts in final ids. The text stays in the object
store, which moves objects to disk if memory is full; this process holds a few parts at a time.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from hyperskip.cluster.failures import cluster_failures
from hyperskip.cluster.nodes import Cluster
from hyperskip.files.remote import Location
from hyperskip.text.encoding.cluster.integers_writer import IntegersWriter
from hyperskip.text.encoding.cluster.parts import cut_into_parts, default_part_bytes
from hyperskip.text.encoding.cluster.scanned_parts import PartWords, restored_scans, scanner_for
from hyperskip.text.encoding.cluster.shards import Shard, Shards, shards_of
from hyperskip.text.encoding.cluster.tasks import Scanning, finish_part, scan_part
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import chosen_words, encode_into, encode_scans
from hyperskip.text.encoding.encoding_events import CompilingScanner, EncodingProgress, Report
from hyperskip.text.encoding.unfiltered_corpus import (
    TOKENS_NAME,
    UnfilteredCorpus,
    exceeds,
)
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Sizes
from hyperskip.text.reading.corpus import Corpus, CorpusReader
from hyperskip.text.reading.sources import check_unchanged
from hyperskip.text.words.lexicon import Lexicon
from hyperskip.text.words.scan import Scan
from hyperskip.text.words.vocabulary import Vocabulary

Item = TypeVar("Item")

# CPUs that a task needs. Work that follows on the same cluster leaves this part of each node free,
# so that Ray can run the tasks again whose results were lost with a node. It is less than half a
# CPU, so that two trainings cannot share a node that has only one.
TASK_CPUS = 0.4
_WORK = "encoding"
_TASKS_PER_CPU = 2  # at the same time
_RETRIES = 5  # after the death of a node or process


class _Scanned(NamedTuple):
    """A part in the object store, with its own numbers of words."""

    words: Any  # reference to PartWords
    text: Any  # reference to PartText


class _Merged(NamedTuple):
    """A part in the object store whose words have provisional ids."""

    text: Any  # reference to PartText
    ids: Any  # reference to the provisional id of each word


class ClusterEncoder:
    """Encodes a corpus on all nodes of a cluster.

    Standard input, pipes, documents and memory:// URLs can be read by this process only, a function
    as tokenizer is called here only, and phrases are found and joined here only: this process then
    encodes the text alone.

    Args:
        corpus: As for `encode`.
        options: How to read, tokenize and count.
        folder: An existing folder for files.
        cluster: The cluster.
        report: Called with progress events, from the calling thread.
        sizes: How much is read at once.
        part_bytes: The size of parts. Default: a size that gives work to all CPUs.
    """

    def __init__(
        self,
        corpus: Corpus,
        options: TextOptions,
        folder: Path,
        cluster: Cluster,
        report: Report | None = None,
        *,
        sizes: Sizes = DEFAULT_SIZES,
        part_bytes: int | None = None,
    ) -> None:
        self._corpus = corpus
        self._options = options
        self._folder = folder
        self._cluster = cluster
        self._report: Report = report or (lambda _: None)
        self._sizes = sizes
        self._part_bytes = part_bytes
        self._reader = CorpusReader(corpus, options, 1, sizes)

    def into_files(self) -> EncodedCorpus:
        """Write the integers, without a header, into the folder, like `encode_into`.

        Raises:
            CorpusError: As `encode_into`; or a node cannot read the text.
            OutputError: The folder cannot hold the corpus.
            ClusterError: The cluster failed.
        """
        with cluster_failures(self._cluster, _WORK):
            return self._encoded(keep_shards=False)

    def into_shards(self) -> EncodedCorpus:
        """Leave the text in the object store of the cluster.

        Returns:
            The corpus. Its `token_file` is of type `Shards`, which can be passed to tasks and
            actors. `tokens` is empty, and `sentence_starts` is in the folder.

        Raises:
            CorpusError: As `encode_into`; or a node cannot read the text.
            OutputError: The folder cannot hold the sentence starts.
            ClusterError: The cluster failed.
        """
        with cluster_failures(self._cluster, _WORK):
            encoded = self._encoded(keep_shards=True)
            if isinstance(encoded.token_file, Shards):
                return encoded
            shards = shards_of(encoded, self._folder / TOKENS_NAME)
            return replace(encoded, tokens=np.zeros(0, dtype=np.int32), token_file=shards)

    def _encoded(self, *, keep_shards: bool) -> EncodedCorpus:
        files = self._reader.shared_files()
        is_local = callable(self._options.tokenizer) or self._options.joins_phrases
        if files is None or is_local:
            return encode_into(
                self._corpus, self._options, self._folder, self._report, sizes=self._sizes
            )
        self._cluster.wait_for_cpu(TASK_CPUS)
        before: list[_Scanned] = []
        with closing(self._scanned(files)) as scanned:
            merged = self._merged(scanned, before)
            if merged is None:
                replayed = self._replayed(before, scanned)
                self._check_unchanged(files)
                return replayed
        self._check_unchanged(files)
        before.clear()
        lexicon, parts = merged
        vocabulary, final_ids = chosen_words(lexicon, self._options, self._reader)
        del merged, lexicon  # frees its memory
        return self._finished(vocabulary, final_ids, parts, keep_shards=keep_shards)

    def _check_unchanged(self, files: list[Location]) -> None:
        for source, file in zip(self._reader.sources, files, strict=True):
            check_unchanged(source, str(file))

    def _scanned(self, files: list[Location]) -> Generator[tuple[PartWords, _Scanned], None, None]:
        """Scan all parts; yields the words of each, and the part, in the order of the text."""
        import ray

        total = sum(source.size for source in self._reader.sources)
        nodes = self._cluster.nodes()
        cpus = sum(node.cpus for node in nodes)
        part_bytes = self._part_bytes or default_part_bytes(total, cpus)
        names = {node.id: node.name for node in nodes}
        scanning = Scanning(self._options, self._sizes, part_bytes, self._is_compiled, names)
        task = ray.remote(
            num_cpus=TASK_CPUS,
            num_returns="streaming",
            max_retries=_RETRIES,
            scheduling_strategy="SPREAD",
        )(scan_part)
        parts = cut_into_parts(files, self._reader.sources, self._options, part_bytes, self._sizes)
        if self._is_compiled:
            self._report(CompilingScanner())
        with closing(
            _in_order(lambda part: task.remote(part, scanning), parts, _TASKS_PER_CPU * cpus)
        ) as tasks:
            for results in tasks:
                for words in results:
                    found = ray.get(words)  # raises the error of the task
                    yield found, _Scanned(words, next(results))

    def _merged(
        self, scanned: Iterator[tuple[PartWords, _Scanned]], before: list[_Scanned]
    ) -> tuple[Lexicon, list[_Merged]] | None:
        """Merge the words of all parts, and append the parts to `before`.

        Returns:
            All words, and the parts; None if there are too many words.
        """
        import ray

        lexicon = self._new_lexicon()
        merged: list[_Merged] = []
        tokens = 0
        for words, part in scanned:
            nothing = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int64)
            ids = lexicon.add(Scan(*nothing, words.letters, words.starts, words.counts))
            before.append(part)
            merged.append(_Merged(part.text, ray.put(ids)))
            tokens += words.tokens
            self._advance(tokens, words.bytes_read)
            if exceeds(lexicon, self._options.vocabulary_limit):
                return None
        return lexicon, merged

    def _new_lexicon(self) -> Lexicon:
        _, new_lexicon = scanner_for(self._options.word_rules, compiled=self._is_compiled)
        return new_lexicon()

    def _replayed(
        self, before: list[_Scanned], others: Iterator[tuple[PartWords, _Scanned]]
    ) -> EncodedCorpus:
        """Encode piece by piece, in this process, since words must be dropped during reading.

        Which words are dropped depends on all text before. So this is as slow as on one machine,
        except that the text is already scanned.
        """
        import ray

        unfiltered = UnfilteredCorpus(self._folder, self._sizes.tokens_in_memory)
        unfiltered.lexicon = self._new_lexicon()

        def scans() -> Iterator[Scan]:
            waiting = deque(before)
            before.clear()  # so that the object store can drop the parts
            while waiting:
                part = waiting.popleft()
                yield from restored_scans(ray.get(part.words), ray.get(part.text))
            for words, part in others:
                self._reader.bytes_read += words.bytes_read
                yield from restored_scans(words, ray.get(part.text))

        return encode_scans(
            scans(), unfiltered, self._reader, self._options, self._folder, self._report
        )

    def _finished(
        self,
        vocabulary: Vocabulary,
        final_ids: npt.NDArray[np.int32],
        parts: list[_Merged],
        *,
        keep_shards: bool,
    ) -> EncodedCorpus:
        """Write all parts in final ids: to the folder, or as shards."""
        import ray

        task = ray.remote(num_cpus=TASK_CPUS, num_returns=2, max_retries=_RETRIES)(finish_part)
        final = ray.put(final_ids)
        cpus = sum(node.cpus for node in self._cluster.nodes())
        waiting = deque(parts)
        parts.clear()  # so that the object store can drop a part when it is finished

        def submit(part: _Merged) -> tuple[Any, Any, _Merged]:
            return (*task.remote(part.text, part.ids, final), part)

        shards: list[Shard] = []
        with (
            IntegersWriter(self._folder) as writer,
            closing(_in_order(submit, _emptied(waiting), _TASKS_PER_CPU * cpus)) as tasks,
        ):
            for tokens, counted, part in tasks:
                first = writer.token_count
                count, breaks = ray.get(counted)
                starts = writer.add_sentences(count, breaks)
                if not keep_shards:
                    writer.write_tokens(ray.get(tokens))
                elif count:
                    needed = (part.ids, final)
                    shards.append(Shard(first, count, tokens, ray.put(starts), needed))
            token_file, start_file = writer.files(with_tokens=not keep_shards)
        return EncodedCorpus(
            self._options,
            vocabulary,
            np.zeros(0, dtype=np.int32) if token_file is None else token_file.mapped,
            start_file.mapped,
            given=self._reader.given,
            sources=self._reader.sources,
            token_file=token_file or Shards(self._folder / TOKENS_NAME, shards),
            start_file=start_file,
        )

    @property
    def _is_compiled(self) -> bool:
        return (self._reader.bytes_total or 0) > self._sizes.small_bytes

    def _advance(self, tokens: int, bytes_read: int) -> None:
        self._reader.bytes_read += bytes_read
        self._report(EncodingProgress(tokens, self._reader.bytes_read, self._reader.bytes_total))


def _emptied(waiting: deque[Item]) -> Iterator[Item]:
    while waiting:
        yield waiting.popleft()


def _in_order(
    submit: Callable[[Item], Any], items: Iterable[Item], ahead: int
) -> Generator[Any, None, None]:
    """Submit tasks for items, at most `ahead` of them at a time; the results are in order.

    Tasks that are not needed any more, such as after Ctrl-C, are cancelled.
    """
    waiting: deque[Any] = deque()
    try:
        for item in items:
            waiting.append(submit(item))
            if len(waiting) >= ahead:
                yield waiting[0]
                waiting.popleft()
        while waiting:
            yield waiting[0]
            waiting.popleft()
    finally:
        for result in waiting:
            _cancel(result)


def _cancel(result: Any) -> None:
    import ray

    # Not by force: Ray 2.60 may end this process if a task is killed and completes at that moment.
    ray.cancel(result[0] if isinstance(result, tuple) else result)
