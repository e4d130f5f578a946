"""A corpus as integers: word ids and sentence starts in memory-mapped files."""

from __future__ import annotations  # help() shows the names of array types

import hashlib
from bisect import bisect_left
from collections.abc import Container
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError, OptionError
from hyperskip.files.remote import Location
from hyperskip.files.targets import is_same_path
from hyperskip.options import declarations, is_function_name
from hyperskip.text.encoding.encoding_events import Pruned
from hyperskip.text.encoding.integers import Integers
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.sources import SourceFile
from hyperskip.text.words.vocabulary import Vocabulary

_TOKENS_AT_ONCE = 1 << 20  # to read for the checksum


@dataclass(frozen=True, eq=False, repr=False)
class EncodedCorpus:
    """A tokenized corpus on disk, which `hyperskip.train` takes as its corpus.

    `hyperskip.encode` creates it, and `hyperskip.open_encoded` opens it. Sentence i has the word
    ids tokens[sentence_starts[i]:sentence_starts[i + 1]], which are indices into vocabulary.words.

    Attributes:
        options: How the text was read and tokenized.
        vocabulary: The words and their counts, most frequent first.
        tokens: The id of each word of the text, memory-mapped.
        sentence_starts: The index of the first token of each sentence, and the number of tokens;
            memory-mapped.
        pruned: What was dropped to limit memory.
        given: The paths, folders, globs and URLs that the text was read from.
        sources: The files that they named.
        token_file: The file behind `tokens`, if there is one.
        start_file: The file behind `sentence_starts`, if there is one.
        phrase_file: The file with the phrases that were joined, if there is one.
    """

    options: TextOptions
    vocabulary: Vocabulary
    tokens: npt.NDArray[np.int32]  # (tokens,)
    sentence_starts: npt.NDArray[np.int64]  # (sentences + 1,)
    pruned: Pruned = field(default_factory=Pruned)
    given: tuple[str, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    token_file: Integers[np.int32] | None = None
    start_file: Integers[np.int64] | None = None
    phrase_file: SourceFile | None = None

    @property
    def folder(self) -> Location | None:
        """The folder with the files of the corpus, or its URL; None if it is in memory only."""
        return None if self.token_file is None else self.token_file.path.parent

    @property
    def token_count(self) -> int:
        """The number of words in the text."""
        return len(self.tokens if self.token_file is None else self.token_file)

    def __repr__(self) -> str:
        place = "" if self.folder is None else f", folder={str(self.folder)!r}"
        return (
            f"EncodedCorpus(words={len(self.vocabulary)}, tokens={self.token_count}, "
            f"sentences={len(self.sentence_starts) - 1}{place})"
        )

    def in_epoch(self, _: int) -> EncodedCorpus:
        """The text of an epoch of training: the same in every epoch."""
        return self

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """Read the word ids of tokens[begin:end] and check them; safe in any thread.

        Unlike `tokens`, the result does not depend on the file any more. Reading a mapped file that
        was truncated would kill the process, and wrong ids would crash kernels.

        Raises:
            CorpusError: The file was truncated, or an id is not in the vocabulary.
        """
        file = self.token_file
        ids = self.tokens[begin:end] if file is None else file.stretch(begin, end)
        if len(ids) and not 0 <= ids.min() <= ids.max() < len(self.vocabulary):
            raise _changed("a token is not in the vocabulary")
        return ids

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Read the sentence starts in the half-open range of tokens, and check them like `stretch`.

        Raises:
            CorpusError: The file was truncated, or the starts are not in order.
        """
        file = self.start_file
        starts = self.sentence_starts if file is None else file
        first = bisect_left(starts, begin)
        # No sentence is empty, so there are at most as many starts as tokens.
        last = bisect_left(starts, end, first, min(len(starts), first + max(end - begin, 0)))
        within = self.sentence_starts[first:last] if file is None else file.stretch(first, last)
        if (np.diff(within, prepend=begin - 1, append=end) < 1).any():
            raise _changed("sentence starts are not in order")
        return within

    def checksum(self) -> str:
        """Read the whole text, and return a checksum of it.

        Raises:
            CorpusError: A file was truncated or changed.
        """
        checksum = hashlib.sha256(np.ascontiguousarray(self.vocabulary.counts).data)
        for begin in range(0, self.token_count, _TOKENS_AT_ONCE):
            end = min(begin + _TOKENS_AT_ONCE, self.token_count)
            checksum.update(self.starts_within(begin, end).data)
            checksum.update(self.stretch(begin, end).data)
        checksum.update("\n".join(self.vocabulary.words).encode("utf-8", "surrogatepass"))
        return checksum.hexdigest()

    def check_options(
        self, asked: TextOptions, chosen: Container[str], *, preset: str = "default"
    ) -> None:
        """Check that the options of these names are those that the text was encoded with.

        Args:
            asked: The options.
            chosen: The names of those that must agree.
            preset: The preset that may have chosen them.

        Raises:
            OptionError: One differs.
        """
        for name in declarations(TextOptions):
            value, used = asked.effective(name), self.options.effective(name)
            if name in chosen and value != used and not self._has_phrases_of(name, value):
                maybe = "" if preset == "default" else f"; `preset={preset!r}` may have chosen it"
                again, instead = f"`{name}={value!r}`", f"pass `{name}={used!r}`"
                if is_function_name(value):
                    again = "this function"
                if is_function_name(used) or used is None or used is False:
                    instead = f"leave out `{name}`"
                with_other = f"with {_named(used)}"
                if used is None or (used is False and value is True):
                    with_other = "without it"
                raise OptionError(
                    f"`{name}` is {_named(value)}, but the corpus was encoded {with_other}",
                    hint=f"encode the text again with {again}, or {instead}{maybe}",
                )

    def _has_phrases_of(self, name: str, value: object) -> bool:
        """Whether an option is the phrase file of the corpus by another path."""
        if name != "phrase_file" or not isinstance(value, str) or self.phrase_file is None:
            return False
        return is_same_path(value, self.phrase_file.path)


def _named(value: object) -> str:
    return f"the {value}" if is_function_name(value) else repr(value)


def _changed(reason: str) -> CorpusError:
    return CorpusError(
        f"the encoded corpus has changed since it was opened: {reason}",
        hint="encode the text again, and do not change the folder during training",
    )
