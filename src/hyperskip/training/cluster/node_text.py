"""The text as a node reads it: from storage that all nodes share, from shards, or generated."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import Location, RemotePath
from hyperskip.text.encoding.cluster.shards import Shards, shards_of
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.integers import IntegerFile, Integers, RemoteIntegers
from hyperskip.training.training_text import TrainingText


class WordIds(Protocol):
    """Word ids of which any part can be read, from any thread."""

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """The word ids of a range of tokens."""


@dataclass(frozen=True)
class GeneratedSource:
    """A text that each node generates, such as random walks."""

    text: TrainingText

    @property
    def count(self) -> int:
        """Number of tokens in an epoch."""
        return self.text.token_count

    def by_epoch(self) -> Callable[[int], WordIds]:
        """A function that returns the word ids of an epoch."""
        return self.text.in_epoch


@dataclass(frozen=True)
class TokenSource:
    """Where nodes find the word ids: a file or URL, or shards in the object store."""

    place: Location | Shards
    count: int

    @classmethod
    def of(cls, encoded: EncodedCorpus) -> "TokenSource":
        """The source of a corpus; one that is in the memory of this process only is copied."""
        tokens = encoded.token_file
        if tokens is None or (isinstance(tokens.path, RemotePath) and not tokens.path.is_shared):
            tokens = shards_of(encoded, Path("corpus") if tokens is None else tokens.path)
        place = tokens if isinstance(tokens, Shards) else tokens.path.absolute()
        return cls(place, len(tokens))

    def by_epoch(self) -> Callable[[int], WordIds]:
        """A function that returns the word ids of an epoch, which are always the same.

        Raises:
            CorpusError: They cannot be read here, or they are not the same as elsewhere.
        """
        opened = self.opened()
        return lambda _: opened

    def opened(self) -> Integers[np.int32]:
        """Open the word ids on this node.

        Raises:
            CorpusError: They cannot be read here, or they are not the same.
        """
        if isinstance(self.place, Shards):
            return self.place
        if isinstance(self.place, RemotePath):
            return RemoteIntegers(self.place, np.int32, self.count)
        try:
            found = IntegerFile(self.place, np.int32)
        except (OSError, ValueError) as error:  # ValueError: an empty file cannot be mapped
            reason = reason_of(error) if isinstance(error, OSError) else str(error)
            raise CorpusError(
                f"cannot read {self.place}: {reason}",
                hint="put the encoded corpus into a folder that all nodes share, or into remote "
                "storage (s3://...); or train on the text itself",
            ) from error
        if len(found) != self.count:
            raise CorpusError(
                f"{self.place} has {len(found):,} words instead of {self.count:,}",
                hint="put the same encoded corpus into this folder on all nodes",
            )
        return found


def source_of(text: TrainingText) -> TokenSource | GeneratedSource:
    """What nodes need to read a text."""
    return TokenSource.of(text) if isinstance(text, EncodedCorpus) else GeneratedSource(text)


class ShareText:
    """The text of the blocks that a node trains on, with their sentence starts.

    Args:
        tokens: The word ids of the whole text, in this epoch.
        starts: The sentence starts in the blocks; ascending.
        words: Number of words in the vocabulary; None: not all tokens are words.
        read: Called with the word ids that are read, from any thread.
    """

    def __init__(
        self,
        tokens: WordIds,
        starts: npt.NDArray[np.int64],
        words: int | None,
        read: Callable[[npt.NDArray[np.int32]], None] | None = None,
    ) -> None:
        self._tokens = tokens
        self._starts = starts
        self._words = words
        self._read = read

    def stretch(self, begin: int, end: int) -> npt.NDArray[np.int32]:
        """Read the word ids of a range of tokens, and check them: kernels do not.

        Raises:
            CorpusError: They cannot be read, or one is not in the vocabulary.
        """
        ids = self._tokens.stretch(begin, end)
        if self._words is not None and len(ids) and not 0 <= ids.min() <= ids.max() < self._words:
            raise CorpusError(
                f"{getattr(self._tokens, 'path', 'the text')} has changed: a token is not in the "
                "vocabulary",
                hint="encode the text again, and do not change the folder during training",
            )
        if self._read is not None:
            self._read(ids)
        return ids

    def starts_within(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """The sentence starts in a range of tokens."""
        first, last = np.searchsorted(self._starts, (begin, end))
        return self._starts[first:last]
